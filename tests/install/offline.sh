#!/usr/bin/env bash
# A bare clone is configured without network, as docs/install.md says: with the folder of dlpack.h named nothing is
# downloaded; without one the error says what helps. Environment: CMAKE, GENERATOR, CC, CXX, SOURCE, DLPACK, WORK.
set -euo pipefail
fail() {
  cat "$work/log" >&2
  echo "$*" >&2
  exit 1
}
work=$WORK-offline
rm -rf "$work"
mkdir -p "$work/clone" "$work/bin"
cp -r "$SOURCE"/{CMakeLists.txt,cmake,include,src,tools,docs,demo,bench,LICENSE,CHANGELOG.md,tileops.pc.in} "$work/clone"

alone=()
if unshare -rn true 2>/dev/null; then
  alone=(unshare -rn)
else
  echo "no network namespace can be had here (unshare -rn): a proxy that does not answer stands in for it"
  export http_proxy=http://127.0.0.1:9 https_proxy=http://127.0.0.1:9 GIT_TERMINAL_PROMPT=0
fi
configure() { # BUILD OPTION...
  "${alone[@]}" "$CMAKE" -S "$work/clone" -B "$work/$1" -G "$GENERATOR" -DCMAKE_C_COMPILER="$CC" \
    -DCMAKE_CXX_COMPILER="$CXX" -DTILEOPS_BUILD_TESTS=OFF -DTILEOPS_CUDA_PACK=none "${@:2}" >"$work/log" 2>&1
}

configure named -DTILEOPS_DLPACK_INCLUDE_DIR="$DLPACK" || fail "does not configure offline"
[[ ! -e $work/named/_deps ]] || fail "something was downloaded: $(ls "$work/named/_deps")"
grep -q '^TILEOPS_DLPACK_DOWNLOAD:BOOL=OFF' "$work/named/CMakeCache.txt" || fail "downloads are not off by default"

# A python3 without packages. A header of version 1 on the system would be found.
printf '#!/bin/sh\nexit 1\n' >"$work/bin/python3"
chmod +x "$work/bin/python3"
if grep -qs 'define DLPACK_MAJOR_VERSION 1' /usr/include/dlpack/dlpack.h /usr/local/include/dlpack/dlpack.h; then
  echo "dlpack.h is installed here: the error without one was not looked at"
elif PATH=$work/bin:$PATH configure none; then
  fail "configured without dlpack.h"
else
  for text in TILEOPS_DLPACK_INCLUDE_DIR=DIR TILEOPS_DLPACK_DOWNLOAD=ON; do
    grep -q -- "-D$text" "$work/log" || fail "the error does not name $text"
  done
fi

# Read by setup.sh and test.sh, which set `tools` and `here` first: where the toolchains are.
# shellcheck shell=bash

msrv=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' "$here/Cargo.toml")

# A toolchain of our own comes last, after that of the system and of the user.
PATH=$PATH:${CARGO_HOME:-${HOME:-}/.cargo}/bin
if [[ -x $tools/cargo/bin/cargo ]] && ! command -v cargo >/dev/null; then
  PATH=$tools/cargo/bin:$PATH
  export CARGO_HOME=$tools/cargo RUSTUP_HOME=$tools/rustup
fi

# Is there a cargo that is new enough?
has_cargo() {
  local version
  version=$(cargo --version 2>/dev/null | cut -d ' ' -f 2) || return 1
  [[ -n $version && $(printf '%s\n' "$msrv" "$version" | sort -V | head -n 1) == "$msrv" ]]
}

# The cargo of the oldest supported toolchain: its path on stdout.
msrv_cargo() {
  compgen -G "$tools/rustup-msrv/toolchains/$msrv*/bin/cargo" | head -n 1 | grep .
}

# Lets bindgen find libclang: that of the system, else the one in `tools`.
find_libclang() {
  local folder
  if [[ -n ${LIBCLANG_PATH:-} ]]; then return 0; fi
  for folder in /usr/lib/llvm-*/lib /usr/lib/*-linux-gnu /usr/lib64 /usr/lib /usr/local/lib; do
    if compgen -G "$folder/libclang*.so*" | grep -qv libclang-cpp; then return 0; fi
  done
  folder=$tools/libclang/clang/native
  [[ -e $folder/libclang.so ]] || return 1
  export LIBCLANG_PATH=$folder
  # The wheel has no headers of the compiler.
  BINDGEN_EXTRA_CLANG_ARGS=-I$("${CC:-cc}" -print-file-name=include)
  export BINDGEN_EXTRA_CLANG_ARGS
}

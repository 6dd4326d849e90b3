#!/usr/bin/env bash
# Julia for the tests: `setup.sh TOOLS` makes TOOLS/julia/bin/julia, without root and without a
# change to the system. A julia on PATH (1.5 or newer) is taken as it is. Else Debian's Julia 1.5.3,
# the newest that Debian packages, is unpacked with its libraries from bullseye, through a private
# apt configuration that takes mirror and keys from the system's own. Where neither can be had, it
# says why and exits with 0: the tests are skipped then.
set -euo pipefail

if (($# != 1)); then
  echo "usage: $0 TOOLS" >&2
  exit 2
fi
mkdir -p "$1"
tools=$(cd "$1" && pwd)
prefix=$tools/julia
suite=bullseye

none() {
  echo "julia: not available: $*"
  exit 0
}

# works JULIA: it starts, is new enough, and an exception unwinds through compiled code.
works() {
  "$1" --startup-file=no -e 'VERSION >= v"1.5" || exit(3)
    try error("unwound") catch e; exit(e isa ErrorException ? 0 : 4) end' >/dev/null 2>&1
}

if [[ -x $prefix/bin/julia ]] && works "$prefix/bin/julia"; then
  exit 0
fi
rm -rf "$prefix"
mkdir -p "$prefix/bin"

if system=$(type -P julia) && works "$system"; then
  ln -s "$system" "$prefix/bin/julia"
  echo "julia: $("$system" --version), $system"
  exit 0
fi

for program in apt-get apt-cache dpkg dpkg-deb; do
  command -v "$program" >/dev/null || none "no julia on PATH, and no $program to unpack Debian's with"
done

# ------------------------------------------------------------------ a private apt ----------

# The mirror of the system's sources, one-line or deb822; Ubuntu mirrors have no Debian suites, and
# archives of other projects neither, so each is asked for the suite.
mirrors() {
  cat /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources} 2>/dev/null |
    sed -nE 's/^deb +(\[[^]]*\] +)?([a-z]+:[^ ]+) .*/\2/p; s/^URIs: *//p' |
    tr ' ' '\n' | sed 's|/*$||' | grep -v -- '-security$' | awk 'NF && !seen[$0]++'
}

apt=$prefix/apt
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/sources.d"
touch "$apt/status"
options=(-q -o Dir::Etc::SourceList="$apt/sources.list" -o Dir::Etc::SourceParts="$apt/sources.d"
  -o Dir::State::Lists="$apt/lists" -o Dir::State::Status="$apt/status" -o Dir::Cache="$apt/cache"
  -o APT::Get::List-Cleanup=0 -o APT::Sandbox::User= -o Acquire::Languages=none
  -o APT::Install-Recommends=0 -o APT::Default-Release= -o Acquire::Retries=2)
log=$prefix/setup.log

found=
for mirror in $(mirrors); do
  echo "deb $mirror $suite main" >"$apt/sources.list"
  if apt-get "${options[@]}" update >"$log" 2>&1 &&
    apt-cache "${options[@]}" show julia >/dev/null 2>&1; then
    found=$mirror
    break
  fi
done
[[ -n $found ]] || none "no julia on PATH, and no mirror in the sources of apt has $suite"

# ------------------------------------------------------------------ unpacking --------------

# Julia's libraries come from its own suite: with another release's libunwind it crashes on the first
# exception. The C library and GCC's are the system's, so that libtileops finds those it was built for.
packages() {
  apt-get "${options[@]}" --simulate install julia | awk '$1 == "Inst" { print $2 }' |
    grep -vE '^(libc6|libc-bin|libcrypt1|gcc-.*-base|libgcc-s1|libstdc\+\+6|dpkg|tar|debconf.*|perl-base)$'
}
mapfile -t wanted < <(packages 2>>"$log")
((${#wanted[@]} > 0)) || none "apt cannot resolve julia of $suite; see $log"

archives=$apt/cache/archives
(cd "$archives" && apt-get "${options[@]}" download "${wanted[@]}" >>"$log" 2>&1) ||
  none "the download failed; see $log"
root=$prefix/root
mkdir -p "$root"
for package in "$archives"/*.deb; do
  dpkg-deb --extract "$package" "$root"
done
rm -rf "$apt"

cat >"$prefix/bin/julia" <<'END'
#!/bin/sh
# Julia from ../root, with the libraries unpacked beside it first.
root=$(dirname "$(dirname "$(readlink -f "$0")")")/root
path=
for dir in "$root"/lib/*-linux-gnu "$root"/usr/lib/*-linux-gnu "$root"/usr/lib/*-linux-gnu/julia; do
  [ -d "$dir" ] && path=${path:+$path:}$dir
done
# libunwind, which Debian's Julia is linked with, has functions of libgcc_s under the same names. C++
# exceptions inside libraries that Julia opens need all of them from the same place.
export LD_PRELOAD="libgcc_s.so.1${LD_PRELOAD:+:$LD_PRELOAD}"
export LD_LIBRARY_PATH="$path${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
exec "$root/usr/bin/julia" "$@"
END
chmod +x "$prefix/bin/julia"
works "$prefix/bin/julia" || none "Debian's julia does not run here"
echo "julia: $("$prefix/bin/julia" --version), unpacked from $suite"

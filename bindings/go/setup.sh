#!/usr/bin/env bash
# usage: setup.sh TOOLS
#
# Sees to it that there is a Go for the tests: one of the system if it is 1.21 or newer, else one in
# the private folder TOOLS, which Debian's older Go downloads as the module it is published as, with its
# checksum. Nothing else is touched. Where none can be had it says why, and the tests are skipped.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$1"
tools=$(cd "$1" && pwd)
source "$here/tests/toolchain.sh"

give_up() {
  echo "no Go 1.21 or newer, and none could be fetched: $*"
  exit 0
}

# bootstrap: prints a Go of any age; one of Debian's packages, unpacked, if none is installed.
bootstrap() {
  local go name
  for go in "$(type -P go || true)" "$tools"/debian-go/usr/lib/go-1.*/bin/go; do
    if [[ -x $go ]]; then
      echo "$go"
      return 0
    fi
  done
  name=$(apt-cache search --names-only '^golang-1\.[0-9]+-go$' | sort -V | tail -n 1 | cut -d ' ' -f 1)
  [[ -n $name ]] || return 1
  mkdir -p "$tools/debian-go"
  (
    cd "$tools/debian-go"
    apt-get -q download "$name" "${name%-go}-src"
    for package in golang-*.deb; do dpkg -x "$package" .; done
    rm -f golang-*.deb
  ) >&2 || return 1
  compgen -G "$tools/debian-go/usr/lib/go-1.*/bin/go" | head -n 1
}

# fetch GO VERSION FOLDER: unpacks that version of Go, as published for the go command, to FOLDER.
fetch() {
  local go=$1 version=$2 folder=$3 platform root
  platform=$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/')
  # A GOROOT that was unpacked elsewhere than where its package belongs does not find itself.
  root=$(dirname "$(dirname "$(readlink -f "$go")")")
  GOROOT=$root GOTOOLCHAIN=local GOFLAGS=-modcacherw GOMODCACHE=$tools/go-download "$go" mod download \
    "golang.org/toolchain@v0.0.1-go$version.$platform" || return 1
  rm -rf "$folder"
  mv "$tools/go-download/golang.org/toolchain@v0.0.1-go$version.$platform" "$folder"
  rm -rf "$tools/go-download"
  # A module may hold neither programs nor other modules: the go command undoes this by itself since 1.21.
  chmod -R a+x "$folder/bin" "$folder/pkg/tool"
  find "$folder" -name _go.mod -execdir mv {} go.mod ';'
}

cd "$tools"
if ! go=$(find_go "$tools"); then
  bootstrap_go=$(bootstrap) || give_up "no package of Go to begin with"
  fetch "$bootstrap_go" "$fetched_go" "$tools/go" || give_up "the download failed"
  go=$(find_go "$tools") || give_up "what was downloaded does not run"
fi
"$go" version

# The oldest Go that the module promises to work with; without it one test is skipped.
if ! new_enough "$tools/go-oldest/bin/go"; then
  fetch "$go" "$oldest_go" "$tools/go-oldest" || echo "Go $oldest_go could not be fetched: not tested with it"
fi

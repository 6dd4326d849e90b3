#!/usr/bin/env bash
# Usage: bindings/rust/setup.sh TOOLS. What the tests of the Rust binding need beyond the system, in
# the private folder TOOLS: a toolchain where there is none, the oldest one that is supported,
# libclang for bindgen, and the crates of Cargo.lock. What cannot be had is said, and is no error: the
# tests that want it are skipped with that reason.
set -euo pipefail
tools=$(mkdir -p "$1" && cd "$1" && pwd)
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=bindings/rust/environment.sh
source "$here/environment.sh"

miss() { echo "rust: $*" >&2; }

if ! has_cargo; then
  echo "rust: no cargo $msrv or newer here; installing a toolchain into $tools/cargo"
  installer=$(mktemp)
  if curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs -o "$installer" &&
    CARGO_HOME=$tools/cargo RUSTUP_HOME=$tools/rustup sh "$installer" -y -q --no-modify-path \
      --profile minimal --component clippy,rustfmt --default-toolchain stable; then
    PATH=$tools/cargo/bin:$PATH
    export RUSTUP_HOME=$tools/rustup
  else
    miss "a toolchain cannot be installed; the tests of the binding will be skipped"
  fi
  rm -f "$installer"
fi
has_cargo || exit 0

if ! (cd "$here" && cargo fetch --locked --quiet --offline) 2>/dev/null; then
  (cd "$here" && cargo fetch --locked --quiet) ||
    miss "the crates of Cargo.lock cannot be had; the tests of the binding will be skipped"
fi

# The oldest supported toolchain, apart from the user's.
if ! msrv_cargo >/dev/null; then
  if command -v rustup >/dev/null; then
    RUSTUP_HOME=$tools/rustup-msrv rustup -q toolchain install "$msrv" --profile minimal \
      --no-self-update >/dev/null || miss "Rust $msrv cannot be had; bindings.rust.msrv will be skipped"
  else
    miss "no rustup to install Rust $msrv with; bindings.rust.msrv will be skipped"
  fi
fi

if ! find_libclang && [[ -x $here/../../.venv/bin/python3 ]]; then
  "$here/../../.venv/bin/python3" -m pip install -q --target "$tools/libclang" libclang ||
    miss "libclang cannot be had; bindings.rust.bindgen will be skipped"
fi

#!/usr/bin/env bash
# The tests of the Rust binding against an installed library; ctest runs `test.sh NAME` for each name
# in CMakeLists.txt. Exit status 77: skipped, with the reason printed.
#
#   test.sh prebuilt DIR   gathers test programs in DIR, for a machine with a GPU and no toolchain;
#                          there: TILEOPS_VECTORS=FILE TILEOPS_TEST_DEVICE=cuda:0 DIR/run.sh LIBDIR
#
# Environment: TILEOPS_PREFIX, the installed library; TILEOPS_VECTORS, the shared test vectors;
# TILEOPS_BINDING_WORK, a folder for what is made.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source_root=$(cd "$here/../.." && pwd)
tools=$source_root/.tools
# shellcheck source=bindings/rust/environment.sh
source "$here/environment.sh"

skip() {
  echo "skipped: $*"
  exit 77
}
fail() {
  echo "FAILED: $*" >&2
  exit 1
}

work=${TILEOPS_BINDING_WORK:?names no folder}/rust
prefix=${TILEOPS_PREFIX:?names no installed library}
mkdir -p "$work"
export CARGO_TARGET_DIR=$work/target TILEOPS_DIR=$prefix
# What would be kept for compiling after a change takes a quarter of the time of a first build.
export CARGO_INCREMENTAL=${CARGO_INCREMENTAL:-0}
# Doctests have no rpath.
export LD_LIBRARY_PATH=$prefix/${TILEOPS_LIBDIR:-lib}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
unset TILEOPS_SOURCE_DIR TILEOPS_STATIC TILEOPS_TEST_DEVICE DOCS_RS RUSTFLAGS RUSTDOCFLAGS
features=half,float8,ndarray,cudarc,dlpark

has_cargo || skip "no cargo $msrv or newer"
cd "$here"
export CARGO_NET_OFFLINE=true
cargo fetch --locked --quiet 2>/dev/null || skip "the crates of Cargo.lock are not here: ./dev setup"

# Unit and integration tests, with all features and with none.
run_unit() {
  cargo test --locked --quiet -p tileops --lib --tests --examples --features "$features"
  cargo test --locked --quiet -p tileops --lib --tests
  cargo run --locked --quiet -p tileops --example cpu
  cargo run --locked --quiet -p tileops --example expression
  cargo run --locked --quiet -p tileops --example serve
  cargo run --locked --quiet -p tileops --example optimiser
}

# The shared vectors, to the bit.
run_vectors() {
  [[ -s ${TILEOPS_VECTORS:-} ]] || fail "TILEOPS_VECTORS names no file"
  cargo test --locked --quiet -p tileops --features "$features" --test vectors | tee "$work/vectors.log"
  grep -Eq '^[1-9][0-9]+ vectors .* 0 failed$' "$work/vectors.log" || fail "no vectors were run"
}

# Examples in the documentation, what the compiler refuses, and documentation without warnings.
run_doc() {
  cargo test --locked --quiet -p tileops --doc --features "$features"
  RUSTDOCFLAGS="-D warnings" cargo doc --locked --quiet --no-deps --workspace --features "$features"
}

run_lint() {
  cargo fmt --all --check
  cargo clippy --locked --quiet --workspace --all-targets --all-features -- -D warnings
  cargo clippy --locked --quiet --workspace --all-targets -- -D warnings
}

# Every feature on its own: they are additive.
run_features() {
  local feature
  for feature in ${features//,/ }; do
    cargo check --locked --quiet -p tileops --features "$feature" || fail "feature $feature"
  done
}

# The bindings that are checked in are those of the header, and those made at build time work.
run_bindgen() {
  find_libclang || skip "no libclang: ./dev setup"
  local include=$prefix/include
  # dlpack.h is installed with the library, or on the system, where clang finds it.
  cargo run --locked --quiet -p xtask -- bindgen --check "$include" "$include/tileops/third_party"
  cargo test --locked --quiet -p tileops --features buildtime_bindgen --test operators
}

# How the library is looked for, and what is said when it is not found or too old.
run_library() {
  local log=$work/library.log
  export CARGO_TARGET_DIR=$work/target-library
  refused() { # NAME=VALUE... -- TEXT...: the build fails and says all the texts
    local variables=() text
    while [[ $1 != -- ]]; do
      variables+=("$1")
      shift
    done
    shift
    if env -u TILEOPS_DIR "${variables[@]}" cargo build --locked -p tileops-sys >"$log" 2>&1; then
      fail "built with ${variables[*]}"
    fi
    for text in "$@"; do
      grep -qF -- "$text" "$log" || { cat "$log"; fail "${variables[*]}: does not say: $text"; }
    done
  }
  refused TILEOPS_DIR=/nonexistent -- "libtileops 0.1.0 or newer, below 0.2.0, was not found" \
    "TILEOPS_DIR=/nonexistent: no libtileops.so in /nonexistent/lib, /nonexistent/lib64" \
    "pkg-config: not asked, since TILEOPS_DIR is set" "Set TILEOPS_DIR to the prefix"
  refused PKG_CONFIG_LIBDIR=/nonexistent PKG_CONFIG_PATH= -- "TILEOPS_DIR: not set" \
    "pkg-config: " "the feature \`vendored\` of tileops-sys is not enabled"

  local old=$work/old
  rm -rf "$old"
  mkdir -p "$old/lib/pkgconfig" "$old/include/tileops"
  touch "$old/lib/libtileops.so"
  sed 's/^\(#define TILEOPS_VERSION_MINOR\) .*/\1 0/' "$prefix/include/tileops/tileops.h" \
    >"$old/include/tileops/tileops.h"
  refused "TILEOPS_DIR=$old" -- "version 0.0.0 (need 0.1.0 to 0.2.0)"
  printf 'Name: tileops\nDescription: old\nVersion: 0.0.9\nLibs: -L%s/lib -ltileops\n' "$old" \
    >"$old/lib/pkgconfig/tileops.pc"
  refused "PKG_CONFIG_LIBDIR=$old/lib/pkgconfig" PKG_CONFIG_PATH= -- "tileops >= 0.1.0" "0.0.9"

  # pkg-config finds it as well, and docs.rs needs none.
  if command -v pkg-config >/dev/null; then
    env -u TILEOPS_DIR "PKG_CONFIG_PATH=$prefix/${TILEOPS_LIBDIR:-lib}/pkgconfig" \
      cargo build --locked --quiet -p tileops-sys || fail "not found by pkg-config"
  else
    echo "no pkg-config here: not tried"
  fi
  env -u TILEOPS_DIR DOCS_RS=1 PKG_CONFIG_LIBDIR=/nonexistent \
    cargo doc --locked --quiet --no-deps -p tileops-sys -p tileops || fail "documentation without the library"
}

# The README's examples, as printed, in an empty folder.
run_readme() {
  local first=$work/readme
  rm -rf "$first"
  mkdir -p "$first"
  python3 "$here/readme.py" "$here/README.md" "$first"
  (
    cd "$first"
    unset LD_LIBRARY_PATH
    export TILEOPS_SOURCE=$source_root
    bash -euo pipefail create.sh
    cp main.rs first/src/main.rs
    cd first
    bash -euo pipefail ../run.sh | tee ../output.log
    diff ../expected.log ../output.log || fail "the output is not the printed one"
    cp ../expression.rs src/main.rs
    bash -euo pipefail ../run.sh | tee ../output.log
    diff ../expression.log ../output.log || fail "the output of the expression is not the printed one"
    diff ../expression.rs "$here/tileops/examples/expression.rs" || fail "the example is not the printed one"
    # The troubleshooting text quotes what the loader says.
    if "$CARGO_TARGET_DIR/debug/first" 2>../loader.log; then
      echo "the loader finds the library in its own folders"
    else
      grep -F "error while loading shared libraries: libtileops.so" ../loader.log
      grep -qF "error while loading shared libraries: libtileops.so" "$here/README.md" ||
        fail "the README does not tell of it"
    fi
  )
}

# The oldest supported Rust.
run_msrv() {
  local cargo
  cargo=$(msrv_cargo) || skip "Rust $msrv is not in .tools: ./dev setup"
  export CARGO_TARGET_DIR=$work/target-msrv RUSTC=${cargo%/*}/rustc
  # The newest releases of cudarc and dlpark want a newer Rust; they are optional.
  "$cargo" check --locked --quiet -p tileops --lib --features half,float8,ndarray
  "$cargo" --version
}

# What the binding adds to a C call. The limit is far above the target of 10 ns: this tells of a
# mistake, not of a busy machine.
run_bench() {
  TILEOPS_BENCH_LIMIT_NS=100 cargo bench --locked --quiet -p tileops --bench execute
}

# Builds of the C library here show that it is found and linked, so that the quickest one does: without optimising, many
# sources at once, by the compiler that TILEOPS_QUICK_CXX names. CMake's build folders keep their compiler, hence one for each.
quick_cxx=${TILEOPS_QUICK_CXX:-${CXX:-c++}}
quick_build="-DTILEOPS_CPU_ISAS=baseline -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DCMAKE_UNITY_BUILD=ON"

# The feature `vendored`: the C library through cargo, as little of it as will do.
run_vendored() {
  export CARGO_TARGET_DIR=$work/target-vendored-${quick_cxx##*/} CCACHE_BASEDIR=$source_root
  export TILEOPS_CMAKE_OPTIONS="$quick_build -DTILEOPS_CUDA=OFF" CXX=$quick_cxx
  env -u TILEOPS_DIR -u LD_LIBRARY_PATH PKG_CONFIG_LIBDIR=/nonexistent \
    cargo test --locked --quiet -p tileops --features vendored --test closed_handles
}

# Both crates as cargo uploads them, unpacked in an empty folder: the feature `vendored` builds the
# library from what the packages hold, without Python and, where a namespace can be had, without
# network; no libtileops is needed to run. Then the same program with TILEOPS_STATIC.
run_package() {
  local folder=$work/package alone=() crate archive
  [[ $(printf '%s\n' 1.90 "$(cargo --version | cut -d ' ' -f 2)" | sort -V | head -n 1) == 1.90 ]] ||
    skip "cargo packages crates that need each other since 1.90"
  mkdir -p "$folder"
  rm -rf "$folder"/*.crate "$folder/use" "$folder/static" "$folder/python3"
  TILEOPS_DLPACK_INCLUDE_DIR=$(dirname "$(dlpack_header)") \
    cargo run --locked --quiet -p xtask -- package "$folder"
  mkdir -p "$folder/use/src" "$folder/bin"
  for crate in "$folder"/*.crate; do
    (($(stat -c %s "$crate") < 10000000)) || fail "$crate: too large for a registry"
    tar -xzf "$crate" -C "$folder/use"
    [[ -s $folder/use/$(basename "$crate" .crate)/LICENSE ]] || fail "$crate holds no licence"
    [[ -s $folder/use/$(basename "$crate" .crate)/README.md ]] || fail "$crate holds no README"
  done
  python3 "$here/readme.py" "$here/README.md" "$folder"
  cp "$folder/main.rs" "$folder/use/src"
  cp "$here/Cargo.lock" "$folder/use"
  manifest() { # [FEATURE]
    printf '[package]\nname = "use"\nedition = "2021"\n[workspace]\n[dependencies]\n'
    printf 'tileops = { path = "%s", features = [%s] }\n' "$(echo tileops-[0-9]*)" "${1:+\"$1\"}"
    printf '[patch.crates-io]\ntileops-sys = { path = "%s" }\n' "$(echo tileops-sys-*)"
  }
  cd "$folder/use"
  printf '#!/bin/sh\nexit 99\n' >"$folder/bin/python3"
  chmod +x "$folder/bin/python3"
  if unshare -rn true 2>/dev/null; then alone=(unshare -rn); fi
  export CARGO_TARGET_DIR=$folder/use-target-${quick_cxx##*/} CCACHE_BASEDIR=$folder
  export TILEOPS_CMAKE_OPTIONS=$quick_build CXX=$quick_cxx
  manifest vendored >Cargo.toml
  env -u TILEOPS_DIR -u LD_LIBRARY_PATH PKG_CONFIG_LIBDIR=/nonexistent "PATH=$folder/bin:$PATH" \
    "${alone[@]}" cargo build --offline --quiet || fail "does not build from the packages alone"
  without_library "$CARGO_TARGET_DIR/debug/use" "$folder/expected.log"

  # What it built serves as an installation with a static library alone.
  archive=$(find "$CARGO_TARGET_DIR/debug/build" -name libtileops.a -printf '%T@ %p\n' | sort -n |
    tail -n 1 | cut -d ' ' -f 2)
  mkdir -p "$folder/static/lib"
  cp "$archive" "$folder/static/lib"
  cp -r "$(echo tileops-sys-*)/vendor/include" "$folder/static"
  manifest >Cargo.toml
  TILEOPS_STATIC=1 TILEOPS_DIR=$folder/static cargo build --offline --quiet
  without_library "$CARGO_TARGET_DIR/debug/use" "$folder/expected.log"
}

# The program prints what the file holds, and does not want the shared library.
without_library() {
  local needed
  needed=$(ldd "$1")
  echo "$needed"
  [[ $needed == *libtbb* && $needed != *libtileops* ]] || fail "$1 is not linked statically"
  diff <(env -u LD_LIBRARY_PATH "$1") "$2"
}

# The folder dlpack of the header that the library was built with.
dlpack_header() {
  local place
  for place in "$prefix/include/tileops/third_party" /usr/include /usr/local/include; do
    if [[ -s $place/dlpack/dlpack.h ]]; then
      echo "$place/dlpack"
      return
    fi
  done
  fail "no dlpack.h beside the installed library"
}

# Test programs for another machine.
run_prebuilt() {
  local to=${1:-$work/prebuilt} name path
  mkdir -p "$to"
  for name in vectors device in_place rows threads closed_handles tune; do
    path=$(cargo test --locked --no-run -p tileops --features "$features" --test "$name" \
      --message-format json | sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' | tail -n 1)
    cp "$path" "$to/$name"
  done
  cargo build --locked --quiet -p tileops --features cudarc --example cudarc
  cp "$CARGO_TARGET_DIR/debug/examples/cudarc" "$to/cudarc"
  cat >"$to/run.sh" <<'END'
#!/usr/bin/env bash
# Usage: run.sh LIBDIR, with TILEOPS_VECTORS and TILEOPS_TEST_DEVICE.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
export LD_LIBRARY_PATH=$1${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
for name in vectors device in_place rows threads closed_handles tune cudarc; do
  echo "== rust: $name"
  "./$name"
done
END
  chmod +x "$to/run.sh"
  TILEOPS_TEST_DEVICE=cpu "$to/run.sh" "$prefix/${TILEOPS_LIBDIR:-lib}"
}

name=${1:?usage: test.sh NAME}
shift
declare -F "run_$name" >/dev/null || fail "no test is called $name"
"run_$name" "$@"

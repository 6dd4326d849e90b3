#!/usr/bin/env bash
# One step of the install test; CMakeLists.txt beside it says which and sets the environment.
#   run.sh prefix               install into $WORK/installed and, by a move, into $WORK/moved/here
#   run.sh cmake PLACE          build and run consumer/ with find_package(tileops)
#   run.sh without_static       ask an installation without the static library for it
#   run.sh pkg_config PLACE     the same with pkg-config and bare compilers
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
unset DESTDIR PKG_CONFIG_LIBDIR

prefix_of() {
  case $1 in
    installed) echo "$WORK/installed" ;;
    moved) echo "$WORK/moved/here" ;;
  esac
}

fail() {
  echo "$*" >&2
  exit 1
}

make_prefixes() {
  rm -rf "$WORK"
  mkdir -p "$WORK/moved"
  "$CMAKE" --install "$BUILD" --prefix "$WORK/installed" >/dev/null
  "$CMAKE" --install "$BUILD" --prefix "$WORK/before" >/dev/null
  mv "$WORK/before" "$WORK/moved/here"

  # Text that names a place on this machine would be wrong on every other one.
  local place found
  for place in "$BUILD" "$SOURCE" "$WORK"; do
    found=$(grep -rIlF "$place" "$WORK/installed" || true)
    [[ -z $found ]] || fail "$place is named in" $found
  done
  for file in include/tileops/tileops.h include/tileops/tileops.hpp include/tileops/ops.def \
      include/tileops/attrs.def "$LIBDIR/libtileops.so" "$LIBDIR/pkgconfig/tileops.pc" \
      "$LIBDIR/cmake/tileops/tileops-config.cmake" share/doc/tileops/LICENSE \
      share/doc/tileops/copyright share/doc/tileops/examples/example.c share/doc/tileops/examples/expression.c \
      share/doc/tileops/examples/expression.cc share/doc/tileops/examples/rows.cc; do
    [[ -e $WORK/installed/$file ]] || fail "not installed: $file"
  done
  if [[ -d $WORK/installed/include/tileops/third_party/dlpack ]]; then
    [[ -e $WORK/installed/include/tileops/third_party/dlpack/LICENSE ]] || fail "dlpack.h without its licence"
  fi
  local flags
  flags=$(readelf -dW "$WORK/installed/$LIBDIR/libtileops.so")
  for file in NODELETE BIND_NOW; do
    [[ $flags == *"$file"* ]] || fail "libtileops.so is not linked with $file"
  done
  flags=$(nm -D "$WORK/installed/$LIBDIR/libtileops.so")
  [[ $flags == *__stack_chk_fail* ]] || fail "no stack protector"
  flags=$(readelf -lW "$WORK/installed/$LIBDIR/libtileops.so")
  [[ $flags == *GNU_RELRO* ]] || fail "no RELRO"
  # Each folder of the public headers and of the operator table came along.
  diff <(cd "$SOURCE/include" && find tileops -name '*.h' -o -name '*.hpp' -o -name '*.def' | sort) \
       <(cd "$WORK/installed/include" && find tileops -path tileops/third_party -prune -o -type f \
         -print | sort) || fail "the installed headers are not those of the source"
}

# check_examples DIR: the documents' programs print what they should.
check_examples() {
  [[ $("$1/example") == $'11 22 33\n14 25 36' ]] || fail "the example prints something else"
  [[ $("$1/expression") == '1.000 -2.000 0.500' ]] || fail "the example of expressions prints something else"
  [[ $("$1/rows") == $'  32   48  127   79   times 0.01714\n   0  -85   85  127   times 0.01263' ]] ||
    fail "the example of rows prints something else"
  [[ $("$1/serve") == '257923 rows by one plan: 0.6034 1.2068' ]] || fail "the example of a server prints something else"
  [[ $("$1/pool") == '-2.5584 -1.7056, sums -655.0 -436.6' ]] || fail "the example of a pool prints something else"
  [[ $("$1/optimiser") == 'norm 46.6369, parameters -0.739924 -0.739924 -0.239983' ]] ||
    fail "the example of an optimiser prints something else"
  [[ $("$1/expression_cxx") == '1.000 -2.000 0.500' ]] || fail "the example in C++ prints something else"
}

use_cmake() {
  local prefix build
  prefix=$(prefix_of "$1")
  build=$WORK/cmake-$1
  rm -rf "$build"
  "$CMAKE" -S "$here/consumer" -B "$build" -G "$GENERATOR" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" >/dev/null
  "$CMAKE" --build "$build" >"$build/log" 2>&1 || { cat "$build/log" >&2; exit 1; }
  grep -q "^tileops_DIR:PATH=$prefix/" "$build/CMakeCache.txt" || fail "found another tileops"
  "$build/consumer_c"
  "$build/consumer_cxx"
  if [[ -e $build/consumer_static ]]; then "$build/consumer_static"; fi
  # The installed examples, and a project in C alone with the static library.
  "$CMAKE" -S "$prefix/share/doc/tileops/examples" -B "$build/examples" -G "$GENERATOR" \
    -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" >/dev/null
  "$CMAKE" --build "$build/examples" >"$build/log" 2>&1 || { cat "$build/log" >&2; exit 1; }
  check_examples "$build/examples"
  if [[ -e $prefix/$LIBDIR/libtileops.a ]]; then
    "$CMAKE" -S "$here/consumer_c" -B "$build/c" -G "$GENERATOR" -DCMAKE_PREFIX_PATH="$prefix" \
      -DCMAKE_C_COMPILER="$CC" >/dev/null
    "$CMAKE" --build "$build/c" >"$build/log" 2>&1 || { cat "$build/log" >&2; exit 1; }
    "$build/c/consumer_static"
  fi
}

# Without the static library the error of who asks for it says why.
use_cmake_without_static() {
  local prefix=$WORK/shared_alone
  rm -rf "$prefix"
  cp -r "$WORK/installed" "$prefix"
  rm -f "$prefix/$LIBDIR/libtileops.a" "$prefix/$LIBDIR"/cmake/tileops/tileops-static-targets*.cmake
  if "$CMAKE" -S "$here/consumer_c" -B "$prefix/build" -G "$GENERATOR" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$CC" \
      >"$prefix/log" 2>&1; then
    fail "found a static library that is not there"
  fi
  tr -s '\n ' ' ' <"$prefix/log" | grep -q 'libtileops.a is not installed .*-DTILEOPS_STATIC=ON' || {
    cat "$prefix/log" >&2
    fail "the error does not say why there is no component static"
  }
}

use_pkg_config() {
  local prefix out example
  prefix=$(prefix_of "$1")
  out=$WORK/pkg_config-$1
  mkdir -p "$out"
  export PKG_CONFIG_PATH=$prefix/$LIBDIR/pkgconfig
  pkg-config --validate tileops
  # A link with the shared library needs no other package's file, as where oneTBB's headers are absent.
  PKG_CONFIG_LIBDIR=$PKG_CONFIG_PATH pkg-config --cflags --libs tileops >/dev/null ||
    fail "pkg-config needs more than tileops.pc"
  [[ $(pkg-config --modversion tileops) =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "odd version"
  local strict=(-Wall -Wextra -pedantic-errors -Werror)
  # The flags are words to be split.
  "$CC" -std=c99 "${strict[@]}" "$here/consumer/main.c" $(pkg-config --cflags --libs tileops) \
    -o "$out/consumer_c"
  "$CXX" -std=c++17 "${strict[@]}" "$here/consumer/main.cc" \
    $(pkg-config --cflags --libs tileops) -o "$out/consumer_cxx"
  if [[ -e $prefix/$LIBDIR/libtileops.a ]]; then
    "$CC" -std=c99 "${strict[@]}" "$here/consumer/main.c" $(pkg-config --cflags tileops) \
      "-L$prefix/$LIBDIR" -l:libtileops.a -Wl,--as-needed $(pkg-config --static --libs tileops) -o "$out/consumer_static"
    env -u LD_LIBRARY_PATH "$out/consumer_static"
    if ldd "$out/consumer_static" | grep tileops; then fail "the shared library was linked"; fi
  fi
  # The examples of README.md, docs/api.md and docs/engines.md, as printed.
  for example in example expression optimiser pool serve; do
    "$CC" -std=c99 "${strict[@]}" "$SOURCE/demo/$example.c" $(pkg-config --cflags --libs tileops) \
      -lpthread -o "$out/$example"
  done
  "$CXX" -std=c++17 "${strict[@]}" "$SOURCE/demo/expression.cc" $(pkg-config --cflags --libs tileops) \
    -o "$out/expression_cxx"
  "$CXX" -std=c++17 "${strict[@]}" "$SOURCE/demo/rows.cc" $(pkg-config --cflags --libs tileops) -o "$out/rows"
  export LD_LIBRARY_PATH=$prefix/$LIBDIR${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  "$out/consumer_c"
  "$out/consumer_cxx"
  check_examples "$out"
  # The command finds its library without help.
  if [[ -x $prefix/bin/tileops ]]; then env -u LD_LIBRARY_PATH "$prefix/bin/tileops" info >/dev/null; fi
}

case $1 in
  prefix) make_prefixes ;;
  cmake) use_cmake "$2" ;;
  without_static) use_cmake_without_static ;;
  pkg_config) use_pkg_config "$2" ;;
  *) fail "unknown step $1" ;;
esac

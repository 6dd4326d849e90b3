#!/usr/bin/env bash
# The library at work on NumPy arrays, through the installed C library: demo/run.sh PREFIX.
# Needs compilers of C and C++, pkg-config and python3 with NumPy on the PATH; `./dev demo` provides them.
set -euo pipefail

if (($# != 1)); then
  echo "usage: demo/run.sh PREFIX" >&2
  exit 2
fi
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
prefix=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

pc=$(find "$prefix" -name tileops.pc -print -quit)
if [[ -z $pc ]]; then
  echo "demo: no tileops.pc below $prefix; is the library installed there?" >&2
  exit 1
fi
export PKG_CONFIG_PATH=${pc%/*}${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
libdir=$(pkg-config --variable=libdir tileops)

# compile NAME [SOURCE...]: as any C program would be, with the run path set to an uncommon prefix.
compile() {
  local name=$1
  shift
  if (($# == 0)); then set -- "$name.c"; fi
  # shellcheck disable=SC2046
  "${CC:-cc}" -std=c99 -O2 -Wall -Wextra "${@/#/$here/}" -o "$work/$name" \
    $(pkg-config --cflags --libs tileops) "-Wl,-rpath,$libdir" -lm -ldl -lpthread
}

# compile_cxx NAME: NAME.cc, likewise.
compile_cxx() {
  # shellcheck disable=SC2046
  "${CXX:-c++}" -std=c++17 -O2 -Wall -Wextra "$here/$1.cc" -o "$work/$1_cxx" \
    $(pkg-config --cflags --libs tileops) "-Wl,-rpath,$libdir"
}

echo "-- demo/rows.cc, the first program in the README:"
compile_cxx rows
"$work/rows_cxx"

echo "-- demo/example.c, an operator in C:"
compile example
"$work/example"

echo "-- demo/expression.c, an expression in C:"
compile expression
"$work/expression"

echo "-- demo/serve.c, any batch by one plan:"
compile serve
"$work/serve"

echo "-- demo/optimiser.c, all parameters of a model by one call:"
compile optimiser
"$work/optimiser"

echo "-- demo/pool.c, on threads of the program's own:"
compile pool
"$work/pool"

echo "-- demo/expression.cc, the same in C++:"
compile_cxx expression
"$work/expression_cxx"

echo "-- demo/demo.c on arrays from NumPy:"
compile demo
python3 "$here/make_arrays.py" "$work"
"$work/demo" "$work" >"$work/timings.txt"
python3 "$here/check.py" "$work" "$work/timings.txt"

shared=(model/tensor.c model/program.c model/product.c model/product_cuda.c model/unfused.c
  model/unfused_operator.c)
echo
echo "-- demo/model/decoder.c, a decoder block with fp8 before each product:"
compile decoder "${shared[@]}" model/decoder.c model/decoder_main.c
python3 "$here/model/decoder_check.py" "$work/decoder" --rounds 5

echo
echo "-- demo/model/train.c, a network trained by the gradients of texts:"
compile train "${shared[@]}" model/train.c
mapfile -t blas < <(python3 "$here/model/find_blas.py")
# Products of this size are faster on one thread.
env "${blas[@]}" OPENBLAS_NUM_THREADS=1 "$work/train"

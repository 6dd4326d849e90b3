#!/usr/bin/env bash
# Gathers in one folder what a machine with a GPU and this repository needs, but without compilers and libraries:
#
#   tests/gpu/gather.sh BUILD DIR           the tests, after ./dev test or after a build with tests
#   tests/gpu/run.py --build DIR            there
#   tests/gpu/gather.sh --bench BUILD DIR   both benchmarks, after a build with benchmarks
#   bench/gpu/run.py --build DIR            there
#
# Two folders, since programs that look into the library contain it: some 30 MB each.
set -euo pipefail
usage="usage: gather.sh [--bench] BUILD DIR"
what=tests
if [[ ${1:-} == --bench ]]; then what=bench && shift; fi
build=${1:?$usage} to=${2:?$usage}
if [[ ! -e $build/libtileops.so ]]; then
  echo "gather.sh: no libtileops.so in $build (is it a build with the shared library?)" >&2
  exit 1
fi
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$to"

if [[ $what == tests ]]; then
  programs=(tests/gpu/tileops_gpu_test tests/gpu/tileops_gpu_cache_test tests/gpu/tileops_gpu_expression_test
    tests/gpu/tileops_gpu_rows_test tests/gpu/tileops_graph_example tests/gpu/tileops_gpu_exhaustive tests/ops/tileops_ops_test
    tests/expr_run/tileops_expr_run_test tests/rows/tileops_rows_test tests/device/tileops_device_gpu_test src/cli/tileops tileops_pack)
else
  programs=(src/cli/tileops tileops_pack bench/gpu/tileops_gpu_bench bench/gpu/libtileops_gpu_copy.so tests/device/tileops_transform_bench
    bench/cpu_bench bench/libtileops_copy.so bench/libtileops_decoder.so)
fi
for program in "${programs[@]}"; do
  if [[ ! -e $build/$program ]]; then
    echo "not built, left out: $program"
    continue
  fi
  case $program in bench/cpu_bench | bench/lib*.so) folder=$to/bench ;; *) folder=$to ;; esac
  mkdir -p "$folder"
  strip -o "$folder/$(basename "$program")" "$build/$program"
  # What the machine will not have, beside the program: all but the library and the C and C++ run-time libraries.
  ldd "$build/$program" | awk '$3 ~ /^\// && $1 !~ /^lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s|tileops|tileops_copy)\./ { print $3 }' |
    while read -r library; do
      [[ -e $folder/$(basename "$library") ]] || cp -L "$library" "$folder/"
    done
done
strip -o "$to/libtileops.so" "$build/libtileops.so"
if [[ $what == tests ]]; then  # for the example in Triton
  if [[ -e $build/libtileops_device.bc ]]; then
    cp "$build/libtileops_device.bc" "$to/"
  else
    echo "not built, left out: libtileops_device.bc"
  fi
fi
soname=$(objdump -p "$build/libtileops.so" | awk '$1 == "SONAME" { print $2 }')
ln -sf libtileops.so "$to/$soname"
if [[ -e $to/bench/libtbb.so.12 ]]; then  # the library above wants it as well
  [[ -e $to/libtbb.so.12 ]] || mv "$to/bench/libtbb.so.12" "$to/"
  ln -sf ../libtbb.so.12 "$to/bench/libtbb.so.12"
fi

# What was built, for the results of bench/gpu/run.py: of the tree that the build is of.
tree=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$build/CMakeCache.txt")
python3 "$here/../../bench/common/sources.py" "$tree" >"$to/built.json"

# The bindings' test programs, made by the tests bindings.rust.prebuilt and bindings.go.prebuilt.
if [[ $what == tests ]]; then
  mkdir -p "$to/bindings"
  for pair in bindings/rust/work/rust/prebuilt:rust bindings/go/work/prebuilt/tileops.test:go.test \
    tests/ops/vectors.jsonl:vectors.jsonl; do
    if [[ -e $build/${pair%:*} ]]; then
      rm -rf "$to/bindings/${pair#*:}"
      cp -r "$build/${pair%:*}" "$to/bindings/${pair#*:}"
    else
      echo "not made yet, left out: ${pair%:*}"
    fi
  done
  find "$to/bindings" -type f -perm -u+x ! -name '*.sh' -exec strip {} +
fi
du -sh "$to"

#!/usr/bin/env bash
# Gathers in one folder what tests/gpu/run.py and the benchmarks need, for a machine with a GPU and this
# repository but without compilers and libraries:
#
#   tests/gpu/gather.sh BUILD DIR     after ./dev test, or after a build with tests and benchmarks
#   tests/gpu/run.py --build DIR      there
set -euo pipefail
build=${1:?usage: gather.sh BUILD DIR} to=${2:?usage: gather.sh BUILD DIR}
mkdir -p "$to/bench" "$to/bindings"

programs=(tests/gpu/tileops_gpu_test tests/gpu/tileops_gpu_cache_test tests/gpu/tileops_gpu_exhaustive
  tests/ops/tileops_ops_test src/cli/tileops bench/gpu/tileops_gpu_bench bench/cpu_bench
  bench/libtileops_copy.so bench/gpu/libtileops_gpu_copy.so tileops_pack)
libraries=()
for program in "${programs[@]}"; do
  if [[ ! -e $build/$program ]]; then
    echo "not built, left out: $program"
    continue
  fi
  case $program in bench/cpu_bench | bench/libtileops_copy.so) folder=$to/bench ;; *) folder=$to ;; esac
  strip -o "$folder/$(basename "$program")" "$build/$program"
  # What the machine will not have: all but the C and C++ run-time libraries.
  mapfile -t -O "${#libraries[@]}" libraries < <(ldd "$build/$program" |
    awk '$3 ~ /^\// && $1 !~ /^lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s|tileops)\./ { print $3 }')
done
strip -o "$to/libtileops.so" "$build/libtileops.so"
soname=$(objdump -p "$build/libtileops.so" | awk '$1 == "SONAME" { print $2 }')
ln -sf libtileops.so "$to/$soname"
printf '%s\n' "${libraries[@]}" | sort -u | while read -r library; do
  cp -L "$library" "$to/$(basename "$library")"
done
for name in libtbb.so.12 libbenchmark.so.1debian; do  # bench/run.py looks for them beside cpu_bench
  [[ ! -e $to/$name ]] || cp "$to/$name" "$to/bench/"
done

# What was built, for the results of bench/gpu/run.py.
python3 "$(dirname "$0")/../../bench/gpu/sources.py" >"$to/built.json"

# The bindings' test programs, made by the tests bindings.rust.prebuilt and bindings.go.prebuilt.
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
du -sh "$to"

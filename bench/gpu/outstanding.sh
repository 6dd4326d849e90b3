#!/usr/bin/env bash
# What is in the tree and was not seen on a GPU yet. Each part takes less than ten minutes on an H200 with 16 cores:
#
#   bench/gpu/outstanding.sh PART TESTS BENCH OUT [PACKAGES]
#
# PART is tests, lists, rows1, rows2, rows3, rows, random, forms, scans, tune, models or device. TESTS and BENCH are the folders of tests/gpu/gather.sh without
# and with --bench, OUT is where logs and results go, PACKAGES a folder with what peers need (bench/README.md), for rows1 to rows3.
# `rows` makes one report of these in bench/results/rows, on any machine; all are to be of one kind of GPU.
set -euo pipefail
part=${1:?PART} tests=${2:?TESTS} bench=${3:?BENCH} out=${4:?OUT} packages=${5:-}
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$out"
export LD_LIBRARY_PATH=$bench${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
case $part in
tests)  # all programs, rows among them in every strategy, with memcheck and racecheck
  "$root/tests/gpu/run.py" --build "$tests" --part 1/60 --timeout 500 --logs "$out/logs" | tee "$out/tests.txt"
  ;;
rows[1-3])  # a third of the texts, beside the copy, eager, torch.compile and what PACKAGES has
  python3 "$root/bench/rows/peer.py" --library "$bench/libtileops.so" --compile --max-autotune --part "${part#rows}/3" --seconds 450 \
    ${packages:+--wheels "$packages"} --output "$out/$part" 2>&1 | tee "$out/$part.txt"
  ;;
rows)
  python3 "$root/bench/rows/peer.py" --merge "$out"/rows[1-3].json
  ;;
random)  # some random texts, of the commit's own seed
  cd "$root"
  python3 -m bench.random --device cuda --library "$bench/libtileops.so" --count 60 --budget 500 --output "$out/random" 2>&1 | tee "$out/random.txt"
  ;;
lists)  # an optimiser's step and a norm over a model's parameters by one call, beside torch
  cd "$root"
  python3 -m bench.lists --device cuda --library "$bench/libtileops.so" --scale 16 --output "$out/lists" 2>&1 | tee "$out/lists.txt"
  ;;
forms)  # texts beside others of the same meaning: which ones should be named texts
  lse='(x) -> logsumexp(x)' largest='(x) -> { m = detach(amax(x)); m + log(sum(exp(1.0 * x - m))) }'
  columns='(x) -> logsumexp(x, axis = -2)' largest_columns='(x) -> { m = detach(amax(x, axis = -2)); m + log(sum(exp(1.0 * x - m), axis = -2)) }'
  for dtype in f32 bf16; do
    for shape in 65536x128 16384x4096 4096x32768 4096x131072 64x1048576; do
      for text in "$lse" "$largest" '(x) -> x - logsumexp(x)' log_softmax '(x) -> exp(x - logsumexp(x))' softmax; do
        "$bench/tileops" bench --device cuda:0 -d $dtype --shape $shape -e "$text" --json
      done
    done
    for shape in 4096x16384 131072x512; do
      for text in "$columns" "$largest_columns"; do "$bench/tileops" bench --device cuda:0 -d $dtype --shape $shape -e "$text" --json; done
    done
  done | tee "$out/forms.txt"
  # Largest values of whole tensors beside rows, in one read; and by themselves.
  for text in '(x) -> { y = x * rsqrt(mean(x * x) + 1); cast(y, e4m3fn), amax(abs(y), axis = all) }' \
              '(x) -> { y = x * rsqrt(mean(x * x) + 1); cast(y, e4m3fn) }' '(x) -> amax(abs(x), axis = all)'; do
    "$bench/tileops" bench --device cuda:0 -d bf16 --shape 16384x4096 -e "$text" --json
  done | tee "$out/blocks.txt"
  ;;
scans)  # few long rows and columns, which thread blocks share, and others; each beside its copy
  for shape in 1x32768 16x32768 64x32768 64x65536 128x65536 1x4194304 4x1502476 1x67108864 16384x4096; do
    for dtype in f32 bf16 i64; do "$bench/tileops" bench --device cuda:0 -d $dtype --shape $shape -e '(x) -> cumsum(x)' --json; done
  done | tee "$out/scans.txt"
  for shape in 1048576x1 1048576x3 262144x16 65536x512; do
    "$bench/tileops" bench --device cuda:0 -d f32 --shape $shape -e '(x) -> cumsum(x, axis = -2)' --json
  done | tee "$out/scans_of_columns.txt"
  ;;
tune)  # what tuning finds for rows
  for shape in 65536x128 16384x4096 4096x16384 1024x65536 256x262144; do
    "$bench/tileops" tune --device cuda:0 -d bf16 --shape "$shape" -e softmax
    "$bench/tileops" tune --device cuda:0 -d bf16 --shape "$shape" --shape "weight=${shape#*x}" -e rms_norm
  done | tee "$out/tune.txt"
  ;;
models)  # the decoder block, beside torch.compile
  python3 "$root/bench/decoder/peer.py" --library "$bench/bench/libtileops_decoder.so" --output "$out/decoder"
  ;;
device)  # functions and functors in kernels of one's own: bits, and times beside the library's and CUB's
  "$tests/tileops_device_gpu_test" | tee "$out/device.txt"
  python3 "$root/tests/device/functions_run.py" "$tests/tileops" | tee "$out/functions.txt"
  "$bench/tileops_transform_bench" | tee "$out/transform.txt"
  if python3 -c 'import torch, triton' 2>/dev/null; then
    python3 "$root/demo/triton_gelu.py" "$tests/libtileops_device.bc" | tee "$out/triton.txt"
  else
    echo "skipped: python3 has no torch or no triton, so that the bitcode is not run in Triton" | tee "$out/triton.txt"
  fi
  ;;
*)
  echo "outstanding.sh: unknown part '$part'" >&2
  exit 2
  ;;
esac

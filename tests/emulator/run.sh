#!/bin/sh
# Runs a program with an emulated GPU.
#   usage: CUDA_HOME=... tests/emulator/run.sh BUILD COMMAND...
# BUILD is a build folder with tests. TILEOPS_TEST_DEVICE is cuda:0, for the programs that ask; TILEOPS_EMULATOR_RACES=1
# has races in shared memory looked for.
set -eu
driver=$(cd "$1/tests/emulator/driver" && pwd)
shift
export LD_LIBRARY_PATH="$driver${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export TILEOPS_NVRTC="$driver/libcuda.so.1" TILEOPS_TEST_DEVICE="${TILEOPS_TEST_DEVICE:-cuda:0}"
exec "$@"

#!/usr/bin/env bash
# One step of the tests of the Python binding, with the environment that bindings/CMakeLists.txt sets.
#   test.sh wheel     the wheel, made of the installed library; installed into an empty environment; what is in it
#   test.sh api       functions, arrays, plans, lists, errors, on NumPy
#   test.sh vectors   the test vectors of all bindings
#   test.sh readme    the examples of docs/python.md, as printed
#   test.sh torch     tensors and operators of torch, on CUDA too if it is there; skipped where torch is not installed
#   test.sh jax       arrays and programs of JAX; skipped where it is not installed
#   test.sh tvm_ffi   functions of TVM-FFI; skipped where the package was built without
#   test.sh overhead  what a call costs; no test
# Exit status 77: skipped, with the reason printed.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$here/../..
python=${TILEOPS_PYTHON:-$root/.tools/python/bin/python3}
work=$TILEOPS_BINDING_WORK/python
export TILEOPS_CACHE=off PYTHONDONTWRITEBYTECODE=1

skip() {
  echo "skipped: $*"
  exit 77
}

"$python" -c 'import numpy, ml_dtypes, scikit_build_core' 2>/dev/null ||
  skip "no Python with numpy, ml_dtypes and scikit-build-core: run bindings/python/setup.sh .tools"

run_wheel() {
  rm -rf "$work/wheel" "$work/site" "$work/empty"
  mkdir -p "$work/wheel"
  # The library is there already; nothing is fetched.
  "$python" -m pip wheel -q --no-index --no-deps --no-build-isolation --wheel-dir "$work/wheel" \
    --config-settings=build-dir="$work/build" --config-settings=cmake.define.TILEOPS_PREFIX="$TILEOPS_PREFIX" "$root"
  local wheel
  wheel=$(echo "$work"/wheel/libtileops-*.whl)
  echo "$(basename "$wheel"): $(($(stat -c %s "$wheel") / 1024)) KiB"
  "$python" "$here/tests/wheel.py" "$wheel"

  # With nothing else installed, and with no way to find another library; by every Python here that the wheel is for.
  local other
  for other in "$python" python3.{12..19} "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.1[2-9].*/bin/python3; do
    "$other" -c '' 2>/dev/null || continue
    [[ $other == "$python" || $wheel == *-abi3-* ]] || continue
    "$other" -m venv --clear --without-pip "$work/empty"
    "$python" -m pip -q --python "$work/empty/bin/python3" install --no-index --no-deps "$wheel"
    env -u LD_LIBRARY_PATH -u TILEOPS_PACK_DIRS "$work/empty/bin/python3" -I "$here/tests/empty.py"
  done
  # Kernels come as wheels of their own, here with some of a GPU that there is not.
  echo "no kernels" >"$work/kernels-sm_10.pack"
  "$python" "$here/kernels.py" "$work/kernels-sm_10.pack" --out "$work/kernels"
  "$python" -m pip -q --python "$work/empty/bin/python3" install --no-index "$work"/kernels/*.whl
  env -u LD_LIBRARY_PATH -u TILEOPS_PACK_DIRS "$work/empty/bin/python3" -I "$here/tests/empty.py" kernels-sm_10.pack
  "$python" -m pip install -q --no-index --no-deps --target "$work/site" "$wheel"
}

# tests ARGUMENT...: Python of tests with the installed wheel, in the environment that has NumPy.
tests() {
  [[ -d $work/site ]] || skip "there is no wheel: test.sh wheel"
  cd "$work"
  PYTHONPATH=$work/site:$here/tests:$here/tests/frameworks "$python" "$@"
}

run_api() { tests -m unittest -q test_calls test_arrays test_errors test_plans test_foreach; }
run_vectors() { tests "$here/tests/vectors.py" "$TILEOPS_VECTORS"; }
run_readme() { tests "$here/tests/readme.py" "$root/docs/python.md"; }
run_overhead() { tests "$here/tests/overhead.py"; }
run_torch() {
  "$python" -c 'import torch' 2>/dev/null || skip "no torch in .tools/python"
  tests -m unittest -q test_torch test_torch_op test_torch_plans test_torch_ops test_torch_use test_torch_decompose test_torch_sharding test_torch_vmap test_cuda
}
run_jax() {
  "$python" -c 'import jax' 2>/dev/null || skip "no jax in .tools/python"
  tests -m unittest -q test_jax
}

run_tvm_ffi() {
  "$python" -c 'import tvm_ffi' 2>/dev/null || skip "no apache-tvm-ffi in .tools/python"
  tests -m unittest -q test_tvm_ffi
}

run_"$1"

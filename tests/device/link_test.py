#!/usr/bin/env python3
"""Programs of several files that include the headers of tileops/device: two .cu files link, with -rdc=true and without; a shared
library that uses transform() exports nothing of the headers, so that of two of them, of other architectures or versions of the
headers, none launches what is the other's; and transform() refuses memory that overlaps, which needs no GPU. With --run two such
libraries, loaded side by side, compute on a GPU what each is to.

usage: link_test.py [--run]

Exit status 77, with the reason, without nvcc, its runtime library or, with --run, without a GPU.
"""

import ctypes
import pathlib
import subprocess
import sys
import tempfile

import device_code
import functions_run

# All that is not inlined: rare operands of sine, division and its like, gated operators, lerp.
USE = """#include <tileops/device/cuda.h>
#include <tileops/device/tile.h>
#include <tileops/device/tile/operators.h>
#include <tileops/device/transform.h>
using namespace tileops::device;
struct rare {
  template <int N> __device__ void arrays(const float (&x)[N], const float (&y)[N], float (&z)[N]) const {
    apply<op::sin, bit_exact>(x, z);
    apply<op::cos, bit_exact>(z);
    apply<op::remainder, bit_exact>(z, y, z);
    apply<op::floor_divide, bit_exact>(z, y, z);
    apply<op::div_trunc, bounded>(z, y, z);
    apply<op::gelu_and_mul, bounded>(z, y, z);
    apply<op::lerp, bit_exact>(z, y, x, z);
  }
  template <int N> __device__ void arrays(const double (&x)[N], const double (&y)[N], double (&z)[N]) const {
    apply<op::sin, bit_exact>(x, z);
    apply<op::cos, bit_exact>(z);
    apply<op::remainder, bit_exact>(z, y, z);
    apply<op::pow, bit_exact>(z, y, z);
  }
};
extern "C" int NAME(float* y, const float* x, double* v, const double* u, bf16* b, long long n) {
  const cudaError_t first = transform(nullptr, n, y, rare{}, x, x), second = v ? transform<2>(nullptr, n, v, rare{}, u, u) : cudaSuccess;
  const cudaError_t third = b ? transform(nullptr, n, b, form_of<op::gelu, within_2_20>::body{}, b) : cudaSuccess;
  // On the host, too.
  const float zero = tileops::device_detail::portable::sin_slow(1e30f) - tileops::device_detail::portable::sin_slow(1e30f);
  return first ? first : second ? second : third ? third : zero != 0;
}
"""
MAIN = """extern "C" int one(float*, const float*, double*, const double*, void*, long long);
extern "C" int two(float*, const float*, double*, const double*, void*, long long);
int main() { return one(nullptr, nullptr, nullptr, nullptr, nullptr, 0) + two(nullptr, nullptr, nullptr, nullptr, nullptr, 0); }
"""
# Memory of the host will do: what is refused is never launched, and what is not has no GPU.
OVERLAPS = """#include <tileops/device/transform.h>
#include <cstdio>
using namespace tileops::device;
struct same { __device__ float operator()(float x) const { return x; } };
struct both { __device__ results<float, float> operator()(float x) const { return {x, x}; } };
int failed = 0;
void expect(const char* what, bool refused, cudaError_t got) {
  if ((got == cudaErrorInvalidValue) == refused) return;
  ++failed;
  std::printf("%s: %s\\n", what, cudaGetErrorName(got));
}
int main() {
  alignas(16) static float m[64];
  float* x = m;
  auto* b = reinterpret_cast<bf16*>(m);
  expect("in place", false, transform(nullptr, 16, x, same{}, x));
  expect("apart", false, transform(nullptr, 16, x + 16, same{}, x));
  expect("narrower, apart", false, transform(nullptr, 16, b + 32, same{}, x));
  expect("of bf16 over itself", false, transform(nullptr, 16, b, same{}, b));
  expect("narrower, over its operand", true, transform(nullptr, 16, b, same{}, x));
  expect("wider, over its operand", true, transform(nullptr, 16, x, same{}, b));
  expect("one element further", true, transform(nullptr, 16, x + 1, same{}, x));
  expect("one element before", true, transform(nullptr, 16, x, same{}, x + 1));
  expect("two results in one place", true, transform(nullptr, 16, outputs(x, x), both{}, x + 32));
  expect("two results that overlap", true, transform(nullptr, 16, outputs(x, x + 15), both{}, x + 32));
  expect("two results apart, one in place", false, transform(nullptr, 16, outputs(x, x + 16), both{}, x));
  expect("nothing", false, transform(nullptr, 0, x + 1, same{}, x));
  return failed;
}
"""


def run(command, what):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    if done.returncode == 0 and "warning" not in done.stderr:
        return done.stdout, ""
    return done.stdout, f"{what}:\n{done.stdout[-1500:]}{done.stderr[-1500:]}"


def loaded(folder, failed):
    """Loads one library with code for this GPU behind one with code for another, and calls both."""
    runtime = ctypes.CDLL(str(next(pathlib.Path(device_code.CUDA_HOME).glob("lib*/libcudart.so.1*"))), mode=ctypes.RTLD_GLOBAL)
    memory = ctypes.c_void_p()
    runtime.cudaMalloc(ctypes.byref(memory), ctypes.c_size_t(1 << 16))
    y, x = ctypes.c_void_p(memory.value), ctypes.c_void_p(memory.value + (1 << 15))
    first, second = (ctypes.CDLL(str(folder / f"{name}.so"), mode=ctypes.RTLD_GLOBAL) for name in ("other", "this"))
    if first.one(y, x, None, None, None, ctypes.c_longlong(1000)) == 0:
        failed.append("the library for another architecture ran: the test tells nothing")
    got = second.two(y, x, None, None, None, ctypes.c_longlong(1000))
    if got or runtime.cudaDeviceSynchronize():
        failed.append(f"the library for this architecture, behind one for another: error {got}")


def main():
    nvcc, why = device_code.nvcc()
    if not nvcc or not list(pathlib.Path(device_code.CUDA_HOME).glob("lib*/libcudart_static.a")):
        print(f"skipped: {why or 'no libcudart_static.a in ' + device_code.CUDA_HOME}")
        return 77
    home = pathlib.Path(device_code.CUDA_HOME)
    nvcc = [nvcc[0], "-std=c++17", "-fmad=false", f"-I{device_code.INCLUDE}", f"-L{home}/lib", f"-L{home}/lib64"]
    failed = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for function in ("one", "two"):
            (folder / f"{function}.cu").write_text(USE.replace("NAME", function))
        (folder / "main.cc").write_text(MAIN)
        (folder / "overlaps.cu").write_text(OVERLAPS)
        if "--run" in sys.argv:
            driver = functions_run.Driver()
            if driver.why:
                print(f"skipped: {driver.why}")
                return 77
            other = "sm_80" if driver.arch[3:4] != "8" else "sm_90"
            for library, function, arch in (("other", "one", other), ("this", "two", driver.arch)):
                _, wrong = run([*nvcc, "-gencode", f"arch=compute_{arch[3:]},code={arch}", "-shared", "-Xcompiler", "-fPIC", "-cudart", "shared",
                                folder / f"{function}.cu", "-o", folder / f"{library}.so"], library)
                failed += [wrong] if wrong else []
            if not failed:
                loaded(folder, failed)
        else:
            for rdc in ("false", "true"):
                nvcc_rdc = [*nvcc, "-arch=sm_90", f"-rdc={rdc}", "-Xcompiler", "-fPIC"]
                for function in ("one", "two"):
                    _, wrong = run([*nvcc_rdc, "-c", folder / f"{function}.cu", "-o", folder / f"{function}.o"], f"{function}.cu, -rdc={rdc}")
                    failed += [wrong] if wrong else []
                objects = [folder / "one.o", folder / "two.o"]
                _, wrong = run([*nvcc_rdc, *objects, folder / "main.cc", "-o", folder / "program"], f"linked, -rdc={rdc}")
                failed += [wrong] if wrong else run([folder / "program"], f"the program, -rdc={rdc}")[1:]
                _, wrong = run([*nvcc_rdc, "-shared", *objects, "-o", folder / "both.so"], f"a shared library, -rdc={rdc}")
                names, _ = run(["nm", "-D", "-C", "--defined-only", folder / "both.so"], "nm")
                exported = [line for line in names.splitlines() if "tileops" in line]
                failed += [wrong] if wrong else [f"-rdc={rdc} exports {line}" for line in exported[:10]]
            _, wrong = run([*nvcc, "-arch=sm_90", folder / "overlaps.cu", "-o", folder / "overlaps"], "overlaps.cu")
            said, wrong = ("", wrong) if wrong else run([folder / "overlaps"], "what transform() refuses")
            failed += [said + wrong] if wrong else []
    failed = [f for f in failed if f]
    print("\n".join(f"FAILED {f}" for f in failed) or "all link, and each has its own")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())

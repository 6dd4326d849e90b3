#!/usr/bin/env python3
"""What the run-time compiler takes: for nothing, for a kernel written by hand that can do what a float32 add in four
dimensions needs (128-bit packs, a ragged end, strided operands), and for the library's own. No GPU is needed.

    bench/gpu/nvrtc_time.py [--nvrtc libnvrtc.so.13] [--arch 90] [KERNEL.cu...]

KERNEL.cu: what TILEOPS_JIT_DUMP or `tileops_pack --contiguous FOLDER` writes. Milliseconds, the least of some rounds."""

import argparse
import ctypes
import pathlib
import time

EMPTY = 'extern "C" __global__ void empty() {}'
BY_HAND = """
typedef unsigned u32;
typedef unsigned long long u64;
struct Arguments {
  u64 address[3], count;
  u32 extent[4], magic[4], shift[4];
  int stride[2][4];
  u32 unaligned;
};
static __device__ __forceinline__ void offsets(const Arguments& a, u32 i, long long* x, long long* y) {
#pragma unroll
  for (int d = 0; d < 4; ++d) {
    const u32 rest = (__umulhi(i, a.magic[d]) + i) >> a.shift[d], at = i - rest * a.extent[d];
    i = rest;
    *x += (long long)at * a.stride[0][d];
    *y += (long long)at * a.stride[1][d];
  }
}
extern "C" __global__ void __launch_bounds__(128) add(const __grid_constant__ Arguments a) {
  const u64 n = (u64)blockIdx.x * blockDim.x + threadIdx.x;
  long long x = 0, y = 0;
  if (n * 4 + 4 <= a.count && !a.unaligned) {
    offsets(a, n * 4, &x, &y);
    const float4 p = *(const float4*)(a.address[0] + x), q = *(const float4*)(a.address[1] + y);
    ((float4*)a.address[2])[n] = make_float4(p.x + q.x, p.y + q.y, p.z + q.z, p.w + q.w);
  } else {
#pragma unroll 1
    for (u64 i = n * 4; i < n * 4 + 4 && i < a.count; ++i) {
      x = y = 0;
      offsets(a, i, &x, &y);
      ((float*)a.address[2])[i] = *(const float*)(a.address[0] + x) + *(const float*)(a.address[1] + y);
    }
  }
}
"""
OPTIONS = ["--std=c++17", "--fmad=false", "--minimal", "--no-cache", "-diag-suppress=177"]  # as src/cuda/jit/nvrtc.cc


def compile_once(nvrtc, text, options):
    program = ctypes.c_void_p()
    begin = time.perf_counter()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), text.encode(), b"kernel.cu", 0, None, None)
    status = nvrtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options))
    seconds = time.perf_counter() - begin
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    if status:
        raise SystemExit(f"nvrtc_time.py: NVRTC failed with status {status}")
    return seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], epilog="\n".join(__doc__.splitlines()[2:]),
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvrtc", default="libnvrtc.so.13")
    parser.add_argument("--arch", default="90")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("kernels", nargs="*", type=pathlib.Path)
    args = parser.parse_args()
    nvrtc = ctypes.CDLL(args.nvrtc)
    options = [o.encode() for o in OPTIONS + [f"--gpu-architecture=sm_{args.arch}"]]
    texts = [("empty", EMPTY), ("add by hand", BY_HAND)] + [(f.name, f.read_text()) for f in args.kernels]
    for name, text in texts:
        least = min(compile_once(nvrtc, text, options) for _ in range(args.rounds))
        print(f"{name:30} {1e3 * least:7.1f} ms {len(text) / 1024:6.1f} KiB", flush=True)


if __name__ == "__main__":
    main()

// SPDX-License-Identifier: Apache-2.0
// What these headers use of CUDA's, for Clang without a toolkit (-nocudainc): the keywords, and functions by its
// builtins and by instructions. config.h includes this where it is needed.
#ifndef TILEOPS_DEVICE_CUDA_COMMON_BARE_CLANG_H
#define TILEOPS_DEVICE_CUDA_COMMON_BARE_CLANG_H

#include <__clang_cuda_builtin_vars.h>  // Clang's own: threadIdx and the like

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))

#define TILEOPS_BARE static __device__ __forceinline__
#define TILEOPS_BARE_1(name, builtin)                           \
  TILEOPS_BARE float name##f(float x) { return builtin##f(x); } \
  TILEOPS_BARE double name(double x) { return builtin(x); }
TILEOPS_BARE_1(fabs, __builtin_fabs)
TILEOPS_BARE_1(floor, __builtin_floor)
TILEOPS_BARE_1(ceil, __builtin_ceil)
TILEOPS_BARE_1(trunc, __builtin_trunc)
TILEOPS_BARE_1(rint, __builtin_rint)
#undef TILEOPS_BARE_1
TILEOPS_BARE float fminf(float a, float b) { return __builtin_fminf(a, b); }
TILEOPS_BARE float fmaxf(float a, float b) { return __builtin_fmaxf(a, b); }
TILEOPS_BARE unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
TILEOPS_BARE unsigned max(unsigned a, unsigned b) { return a > b ? a : b; }
TILEOPS_BARE unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}
TILEOPS_BARE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  unsigned long long y;
  asm("mul.hi.u64 %0, %1, %2;" : "=l"(y) : "l"(a), "l"(b));
  return y;
}
TILEOPS_BARE float __fmaf_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
TILEOPS_BARE double __fma_rn(double a, double b, double c) { return __builtin_fma(a, b, c); }

TILEOPS_BARE float __fsqrt_rn(float x) {
  float y;
  asm("sqrt.rn.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
TILEOPS_BARE double __dsqrt_rn(double x) {
  double y;
  asm("sqrt.rn.f64 %0, %1;" : "=d"(y) : "d"(x));
  return y;
}
#define TILEOPS_BARE_2(name, instruction)                       \
  TILEOPS_BARE float name(float a, float b) {                   \
    float y;                                                    \
    asm(instruction " %0, %1, %2;" : "=f"(y) : "f"(a), "f"(b)); \
    return y;                                                   \
  }
TILEOPS_BARE_2(__fmul_rn, "mul.rn.f32")
TILEOPS_BARE_2(__fmul_rd, "mul.rm.f32")
TILEOPS_BARE_2(__fmul_ru, "mul.rp.f32")
TILEOPS_BARE_2(__fadd_rd, "add.rm.f32")
TILEOPS_BARE_2(__fsub_rd, "sub.rm.f32")
TILEOPS_BARE_2(__fsub_ru, "sub.rp.f32")
#undef TILEOPS_BARE_2
#define TILEOPS_BARE_3(name, instruction)                                   \
  TILEOPS_BARE float name(float a, float b, float c) {                      \
    float y;                                                                \
    asm(instruction " %0, %1, %2, %3;" : "=f"(y) : "f"(a), "f"(b), "f"(c)); \
    return y;                                                               \
  }
TILEOPS_BARE_3(__fmaf_rd, "fma.rm.f32")
TILEOPS_BARE_3(__fmaf_ru, "fma.rp.f32")
#undef TILEOPS_BARE_3

TILEOPS_BARE int __ffs(int x) { return __builtin_ffs(x); }
TILEOPS_BARE unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
  unsigned y;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(y) : "r"(a), "r"(b), "r"(selector));
  return y;
}
TILEOPS_BARE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  unsigned y;
  asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(y) : "r"(low), "r"(high), "r"(shift));
  return y;
}
TILEOPS_BARE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  unsigned y;
  asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(y) : "r"(low), "r"(high), "r"(shift));
  return y;
}
TILEOPS_BARE unsigned __shfl_xor_sync(unsigned mask, unsigned x, int lanes) {
  unsigned y;
  asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 31, %3;" : "=r"(y) : "r"(x), "r"(lanes), "r"(mask));
  return y;
}
#undef TILEOPS_BARE

#endif

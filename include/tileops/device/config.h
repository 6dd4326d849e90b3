// SPDX-License-Identifier: Apache-2.0
// Dialect of the device headers: C++17 that g++, clang++, nvcc and NVRTC accept, with no
// toolkit or standard header. Everything here and in the sibling headers may be called from
// host code and from CUDA kernels.
//
// All of it is of namespace tileops::device_detail. What users name is in tileops::device besides, by the declarations
// at the ends of the headers: `using namespace tileops::device` brings nothing else, so that abs, fma, and a program's
// own names stay what they are.
#ifndef TILEOPS_DEVICE_CONFIG_H
#define TILEOPS_DEVICE_CONFIG_H

// Each CPU instruction set compiles the same headers into its own namespace, so that the linker
// can never pick an AVX-512 copy of an inline function for a baseline caller.
#ifndef TILEOPS_DEVICE_NS
#define TILEOPS_DEVICE_NS generic
#endif

// Before a loop of at most 16 turns that is to be unrolled.
#if defined(__CUDA_ARCH__) || defined(__CUDACC_RTC__) || defined(__clang__)
#define TILEOPS_UNROLL _Pragma("unroll")
#elif defined(__CUDACC__)  // nvcc on its way through host code: of either form it or the host's compiler would warn
#define TILEOPS_UNROLL
#else
#define TILEOPS_UNROLL _Pragma("GCC unroll 16")
#endif

// Before a loop whose turns do not depend on each other. For compilers that heed OpenMP's pragma: -fopenmp-simd alone
// defines nothing that tells, so that TILEOPS_OPENMP_SIMD is to be defined with it.
#if defined(_OPENMP) || defined(TILEOPS_OPENMP_SIMD)
#define TILEOPS_PRAGMA(text) _Pragma(#text)
#define TILEOPS_SIMD TILEOPS_PRAGMA(omp simd)
#define TILEOPS_SIMD_REDUCTION(clause) TILEOPS_PRAGMA(omp simd reduction(clause))
#else
#define TILEOPS_SIMD
#define TILEOPS_SIMD_REDUCTION(clause)
#endif

// Clang without a toolkit's headers.
#if defined(__CUDA__) && !defined(__device__)
#include "cuda/common/bare_clang.h"
#endif

// Functions that are not inlined belong to the shared library that was compiled with them: another one may have those
// of another version of these headers.
#if defined(__CUDA_ARCH__) || defined(__CUDACC_RTC__)
#define TILEOPS_HIDDEN
#else
#define TILEOPS_HIDDEN __attribute__((visibility("hidden")))
#endif

#if defined(__CUDACC__) || defined(__CUDACC_RTC__) || defined(__CUDA__)
#define TILEOPS_FN __host__ __device__ __forceinline__
#define TILEOPS_SLOW_FN inline TILEOPS_HIDDEN __host__ __device__ __noinline__
#else
#define TILEOPS_FN inline __attribute__((always_inline))
#define TILEOPS_SLOW_FN inline TILEOPS_HIDDEN __attribute__((noinline, cold))
#endif

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

using i8 = signed char;
using i16 = short;
using i32 = int;
using i64 = long long;
using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned int;
using u64 = unsigned long long;

static_assert(sizeof(i32) == 4 && sizeof(i64) == 8, "unexpected integer sizes");

TILEOPS_FN u32 to_bits(float x) { return __builtin_bit_cast(u32, x); }
TILEOPS_FN u64 to_bits(double x) { return __builtin_bit_cast(u64, x); }
TILEOPS_FN float from_bits(u32 x) { return __builtin_bit_cast(float, x); }
TILEOPS_FN double from_bits(u64 x) { return __builtin_bit_cast(double, x); }

// One rounding, on every machine. The library is built with -ffp-contract=off, so a*b+c is two
// roundings unless fma says otherwise. Without hardware FMA this is libm's fma: slow, same bits.
#if defined(__CUDA_ARCH__) || defined(__CUDACC_RTC__)
TILEOPS_FN float fma(float a, float b, float c) { return __fmaf_rn(a, b, c); }
TILEOPS_FN double fma(double a, double b, double c) { return __fma_rn(a, b, c); }
#else
TILEOPS_FN float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
TILEOPS_FN double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
#endif

TILEOPS_FN float select(bool c, float yes, float no) { return c ? yes : no; }
TILEOPS_FN double select(bool c, double yes, double no) { return c ? yes : no; }
TILEOPS_FN bool is_nan(float x) { return x != x; }
TILEOPS_FN bool is_nan(double x) { return x != x; }
TILEOPS_FN float abs(float x) { return from_bits(to_bits(x) & 0x7fffffffu); }
TILEOPS_FN double abs(double x) { return from_bits(to_bits(x) & 0x7fffffffffffffffull); }
TILEOPS_FN float copysign(float mag, float sgn) {
  return from_bits((to_bits(mag) & 0x7fffffffu) | (to_bits(sgn) & 0x80000000u));
}
TILEOPS_FN double copysign(double mag, double sgn) {
  return from_bits((to_bits(mag) & 0x7fffffffffffffffull) | (to_bits(sgn) & 0x8000000000000000ull));
}

// The limits a formula needs, by compute type.
template <class T>
struct limits;
template <>
struct limits<float> {
  static TILEOPS_FN float inf() { return from_bits(0x7f800000u); }
  static TILEOPS_FN float nan() { return from_bits(0x7fc00000u); }
};
template <>
struct limits<double> {
  static TILEOPS_FN double inf() { return from_bits(u64{0x7ff0000000000000}); }
  static TILEOPS_FN double nan() { return from_bits(u64{0x7ff8000000000000}); }
};

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail

// The library's own sources and tests know all names as those of tileops::device.
#ifdef TILEOPS_DEVICE_INTERNALS
namespace device {
using namespace device_detail;
}  // namespace device
#endif
}  // namespace tileops

#endif

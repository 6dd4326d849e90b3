// Registers of this instruction set. f32_lanes has TILEOPS_LANES floats, and the operations that compilers do not find
// by themselves; where there is no such register, that is 0. vector_of<T> has as many of any type as a register holds,
// for the operators of C++ alone.
// With TILEOPS_LANES 8 and 16 what is in this folder has the same names and bits.
#pragma once

#include <cstddef>

#include "tileops/device/convert.h"

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512BW__) && defined(__AVX512VL__)
#define TILEOPS_LANES 16
#include "cpu/simd/approx_gelu.h"
#include "cpu/simd/lanes_unrolled.h"
#elif defined(__AVX2__) && defined(__FMA__) && defined(__F16C__)
#define TILEOPS_LANES 8
#include "cpu/simd/lanes_unrolled.h"
#include "tileops/device/math/f32/div.h"  // improved_rsqrt, which the operations of registers declare
#else
#define TILEOPS_LANES 0
#endif

namespace tileops::cpu::TILEOPS_DEVICE_NS {

namespace d = device;

#define TILEOPS_INLINE inline __attribute__((always_inline))
#define TILEOPS_NOINLINE __attribute__((noinline))

#if TILEOPS_LANES
using f32_lanes = device::f32_register;
#endif

#if defined(__AVX512F__)
constexpr size_t kVectorBytes = 64;
#elif defined(__AVX2__)
constexpr size_t kVectorBytes = 32;
#else
constexpr size_t kVectorBytes = 16;
#endif

template <class T>
struct vector_of {
  static constexpr size_t size = kVectorBytes / sizeof(T);
  typedef T type __attribute__((vector_size(kVectorBytes)));
};

// Element i. A bool is read as its byte: g++ 12 does not vectorise loops that load bool.
template <class T>
TILEOPS_INLINE T element(const T* p, size_t i) {
  if constexpr (d::same_v<T, bool>) return reinterpret_cast<const d::u8*>(p)[i] != 0;
  else return p[i];
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS

// SPDX-License-Identifier: Apache-2.0
// Conversion of packs between storage and the body's types. Same values as device/convert.h, by
// conversion instructions where the GPU has them; only which NaN a NaN becomes may differ.
#ifndef TILEOPS_DEVICE_CUDA_COMMON_NARROW_H
#define TILEOPS_DEVICE_CUDA_COMMON_NARROW_H

#include "../../math/common/rounding_test.h"
#include "pack.h"

namespace tileops {
namespace kernels {

template <class S>
inline constexpr bool is_e5m2_v = same_v<S, e5m2> || same_v<S, e5m2_sat>;
template <class S>
inline constexpr bool is_fp8_v = is_e4m3_v<S> || is_e5m2_v<S>;

TILEOPS_DEVICE float widen_f16(u16 bits) {
  float y;
  asm("cvt.f32.f16 %0, %1;" : "=f"(y) : "h"(bits));
  return y;
}

// Two floats as two 16-bit halves, the first one low.
TILEOPS_DEVICE u32 narrow_f16x2(float a, float b) {
  u32 y;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(y) : "f"(b), "f"(a));
  return y;
}
TILEOPS_DEVICE u32 narrow_bf16x2(float a, float b) {
  u32 y;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(y) : "f"(b), "f"(a));
  return y;
}

// From here on in magnitude (e4m3fn: above it) a result that does not saturate is NaN or infinity.
template <class S>
inline constexpr float overflow_v = is_e4m3_v<S> ? 464.0f : 61440.0f;
template <class S>
inline constexpr bool saturates_v = same_v<S, e4m3fn_sat> || same_v<S, e5m2_sat>;

// The instruction saturates to the largest finite code, next to which is the one of an overflow.
template <class S>
TILEOPS_DEVICE bool overflows(float x) {
  return is_e4m3_v<S> ? ::fabsf(x) > overflow_v<S> : ::fabsf(x) >= overflow_v<S>;  // not NaN
}
// Conversion instructions for fp8: from sm_89 on.
#if __CUDA_ARCH__ >= 890
#define TILEOPS_HAS_FP8 true
template <class S>
TILEOPS_DEVICE void widen_fp8x2(u16 two, float* a, float* b) {
  u32 halves;
  if constexpr (is_e4m3_v<S>) asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(halves) : "h"(two));
  else asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(halves) : "h"(two));
  *a = widen_f16(static_cast<u16>(halves));
  *b = widen_f16(static_cast<u16>(halves >> 16));
}

template <class S>
TILEOPS_DEVICE u16 narrow_fp8x2(float a, float b) {
  u16 y;
  if constexpr (is_e4m3_v<S>) asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(y) : "f"(b), "f"(a));
  else asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(y) : "f"(b), "f"(a));
  if constexpr (saturates_v<S>) return y;
  else return static_cast<u16>(y + (overflows<S>(a) ? 1u : 0u) + (overflows<S>(b) ? 0x100u : 0u));
}
#else
#define TILEOPS_HAS_FP8 false
template <class S>
TILEOPS_DEVICE void widen_fp8x2(u16 two, float* a, float* b);
template <class S>
TILEOPS_DEVICE u16 narrow_fp8x2(float a, float b);
#endif

// One element. Truth is of the bits: all but the sign.
template <class A, class S>
TILEOPS_DEVICE A widen_one(S x) {
  if constexpr (same_v<S, f16> && same_v<A, float>) return widen_f16(x.bits);
  else if constexpr (same_v<A, S>) return x;
  else if constexpr (same_v<S, e4m3fn_sat>) return widen_one<A>(e4m3fn{x.bits});  // the same codes
  else if constexpr (same_v<S, e5m2_sat>) return widen_one<A>(e5m2{x.bits});
  else if constexpr (same_v<A, bool> && is_narrow_v<S> && !same_v<S, e8m0fnu>)
    return (x.bits & ((1u << (bits_v<S> - 1)) - 1u)) != 0u;
  else return convert<A>(x);
}

template <class S>
inline constexpr bool has_pairs_v = same_v<S, f16> || same_v<S, bf16> || (is_fp8_v<S> && TILEOPS_HAS_FP8);

// Two elements, the first one in the low half.
template <class S>
TILEOPS_DEVICE u32 narrow_pair(float a, float b) {
  if constexpr (same_v<S, f16>) return narrow_f16x2(a, b);
  else if constexpr (same_v<S, bf16>) return narrow_bf16x2(a, b);
  else return narrow_fp8x2<S>(a, b);
}

// One float, by an instruction where there is one.
template <class S>
TILEOPS_DEVICE S narrow_one(float x) {
  if constexpr (has_pairs_v<S>) return S{static_cast<decltype(S::bits)>(narrow_pair<S>(x, 0.0f))};
  else return narrow<S>(x);
}

template <class A, class S, int N>
TILEOPS_DEVICE void widen_all(const raw_pack<S, N>& x, A (&y)[N]) {
  if constexpr (is_fp8_v<S> && TILEOPS_HAS_FP8 && same_v<A, float> && N % 2 == 0) {
#pragma unroll
    for (int i = 0; i < N; i += 2) widen_fp8x2<S>(static_cast<u16>(x.get(i) | x.get(i + 1) << 8), &y[i], &y[i + 1]);
  } else {
#pragma unroll
    for (int i = 0; i < N; ++i) y[i] = widen_one<A>(__builtin_bit_cast(S, x.get(i)));
  }
}

// Behind the array, in words that it does not fill: 0.
template <int N>
TILEOPS_DEVICE float element_or_zero(const float (&x)[N], int i) {
  return i < N ? x[i] : 0.0f;
}

template <class S, class R, int N>
TILEOPS_DEVICE raw_pack<S, N> narrow_all(const R (&x)[N]) {
  raw_pack<S, N> y;
  if constexpr (same_v<R, S>) {
#pragma unroll
    for (int i = 0; i < N; ++i) y.set(i, __builtin_bit_cast(chunk<sizeof(S)>, x[i]));
  } else if constexpr (same_v<R, float> && has_pairs_v<S> && raw_pack<S, N>::in_words) {
    constexpr int each = raw_pack<S, N>::per_word;
#pragma unroll
    for (int i = 0; i < N; i += each) {
      u32 word = narrow_pair<S>(x[i], element_or_zero(x, i + 1));
      if constexpr (each == 4) {
        if (i + 2 < N) word |= narrow_pair<S>(element_or_zero(x, i + 2), element_or_zero(x, i + 3)) << 16;
      }
      y.w[i / each] = word;
    }
  } else if constexpr (same_v<R, float> && has_pairs_v<S>) {
#pragma unroll
    for (int i = 0; i < N; ++i) y.set(i, static_cast<chunk<sizeof(S)>>(narrow_pair<S>(x[i], 0.0f)));
  } else {
#pragma unroll
    for (int i = 0; i < N; ++i) y.set(i, __builtin_bit_cast(chunk<sizeof(S)>, convert<S>(x[i])));
  }
  return y;
}

}  // namespace kernels
}  // namespace tileops

#endif

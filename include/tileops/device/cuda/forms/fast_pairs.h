// SPDX-License-Identifier: Apache-2.0
// Fast forms of interpolation and powers; see fast.h.
#ifndef TILEOPS_DEVICE_CUDA_FORMS_FAST_PAIRS_H
#define TILEOPS_DEVICE_CUDA_FORMS_FAST_PAIRS_H

#include "fast_division.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace op {

// As math/common/round_to_odd.h's, but whether b - a is exact is asked once a pack. w - 1 always is, which of bf16 were
// not so.
struct lerp_of_packs : lerp<portable, float> {
  using lerp<portable, float>::lerp;
  static constexpr bool odd_packs = true;
  __device__ __forceinline__ float again(float a, float b, float w) const { return lerp_to_odd_in_f64(a, b, w); }
  // Returns whether some elements are to be computed again.
  template <int N>
  __device__ __forceinline__ bool odd_all(float (&r)[N], const float (&a)[N], const float (&b)[N],
                                          const float (&w)[N]) const {
    bool inexact = false;
#pragma unroll
    for (int i = 0; i < N; ++i) {
      const bool near_a = approx::abs(w[i]) < 0.5f;
      const float diff = __fsub_ru(b[i], a[i]);
      inexact |= __fsub_rd(b[i], a[i]) < diff;
      r[i] = fma_to_odd(near_a ? w[i] : w[i] - 1.0f, diff, near_a ? a[i] : b[i]);
    }
    return inexact;
  }
};
#define TILEOPS_LERP_OF_PACKS(S)                \
  template <>                                   \
  struct lerp<fast<S>, float> : lerp_of_packs { \
    using lerp_of_packs::lerp_of_packs;         \
  };
TILEOPS_LERP_OF_PACKS(f16)
TILEOPS_LERP_OF_PACKS(e5m2)
#undef TILEOPS_LERP_OF_PACKS
// The f32 result of no triple of e4m3 numbers, all of which were tried, lies on the wrong side of a tie.
template <>
struct lerp<fast<e4m3fn>, float> : body {
  using body::body;
  static constexpr auto accuracy = Accuracy::exact;
  __device__ __forceinline__ float operator()(float a, float b, float w) const {
    const bool near_a = approx::abs(w) < 0.5f;
    return fma(near_a ? w : w - 1.0f, b - a, near_a ? a : b);
  }
};

// 2^(y log2|x|), logarithm and product in two terms: 2^-25 of the logarithm is left. Packs of positive
// numbers and moderate exponents take shorter forms.
template <class S>
struct pow<fast<S>, float> : body {
  using body::body;
  static constexpr bool packs_apart = true;
  static constexpr u32 ulp = same_v<S, f16> ? 5 : 20;
  static constexpr float moderate_exponent = same_v<S, f16> ? 16.0f : 12.0f;

  // y log2 x is returned too; the power is right for |y log2 x| <= 120. x = m 2^e with m as in f32::split, so that
  // y e is exact and y log2 m small: the instruction leaves 2^-22 of log2 m, which f16 cannot take.
  struct power {
    float value, exponent;
  };
  static __device__ __forceinline__ power moderate(float x, float y) {
    const u32 k = (to_bits(x) - f32::kSqrtHalfBits) & 0xff800000u;
    const float m = from_bits(to_bits(x) - k);
    const float e = from_bits(to_bits(kRound) + static_cast<u32>(static_cast<i32>(k) >> 23)) - kRound;
    const float whole = y * e;
    float part, part_lo;
    if constexpr (same_v<S, f16>) {
      const float f = m - 1.0f, l = f * approx::kLog2e;
      const float rest = f * f * f32::log_q(f);
      const float l_lo = fma(f, 0x1.4ae0cp-26f, fma(rest, approx::kLog2e, fma(f, approx::kLog2e, -l)));
      part = y * l;
      part_lo = fma(y, l, -part) + y * l_lo;
    } else {
      part = y * approx::log2_ftz(m);
      part_lo = 0.0f;
    }
    const float t = whole + (part + part_lo), rounded = t + kRound;
    const float fraction = approx::exp2_ftz(((whole - (rounded - kRound)) + part) + part_lo);
    return {from_bits(to_bits(fraction) + (to_bits(rounded) << 23)), t};
  }
  // Returns whether some elements may be rare.
  template <int N>
  __device__ __forceinline__ bool all(float (&r)[N], const float (&x)[N], const float (&y)[N]) const {
    u32 most = 0;
    float largest = 0.0f, exponent = 0.0f;
#pragma unroll
    for (int i = 0; i < N; ++i) {
      const u32 place = to_bits(x[i]) - 0x00800000u;  // below 0x7f000000: positive and normal
      most = most > place ? most : place;
      exponent = approx::max_nan(exponent, approx::abs(y[i]));
      const power p = moderate(x[i], y[i]);
      largest = ::fmaxf(largest, approx::abs(p.exponent));
      r[i] = p.value;
    }
    const bool usual = (most < 0x7f000000u) & (exponent <= moderate_exponent) & (largest <= 120.0f);
    if (!usual) {
#pragma unroll
      for (int i = 0; i < N; ++i) r[i] = (*this)(x[i], y[i]);
    }
    return !usual;
  }
  // Zero, infinity and NaN, and exponents whose product with the logarithm might be NaN.
  static __device__ __forceinline__ bool rare(float x, float y) {
    const u32 mag = to_bits(x) & 0x7fffffffu;
    return (mag - 1u >= 0x7f7fffffu) | !(approx::abs(y) < 0x1p64f);
  }
  static __device__ __forceinline__ float slow(float x, float) { return x; }
  __device__ __forceinline__ float operator()(float x, float y) const {
    const float ax = approx::abs(x);
    const f32::mant_exp s = f32::split(ax);
    const float f = s.m - 1.0f;
    const float p = f * approx::kLog2e;
    const float rest = f * f * f32::log_q(f);
    const float p_lo = fma(f, 0x1.4ae0cp-26f, fma(rest, approx::kLog2e, fma(f, approx::kLog2e, -p)));
    const float sum = s.e + p, tail = ((s.e - sum) + p) + p_lo;
    const float hi = sum + tail, lo = (sum - hi) + tail;
    const float t = y * hi, t_lo = fma(y, hi, -t) + y * lo;
    const float z0 = approx::exp2(t);
    const float z = z0 < limits<float>::inf() ? fma(z0, t_lo * approx::kLn2, z0) : z0;
    // Integer and odd y. From 2^23 on y is an integer, from 2^24 on an even one.
    const float ay = approx::abs(y), yr = ay + 0x1p23f;
    const bool integer = (ay >= 0x1p23f) | (yr - 0x1p23f == ay);
    const u32 odd = (ay >= 0x1p23f ? to_bits(ay) : to_bits(yr)) << 31;
    const u32 sign = ay < 0x1p24f ? to_bits(x) & odd : 0u;
    const float signed_z = from_bits(to_bits(z) | sign);
    return (x < 0.0f) & !integer ? limits<float>::nan() : signed_z;
  }
};

}  // namespace op
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

// Fast forms of quotients, remainders and powers; see fast.h.
#ifndef TILEOPS_KERNELS_FAST_PAIRS_H
#define TILEOPS_KERNELS_FAST_PAIRS_H

#include "cuda/kernels/fast_forms.h"

namespace tileops {
namespace device {
inline namespace TILEOPS_DEVICE_NS {
namespace op {

// Of 8-bit floats, whose quotient is exact or far from everything that it could be rounded to wrongly:
// where the remainder of the estimate is a number, one correction makes it right.
template <class S>
struct short_quotient : body {
  using body::body;
  __device__ __forceinline__ float operator()(float a, float b) const {
    const float inverse = approx::rcp_ftz(b), q = a * inverse, rest = fma(-q, b, a);
    const bool usable = (rest < 0.0f) | (rest > 0.0f);  // keeps zeros' signs, infinities and NaN
    return usable ? fma(rest, inverse, q) : q;
  }
};
template <>
struct div<fast<e4m3fn>, float> : short_quotient<e4m3fn> {
  using short_quotient<e4m3fn>::short_quotient;
};
template <>
struct div<fast<e5m2>, float> : short_quotient<e5m2> {
  using short_quotient<e5m2>::short_quotient;
};

// PyTorch's definition of the quotient, by way of (a - mod) / b, comes to the integer below a / b: that
// quotient is right to within n 2^-22 and is then rounded. Zeros keep the sign of a (remainder) or of the
// quotient (floor_divide).
template <class P>
struct floored_remainder : remainder<portable, float> {
  using remainder<portable, float>::remainder;
  static __device__ __forceinline__ bool rare(float a, float b) { return same_bits::fmod_rare(a, b); }
  __device__ __forceinline__ float operator()(float a, float b) const {
    const float r = copysign(same_bits::divided(a, b).rest, a);
    const bool apart = static_cast<i32>(to_bits(a) ^ to_bits(b)) < 0;
    return apart & (r != 0.0f) ? r + b : r;
  }
};
template <class P>
struct floored_quotient : floor_divide<portable, float> {
  using floor_divide<portable, float>::floor_divide;
  static __device__ __forceinline__ bool rare(float a, float b) { return same_bits::fmod_rare(a, b); }
  __device__ __forceinline__ float operator()(float a, float b) const {
    const same_bits::truncated d = same_bits::divided(a, b);
    const u32 sign = (to_bits(a) ^ to_bits(b)) & 0x80000000u;
    const float n = d.quotient + ((sign != 0u) & (d.rest > 0.0f) ? 1.0f : 0.0f);
    return from_bits(to_bits(n) | sign);
  }
};
#define TILEOPS_FLOORED(policy)                                             \
  template <>                                                               \
  struct remainder<policy, float> : floored_remainder<policy> {             \
    using floored_remainder<policy>::floored_remainder;                     \
  };                                                                        \
  template <>                                                               \
  struct floor_divide<policy, float> : floored_quotient<policy> {           \
    using floored_quotient<policy>::floored_quotient;                       \
  };
TILEOPS_FLOORED(same_bits)
TILEOPS_FLOORED(fast<f16>)
TILEOPS_FLOORED(fast<bf16>)
TILEOPS_FLOORED(fast<e4m3fn>)
TILEOPS_FLOORED(fast<e5m2>)

// 2^(y log2|x|), logarithm and product in two terms: 2^-25 of the logarithm is left. Packs of positive
// numbers and moderate exponents take instructions instead.
template <class S>
struct pow<fast<S>, float> : body {
  using body::body;
  static constexpr bool packs_apart = true;
  static constexpr u32 ulp = same_v<S, f16> ? 12 : 20;

  // For |y log2 x| <= 16, which is returned too.
  struct power {
    float value, exponent;
  };
  static __device__ __forceinline__ power moderate(float x, float y) {
    if constexpr (!same_v<S, f16>) {
      const float t = y * approx::log2_ftz(x);
      return {approx::exp2_ftz(t), t};
    } else {
      // y e is exact.
      const u32 k = (to_bits(x) - f32::kSqrtHalfBits) & 0xff800000u;
      const float l = approx::log2_ftz(from_bits(to_bits(x) - k));
      const float whole = y * static_cast<float>(static_cast<i32>(k) >> 23), part = y * l;
      const float t = whole + part, rounded = t + kRound;
      const float fraction = approx::exp2_ftz((whole - (rounded - kRound)) + part);
      return {from_bits(to_bits(fraction) + (to_bits(rounded) << 23)), t};
    }
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
    const bool usual = (most < 0x7f000000u) & (exponent <= 4.0f) & (largest <= 16.0f);
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
}  // namespace device
}  // namespace tileops

#endif

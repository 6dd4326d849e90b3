// Fast forms of quotients, remainders and powers; see fast.h.
#ifndef TILEOPS_KERNELS_FAST_PAIRS_H
#define TILEOPS_KERNELS_FAST_PAIRS_H

#include "cuda/kernels/fast_forms.h"

namespace tileops {
namespace device {
inline namespace TILEOPS_DEVICE_NS {
namespace op {

// Of 8-bit floats and f16, whose quotient is a number of few bits or far from everything that it could be rounded
// to wrongly: at least 2^-23 of it in f16, an f32 step, and one correction leaves half of that. Where the remainder
// of the estimate is 0 or NaN the estimate is the result: zeros' signs, infinities and NaN. IEEE division instead
// takes a check and a branch an element (f16, 64 Mi elements on an H200: 105 us, a copy 95).
template <class S>
struct short_quotient : body {
  using body::body;
  __device__ __forceinline__ float operator()(float a, float b) const {
    const float inverse = approx::rcp_ftz(b), q = a * inverse, rest = fma(-q, b, a);
    return approx::abs(rest) > 0.0f ? fma(rest, inverse, q) : q;
  }
};
#define TILEOPS_SHORT_QUOTIENT(S)                    \
  template <>                                        \
  struct div<fast<S>, float> : short_quotient<S> {   \
    using short_quotient<S>::short_quotient;         \
  };
TILEOPS_SHORT_QUOTIENT(f16)
TILEOPS_SHORT_QUOTIENT(e4m3fn)
TILEOPS_SHORT_QUOTIENT(e5m2)
#undef TILEOPS_SHORT_QUOTIENT
template <>
struct reciprocal<fast<f16>, float> : body {
  using body::body;
  __device__ __forceinline__ float operator()(float x) const { return short_quotient<f16>()(1.0f, x); }
};

// As math/sticky.h's, but whether b - a is exact is asked once a pack. w - 1 always is, which of bf16 were not so.
struct lerp_of_packs : lerp<portable, float> {
  using lerp<portable, float>::lerp;
  static constexpr bool odd_packs = true;
  __device__ __forceinline__ float again(float a, float b, float w) const { return lerp_odd_in_f64(a, b, w); }
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
      r[i] = fma_odd(near_a ? w[i] : w[i] - 1.0f, diff, near_a ? a[i] : b[i]);
    }
    return inexact;
  }
};
#define TILEOPS_LERP_OF_PACKS(S)                        \
  template <>                                           \
  struct lerp<fast<S>, float> : lerp_of_packs {         \
    using lerp_of_packs::lerp_of_packs;                 \
  };
TILEOPS_LERP_OF_PACKS(f16)
TILEOPS_LERP_OF_PACKS(e5m2)
#undef TILEOPS_LERP_OF_PACKS
// The f32 result of no triple of e4m3 numbers, all of which were tried, lies on the wrong side of a tie.
template <>
struct lerp<fast<e4m3fn>, float> : body {
  using body::body;
  static constexpr bool exact = true;
  __device__ __forceinline__ float operator()(float a, float b, float w) const {
    const bool near_a = approx::abs(w) < 0.5f;
    return fma(near_a ? w : w - 1.0f, b - a, near_a ? a : b);
  }
};

// PyTorch's definition of the quotient, by way of (a - mod) / b, comes to the integer below a / b: that
// quotient is right to within n 2^-22 and is then rounded. Zeros keep the sign of a (remainder) or of the
// quotient (floor_divide). Rare elements in line: a call, and 64-bit division in it, took the kernels from
// 40 registers to 60, and so a third of their threads.
template <class P>
struct floored_remainder : remainder<portable, float> {
  using remainder<portable, float>::remainder;
  static __device__ __forceinline__ bool rare(float a, float b) { return same_bits::fmod_rare(a, b); }
  __device__ __forceinline__ float operator()(float a, float b) const {
    const float r = copysign(same_bits::divided(a, b).rest, a);
    const bool apart = static_cast<i32>(to_bits(a) ^ to_bits(b)) < 0;
    return apart & (r != 0.0f) ? r + b : r;
  }
  static __device__ __forceinline__ float slow(float a, float b) {
    return remainder_from(f32::long_fmod<u32>(a, b), b);
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
  static __device__ __forceinline__ float slow(float a, float b) {
    return floor_divide_from(f32::long_fmod<u32>(a, b), a, b);
  }
};
template <>
struct remainder<same_bits, float> : floored_remainder<same_bits> {
  using floored_remainder<same_bits>::floored_remainder;
};
template <>
struct floor_divide<same_bits, float> : floored_quotient<same_bits> {
  using floored_quotient<same_bits>::floored_quotient;
};

// Of 16-bit operands, whose few digits leave room: the integer n nearest to the estimate of a / b is the nearest
// to the quotient or the one beside it, so that a - n b is exact and less than |b|, and only its sign is asked.
// A pack is as it should be where all estimates are below 2^21 and no rest is NaN (b infinite); beyond 2^126
// reciprocals are 0.
template <class S>
struct nearest {
  float most = 0.0f, largest = 0.0f, not_a_number = 0.0f, n, rest;
  __device__ __forceinline__ bool divide(float a, float b) {
    const float q = a * approx::rcp_ftz(b);
    n = (q + kRound) - kRound;
    rest = fma(-n, b, a);
    most = approx::max_nan(most, approx::abs(q));
    if constexpr (same_v<S, bf16>) largest = ::fmaxf(largest, approx::abs(b));
    not_a_number = approx::max_nan(not_a_number, rest);
    return (static_cast<i32>(to_bits(rest) ^ to_bits(b)) < 0) & (rest != 0.0f);  // the floor is one less
  }
  __device__ __forceinline__ bool usual() const {
    return (most < 0x1p21f) & (largest <= 0x1p126f) & (not_a_number == not_a_number);
  }
};
// A zero with the sign of `like`.
__device__ __forceinline__ float zero_like(float y, float like) {
  return y == 0.0f ? from_bits(to_bits(like) & 0x80000000u) : y;
}
// A pack: result(division, whether the floor is one less, a, b). Returns whether some elements may be rare.
template <class S, int N, class F>
__device__ __forceinline__ bool divide_pack(float (&r)[N], const float (&a)[N], const float (&b)[N], const F& result) {
  nearest<S> by;
#pragma unroll
  for (int i = 0; i < N; ++i) {
    const bool less = by.divide(a[i], b[i]);
    r[i] = result(by, less, a[i], b[i]);
  }
  return !by.usual();
}

template <class S>
struct nearest_remainder : floored_remainder<S> {
  using floored_remainder<S>::floored_remainder;
  static constexpr bool packs_apart = true;
  template <int N>
  __device__ __forceinline__ bool all(float (&r)[N], const float (&a)[N], const float (&b)[N]) const {
    return divide_pack<S>(r, a, b, [](const nearest<S>& by, bool less, float x, float y) {
      return zero_like(less ? by.rest + y : by.rest, x);
    });
  }
};
template <class S>
struct nearest_quotient : floored_quotient<S> {
  using floored_quotient<S>::floored_quotient;
  static constexpr bool packs_apart = true;
  template <int N>
  __device__ __forceinline__ bool all(float (&r)[N], const float (&a)[N], const float (&b)[N]) const {
    return divide_pack<S>(r, a, b, [](const nearest<S>& by, bool less, float x, float y) {
      return zero_like(less ? by.n - 1.0f : by.n, from_bits(to_bits(x) ^ to_bits(y)));
    });
  }
};
#define TILEOPS_NEAREST(S)                                        \
  template <>                                                     \
  struct remainder<fast<S>, float> : nearest_remainder<S> {       \
    using nearest_remainder<S>::nearest_remainder;                \
  };                                                              \
  template <>                                                     \
  struct floor_divide<fast<S>, float> : nearest_quotient<S> {     \
    using nearest_quotient<S>::nearest_quotient;                  \
  };
TILEOPS_NEAREST(f16)
TILEOPS_NEAREST(bf16)
TILEOPS_NEAREST(e4m3fn)
TILEOPS_NEAREST(e5m2)
#undef TILEOPS_NEAREST

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
}  // namespace device
}  // namespace tileops

#endif

// SPDX-License-Identifier: Apache-2.0
// Fast forms of quotients and remainders; see fast.h.
#ifndef TILEOPS_DEVICE_CUDA_FORMS_FAST_DIVISION_H
#define TILEOPS_DEVICE_CUDA_FORMS_FAST_DIVISION_H

#include "fast_forms.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace op {

// Division of 8-bit floats and f16, whose quotient is a number of few bits or far from everything that it could be
// rounded to wrongly: at least 2^-23 of it in f16, an f32 step, and one correction leaves half of that. Where the
// remainder of the estimate is 0 or NaN the estimate is the result: zeros' signs, infinities and NaN. IEEE division
// instead takes a check and a branch an element.
template <class S>
struct short_quotient : body {
  using body::body;
  __device__ __forceinline__ float operator()(float a, float b) const {
    const float inverse = approx::rcp_ftz(b), q = a * inverse, rest = fma(-q, b, a);
    return approx::abs(rest) > 0.0f ? fma(rest, inverse, q) : q;
  }
};
#define TILEOPS_SHORT_QUOTIENT(S)                  \
  template <>                                      \
  struct div<fast<S>, float> : short_quotient<S> { \
    using short_quotient<S>::short_quotient;       \
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

// Correctly rounded, by the steps that the compiler takes for a division. But it checks each pair of operands,
// branches, and takes 0 / b for rare; here one branch serves all elements, and what depends on a divisor that they
// share is computed once.
template <>
struct div<bit_exact, float> : body {
  using body::body;
  // For dividends from kLeast on, or +0 (the result of -0 would be +0), and divisors up to kMost no step loses a bit.
  // Where the quotient or the reciprocal overflows, or an operand is no number, the result is NaN.
  static constexpr float kLeast = 0x1p-62f, kMost = 0x1p62f;
  static constexpr bool packs_apart = true;
  template <int N>
  __device__ __forceinline__ bool all(float (&r)[N], const float (&a)[N], const float (&b)[N]) const {
    u32 least = ~0u;
    float most = 0.0f;
    bool no_number = false;
#pragma unroll
    for (int i = 0; i < N; ++i) {
      const float estimate = approx::rcp_ftz(b[i]), inverse = fma(estimate, fma(-b[i], estimate, 1.0f), estimate);
      const float q = a[i] * inverse;
      r[i] = fma(fma(-b[i], q, a[i]), inverse, q);
      least = ::min(least, bit_exact::place(a[i]));
      most = ::fmaxf(most, approx::abs(b[i]));
      no_number |= r[i] != r[i];
    }
    return !((least >= kLeastPlace) & (most <= kMost)) | no_number;
  }
  __device__ __forceinline__ float operator()(float a, float b) const { return a / b; }
  static __device__ __forceinline__ bool rare(float a, float b) {
    const float aa = approx::abs(a), ab = approx::abs(b);
    return !((bit_exact::place(a) >= kLeastPlace) & (ab >= kLeast) & (ab <= kMost) & (aa <= kMost));
  }
  static __device__ __forceinline__ float slow(float a, float b) { return a / b; }

 private:
  static constexpr u32 kLeastPlace = bit_exact::place_of(127 - 62);
};

// PyTorch's definition of the quotient, by way of (a - mod) / b, comes to the integer below a / b: that
// quotient is right to within n 2^-22 and is then rounded. Zeros keep the sign of a (remainder) or of the
// quotient (floor_divide). Rare elements in line: a call, and 64-bit division in it, took the kernels from
// 40 registers to 60, and so a third of their threads.
template <class P>
struct floored_remainder : remainder<portable, float> {
  using remainder<portable, float>::remainder;
  static __device__ __forceinline__ bool rare(float a, float b) { return bit_exact::fmod_rare(a, b); }
  __device__ __forceinline__ float operator()(float a, float b) const {
    const float r = device_detail::copysign(bit_exact::divided(a, b).rest, a);
    const bool apart = static_cast<i32>(to_bits(a) ^ to_bits(b)) < 0;
    return (apart & (r != 0.0f)) ? r + b : r;
  }
  static __device__ __forceinline__ float slow(float a, float b) {
    return remainder_from(f32::long_fmod<u32>(a, b), b);
  }
};
template <class P>
struct floored_quotient : floor_divide<portable, float> {
  using floor_divide<portable, float>::floor_divide;
  static __device__ __forceinline__ bool rare(float a, float b) { return bit_exact::fmod_rare(a, b); }
  __device__ __forceinline__ float operator()(float a, float b) const {
    const bit_exact::truncated d = bit_exact::divided(a, b);
    const u32 sign = (to_bits(a) ^ to_bits(b)) & 0x80000000u;
    const float n = d.quotient + ((sign != 0u) & (d.rest > 0.0f) ? 1.0f : 0.0f);
    return from_bits(to_bits(n) | sign);
  }
  static __device__ __forceinline__ float slow(float a, float b) {
    return floor_divide_from(f32::long_fmod<u32>(a, b), a, b);
  }
};
template <>
struct remainder<bit_exact, float> : floored_remainder<bit_exact> {
  using floored_remainder<bit_exact>::floored_remainder;
};
template <>
struct floor_divide<bit_exact, float> : floored_quotient<bit_exact> {
  using floored_quotient<bit_exact>::floored_quotient;
};

// For 16-bit operands, whose few digits leave room: the integer n nearest to the estimate of a / b is the nearest
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
// Floors of quotients of few digits by the estimate alone, which is off by less than 2^-22 and is moved up by 2^-21 so
// that integers stay. Others are as far below the next one as the last digit of b or a in the quotient: 2^-11 in f16,
// 2^-8 in bf16, 2^-4 in e4m3, which is more than the estimate of a quotient below `limit` lacks (tried for all
// mantissas and reciprocals off by a unit). 8 instructions, by nearest<S> 16.
template <class S>
struct floor_of {
  static constexpr float limit = same_v<S, f16> ? 0x1p9f : same_v<S, bf16> ? 0x1p12f : 0x1p16f;
  float most = 0.0f, least = 1.0f, q;
  __device__ __forceinline__ float divide(float a, float b) {
    q = a * approx::rcp_ftz(b);
    most = approx::max_nan(most, approx::abs(q));
    least = ::fminf(least, approx::abs(q));
    return __fadd_rd(fma(approx::abs(q), 0x1p-21f, q), kRound) - kRound;
  }
  // A quotient of 0 may have underflowed, or b is infinite.
  __device__ __forceinline__ bool usual() const { return (most < limit) & (least >= 0x1p-126f); }
};
// A pack: of_floor(floor, estimate, a, b), or of_nearest(division, whether the floor is one less, a, b). Returns
// whether some elements may be rare.
template <class S, int N, class F, class G>
__device__ __forceinline__ bool divide_pack(float (&r)[N], const float (&a)[N], const float (&b)[N], const F& of_floor,
                                            const G& of_nearest) {
  floor_of<S> floor;
#pragma unroll
  for (int i = 0; i < N; ++i) {
    const float n = floor.divide(a[i], b[i]);
    r[i] = of_floor(n, floor.q, a[i], b[i]);
  }
  if (floor.usual()) return false;
  nearest<S> by;
#pragma unroll
  for (int i = 0; i < N; ++i) {
    const bool less = by.divide(a[i], b[i]);
    r[i] = of_nearest(by, less, a[i], b[i]);
  }
  return !by.usual();
}

template <class S>
struct nearest_remainder : floored_remainder<S> {
  using floored_remainder<S>::floored_remainder;
  static constexpr bool packs_apart = true;
  template <int N>
  __device__ __forceinline__ bool all(float (&r)[N], const float (&a)[N], const float (&b)[N]) const {
    return divide_pack<S>(
        r, a, b, [](float n, float, float x, float y) { return zero_like(fma(-n, y, x), x); },
        [](const nearest<S>& by, bool less, float x, float y) { return zero_like(less ? by.rest + y : by.rest, x); });
  }
};
template <class S>
struct nearest_quotient : floored_quotient<S> {
  using floored_quotient<S>::floored_quotient;
  static constexpr bool packs_apart = true;
  template <int N>
  __device__ __forceinline__ bool all(float (&r)[N], const float (&a)[N], const float (&b)[N]) const {
    return divide_pack<S>(
        r, a, b, [](float n, float q, float, float) { return device_detail::copysign(n, q); },
        [](const nearest<S>& by, bool less, float x, float y) {
          return zero_like(less ? by.n - 1.0f : by.n, from_bits(to_bits(x) ^ to_bits(y)));
        });
  }
};
#define TILEOPS_NEAREST(S)                                    \
  template <>                                                 \
  struct remainder<fast<S>, float> : nearest_remainder<S> {   \
    using nearest_remainder<S>::nearest_remainder;            \
  };                                                          \
  template <>                                                 \
  struct floor_divide<fast<S>, float> : nearest_quotient<S> { \
    using nearest_quotient<S>::nearest_quotient;              \
  };
TILEOPS_NEAREST(f16)
TILEOPS_NEAREST(bf16)
TILEOPS_NEAREST(e4m3fn)
TILEOPS_NEAREST(e5m2)
#undef TILEOPS_NEAREST

}  // namespace op
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

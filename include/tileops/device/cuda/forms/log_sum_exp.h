// SPDX-License-Identifier: Apache-2.0
// logsumexp of many elements at once, as most are: every factor is scaled to the largest element's exponent, so that
// nodes of the tree are sums of float32 alone until they meet others.
#ifndef TILEOPS_DEVICE_CUDA_FORMS_LOG_SUM_EXP_H
#define TILEOPS_DEVICE_CUDA_FORMS_LOG_SUM_EXP_H

#include "../../log_sum_exp.h"
#include "../../reduction_tree.h"
#include "../common/approximations.h"

namespace tileops {
namespace kernels {

// The sum of a node of which all exponents are the same.
struct scaled_sum {
  using state = float;
  TILEOPS_DEVICE float identity() { return 0.0f; }  // there are no negative ones
  TILEOPS_DEVICE float merge(float a, float b) { return a + b; }
};

// Base: log_sum_exp of float, or what has its state. What lies further below the largest element than exponents go
// counts as nothing: that changes no bit, since a rounding hands on 24 digits at most, and sums have few roundings
// before they meet others.
template <class Base>
struct scaled_packs : Base {
  using b = wide::bounds<float>;
  template <class V>
  using state = typename Base::template state<V>;
  static constexpr float lowest = -0.75f * b::near;

  // The largest of `before` and of the first `left` elements; NaN if one of them is NaN.
  template <int N>
  TILEOPS_DEVICE float largest(const float (&x)[N], u32 left, float before = -limits<float>::inf()) {
#pragma unroll
    for (int e = 0; e < N; ++e)
      if (static_cast<u32>(e) < left) before = approx::max_nan(before, x[e]);
    return before;
  }

  // What elements are scaled by, of which this is the largest one.
  struct scale {
    float largest;
    u32 bits;   // of bounds::round plus its exponent to base 4: one more of them is a factor of two
    bool fits;  // false where an element is NaN, or where the largest is too far from 0
  };
  TILEOPS_DEVICE scale scale_of(float largest) {
    return {largest, to_bits(fma(largest, b::log4e, b::round)), largest < b::near && largest > 0.5f * lowest};
  }

  // e^x at this scale: the factor of wide::exp_near, whose exponent is lowered by as much as it lies below that of the
  // largest element.
  TILEOPS_DEVICE float scaled(float x, const scale& all) {
    constexpr i32 kVanishes = -100;
    const float v = ::fmaxf(x, lowest), t = fma(v, b::log4e, b::round), e = t - b::round;
    const float half = fma(v, b::log4e_lo, fma(v, b::log4e, -e));
    const i32 below = ::max(static_cast<i32>(to_bits(t) - all.bits), kVanishes);
    return from_bits(to_bits(wide::exp2_between(half + half)) + (static_cast<u32>(below) << 23));
  }

  // The same of an element that may not be there: then 0. It is computed all the same, and the compiler is not told
  // what the bits are, or it would put a branch around each exponential.
  TILEOPS_DEVICE u32 bits_if(bool there) {
    u32 bits = there ? ~0u : 0u;
    asm("" : "+r"(bits));
    return bits;
  }
  TILEOPS_DEVICE float scaled(float x, const scale& all, u32 bits) { return from_bits(to_bits(scaled(x, all)) & bits); }

  // The sum of a node at this scale, whose largest element is no larger.
  TILEOPS_DEVICE float rescaled(const state<float>& s, const scale& all) {
    const float d = s.exponent - (from_bits(all.bits) - b::round);
    return s.sum * wide::power_of_four<float>::of(d > b::least ? d : b::least);
  }

  // The tree's node of a pack, of which the first `left` elements are there.
  template <int N>
  TILEOPS_DEVICE float sum(const float (&x)[N], u32 left, const scale& all) {
    float v[N];
#pragma unroll
    for (int e = 0; e < N; ++e) v[e] = scaled(x[e], all, bits_if(static_cast<u32>(e) < left));
    return trees::over_array<scaled_sum, N>(v);
  }
  TILEOPS_DEVICE state<float> node(float sum, const scale& all) {
    return {sum, from_bits(all.bits) - b::round, all.largest};
  }
};

}  // namespace kernels
}  // namespace tileops

#endif

// SPDX-License-Identifier: Apache-2.0
// Portable f32 n / (1 + exp(-x)), of which sigmoid (n = 1) and silu (n = x) are made. See exp.h
// for the rules.
#ifndef TILEOPS_DEVICE_MATH_F32_LOGISTIC_H
#define TILEOPS_DEVICE_MATH_F32_LOGISTIC_H

#include "exp.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace f32 {

// For -110 <= x <= 30 or NaN. The denominator d + d_lo is scaled by 2^-36 until the end, so that it
// and its inverse are normal numbers and a subnormal result is rounded once. Rough: 2 ulp, without d_lo.
template <bool approximate, class V>
TILEOPS_FN V over_one_plus_exp(V n, V x) {
  constexpr float scale = 0x1p-36f, round = kRound + (127.0f - 36.0f);
  const V t = fma(x, -kLog2e, round);
  const V k = t - round;
  const V r = fma(k, -kLn2Lo, fma(k, -kLn2Hi, -x));
  const V p = fma(r * r, exp_q(r), r);
  const V s = power_of_biased(t);
  // The first sum is exact for |k| < 24; otherwise what it loses is below half an ulp of d.
  const V a = s + scale;
  const V d = fma(s, p, a);
  if constexpr (approximate) return n / d * scale;
  const V d_lo = fma(s, p, a - d);
  const V inv = 1.0f / d;
  const V q = n * inv;
  return fma(fma(-q, d_lo, fma(-q, d, n)), inv, q) * scale;
}

// 1.58 ulp.
template <bool approximate, class V>
TILEOPS_FN V sigmoid(V x) {
  const V y = over_one_plus_exp<approximate>(V(1.0f), at_least(x, -110.0f));
  return select(x > 30.0f, V(1.0f), y);
}

// 1.60 ulp.
template <bool approximate, class V>
TILEOPS_FN V silu(V x) {
  const V c = at_least(x, -110.0f);
  return select(x > 30.0f, x, copysign(over_one_plus_exp<approximate>(c, c), x));  // copysign for -0
}

}  // namespace f32
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

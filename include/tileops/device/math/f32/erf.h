// SPDX-License-Identifier: Apache-2.0
// Portable f32 erf. See exp.h for the rules.
#ifndef TILEOPS_DEVICE_MATH_F32_ERF_H
#define TILEOPS_DEVICE_MATH_F32_ERF_H

#include "exp.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace f32 {

// erf(x) / x - 1 in z = x^2, |x| <= 0.85; error 2^-27.1 of erf(x).
TILEOPS_FN float erf_ratio(float z) {
  return polynomial(z, 0x1.06eba8p-3f, -0x1.812726p-2f, 0x1.ce256ap-4f, -0x1.b735eap-6f, 0x1.4b763p-8f,
                    -0x1.4cd85ep-11f);
}

// log(1 - erf(t)) for 0.85 <= t <= 4, error 2^-33 of erf.
TILEOPS_FN float erfc_log(float t) {
  float e = fma(-0x1.4fddfap-16f, t, 0x1.bab37ap-12f);
  e = fma(e, t, -0x1.0d847p-8f);
  e = fma(e, t, 0x1.99129p-6f);
  e = fma(e, t, -0x1.ba9286p-4f);
  e = fma(e, t, -0x1.4460ecp-1f);
  e = fma(e, t, -0x1.212162p+0f);
  return fma(e, t, 0x1.440222p-13f);
}

// 0.99 ulp.
TILEOPS_FN float erf(float x) {
  const float ax = abs(x);
  const float small = fma(x, erf_ratio(ax * ax), x);
  const float e = erfc_log(min_bits(ax, 4.0f));
  const reduced_exp<float> k = reduce_exp(e, 0.0f);
  const float s = pow2_from_round(k.t, 0u);
  // 1 - s is exact.
  const float large = fma(-s, k.r0 + k.inner, 1.0f - s);
  const float y = ax > 0.85f ? copysign(large, x) : small;  // NaN takes small
  return y;
}

// (1 + 2x) e^(x^2) erfc(x) - 1.1875 in q = (x - 3) / (x + 3), 0.64 <= x <= 10.1; error 2^-29.2.
TILEOPS_FN float erfcx_tail(float q) {
  return polynomial(q, 0x1.0c522ep-4f, -0x1.15c084p-3f, -0x1.85a1e4p-5f, 0x1.098342p-3f, -0x1.e885dep-4f,
                    0x1.17ceccp-4f, -0x1.861be4p-6f, 0x1.4763a6p-9f, 0x1.074886p-9f, -0x1.63704cp-11f,
                    -0x1.e0e982p-13f);
}

// As f64::erfc: 1 - erf up to 0.65, e^(-x^2) in two terms beyond, the second of which has what both sums round off
// (exp_parts leaves out the first one's: 1.08 ulp). 0.86 ulp, subnormal results included.
TILEOPS_FN float erfc(float x) {
  const float a = abs(x);
  const float c = at_most(at_least(a, 0.65f), 10.2f), z = c * c;
  const reduced_exp<float> r = reduce_exp(-z, -fma(c, c, -z));
  const two_terms<float> s = scale_of(to_bits(r.t), 0u);
  const two_floats m = fast_two_sum(r.r0, r.inner), g = fast_two_sum(1.0f, m.hi);
  const exp_parts_t<float> e{g.hi, g.lo + m.lo, s.hi, s.lo};
  const two_floats f = fast_two_sum(1.1875f, erfcx_tail((c - 3.0f) / (c + 3.0f))), d = fast_two_sum(2.0f * c, 1.0f);
  const float n = e.hi * f.hi, n_lo = fma(e.hi, f.hi, -n) + fma(e.hi, f.lo, e.lo * f.hi);
  const float inv = 1.0f / d.hi, y = n * inv;
  const float rest = fma(-y, d.hi, n) + fma(-y, d.lo, n_lo);
  const float large = fma(rest, inv, y) * e.s1 * e.s2;
  const two_floats one = fast_two_sum(1.0f, -x);
  const float small = one.hi + fma(-x, erf_ratio(x * x), one.lo);
  const float tail = x < 0.0f ? 2.0f - large : large;
  return a < 0.65f ? small : tail;  // NaN takes the tail
}

}  // namespace f32
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

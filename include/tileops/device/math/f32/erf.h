// SPDX-License-Identifier: Apache-2.0
// Portable f32 erf. See exp.h for the rules.
#ifndef TILEOPS_DEVICE_MATH_F32_ERF_H
#define TILEOPS_DEVICE_MATH_F32_ERF_H

#include "exp.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace f32 {

// erf(x) for |x| <= 0.85: x + x P(x^2), relative error 2^-27.1.
TILEOPS_FN float erf_near(float x, float z) {
  float p = fma(-0x1.4cd85ep-11f, z, 0x1.4b763p-8f);
  p = fma(p, z, -0x1.b735eap-6f);
  p = fma(p, z, 0x1.ce256ap-4f);
  p = fma(p, z, -0x1.812726p-2f);
  p = fma(p, z, 0x1.06eba8p-3f);
  return fma(x, p, x);
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
  const float small = erf_near(x, ax * ax);
  const float e = erfc_log(min_bits(ax, 4.0f));
  const reduced_exp<float> k = reduce_exp(e, 0.0f);
  const float s = pow2_from_round(k.t, 0u);
  // 1 - s is exact.
  const float large = fma(-s, k.r0 + k.inner, 1.0f - s);
  const float y = ax > 0.85f ? copysign(large, x) : small;  // NaN takes small
  return y;
}

}  // namespace f32
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

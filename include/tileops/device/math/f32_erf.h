// Portable f32 erf, and the scaled tail of the normal distribution for gelu. See f32_exp.h.
#ifndef TILEOPS_DEVICE_MATH_F32_ERF_H
#define TILEOPS_DEVICE_MATH_F32_ERF_H

#include "f32_exp.h"

namespace tileops {
namespace device {
inline namespace TILEOPS_DEVICE_NS {
namespace f32 {

// 0.99 ulp.
TILEOPS_FN float erf(float x) {
  const float ax = abs(x);
  const float t = min_bits(ax, 4.0f);
  // |x| <= 0.85: x + x P(x^2), relative error 2^-27.1.
  const float z = ax * ax;
  float p = fma(-0x1.4cd85ep-11f, z, 0x1.4b763p-8f);
  p = fma(p, z, -0x1.b735eap-6f);
  p = fma(p, z, 0x1.ce256ap-4f);
  p = fma(p, z, -0x1.812726p-2f);
  p = fma(p, z, 0x1.06eba8p-3f);
  const float small = fma(x, p, x);
  // 0.85 <= |x| <= 4: 1 - exp(R(|x|)), error 2^-33 of the result.
  float e = fma(-0x1.4fddfap-16f, t, 0x1.bab37ap-12f);
  e = fma(e, t, -0x1.0d847p-8f);
  e = fma(e, t, 0x1.99129p-6f);
  e = fma(e, t, -0x1.ba9286p-4f);
  e = fma(e, t, -0x1.4460ecp-1f);
  e = fma(e, t, -0x1.212162p+0f);
  e = fma(e, t, 0x1.440222p-13f);
  const reduced_exp k = reduce_exp(e, 0.0f);
  const float s = pow2_from_round(k.t, 0u);
  // 1 - s is exact.
  const float large = fma(-s, k.r0 + k.inner, 1.0f - s);
  const float y = ax > 0.85f ? copysign(large, x) : small;  // NaN takes small
  return y;
}

// x * Phi(x), Phi the normal distribution, 1.68 ulp. It is max(x, 0) - |x| Phi(-|x|), where for
// 0 <= t <= 14.5
//   t Phi(-t) = exp(-t^2/2) * A / (sqrt(2 pi) A + N(t)),  A = t M(t),  relative error 2^-29.9.
// Every coefficient is positive, so nothing cancels, and the rounding errors of M and N only count
// as N / A, that is where t is small; there only the last step matters, kept in two terms.
TILEOPS_FN float gelu(float x) {
  const float ax = abs(x);
  const float t = min_bits(ax, 14.5f);  // Phi(-14.5) * 14.5 < 2^-151
  float m = fma(0x1.4563acp-10f, t, 0x1.e7853cp-7f);
  m = fma(m, t, 0x1.5d1c0cp-4f);
  m = fma(m, t, 0x1.2167eep-2f);
  m = fma(m, t, 0x1.15bcfcp-1f);
  const float m_hi = fma(m, t, 0.5f);
  const float m_lo = fma(m, t, 0.5f - m_hi);
  float n = fma(0x1.97db34p-9f, t, 0x1.316122p-5f);
  n = fma(n, t, 0x1.a98032p-3f);
  n = fma(n, t, 0x1.424be6p-1f);
  const float n_hi = fma(n, t, 1.0f);
  const float n_lo = fma(n, t, 1.0f - n_hi);
  const two_terms<float> a = two_prod(t, m_hi);
  const float a_lo = fma(t, m_lo, a.lo);
  constexpr float kSqrt2Pi = 0x1.40d932p+1f;  // right to 2^-33
  const float q = fma(a.hi, kSqrt2Pi, n_hi);
  const float q_lo = fma(a.hi, kSqrt2Pi, n_hi - q) + fma(a_lo, kSqrt2Pi, n_lo);
  // The square in two terms: one rounding of it costs 50 ulp at the end.
  const two_terms<float> z = two_prod(t, 0.5f * t);
  const exp_parts_t<float> e = exp_parts(-z.hi, -z.lo);
  const two_terms<float> b = two_prod(a.hi, e.hi);
  const float b_lo = b.lo + fma(a.hi, e.lo, a_lo * e.hi);
  const float tail = divide_terms(b.hi, b_lo, q, q_lo) * e.s1 * e.s2;
  const float y = copysign((x > 0.0f ? x : 0.0f) - tail, x);
  return ax <= 14.5f ? y : (x < 0.0f ? -0.0f : x);
}

}  // namespace f32
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device
}  // namespace tileops

#endif

// Portable f32 erf, and the scaled tail of the normal distribution for gelu. See f32_exp.h.
#ifndef TILEOPS_DEVICE_MATH_F32_ERF_H
#define TILEOPS_DEVICE_MATH_F32_ERF_H

#include "f32_exp.h"

namespace tileops {
namespace device {
inline namespace TILEOPS_DEVICE_NS {
namespace f32 {

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

// x * Phi(x), Phi the normal distribution. For 0 <= t <= 14.5
//   t * Phi(-t) = exp(-t^2/2) / sqrt(2 pi) * t M(t) / (t M(t) + N(t)),  relative error 2^-29.7.
// Every coefficient is positive, so nothing cancels, and the rounding errors of M and N only count
// as N / (t M), that is where t is small; there only the last step matters, kept in two terms.
TILEOPS_FN float gelu(float x) {
  const float ax = abs(x);
  const float t = min_bits(ax, 14.5f);  // Phi(-14.5) * 14.5 < 2^-151
  float m = fma(0x1.95a608p-9f, t, 0x1.30b48ep-5f);
  m = fma(m, t, 0x1.b4eb4cp-3f);
  m = fma(m, t, 0x1.6a76a6p-1f);
  m = fma(m, t, 0x1.5c0336p+0f);
  const float m_hi = fma(m, t, 0x1.40d932p+0f);
  const float m_lo = fma(m, t, 0x1.40d932p+0f - m_hi);
  float n = fma(0x1.95afbep-9f, t, 0x1.30951ep-5f);
  n = fma(n, t, 0x1.a8ed4ap-3f);
  n = fma(n, t, 0x1.422afp-1f);
  const float n_hi = fma(n, t, 1.0f);
  const float n_lo = fma(n, t, 1.0f - n_hi);
  two_terms<float> a = two_prod(t, m_hi);
  a.lo = fma(t, m_lo, a.lo);
  const float q = a.hi + n_hi;
  const float q_lo = two_sum(a.hi, n_hi).lo + (a.lo + n_lo);
  // exp(-t^2/2), the square in two terms: one rounding of it costs 50 ulp at the end.
  const two_terms<float> z = two_prod(t, 0.5f * t);
  const exp_parts_t<float> e = exp_parts(-z.hi, -z.lo);
  // 1/sqrt(2 pi) exp(-t^2/2) t M.
  const two_terms<float> c = two_prod(e.hi, 0x1.988454p-2f);
  const float c_lo = fma(e.lo, 0x1.988454p-2f, fma(e.hi, -0x1.857936p-27f, c.lo));
  const two_terms<float> b = two_prod(a.hi, c.hi);
  const float b_lo = b.lo + fma(a.hi, c_lo, a.lo * c.hi);
  // y = t * Phi(-t) / scale in two terms.
  const float inv = 1.0f / q;
  const float y = b.hi * inv;
  const float y_lo = (fma(-y, q, b.hi) + fma(-y, q_lo, b_lo)) * inv;
  // Left: -y. Right: x - y.
  const float scale = e.s1 * e.s2;
  const float ys = y * scale;
  const float r = ax - ys;
  const float right = r + (((ax - r) - ys) - y_lo * scale);
  const float left = (y + y_lo) * e.s1 * e.s2;
  const float v = copysign(pick(sign_mask(x), left, right), x);
  return ax <= 14.5f ? v : (x < 0.0f ? -0.0f : x);
}

}  // namespace f32
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device
}  // namespace tileops

#endif

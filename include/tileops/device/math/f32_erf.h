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

// Roughly 1 / x, within 7%, for a positive normal x. Enough to apply a correction.
TILEOPS_FN float rough_inverse(float x) { return from_bits(0x7ef00000u - to_bits(x)); }

// A and A c + t N of gelu's tail, see there; z = -t^2/2.
struct gelu_ratio {
  float a, b, b_lo;
};
TILEOPS_FN gelu_ratio gelu_tail(float t, float z) {
  float m = fma(0x1.05d732p-6f, t, 0x1.463d2p-3f);
  m = fma(m, t, 0x1.725dc8p-1f);
  m = fma(m, t, 0x1.bd8564p+0f);
  const float a = fma(z, -m, t);
  float p = fma(0x1.2cac82p-17f, t, 0x1.42e166p-7f);
  p = fma(p, t, 0x1.a1e224p-4f);
  p = fma(p, t, 0x1.a8b38p-2f);
  p = p * t;
  constexpr float c = 0x1.40d8p+0f;
  const float b = fma(c, a, p);
  return {a, b, fma(c, a, p - b)};
}

// x * Phi(x), Phi the normal distribution, 1.93 ulp (126617773 of 2^32 results are not the correctly
// rounded ones). It is max(x, 0) - |x| Phi(-|x|), where for t = |x| <= 13.3, with a relative error
// of 2^-27.3,
//   t Phi(-t) = exp(-t^2/2) / 2 * A / (1 + c A + t N),  A = t + t^2/2 M.
// Every coefficient is positive, so nothing cancels, and as c is close to sqrt(pi/2), an error of A
// cancels where t is large. Among fits equally good, this one has the least error once rounded.
TILEOPS_FN float gelu(float x) {
  const float t = min_bits(abs(x), 14.5f);  // Phi(-14.5) * 14.5 < 2^-151
  // -t^2/2 = n ln2 + r0 + u. The fma takes the square unrounded: one rounding of it would cost
  // 50 ulp at the end. The low bits of k hold n + 63, so that the scale is a normal number.
  constexpr float kRound63 = kRound + 63.0f;
  const float h = -0.5f * t;
  const float z = h * t;
  const float k = fma(z, kLog2e, kRound63);
  const float n = k - kRound63;
  const float r0 = fma(h, t, n * -kLn2Hi);
  const float u = n * -kLn2Lo;
  const float r = r0 + u;
  const auto [a, b, b_lo] = gelu_tail(t, z);
  const float d = 1.0f + b;
  const float d_lo = ((1.0f - d) + b) + b_lo;
  const float inner = fma(r * r, exp_q(r), u);
  // a / d, its relative error so far, and the exponential: q (1 + error) (1 + r0 + inner).
  const float s = from_bits(to_bits(d) - (to_bits(k) << 23));  // d * 2^-(n + 63)
  const float q = a / s;
  const float error = fma(fma(-q, s, a), rough_inverse(a), -(d_lo * rough_inverse(d)));
  const float tail = fma(q, r0 + fma(error, 1.0f + r0, inner), q);
  const float right = x < 0.0f ? -0.0f : x;  // also keeps NaN and -0
  return fma(-tail, 0x1p-64f, right);        // where this is subnormal, it rounds last
}

}  // namespace f32
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device
}  // namespace tileops

#endif

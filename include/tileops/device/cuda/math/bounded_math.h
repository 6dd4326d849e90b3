// SPDX-License-Identifier: Apache-2.0
// The formulas of the policy `bounded` (forms/bounded.h): without tables, branches and exact divisions. The bounds are
// maxima over all 2^32 inputs where nothing else is said. Coefficients: tools/minimax_gpu.py.
#ifndef TILEOPS_DEVICE_CUDA_MATH_BOUNDED_MATH_H
#define TILEOPS_DEVICE_CUDA_MATH_BOUNDED_MATH_H

#include "../common/approximations.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace table_free {

#define TILEOPS_FORM static __device__ __forceinline__ float

// 0.50 ulp: one Newton step with the residual 1 - x y^2 in full.
TILEOPS_FORM rsqrt(float x) {
  const float y = approx::rsqrt(x);
  const float h = x * y, h_lo = fma(x, y, -h);
  const float e = fma(-h_lo, y, fma(-h, y, 1.0f));
  const float z = fma(0.5f * y, e, y);
  return (x > 0.0f) & (x < limits<float>::inf()) ? z : y;
}

// n / (1 + exp(-x)) as in math/f32/logistic.h. -110 <= x <= 30 or NaN.
TILEOPS_FORM over_one_plus_exp(float n, float x) {
  constexpr float scale = 0x1p-36f, round = kRound + (127.0f - 36.0f);
  const float t = fma(x, -f32::kLog2e, round);
  const float k = t - round;
  const float r = fma(k, -f32::kLn2Lo, fma(k, -f32::kLn2Hi, -x));
  const float p = fma(r * r, f32::exp_q(r), r);
  const float s = power_of_biased(t);
  const float a = s + scale;
  const float d = fma(s, p, a);
  const float d_lo = fma(s, p, a - d);
  const float inv = approx::rcp_ftz(d);
  const float q = n * inv;
  return fma(fma(-q, d_lo, fma(-q, d, n)), inv, q) * scale;
}
TILEOPS_FORM sigmoid(float x) {
  return approx::if_above(x, 30.0f, 1.0f, over_one_plus_exp(1.0f, approx::max_nan(x, -110.0f)));
}
TILEOPS_FORM silu(float x) {
  const float c = approx::max_nan(x, -110.0f);
  return approx::if_above(x, 30.0f, x, copysign(over_one_plus_exp(c, c), x));  // copysign for -0
}

// x / (1 + 2^-v), v = 2u log2(e) = x (linear + cubic x^2) in two terms: it reaches -154 where results vanish, and
// 36 where they are x. `linear` has so few digits that what the sum with it loses is a number. 1.53 ulp.
TILEOPS_FORM gelu_tanh(float x) {
  constexpr float linear = 0x1.26aecp+1f, linear_lo = 0x1.0de73ap-22f;
  constexpr float cubic = 0x1.a5a7dp-4f, cubic_lo = -0x1.151aacp-29f;
  constexpr float scale = 0x1p-36f, round = kRound + (127.0f - 36.0f);
  const float c = approx::max_nan(x, -10.8f);
  const float z = c * c, z_lo = fma(c, c, -z);
  const float m = fma(cubic, z, linear);
  const float m_lo = fma(cubic, z, linear - m) + fma(cubic, z_lo, fma(cubic_lo, z, linear_lo));
  const float v = c * m, v_lo = fma(c, m_lo, fma(c, m, -v));
  const float t = round - v;
  const float r = (-v - (t - round)) - v_lo;
  const float s = power_of_biased(t);
  const float p = f32::exp2_q(r) * r;
  const float d = fma(s, p, s + scale);
  const float d_lo = fma(s, p, (s - d) + scale);
  const float inv = approx::rcp_ftz(d);
  const float q = c * inv;
  const float excess = fma(q, d_lo, fma(q, d, -c));  // with this sign q keeps its own where it is 0
  return approx::if_above(x, 6.0f, x, fma(-excess, inv, q) * scale);
}

// x n / (n + 2), n = e (e + 2), e = exp(x) in two terms; on the left as multiples of 2^-36. 1.72 ulp.
TILEOPS_FORM mish(float x) {
  constexpr float scale = 0x1p-36f, round = kRound + (127.0f + 36.0f);
  const float c = ::fminf(::fmaxf(x, -110.0f), 20.0f);
  const float t = fma(c, f32::kLog2e, round);
  const float k = t - round;
  const float r = fma(k, -f32::kLn2Lo, fma(k, -f32::kLn2Hi, c));
  const float p = fma(r * r, f32::exp_q(r), r);
  const float s = power_of_biased(t);
  const float e = fma(s, p, s), e_lo = fma(s, p, s - e);
  const float m = fma(e, scale, 2.0f);
  const float m_lo = fma(e_lo, scale, fma(e, scale, 2.0f - m));
  const float n = e * m, n_lo = fma(e_lo, m, fma(e, m_lo, fma(e, m, -n)));
  const float d = fma(n, scale, 2.0f);
  const float d_lo = fma(n_lo, scale, fma(n, scale, 2.0f - d));
  const float inv = approx::rcp_ftz(d);
  const float q = n * inv;
  const float y = fma(fma(-q, d, n) + fma(-q, d_lo, n_lo), inv, q);
  return x <= 20.0f ? (c * y) * scale : x;
}

// max(x, 0) + log1p(exp(-|y|)) / beta, y = beta x. log1p(e) = e + e^2 Q(e), to 2^-27.5.
// 1.55 ulp for beta = 1, 1.84 for 0.7, 1.90 for -1.3.
TILEOPS_FORM softplus_below(float x, float beta) {
  // These depend on beta alone. Of a tiny 1 / beta there is nothing to scale: results vanish before e does.
  const float abs_beta = approx::abs(beta), inv = beta == 1.0f ? 1.0f : approx::rcp(beta), magnitude = approx::abs(inv);
  const bool tiny = magnitude < 0x1p-80f;
  const float scale = tiny ? 1.0f : 0x1p-36f, round = tiny ? kRound + 127.0f : kRound + (127.0f + 36.0f);
  const float inv_scaled = inv * scale;
  const bool finite = magnitude < limits<float>::inf();  // beta may be 0: no inf * 0
  const float inv_error = finite ? fma(-inv, beta, 1.0f) * inv_scaled : 0.0f;
  const float inv_finite = finite ? inv_scaled : 0.0f;
  const float end = (tiny ? 80.0f : 110.0f) * magnitude;  // exp(-110) rounds to 0
  const float c = ::fminf(approx::abs(x), end);
  const float t = fma(abs_beta * c, -f32::kLog2e, round);
  const float k = t - round;
  const float r = fma(k, -f32::kLn2Lo, fma(-abs_beta, c, k * -f32::kLn2Hi));  // the product unrounded
  const float p = fma(r * r, f32::exp_q(r), r);
  const float s = power_of_biased(t);
  const float e = fma(s, p, s), w = e * scale;
  float q = fma(-0x1.b14c1ep-9f, w, 0x1.4a1922p-6f);
  q = fma(q, w, -0x1.d782f2p-5f);
  q = fma(q, w, 0x1.b5083cp-4f);
  q = fma(q, w, -0x1.3a58f6p-3f);
  q = fma(q, w, 0x1.9350fap-3f);
  q = fma(q, w, -0x1.ff249ep-3f);
  q = fma(q, w, 0x1.554dd4p-2f);
  q = fma(q, w, -0x1.ffffd2p-2f);
  const float square = e * w;
  const float l = fma(square, q, e), l_lo = fma(square, q, e - l);
  const float right = beta * x <= 0.0f ? 0.0f : x;
  const float more = inv_error == 0.0f ? right : fma(l, inv_error, right);
  return fma(l, inv_scaled, fma(l_lo, inv_finite, more));
}
// x above the threshold.
TILEOPS_FORM softplus(float x, float beta, float threshold) {
  return product_beyond(x, beta, threshold) <= 0.0f ? softplus_below(x, beta) : x;  // NaN is x, too
}

// 0.88 ulp.
TILEOPS_FORM log(float x) {
  const f32::mant_exp s = f32::split(x);
  const float f = s.m - 1.0f;
  // e * ln2 + f in two terms; |e * ln2| >= |f| unless e = 0.
  const float a = s.e * f32::kLn2Hi;
  const float hi = a + f;
  const float lo = (a - hi) + f;
  const float y = hi + (lo + fma(f * f, f32::log_q(f), s.e * f32::kLn2Lo));
  const float r = x > 0.0f ? y : (x == 0.0f ? -limits<float>::inf() : limits<float>::nan());
  return x < limits<float>::inf() ? r : x;
}

// factor (exp(x) - 1) for x <= 0; of more there is no telling. The factor times a power of two is exact.
TILEOPS_FORM times_expm1(float x, float factor) {
  constexpr float round = kRound + 127.0f;
  const float c = ::fmaxf(x, -20.0f);
  const float t = fma(c, f32::kLog2e, round);
  const float n = t - round;
  const float r = fma(n, -f32::kLn2Lo, fma(n, -f32::kLn2Hi, c));
  const float s = power_of_biased(t) * factor;
  return fma(s, r, fma(s, r * r * f32::exp_q(r), s - factor));
}
// 1.21 ulp.
TILEOPS_FORM elu_one(float x) { return approx::if_above(0.0f, x, times_expm1(x, 1.0f), x); }
// 1.68 ulp.
TILEOPS_FORM selu(float x) {
  using k = selu_constants<float>;
  return approx::if_above(0.0f, x, times_expm1(x, k::scale_alpha), x * k::scale);
}

// n / (1 + n), n = (exp(2|x|) - 1) / 2, the sum in two terms. 1.68 ulp.
TILEOPS_FORM tanh(float x) {
  // exp(2|x|) = 2^k (1 + 2m), m = h + h^2 (1 + h Q(h)), |h| <= ln2/4
  constexpr float round = kRound + 127.0f;
  const float c = approx::min_nan(approx::abs(x), 10.0f);
  const float t = fma(c, 2.0f * f32::kLog2e, round);
  const float h = fma(t - round, -0x1.62e43p-2f, c);
  float q = fma(0x1.6d73aep-5f, h, 0x1.123adcp-3f);
  q = fma(q, h, 0x1.5554c6p-2f);
  q = fma(q, h, 0x1.55549p-1f);
  const float m = fma(h * h, fma(q, h, 1.0f), h);
  const float s = power_of_biased(t);
  const float n = fma(s, m, fma(s, 0.5f, -0.5f));
  const float d = 1.0f + n, d_lo = (1.0f - d) + n;
  const float inv = approx::rcp_ftz(d);
  const float y = n * inv;
  return copysign(fma(fma(-y, d_lo, fma(-y, d, n)), inv, y), x);
}

// As f32::gelu, by the instruction for reciprocals.
TILEOPS_FORM gelu(float x) {
  const float tail = f32::scaled_tail(::fminf(approx::abs(x), 14.5f), [](float d) { return approx::rcp_ftz(d); });
  return fma(-tail, 0x1p-64f, approx::max_nan(x, -0.0f));  // a subnormal result rounds last
}

#undef TILEOPS_FORM

}  // namespace table_free
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

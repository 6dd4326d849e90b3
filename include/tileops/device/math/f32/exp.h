// SPDX-License-Identifier: Apache-2.0
// Portable f32 exponentials: exp, exp2, expm1, and the unrounded exp that formulas.h uses.
// Only IEEE +, -, *, /, fma and integer operations, so every machine gives the same bits; no
// branches, so a plain loop over them vectorises. Coefficients: tools/minimax.py.
// The ulp figures are maxima over all 2^32 inputs (tests/accuracy/f32_sweep.cc).
#ifndef TILEOPS_DEVICE_MATH_F32_EXP_H
#define TILEOPS_DEVICE_MATH_F32_EXP_H

#include "../common/scalar_lanes.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace f32 {

constexpr float kLog2e = 0x1.715476p+0f;
// ln 2 in two terms; n * kLn2Hi is exact for |n| < 2^9.
constexpr float kLn2Hi = 0x1.62e4p-1f;
constexpr float kLn2Lo = 0x1.7f7d1cp-20f;

// (exp(r) - 1 - r) / r^2 on |r| <= ln2/2; r^2 times the error is below 2^-28.2.
template <class V>
TILEOPS_FN V exp_q(V r) {
  V q = fma(0x1.6d7a2ap-10f, r, 0x1.123994p-7f);
  q = fma(q, r, 0x1.5554cp-5f);
  q = fma(q, r, 0x1.555492p-3f);
  return fma(q, r, 0.5f);
}

// The same with an error of 2^-31 relative to expm1(r).
TILEOPS_FN float expm1_q(float r) {
  float q = fma(0x1.a2478p-13f, r, 0x1.6d3c8ap-10f);
  q = fma(q, r, 0x1.111002p-7f);
  q = fma(q, r, 0x1.5554f6p-5f);
  q = fma(q, r, 0x1.555556p-3f);
  return fma(q, r, 0.5f);
}

// 2^n for the n that sits in the low bits of a kRound sum, -126 <= n + add <= 127.
TILEOPS_FN float pow2_from_round(float t, u32 add) { return from_bits((to_bits(t) + (127u - kRoundBits + add)) << 23); }

// x reduced: x + lo = n ln2 + r, exp(r) - 1 = r0 + inner, where r0 is exact and |inner| < 0.08, so
// that only the last addition rounds noticeably. t holds n, see kRound.
template <class V>
struct reduced_exp {
  V t, r0, inner;
};
template <class V>
TILEOPS_FN reduced_exp<V> reduce_exp(V x, V lo) {
  const V t = fma(x, kLog2e, kRound);
  const V n = t - kRound;
  const V r0 = fma(n, -kLn2Hi, x);
  const V u = fma(n, -kLn2Lo, lo);
  const V r = r0 + u;
  return {t, r0, fma(r * r, exp_q(r), u)};
}

// 2^n as hi * lo, for -190 <= n <= 127 + extra: below -124 through 2^64, so that a subnormal result
// is rounded by the multiplication with lo; `extra` powers of two are moved from hi to lo.
TILEOPS_FN two_terms<float> scale_of(u32 t, u32 extra) {
  const bool low = (i32)t < (i32)(kRoundBits - 124u);
  const u32 bias = low ? (127u + 64u) << 23 : (127u - extra) << 23;
  return {from_bits((t << 23) + bias), from_bits(low ? 63u << 23 : (127u + extra) << 23)};
}

// The smaller of two numbers as integers; one instruction, where a float clamp that lets NaN
// through takes two, and a nested one six with g++ 12.
TILEOPS_FN i32 min_int(i32 a, i32 b) { return a < b ? a : b; }

// exp(x) / 2^n.
template <class V>
TILEOPS_FN V exp_without_scale(V x, V n) {
  const V r = remainder_held(fma(n, -kLn2Lo, fma(n, -kLn2Hi, x)));
  const V q = fma(exp_q(r), r, 1.0f);
  return fma(q, r, 1.0f);
}

// 0.91 ulp.
template <class V>
TILEOPS_FN V exp(V x) {
  const V sum = fma(x, kLog2e, kRound);
  if (all_scales_normal(sum)) return add_exponent(exp_without_scale(x, sum - kRound), sum);
  const V t = exponent_held(sum);
  const V n = t - kRound;
  return scaled_exp(exp_without_scale(x, n), t, n, x, -104.0f);
}

// (2^r - 1) / r on |r| <= 1/2; r times the error is below 2^-28.2.
template <class V>
TILEOPS_FN V exp2_q(V r) {
  V q = fma(0x1.4447bcp-13f, r, 0x1.5f096p-10f);
  q = fma(q, r, 0x1.3b2a28p-7f);
  q = fma(q, r, 0x1.c6af7ap-5f);
  q = fma(q, r, 0x1.ebfbep-3f);
  return fma(q, r, 0x1.62e43p-1f);
}

// 2^x. 0.88 ulp.
TILEOPS_FN float exp2(float x) {
  const i32 t = min_int((i32)to_bits(x + kRound), (i32)(kRoundBits + 128u));
  const float r = x - (from_bits((u32)t) - kRound);
  const two_terms<float> s = scale_of((u32)t, 1u);
  const float y = fma(exp2_q(r), r, 1.0f) * s.hi * s.lo;
  return x < -150.0f ? 0.0f : y;
}

// exp(x + lo) for -130 <= x <= 88 or NaN, |lo| small against 1. Not for infinities.
TILEOPS_FN exp_parts_t<float> exp_parts(float x, float lo) {
  const reduced_exp<float> e = reduce_exp(x, lo);
  const two_terms<float> s = scale_of(to_bits(e.t), 0u);
  const float m = e.r0 + e.inner;
  const float hi = 1.0f + m;
  return {hi, (1.0f - hi) + m, s.hi, s.lo};
}

// exp(x + lo) = (1 + hi) * s1 / s2 for -64 <= x <= 110 or NaN, with s2 = 2^-32.
template <class V>
TILEOPS_FN exp_parts_t<V> exp_parts_up(V x, V lo) {
  const reduced_exp<V> e = reduce_exp(x, lo);
  return {e.r0 + e.inner, 0.0f, from_bits((to_bits(e.t) << 23) + (95u << 23)), 0x1p-32f};
}

// log1p(e) = e + e^2 Q(e - 1/2) for e in [0, 1], error 2^-27.
TILEOPS_FN float log1p_q(float w) {
  float q = fma(-0x1.a8270cp-9f, w, 0x1.c50bf2p-8f);
  q = fma(q, w, -0x1.4ec10cp-7f);
  q = fma(q, w, 0x1.110094p-6f);
  q = fma(q, w, -0x1.d97a68p-6f);
  q = fma(q, w, 0x1.a28448p-5f);
  q = fma(q, w, -0x1.7de114p-4f);
  q = fma(q, w, 0x1.6f0d78p-3f);
  return fma(q, w, -0x1.833704p-2f);
}

// log1p(exp(y)) / beta = max(x, 0) + log1p(exp(-|y|)) / beta, y = beta x, for beta > 0; x above the
// threshold. 1.65 ulp for beta = 1, 1.83 for 0.7.
TILEOPS_FN float softplus(float x, float beta, float threshold) {
  // These depend on beta alone; loops keep them outside.
  const float abs_beta = abs(beta);
  const float inv = 1.0f / beta;
  const float inv32 = inv * 0x1p-32f;
  const bool finite = abs(inv) < limits<float>::inf();
  const float inv_error = finite ? fma(-inv, beta, 1.0f) : 0.0f;  // relative
  const float inv32_lo = finite ? inv32 : 0.0f;                   // for the low part: no inf * 0
  const float end = 110.0f / abs_beta;                            // exp(-110) rounds to 0
  // -|y| = n ln2 + r0 + u, the product unrounded. The low bits of k hold n + 32.
  constexpr float kRound32 = kRound + 32.0f;
  const float y = beta * x;
  const float c = min_bits(abs(x), end);
  const float k = fma(abs_beta * c, -kLog2e, kRound32);
  const float n = k - kRound32;
  const float r0 = fma(-abs_beta, c, n * -kLn2Hi);
  const float u = n * -kLn2Lo;
  const float r = r0 + u;
  const float inner = fma(r * r, exp_q(r), u);
  // e = f 2^n; held above 2^-127, where it no longer matters.
  const float f = 1.0f + (r0 + inner);
  const i32 kb = (i32)to_bits(k);
  const i32 least = (i32)(kRoundBits + 32u - 126u);
  const float e = f * from_bits(((u32)(kb > least ? kb : least) << 23) + (95u << 23));
  // log1p(e) = 2^n (v + v_lo).
  const float hi = 1.0f + r0;
  const float t = fma(e * f, log1p_q(e - 0.5f), ((1.0f - hi) + r0) + inner);
  const float v = hi + t;
  const float v_lo = fma(v, inv_error, (hi - v) + t);
  const u32 scale = (u32)kb << 23;
  const float right = y <= 0.0f ? 0.0f : x;  // also keeps NaN
  const float low = fma(v_lo * inv32_lo, from_bits(scale + (127u << 23)), right);
  const float z = fma(from_bits(to_bits(v) + scale), inv32, low);
  return product_beyond(x, beta, threshold) > 0.0f ? x : z;
}

// expm1(x) / 2 as hi + lo, for x in [-20, 89] or NaN.
using two_floats = two_terms<float>;
TILEOPS_FN two_floats half_expm1(float x) {
  const float t = fma(x, kLog2e, kRound);
  const float n = t - kRound;
  const float r0 = fma(n, -kLn2Hi, x);
  const float r = fma(n, -kLn2Lo, r0);
  const float r_lo = fma(n, -kLn2Lo, r0 - r);
  const float p_lo = fma(r * r, expm1_q(r), r_lo);
  // Half of everything, so that n = 128 has a finite scale.
  const float s = pow2_from_round(t, (u32)-1);
  const float a = s - 0.5f;
  const float b = s * r;
  // |a| >= |b| or a = 0, hence the sum is exact in two terms.
  const float hi = a + b;
  // From n = 25 on s - 1/2 is not exact either.
  const float a_lo = (s - a) - 0.5f;
  return {hi, fma(s, p_lo, ((a - hi) + b) + a_lo)};
}

// 0.88 ulp.
TILEOPS_FN float expm1(float x) {
  const two_floats e = half_expm1(x < -20.0f ? -20.0f : x);
  const float y = 2.0f * (e.hi + e.lo);
  const float z = x > 89.0f ? limits<float>::inf() : y;
  return abs(x) < 0x1p-26f ? x : z;  // also keeps -0 and subnormals
}

}  // namespace f32
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

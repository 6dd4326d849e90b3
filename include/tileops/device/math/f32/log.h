// SPDX-License-Identifier: Apache-2.0
// Portable f32 logarithms and pow. See exp.h for the rules.
#ifndef TILEOPS_DEVICE_MATH_F32_LOG_H
#define TILEOPS_DEVICE_MATH_F32_LOG_H

#include "exp.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace f32 {

constexpr u32 kSqrtHalfBits = 0x3f3504f3u;

// (log(1 + f) - f) / f^2 on sqrt(1/2) <= 1 + f <= sqrt(2); error of the log below 2^-27.8 relative.
TILEOPS_FN float log_q(float f) {
  float q = fma(-0x1.37fb64p-4f, f, 0x1.0853c8p-3f);
  q = fma(q, f, -0x1.0f4782p-3f);
  q = fma(q, f, 0x1.22701ep-3f);
  q = fma(q, f, -0x1.54253p-3f);
  q = fma(q, f, 0x1.99a404p-3f);
  q = fma(q, f, -0x1.000434p-2f);
  q = fma(q, f, 0x1.55555p-2f);
  return fma(q, f, -0x1.fffff8p-2f);
}

// x = m * 2^e with m in [sqrt(1/2), sqrt(2)), for positive finite x, subnormal or not.
struct mant_exp {
  float m, e;
};
TILEOPS_FN mant_exp split(float x) {
  const bool tiny = x < 0x1p-126f;
  const u32 u = to_bits(tiny ? x * 0x1p23f : x);
  const i32 k = (i32)(u - kSqrtHalfBits) >> 23;
  return {from_bits(u - ((u32)k << 23)), (float)k - (tiny ? 23.0f : 0.0f)};
}

// log of the special arguments: -inf at 0, NaN below, x at inf and NaN.
TILEOPS_FN float log_special(float x, float y) {
  const float r = x > 0.0f ? y : (x == 0.0f ? -limits<float>::inf() : limits<float>::nan());
  return x < limits<float>::inf() ? r : x;
}

// (log(1 + f) - f) / f^2 on -1/4 <= f <= 1/2; error of the log below 2^-27.6 relative.
template <class V>
TILEOPS_FN V log_around_1_q(V f) {
  V q = fma(-0x1.7197dap-5f, f, 0x1.acd42ap-4f);
  q = fma(q, f, -0x1.0d99b8p-3f);
  q = fma(q, f, 0x1.288414p-3f);
  q = fma(q, f, -0x1.54ee26p-3f);
  q = fma(q, f, 0x1.996976p-3f);
  q = fma(q, f, -0x1.000046p-2f);
  q = fma(q, f, 0x1.5555a4p-2f);
  return fma(q, f, -0.5f);
}

// log(m 2^(e / unit)), unit a power of two. The last fma takes e ln2 unrounded; what ln2 lacks as a float is less than
// 0.07 ulp of the result.
template <class V>
TILEOPS_FN V log_of_product(mantissa_exponent<V> s, float unit) {
  const V f = s.m - 1.0f;
  return fma(s.e, 0x1.62e43p-1f / unit, fma(f * f, log_around_1_q(f), f));
}

// 0.93 ulp.
template <class V>
TILEOPS_FN V log(V x) {
  if (all_split_as_normal(x)) return log_of_product(split_normal_around_1(x), 0x1p23f);
  return with_log_specials(log_of_product(split_around_1(x), 1.0f), x);
}

// 0.97 ulp.
TILEOPS_FN float log1p(float x) {
  const float u = 1.0f + x;
  const i32 k = (i32)(to_bits(u) - kSqrtHalfBits) >> 23;
  const float e = (float)k;
  const float s4 = from_bits((u32)(129 - k) << 23);  // 2^(2-k): 2^-k itself may be subnormal
  // 1 + f = s * (1 + x), f in two terms: exact but for k = 1, where |s - 1| >= |s * x|.
  const float a = fma(s4, 0.25f, -1.0f);
  const float b = s4 * (0.25f * x);
  const float f = a + b;
  const float f_lo = b - (f - a);
  const float c = e * kLn2Hi;
  const float hi = c + f;
  const float lo = (c - hi) + f;
  const float y = hi + (lo + fma(f * f, log_q(f), fma(e, kLn2Lo, f_lo)));
  const float r = x > -1.0f ? y : (x == -1.0f ? -limits<float>::inf() : limits<float>::nan());
  const float z = x < limits<float>::inf() ? r : x;
  return abs(x) < 0x1p-26f ? x : z;  // also keeps -0
}

// log2 x in two terms, for positive finite x, subnormal or not; error below 2^-35 of itself.
template <class V>
TILEOPS_FN two_terms<V> log2_terms(V x) {
  // By the first four bits of the mantissa: a number near the reciprocal of m, of so few bits that f is exact, and
  // minus its binary logarithm in two terms, to the first of which an exponent adds exactly.
  constexpr float reciprocal[16] = {0x1p+0f,   0x1.dp-1f, 0x1.cp-1f, 0x1.ap-1f, 0x1.9p-1f, 0x1.8p-1f,
                                    0x1.7p-1f, 0x1.6p-1f, 0x1.5p+0f, 0x1.4p+0f, 0x1.3p+0f, 0x1.3p+0f,
                                    0x1.2p+0f, 0x1.1p+0f, 0x1.1p+0f, 0x1p+0f};
  constexpr float logarithm[16] = {0.0f,        0x1.22d8p-3f, 0x1.8a88p-3f,  0x1.32cp-2f,   0x1.6cbp-2f,  0x1.a9p-2f,
                                   0x1.e7ep-2f, 0x1.14c6p-1f, -0x1.91bcp-2f, -0x1.49a8p-2f, -0x1.fbcp-3f, -0x1.fbcp-3f,
                                   -0x1.5cp-3f, -0x1.664p-4f, -0x1.664p-4f,  0.0f};
  constexpr float logarithm_lo[16] = {0.0f,
                                      0x1.6e155ap-18f,
                                      0x1.80abfcp-19f,
                                      -0x1.1c8f12p-22f,
                                      0x1.ed0cbap-19f,
                                      -0x1.a39fbep-20f,
                                      -0x1.40358ep-19f,
                                      -0x1.3e032ep-18f,
                                      0x1.5db83ap-20f,
                                      0x1.ed0cbap-20f,
                                      -0x1.6b9026p-19f,
                                      -0x1.6b9026p-19f,
                                      -0x1.a39fbep-19f,
                                      0x1.20a6dep-21f,
                                      0x1.20a6dep-21f,
                                      0.0f};
  const mantissa_exponent<V> s = split_around_1(x);
  const auto cell = to_bits(s.m) >> 19;
  const V f = fma(s.m, lookup16(reciprocal, cell), -1.0f);
  // (log(1 + f) - f + f^2/2) / f^3 on -0.0372 <= f <= 1/16; error of the log below 2^-37.8 relative.
  V q = fma(0x1.102c9cp-3f, f, -0x1.55dd5p-3f);
  q = fma(q, f, 0x1.99a92p-3f);
  q = fma(q, f, -0x1.fffff4p-3f);
  q = fma(q, f, 0x1.555554p-2f);
  const V h = f * f;
  const V a = fma(h, -0.5f, f);
  const V a_lo = fma(h, -0.5f, f - a) + fma(h * f, q, fma(f, f, -h) * -0.5f);
  const V g = a * kLog2e;
  const V g_lo = fma(a_lo, kLog2e, fma(a, 0x1.4ae0cp-26f, fma(a, kLog2e, -g)));
  const V known = s.e + lookup16(logarithm, cell);
  const V near = known + g;
  const V lo = ((known - near) + g) + (g_lo + lookup16(logarithm_lo, cell));
  const V hi = near + lo;
  return {hi, (near - hi) + lo};
}

// x^y, given z = |x|^y, for finite x that is not 0 and |y| < 2^22: of negative x NaN, but for integers y, of which the
// odd ones keep x's sign.
template <class V>
TILEOPS_FN V with_sign_of_power(V z, V x, V y) {
  const auto negative = x < 0.0f;
  if (!any(negative)) return z;
  const V rounded = y + kRound;
  const V power = select(rounded - kRound == y, flip_sign(z, to_bits(rounded) << 31), V(limits<float>::nan()));
  return select(negative, power, z);
}

// Any x^y, given z = |x|^y of numbers, with the special values of C's pow.
template <class V>
TILEOPS_FN V with_pow_specials(V z, V x, V y) {
  const float inf = limits<float>::inf();
  const V ax = abs(x), ay = abs(y);
  // 0 and infinities: |x| above 1 and a positive exponent grow, everything else shrinks.
  const auto edge = (ax == 0.0f) | (ax == inf) | (ay == inf);
  const auto grows = ((ax > 1.0f) & (y > 0.0f)) | ((ax < 1.0f) & (y < 0.0f));
  z = select(edge, select(grows, V(inf), V(0.0f)), z);
  // From 2^23 on y is an integer, from 2^24 on an even one. The last bit tells odd ones apart.
  const V rounded = ay + 0x1p23f;
  const auto large = ay >= 0x1p23f;
  const auto whole = large | (rounded - 0x1p23f == ay);
  const auto last = to_bits(select(large, ay, rounded)) << 31;
  z = select(whole & (ay < 0x1p24f), flip_sign(z, to_bits(x) & last), z);
  const auto between = (ay < 0x1p23f) & (rounded - 0x1p23f != ay);  // masks have no negation
  z = select((x < 0.0f) & (ax < inf) & between, V(limits<float>::nan()), z);
  // |x| = 1 with an infinite y is 1; so are pow(1, y) and pow(x, 0), also for NaN.
  const auto one = ((ax == 1.0f) & (ay == inf)) | (x == 1.0f) | (y == 0.0f);
  z = select((x != x) | (y != y), V(limits<float>::nan()), z);
  return select(one, V(1.0f), z);
}

// 0.93 ulp over 5 * 10^8 random pairs, 1.07 over 2.5 * 10^9 with results near the ends of the range; with the special
// values of C's pow.
template <class V>
TILEOPS_FN V pow(V x, V y) {
  const two_terms<V> l = log2_terms(abs(x));
  const V t = at_most(y * l.hi, 200.0f);
  const V t_lo = fma(y, l.lo, fma(y, l.hi, -t));
  const V rounded = exponent_held(t + kRound);
  const V n = rounded - kRound;
  const V r = remainder_held((t - n) + t_lo);
  const V z = scaled_exp(fma(exp2_q(r), r, 1.0f), rounded, n, t, -151.0f);
  if (all_positive_normal(abs(x)) && all_below(abs(y), 0x1p22f)) return with_sign_of_power(z, x, y);
  return with_pow_specials(z, x, y);
}

}  // namespace f32
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

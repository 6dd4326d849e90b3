// Portable f32 logarithms and pow. See f32_exp.h for the rules.
#ifndef TILEOPS_DEVICE_MATH_F32_LOG_H
#define TILEOPS_DEVICE_MATH_F32_LOG_H

#include "f32_exp.h"

namespace tileops {
namespace device {
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

// (log(1 + f) - f) / f^2 on -1/30 <= f <= 1/16; error of the log below 2^-28.2 relative.
template <class V>
TILEOPS_FN V log_near_1_q(V f) {
  V q = fma(0x1.8403dcp-3f, f, -0x1.0023d6p-2f);
  q = fma(q, f, 0x1.555854p-2f);
  return fma(q, f, -0x1.fffffep-2f);
}

// x = m 2^e; log m = known + log(1 + f), |f| <= 1/16.
template <class V>
struct log_terms {
  V e, known, f;
};
template <class V>
TILEOPS_FN log_terms<V> log_terms_of(V x) {
  // By the first four bits of the mantissa: the reciprocal of m, and minus its logarithm. Of the
  // reciprocals near the middle of the interval those whose logarithm is, to 2^-29 of itself, a
  // multiple of 2^-17. Beside 1 the reciprocal is 1.
  constexpr float reciprocal[16] = {
      0x1p+0f, 0x1.d4b2f8p-1f, 0x1.bfdef4p-1f, 0x1.a603eap-1f,
      0x1.91b082p-1f, 0x1.7eb69ap-1f, 0x1.6deb14p-1f, 0x1.5a7ffep-1f,
      0x1.4fbddp+0f, 0x1.40e486p+0f, 0x1.369e7cp+0f, 0x1.292e36p+0f,
      0x1.1e1064p+0f, 0x1.17a08ep+0f, 0x1.0c4b3cp+0f, 0x1p+0f};
  constexpr float logarithm[16] = {
      0.0f, 0x1.69fp-4f, 0x1.121p-3f, 0x1.8bd8p-3f,
      0x1.f0fp-3f, 0x1.2a06p-2f, 0x1.57fap-2f, 0x1.8fdp-2f,
      -0x1.15acp-2f, -0x1.ceb4p-3f, -0x1.8c1p-3f, -0x1.317cp-3f,
      -0x1.c6dp-4f, -0x1.6998p-4f, -0x1.804p-5f, 0.0f};
  const mantissa_exponent<V> s = split_around_1(x);
  const auto cell = to_bits(s.m) >> 19;
  return {s.e, lookup16(logarithm, cell), fma(s.m, lookup16(reciprocal, cell), -1.0f)};
}

// 0.995 ulp, between 1.0625 and 1.125; 0.96 elsewhere.
template <class V>
TILEOPS_FN V log(V x) {
  const log_terms<V> s = log_terms_of(x);
  // Exact. What is added to it is at most half as large, so that only the last addition rounds
  // noticeably; where it is 0, f is exact.
  const V hi = fma(s.e, kLn2Hi, s.known);
  const V y = hi + fma(s.f * s.f, log_near_1_q(s.f), fma(s.e, kLn2Lo, s.f));
  return with_log_specials(y, x);
}

// 1.13 ulp; not an operator of its own.
TILEOPS_FN float log2(float x) {
  const mant_exp s = split(x);
  const float f = s.m - 1.0f;
  const float p = f * kLog2e;
  const float t = f * f * log_q(f);
  const float p_lo = fma(f, 0x1.4ae0cp-26f, fma(t, kLog2e, fma(f, kLog2e, -p)));
  const float hi = s.e + p;
  const float y = hi + (((s.e - hi) + p) + p_lo);
  return log_special(x, y);
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

// log2(m) / (m - 1) in double, m as in split(); relative error below 2^-35.8.
TILEOPS_FN double log2_q(double f) {
  double q = fma(0x1.3ce8e19ee706p-4, f, -0x1.24895881da847p-3);
  q = fma(q, f, 0x1.287219d3b4605p-3);
  q = fma(q, f, -0x1.252f2ade3b4ffp-3);
  q = fma(q, f, 0x1.45290def09ec3p-3);
  q = fma(q, f, -0x1.71417102254fap-3);
  q = fma(q, f, 0x1.a63f452e02bc6p-3);
  q = fma(q, f, -0x1.ec72b59ed93d6p-3);
  q = fma(q, f, 0x1.277651f955d64p-2);
  q = fma(q, f, -0x1.715470977cba4p-2);
  q = fma(q, f, 0x1.ec709ebb9b5bbp-2);
  q = fma(q, f, -0x1.715476565d50bp-1);
  return fma(q, f, 0x1.71547652a1e8ep+0);
}

// 0.93 ulp over 6 * 10^8 random pairs, with the special values of C's pow.
TILEOPS_FN float pow(float x, float y) {
  const float ax = abs(x);
  const float ay = abs(y);
  const mant_exp s = split(ax);
  // y * log2|x| in double: its absolute error stays below 150 * 2^-35.8, 0.02 ulp of the result.
  const double f = (double)s.m - 1.0;
  const double l = fma(log2_q(f), f, (double)s.e);
  const double t0 = l * (double)y;
  const double t1 = t0 < 200.0 ? t0 : 200.0;
  const double t = t1 > -200.0 ? t1 : -200.0;
  const double n = (t + 0x1.8p52) - 0x1.8p52;
  const float r = (float)(t - n);
  const i32 ni = (i32)(float)n;
  const i32 n1 = ni >> 1;
  float z = fma(exp2_q(r), r, 1.0f) * from_bits((u32)(n1 + 127) << 23) *
            from_bits((u32)(ni - n1 + 127) << 23);
  // 0 and infinities: |x| above 1 and a positive exponent grow, everything else shrinks.
  const float inf = limits<float>::inf();
  const bool edge = (ax == 0.0f) | (ax == inf) | (ay == inf);
  const bool grows = (ax > 1.0f) == (y > 0.0f);
  z = edge ? (grows ? inf : 0.0f) : z;
  // Integer and odd y. From 2^23 on y is an integer, from 2^24 on an even one.
  const float yr = ay + 0x1p23f;
  const bool integer = (ay >= 0x1p23f) | (yr - 0x1p23f == ay);
  const u32 odd = (ay >= 0x1p23f ? to_bits(ay) : to_bits(yr)) << 31;
  const u32 sign = (integer & (ay < 0x1p24f)) ? to_bits(x) & odd : 0u;
  z = from_bits(to_bits(z) | sign);
  const bool undefined = (x < 0.0f) & (ax < inf) & !integer;
  z = undefined ? limits<float>::nan() : z;
  // |x| = 1 with an infinite y is 1; so are pow(1, y) and pow(x, 0), also for NaN.
  const bool one = ((ax == 1.0f) & (ay == inf)) | (x == 1.0f) | (y == 0.0f);
  z = ((x != x) | (y != y)) ? limits<float>::nan() : z;
  return one ? 1.0f : z;
}

// x^y in f32 alone, for results of 8 bits. y has no more, so that its product with the exponent of x is exact; that
// with the logarithm of the mantissa is at most 7, and 2.4 roundings of it 14 ulp of the result. (Of 1.6 x 10^8 pairs
// the worst had 5.1.)
template <class V>
struct moderate_power {
  V value;
  bool moderate;  // all numbers are: x positive and normal, |y| <= 12, the result from 2^-125 to 2^125
};
template <class V>
TILEOPS_FN moderate_power<V> rough_pow(V x, V y) {
  if (!all_positive_normal(x) || any_outside(to_bits(abs(y)), 0u, to_bits(12.0f) + 1u)) return {x, false};
  const log_terms<V> s = log_terms_of(x);
  const V l = (s.known + fma(s.f * s.f, log_near_1_q(s.f), s.f)) * kLog2e;
  const V whole = y * s.e;
  const V t = fma(y, l, whole) + kRound;
  const V n = t - kRound;
  const V r = fma(y, l, whole - n);
  return {times_power(fma(exp2_q(r), r, 1.0f), t, n), !any_outside(to_bits(abs(n)), 0u, to_bits(125.0f) + 1u)};
}

}  // namespace f32
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device
}  // namespace tileops

#endif

// SPDX-License-Identifier: Apache-2.0
// log, log1p in double precision, and the double-double log that pow needs. Straight-line.
#ifndef TILEOPS_DEVICE_MATH_F64_LOG_H
#define TILEOPS_DEVICE_MATH_F64_LOG_H

#include "base.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace f64 {

// log(1+f) for f in [sqrt(1/2)-1, sqrt(2)-1], as a pair: f - f^2/2 is kept exactly, and only the
// rest, below 5 % of the result, is rounded. s = f/(2+f) turns log(1+f) into 2 atanh(s).
// tools/minimax_f64.py log: error of the polynomial below 2^-59 of log(1+f).
TILEOPS_FN pair log_mantissa(double f) {
  const double s = f / (2.0 + f);
  const double z = s * s;
  double p = 0x1.2f02cf9bc96d4p-3;
  p = fma(p, z, 0x1.39a20016f6437p-3);
  p = fma(p, z, 0x1.74663c0b46ca2p-3);
  p = fma(p, z, 0x1.c71c52185fa4ap-3);
  p = fma(p, z, 0x1.24924941dcf6cp-2);
  p = fma(p, z, 0x1.999999997ff51p-2);
  p = fma(p, z, 0x1.5555555555592p-1);
  const double half = 0.5 * f;
  const double hfsq = half * f;
  const double hfsq_lo = fma(half, f, -hfsq);
  const pair lead = fast_two_sum(f, -hfsq);
  return {lead.hi, fma(s, fma(z, p, hfsq), lead.lo - hfsq_lo)};
}

// k ln2 + (m.hi + m.lo), rounded once at the end.
TILEOPS_FN double add_k_ln2(double k, pair m) {
  const pair s = fast_two_sum(k * kLn2Hi, m.hi);  // |k ln2| > |m| unless k = 0
  return s.hi + (s.lo + fma(k, kLn2Lo, m.lo));
}

// The value for x > 0, else the special cases of a logarithm of x: -inf at 0, NaN below, NaN for
// NaN, inf for inf.
TILEOPS_FN double log_specials(double x, double value) {
  const double inf = limits<double>::inf();
  const double low = x == 0.0 ? -inf : limits<double>::nan();
  const double high = x < inf ? value : inf;
  return x > 0.0 ? high : low;
}

// Measured: 0.62 ulp.
TILEOPS_FN double log(double x) {
  const split_double d = split_exponent(x);
  return log_specials(x, add_k_ln2(d.exponent, log_mantissa(d.mantissa - 1.0)));
}

// Measured: 0.59 ulp.
TILEOPS_FN double log1p(double x) {
  const pair u = two_sum(1.0, x);
  const split_double d = split_exponent(u.hi);
  // Near 0 the mantissa minus one is x itself; farther out the rounding error of 1 + x is put back
  // as its derivative, u.lo / u.hi.
  const bool near = d.exponent == 0.0;
  pair m = log_mantissa(near ? x : d.mantissa - 1.0);
  m.lo += near ? 0.0 : u.lo / u.hi;
  const double y = log_specials(u.hi, add_k_ln2(d.exponent, m));
  const double big = x < limits<double>::inf() ? y : x + x;  // inf and NaN
  return abs(x) < 0x1p-54 ? x : big;                         // also keeps the sign of zero
}

// log(x) for x positive and finite, relative error below 2^-68: the series of atanh with its first
// terms 2s (1 + z/3 + z^2/5) in double-double. tools/minimax_f64.py log: error of the rest 2^-80.
TILEOPS_FN pair log_pair(double x) {
  const split_double x2 = split_exponent(x);
  const double f = x2.mantissa - 1.0;
  const pair d = fast_two_sum(2.0, f);
  const double rd = 1.0 / d.hi;
  pair s;
  s.hi = f * rd;
  s.lo = (fma(-s.hi, d.hi, f) - s.hi * d.lo) * rd;
  const pair z = mul(s, s);
  double t = 0x1.c0603e14e9b2dp-5;
  t = fma(t, z.hi, 0x1.ab5263dcae5a6p-5);
  t = fma(t, z.hi, 0x1.e205258beb633p-5);
  t = fma(t, z.hi, 0x1.1110b00f48416p-4);
  t = fma(t, z.hi, 0x1.3b13b280ed0f4p-4);
  t = fma(t, z.hi, 0x1.745d1743497d0p-4);
  t = fma(t, z.hi, 0x1.c71c71c71f240p-4);
  t = fma(t, z.hi, 0x1.2492492492489p-3);
  pair b = fast_two_sum(0x1.999999999999ap-3, z.hi * t);  // 1/5 + ...
  b.lo += -0x1.999999999999ap-57;
  const pair zb = mul(z, b);
  pair a = fast_two_sum(0x1.5555555555555p-2, zb.hi);  // 1/3 + ...
  a.lo += zb.lo + 0x1.5555555555555p-56;
  const pair w = mul(z, a);
  const pair s2 = {2.0 * s.hi, 2.0 * s.lo};
  const pair g = mul(s2, w);
  pair m = fast_two_sum(s2.hi, g.hi);
  m.lo += g.lo + s2.lo;
  const pair k = fast_two_sum(x2.exponent * kLn2Hi, m.hi);
  return fast_two_sum(k.hi, k.lo + fma(x2.exponent, kLn2Lo, m.lo));
}

}  // namespace f64
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

// SPDX-License-Identifier: Apache-2.0
// erf, erfc and the tail of the normal distribution in double precision. Straight-line code.
#ifndef TILEOPS_DEVICE_MATH_F64_ERF_H
#define TILEOPS_DEVICE_MATH_F64_ERF_H

#include "exp.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace f64 {

// erf comes from its series up to 0.8 and from erfc beyond, where erfc < 0.26 adds little error.
// erfc comes from 1 - erf up to 0.65 only: it has fallen to 0.36 there, and the error of erf grows.
constexpr double kErfSplit = 0.8;
constexpr double kErfcSplit = 0.65;

// erf(x)/x - 1 in z = x^2, |x| <= 0.8. tools/minimax_f64.py erf: error below 2^-56 of erf(x).
TILEOPS_FN double erf_ratio(double z) {
  double p = 0x1.8436d49d12600p-27;
  p = fma(p, z, -0x1.55406ac0ad62dp-23);
  p = fma(p, z, 0x1.b8e40d9c3c6b9p-20);
  p = fma(p, z, -0x1.f4c1e2b63a745p-17);
  p = fma(p, z, 0x1.f9a2719419183p-14);
  p = fma(p, z, -0x1.c02dae9c34763p-11);
  p = fma(p, z, 0x1.565bccf25a808p-8);
  p = fma(p, z, -0x1.b82ce311ccb44p-6);
  p = fma(p, z, 0x1.ce2f21a03fff7p-4);
  p = fma(p, z, -0x1.812746b0379a3p-2);
  return fma(p, z, 0x1.06eba8214db68p-3);
}

// erfc(x.hi + x.lo) as (pair) * 2^k for 0.64 <= x <= 27.3; square = (x.hi + x.lo)^2 exactly enough.
// erfc(x) = e^(-x^2) F(q) / (1 + 2x) with q = (x-3)/(x+3): F lies between 1.12 and 1.28, so a
// polynomial for F - 1.1875 loses almost nothing to rounding. tools/minimax_f64.py erfc: 2^-58.1.
TILEOPS_FN scaled_pair erfc_large(pair x, pair square) {
  const double q = (x.hi - 3.0) / (x.hi + 3.0);
  double p = -0x1.29495a155f739p-26;
  p = fma(p, q, 0x1.d5988bee8e6c5p-26);
  p = fma(p, q, 0x1.e3ca5140e7abfp-24);
  p = fma(p, q, -0x1.180a7d5d0d889p-23);
  p = fma(p, q, -0x1.5095a56cdb51cp-21);
  p = fma(p, q, 0x1.79e8321e2043cp-22);
  p = fma(p, q, 0x1.d2c3b3c7c8e65p-19);
  p = fma(p, q, -0x1.8800d5fd6e72ep-21);
  p = fma(p, q, -0x1.5142322adcb0ap-16);
  p = fma(p, q, 0x1.4c22e42503f70p-18);
  p = fma(p, q, 0x1.065a5e8097d6ap-13);
  p = fma(p, q, -0x1.b9126d078f881p-14);
  p = fma(p, q, -0x1.98db521f545a9p-11);
  p = fma(p, q, 0x1.ef1bdd2e45203p-10);
  p = fma(p, q, 0x1.4b884e481591bp-9);
  p = fma(p, q, -0x1.8574c40b9de2ep-6);
  p = fma(p, q, 0x1.17ca2877f0206p-4);
  p = fma(p, q, -0x1.e88b803a49e23p-4);
  p = fma(p, q, 0x1.098366a5b46d7p-3);
  p = fma(p, q, -0x1.85a15c58aa55ap-5);
  p = fma(p, q, -0x1.15c084bb9e8f3p-3);
  p = fma(p, q, 0x1.0c522d7e49873p-4);
  const pair f = fast_two_sum(1.1875, p);
  const scaled_pair e = exp_scaled(-square.hi, -square.lo);
  const pair n = mul(e.v, f);
  const pair d = fast_two_sum(2.0 * x.hi, 1.0);
  const double rd = 1.0 / d.hi;
  const double y = n.hi * rd;
  const double rest = fma(-y, d.hi, n.hi) + (n.lo - y * fma(2.0, x.lo, d.lo));
  return {{y, rest * rd}, e.k};
}

TILEOPS_FN scaled_pair erfc_large(double x) { return erfc_large({x, 0.0}, two_prod(x, x)); }

// Measured: 0.78 ulp.
TILEOPS_FN double erf(double x) {
  const double a = abs(x);
  // erfc(6) < 2^-55: the result is 1 from there on. The lower clamp only keeps the unused branch
  // away from overflow.
  const scaled_pair c = erfc_large(clamp_keep_nan(a, kErfSplit, 6.0));
  const double large = 1.0 - (c.v.hi + c.v.lo) * power_of_two(c.k);
  return copysign(a < kErfSplit ? fma(a, erf_ratio(a * a), a) : large, x);
}

// Measured: 0.83 ulp, down to the last subnormal result.
TILEOPS_FN double erfc(double x) {
  const double a = abs(x);
  const scaled_pair c = erfc_large(clamp_keep_nan(a, kErfcSplit, 28.0));
  const double large = scale(c.v.hi + c.v.lo, c.k);
  const pair one = fast_two_sum(1.0, -x);
  const double small = one.hi + fma(-x, erf_ratio(x * x), one.lo);
  return a < kErfcSplit ? small : (x < 0.0 ? 2.0 - large : large);
}

// factor * P(N > a) = factor * erfc(a / sqrt 2) / 2, rounded once, also where P(N > a) is subnormal
// or 0 but the product is not. The argument of erfc is never rounded: a^2 / 2 enters as an exact
// pair, since at a = 37 one rounding of it costs 700 ulp. Where a > 40 (P < 2^-1158) the result is
// right for |factor| < 2^80. gelu(x) = normal_tail_times(-x, x). Measured: 0.78 ulp.
TILEOPS_FN double normal_tail_times(double a, double factor) {
  constexpr double kRoot = 0x1.6a09e667f3bcdp-1, kRootLo = -0x1.bdd3413b26456p-55;  // sqrt(1/2)
  // 0.919 / sqrt 2 is a little below 0.65.
  const double m = clamp_keep_nan(abs(a), 0.919, 40.0);
  const double x = m * kRoot;
  const scaled_pair c = erfc_large({x, fma(m, kRoot, -x) + m * kRootLo}, two_prod(0.5 * m, m));
  const pair half = {0.5 * c.v.hi, 0.5 * c.v.lo};
  // For the low parts: 0 times an infinite factor would be NaN.
  const double finite = clamp_keep_nan(factor, -0x1p1000, 0x1p1000);
  const double right = scale(fma(half.hi, factor, half.lo * finite), c.k);
  // a < 0: one minus that, which needs no more than 2^-200 of it.
  const double two_k = power_of_two(c.k < -200 ? -200 : c.k);
  const pair rest = fast_two_sum(1.0, -half.hi * two_k);
  const double left = fma(rest.hi, factor, (rest.lo - half.lo * two_k) * finite);
  // Small |a|: 1/2 - erf(xs + xs_lo) / 2, with the slope 2/sqrt(pi) e^-z of erf to 1 %, as it
  // multiplies something below 2^-54.
  const double xs = a * kRoot;
  const double xs_lo = fma(a, kRoot, -xs) + a * kRootLo;
  const double z = xs * xs;
  const double slope = 1.1283791670955126 * fma(z, fma(z, fma(z, -1.0 / 6, 0.5), -1.0), 1.0);
  const pair one = fast_two_sum(1.0, -xs);
  const double low = fma(-xs, erf_ratio(z), fma(-xs_lo, slope, one.lo));
  const pair near = fast_two_sum(one.hi, low);
  const double middle = 0.5 * fma(near.hi, factor, near.lo * finite);
  // copysign for factor = -0, where the low parts may have the other sign.
  return copysign(abs(xs) < kErfcSplit ? middle : (a < 0.0 ? left : right), factor);
}

// P(N > a). Measured: 0.83 ulp.
TILEOPS_FN double normal_tail(double a) { return normal_tail_times(a, 1.0); }

}  // namespace f64
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

// SPDX-License-Identifier: Apache-2.0
// exp, exp2, expm1, tanh in double precision. Straight-line code, which vectorises.
#ifndef TILEOPS_DEVICE_MATH_F64_EXP_H
#define TILEOPS_DEVICE_MATH_F64_EXP_H

#include "base.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace f64 {

// e^(r.hi + r.lo) - 1 - r.hi for |r| <= ln2/2. tools/minimax_f64.py exp: error of the polynomial
// below 2^-61 of expm1(r). The square is kept with its rounding error.
TILEOPS_FN double exp_tail(pair rr) {
  const double r = rr.hi;
  double p = 0x1.1f33b05c9cdc3p-29;
  p = fma(p, r, 0x1.af5d896fe6925p-26);
  p = fma(p, r, 0x1.27e4fdb0923e1p-22);
  p = fma(p, r, 0x1.71ddf8faf0036p-19);
  p = fma(p, r, 0x1.a01a019b675fbp-16);
  p = fma(p, r, 0x1.a01a01afadcf2p-13);
  p = fma(p, r, 0x1.6c16c16c171efp-10);
  p = fma(p, r, 0x1.111111110f6f5p-7);
  p = fma(p, r, 0x1.5555555555558p-5);
  p = fma(p, r, 0x1.5555555555559p-3);
  const double half = 0.5 * r;
  const double square = half * r;
  const double low = fma(half, r, -square) + fma(rr.lo, r, rr.lo);
  return square + fma(square * (r + r), p, low);
}

// x.hi + x.lo = k ln2 + r.hi + r.lo with |r| <= ln2/2, for |x.hi| < 2^12.
struct exp_argument {
  pair r;
  i64 k;
};
TILEOPS_FN exp_argument exp_reduce(double hi, double lo) {
  const double t = fma(hi, kLog2eHi, kRoundMagic);
  const double k = t - kRoundMagic;
  const double r = fma(-k, kLn2Hi, hi);  // exact
  return {fast_two_sum(r, fma(-k, kLn2Lo, lo)), magic_int(t)};
}

// e^(r.hi + r.lo) for a reduced argument, relative error below 2^-56, as a sum whose second part is
// up to a tenth of the first. Only that part is rounded, which keeps exp well below an ulp.
TILEOPS_FN pair exp_reduced(pair r) {
  const pair one = fast_two_sum(1.0, r.hi);
  return {one.hi, one.lo + exp_tail(r)};
}

// e^(hi+lo) as (pair) * 2^k, |hi| < 2^12, |lo| <= ulp(hi). The pair lies in [0.70, 1.42], and its
// second part is below an ulp of the first.
struct scaled_pair {
  pair v;
  i64 k;
};
TILEOPS_FN scaled_pair exp_scaled(double hi, double lo) {
  const exp_argument a = exp_reduce(hi, lo);
  const pair e = exp_reduced(a.r);
  return {fast_two_sum(e.hi, e.lo), a.k};
}

// The same, rounded.
TILEOPS_FN double exp_rounded(double hi, double lo) {
  const exp_argument a = exp_reduce(hi, lo);
  const pair e = exp_reduced(a.r);
  return scale(e.hi + e.lo, a.k);
}

// NaN passes both comparisons untouched.
TILEOPS_FN double clamp_keep_nan(double x, double low, double high) {
  x = x > high ? high : x;
  return x < low ? low : x;
}

// Measured: 0.75 ulp (subnormal results; 0.57 otherwise).
TILEOPS_FN double exp(double x) { return exp_rounded(clamp_keep_nan(x, -746.0, 710.0), 0.0); }

// Measured: 0.75 ulp (subnormal results; 0.57 otherwise).
TILEOPS_FN double exp2(double x) {
  x = clamp_keep_nan(x, -1076.0, 1025.0);
  const double t = x + kRoundMagic;
  const double f = x - (t - kRoundMagic);  // exact, |f| <= 1/2
  const double r = f * 0x1.62e42fefa39efp-1;
  const double r_lo = fma(f, 0x1.62e42fefa39efp-1, -r) + f * 0x1.abc9e3b39803fp-56;
  const pair e = exp_reduced({r, r_lo});
  return scale(e.hi + e.lo, magic_int(t));
}

// expm1(x) = (v.hi + v.lo) * 2^k for -745 < x < 710; v is not far from 1 unless x is small.
TILEOPS_FN scaled_pair expm1_scaled(double x) {
  const exp_argument a = exp_reduce(x, 0.0);
  // e^r 2^k - 1 = 2^k ((1 - 2^-k) + r + tail); beyond k = 200 the 1 no longer counts.
  const double s = power_of_two(-(a.k > 200 ? 200 : a.k));
  const pair b = two_sum(1.0, -s);
  const pair sum = fast_two_sum(b.hi, a.r.hi);  // b.hi is 0, or at least 1/2 > |r|
  return {{sum.hi, sum.lo + (b.lo + exp_tail(a.r))}, a.k};
}

// Measured: 0.73 ulp.
TILEOPS_FN double expm1(double x) {
  const scaled_pair e = expm1_scaled(clamp_keep_nan(x, -40.0, 710.0));
  return copysign(scale(e.v.hi + e.v.lo, e.k), x);
}

// -n / (2 + n) with n = expm1(-2|x|), n and the quotient carried as pairs. Measured: 0.60 ulp.
TILEOPS_FN double tanh(double x) {
  const double a = abs(x);
  const scaled_pair e = expm1_scaled(-2.0 * (a > 22.0 ? 22.0 : a));
  const double two_k = power_of_two(e.k);
  const double n = (e.v.hi + e.v.lo) * two_k;
  const double n_lo = ((e.v.hi - (e.v.hi + e.v.lo)) + e.v.lo) * two_k;
  const pair d = fast_two_sum(2.0, n);
  const double rd = 1.0 / d.hi;
  const double q = n * rd;
  const double rest = fma(-q, d.hi, n) + (n_lo - q * (d.lo + n_lo));
  return copysign(fma(rest, rd, q), x);
}

}  // namespace f64
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

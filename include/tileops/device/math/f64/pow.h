// SPDX-License-Identifier: Apache-2.0
// pow, fmod, sqrt, rsqrt, rcp in double precision.
#ifndef TILEOPS_DEVICE_MATH_F64_POW_H
#define TILEOPS_DEVICE_MATH_F64_POW_H

#include "exp.h"
#include "log.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace f64 {

TILEOPS_FN double sqrt(double x) {
#if defined(__CUDA_ARCH__) || defined(__CUDACC_RTC__)
  return __dsqrt_rn(x);
#else
  return __builtin_sqrt(x);
#endif
}

// Correctly rounded.
TILEOPS_FN double rcp(double x) { return 1.0 / x; }

// One Newton step on 1 / sqrt(x), with the residual 1 - x y^2 exact to second order. Measured:
// 0.5000 ulp, every sampled result correctly rounded.
TILEOPS_FN double rsqrt(double x) {
  const bool tiny = x < 0x1p-900;  // keeps the low product away from underflow
  const double v = tiny ? x * 0x1p108 : x;
  const double y = 1.0 / sqrt(v);
  const pair t = two_prod(v, y);
  const double e = fma(-t.lo, y, fma(-t.hi, y, 1.0));
  const double better = fma(0.5 * y, e, y);
  // 0 and inf keep the first value (e is NaN there).
  const double r = e == e ? better : y;
  return tiny ? r * 0x1p54 : r;
}

// Nearest integer of 0 <= x, as a double.
TILEOPS_FN double nearest(double x) { return x < 0x1p52 ? (x + 0x1p52) - 0x1p52 : x; }

// C's pow with all its special cases. log(x) carries 68 bits, so that even y log(x) = 745 leaves
// an error of 2^-58 in the exponent. Measured: 0.73 ulp.
TILEOPS_FN double pow(double x, double y) {
  const double inf = limits<double>::inf();
  const double a = abs(x);
  pair l = log_pair(a);
  const bool ends = !(a > 0.0 && a < inf);
  l.hi = ends ? (a == 0.0 ? -inf : inf) : l.hi;
  l.lo = ends ? 0.0 : l.lo;
  const double p = y * l.hi;
  const double p_lo = fma(y, l.lo, fma(y, l.hi, -p));
  const bool out = abs(p) > 800.0;
  const double c = clamp_keep_nan(p, -800.0, 800.0);
  double r = exp_rounded(c, out ? 0.0 : p_lo);
  // y is an integer if rounding keeps it, and odd if rounding does not keep its half.
  const double b = abs(y);
  const bool integer = nearest(b) == b;
  const bool odd = integer & (nearest(0.5 * b) != 0.5 * b);
  const bool negative = (to_bits(x) >> 63) != 0;
  r = (negative & odd) ? -r : r;
  r = ((x < 0.0) & (a < inf) & !integer) ? limits<double>::nan() : r;
  r = ((a == 1.0) & (b == inf)) ? 1.0 : r;
  r = ((x != x) | (y != y)) ? x + y : r;
  return ((x == 1.0) | (y == 0.0)) ? 1.0 : r;
}

// Exact whenever fmod_rare is false: the quotient is below 2^52, n is it rounded to an integer
// (at most 3/4 away), and a - n b fits in 53 bits.
TILEOPS_FN bool fmod_rare(double a, double b) { return abs(a) / abs(b) >= 0x1p52; }
TILEOPS_FN double fmod(double a, double b) {
  const double x = abs(a), y = abs(b);
  const double n = (x / y + 0x1p52) - 0x1p52;
  double r = fma(-n, y, x);
  r = r < 0.0 ? r + y : r;
  const bool keep = y == limits<double>::inf() && x < y;
  return copysign(keep ? x : r, a);
}

// Any arguments: long division of the mantissas, 11 bits a step (at most 191 steps).
TILEOPS_SLOW_FN double fmod_slow(double a, double b) {
  if (!fmod_rare(a, b)) return fmod(a, b);
  const double x = abs(a), y = abs(b);
  if (!(x < limits<double>::inf()) || y == 0.0) return limits<double>::nan();
  const u64 bx = to_bits(x), by = to_bits(y);
  const int ex = static_cast<int>(bx >> 52);  // above 0: the quotient is at least 2^52
  int ey = static_cast<int>(by >> 52);
  u64 mx = (bx & 0xfffffffffffffull) | 0x10000000000000ull;
  u64 my = by & 0xfffffffffffffull;
  if (ey == 0) {
    ey = 1;
  } else {
    my |= 0x10000000000000ull;
  }
  int left = ex - ey;  // > 0
  mx %= my;
  while (left > 0 && mx != 0) {
    const int step = left < 11 ? left : 11;
    mx = (mx << step) % my;
    left -= step;
  }
  // mx < my counts units of 2^(ey - 1075), the last bit of b: exact.
  double r;
  if (ey > 54) {
    r = static_cast<double>(static_cast<i64>(mx)) * from_bits(static_cast<u64>(ey - 52) << 52);
  } else {
    r = static_cast<double>(static_cast<i64>(mx)) * 0x1p-1074;
    r *= from_bits(static_cast<u64>(ey - 1 + 1023) << 52);
  }
  return copysign(r, a);
}

}  // namespace f64
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

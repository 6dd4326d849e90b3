// SPDX-License-Identifier: Apache-2.0
// sin and cos in double precision: a fast form for |x| < 2^20, one for every finite argument, and
// one for an angle given as a 64-bit fraction of a turn.
#ifndef TILEOPS_DEVICE_MATH_F64_TRIG_H
#define TILEOPS_DEVICE_MATH_F64_TRIG_H

#include "tables.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace f64 {

// sin(r.hi + r.lo) for |r| <= pi/4. tools/minimax_f64.py sin: error below 2^-63.
TILEOPS_FN double sin_reduced(pair r) {
  const double z = r.hi * r.hi;
  double p = -0x1.9fb72f6482661p-41;
  p = fma(p, z, 0x1.61093b47994b7p-33);
  p = fma(p, z, -0x1.ae642b9ac7eabp-26);
  p = fma(p, z, 0x1.71de3a332d221p-19);
  p = fma(p, z, -0x1.a01a019ffe093p-13);
  p = fma(p, z, 0x1.1111111111068p-7);
  p = fma(p, z, -0x1.5555555555555p-3);
  // The angle's low part enters with the slope cos(r) = 1 - z/2 + ...
  return r.hi + fma(r.hi * z, p, fma(-0.5 * z, r.lo, r.lo));
}

// cos(r.hi + r.lo) for |r| <= pi/4. tools/minimax_f64.py sin: error below 2^-69.
TILEOPS_FN double cos_reduced(pair r) {
  const double z = r.hi * r.hi;
  const double z_lo = fma(r.hi, r.hi, -z);
  double p = 0x1.9da77d9e27e3cp-45;
  p = fma(p, z, -0x1.9374487fe454fp-37);
  p = fma(p, z, 0x1.1eed6f7aedf07p-29);
  p = fma(p, z, -0x1.27e4fb5a1e230p-22);
  p = fma(p, z, 0x1.a01a019ffcb78p-16);
  p = fma(p, z, -0x1.6c16c16c16b30p-10);
  p = fma(p, z, 0x1.5555555555555p-5);
  const pair one = fast_two_sum(1.0, -0.5 * z);
  const double low = fma(-0.5, z_lo, one.lo) - r.hi * r.lo;
  return one.hi + fma(z * z, p, low);
}

// An angle as quadrant * pi/2 + r, |r| <= pi/4; only the two low bits of quadrant matter.
struct angle {
  pair r;
  u64 quadrant;
};

TILEOPS_FN double sin_of(angle a) {
  const double s = sin_reduced(a.r);
  const double c = cos_reduced(a.r);
  const double v = (a.quadrant & 1) != 0 ? c : s;
  return from_bits(to_bits(v) ^ ((a.quadrant & 2) << 62));
}
TILEOPS_FN double cos_of(angle a) {
  a.quadrant += 1;
  return sin_of(a);
}

// |x| < 2^20. pi/2 is cut into 33 + 33 + 33 + 53 bits, so that the first three products with n are
// exact; what is left out is below 2^-136, and no double below 2^20 comes closer than 2^-60 to a
// multiple of pi/2.
constexpr double kTrigFastLimit = 0x1p20;
TILEOPS_FN angle reduce_fast(double x) {
  const double t = fma(x, 0x1.45f306dc9c883p-1, kRoundMagic);
  const double n = t - kRoundMagic;
  const double a = fma(-n, 0x1.921fb54400000p+0, x);  // exact
  const pair b = two_sum(a, -n * 0x1.0b4611a600000p-34);
  const pair c = two_sum(b.hi, -n * 0x1.3198a2e000000p-69);
  const double low = fma(-n, 0x1.b839a252049c1p-104, b.lo + c.lo);
  return {fast_two_sum(c.hi, low), to_bits(t)};
}

TILEOPS_FN void mul_wide(u64 a, u64 b, u64& high, u64& low) {
  const u64 a0 = a & 0xffffffffu, a1 = a >> 32, b0 = b & 0xffffffffu, b1 = b >> 32;
  const u64 p00 = a0 * b0, p01 = a0 * b1, p10 = a1 * b0, p11 = a1 * b1;
  const u64 mid = (p00 >> 32) + (p01 & 0xffffffffu) + (p10 & 0xffffffffu);
  low = (mid << 32) | (p00 & 0xffffffffu);
  high = p11 + (p01 >> 32) + (p10 >> 32) + (mid >> 32);
}

// Payne and Hanek: x = m 2^e, and only a window of 192 bits of 2/pi matters, since the bits above
// give multiples of 4 quadrants and those below less than 2^-137 of a quadrant. No double comes
// closer than 2^-62 to a multiple of pi/2 (relative to a quadrant), so 75 bits remain. Finite x
// with |x| >= 1.
TILEOPS_SLOW_FN angle reduce_slow(double x) {
  const u64 bits = to_bits(abs(x));
  const u64 m = (bits & 0xfffffffffffffull) | 0x10000000000000ull;
  // First bit of 2/pi whose product with m 2^e is below 4 quadrants, after the leading zero word.
  const int start = static_cast<int>(bits >> 52) - 1075 - 2 + 64;
  const int word = start >> 6, offset = start & 63;
  u64 w[3];
  for (int i = 0; i < 3; ++i) {
    const u64 low = offset == 0 ? 0 : two_over_pi_word(word + i + 1) >> (64 - offset);
    w[i] = (two_over_pi_word(word + i) << offset) | low;
  }
  u64 h1, h2, r1, r2;
  mul_wide(m, w[2], h2, r2);
  mul_wide(m, w[1], h1, r1);
  r1 += h2;
  u64 r0 = m * w[0] + h1 + (r1 < h2 ? 1 : 0);
  // r0 r1 r2 is x * 2/pi modulo 4 with two integer bits: round to the nearest quadrant.
  u64 quadrant = (r0 + (u64{1} << 61)) >> 62;
  r0 -= quadrant << 62;
  const bool negative = (r0 >> 63) != 0;
  if (negative) {
    r2 = ~r2 + 1;
    r1 = ~r1 + (r2 == 0 ? 1 : 0);
    r0 = ~r0 + (r1 == 0 && r2 == 0 ? 1 : 0);
  }
  // Normalise; the fraction is not 0, as pi is irrational and 2^-137 is far below its least value.
  int shift = 0;
  while ((r0 >> 63) == 0 && shift < 128) {
    r0 = (r0 << 1) | (r1 >> 63);
    r1 = (r1 << 1) | (r2 >> 63);
    r2 <<= 1;
    ++shift;
  }
  // The leading 53 bits and the 53 after them, in units of quadrants: r0 counts 2^(-62 - shift).
  const double unit = power_of_two(-51 - shift);
  const u64 next = (r0 << 53) | (r1 >> 11);
  const pair f = {static_cast<double>(static_cast<i64>(r0 >> 11)) * unit,
                  static_cast<double>(static_cast<i64>(next >> 11)) * (unit * 0x1p-53)};
  const pair p = mul(f, {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54});
  pair r = fast_two_sum(p.hi, p.lo);
  // Fold in the two signs: that of the fraction, and that of x.
  if (negative != (x < 0.0)) r = {-r.hi, -r.lo};
  if (x < 0.0) quadrant = 0 - quadrant;
  return {r, quadrant};
}

// True where sin(x) and cos(x) must be replaced by the slow form. False for NaN, true for inf.
TILEOPS_FN bool trig_rare(double x) { return abs(x) >= kTrigFastLimit; }

// Measured: 0.71 ulp, also next to multiples of pi/2.
TILEOPS_FN double sin(double x) {
  const double y = sin_of(reduce_fast(x));
  return abs(x) < 0x1p-30 ? x : y;  // x - x^3/6 rounds to x or within 0.05 ulp; keeps -0
}
// Measured: 0.71 ulp.
TILEOPS_FN double cos(double x) { return cos_of(reduce_fast(x)); }

// Any argument; the same accuracy.
TILEOPS_SLOW_FN double sin_slow(double x) {
  if (!trig_rare(x)) return sin(x);
  if (!(abs(x) < limits<double>::inf())) return x - x;
  return sin_of(reduce_slow(x));
}
TILEOPS_SLOW_FN double cos_slow(double x) {
  if (!trig_rare(x)) return cos(x);
  if (!(abs(x) < limits<double>::inf())) return x - x;
  return cos_of(reduce_slow(x));
}

// sin and cos of 2 pi phase / 2^64. Measured: 0.71 ulp.
TILEOPS_FN void sincos_turn(u64 phase, double& s, double& c) {
  const u64 quadrant = (phase + (u64{1} << 61)) >> 62;
  const i64 d = static_cast<i64>(phase - (quadrant << 62));  // [-2^61, 2^61)
  const double hi = static_cast<double>(d);
  const double lo = static_cast<double>(d - static_cast<i64>(hi));
  const double p = hi * 0x1.921fb54442d18p-62;
  const double e = fma(hi, 0x1.921fb54442d18p-62, -p) + fma(hi, 0x1.1a62633145c07p-116, lo * 0x1.921fb54442d18p-62);
  const angle a = {fast_two_sum(p, e), quadrant};
  s = sin_of(a);
  c = cos_of(a);
}

}  // namespace f64
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

// SPDX-License-Identifier: Apache-2.0
// Building blocks of the double-precision primitives: error-free sums and products, scaling by a
// power of two, splitting a number into exponent and mantissa. Errors of what is made of them: docs/accuracy.md.
#ifndef TILEOPS_DEVICE_MATH_F64_BASE_H
#define TILEOPS_DEVICE_MATH_F64_BASE_H

#include "../../config.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace f64 {

// The unevaluated sum hi + lo, |lo| well below one ulp of hi unless a comment says otherwise.
struct pair {
  double hi, lo;
};

// Exact sum of any two numbers (6 additions).
TILEOPS_FN pair two_sum(double a, double b) {
  const double s = a + b;
  const double t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}

// Exact sum when |a| >= |b| or a == 0 (3 additions).
TILEOPS_FN pair fast_two_sum(double a, double b) {
  const double s = a + b;
  return {s, b - (s - a)};
}

// Exact product, unless it underflows.
TILEOPS_FN pair two_prod(double a, double b) {
  const double p = a * b;
  return {p, tileops::device_detail::fma(a, b, -p)};
}

// (a.hi + a.lo) * (b.hi + b.lo) to about 2^-104.
TILEOPS_FN pair mul(pair a, pair b) {
  const double p = a.hi * b.hi;
  double e = tileops::device_detail::fma(a.hi, b.hi, -p);
  e = tileops::device_detail::fma(a.hi, b.lo, e);
  e = tileops::device_detail::fma(a.lo, b.hi, e);
  return {p, e};
}

// Adding this rounds a double below 2^51 in magnitude to an integer, which then sits in the low
// bits. Works the same in scalar and vector code, on every instruction set.
constexpr double kRoundMagic = 0x1.8p52;
constexpr u64 kRoundMagicBits = 0x4338000000000000ull;

TILEOPS_FN i64 magic_int(double t) { return static_cast<i64>(to_bits(t) - kRoundMagicBits); }

// 2^k for -1022 <= k <= 1023.
TILEOPS_FN double power_of_two(i64 k) { return from_bits((static_cast<u64>(k) + 1023) << 52); }

// y * 2^k with one rounding for |k| <= 2044 and 2^-60 < |y| < 2^60: the first factor is exact. (The
// shift is done on an unsigned number because AVX2 has no arithmetic 64-bit shift.)
TILEOPS_FN double scale(double y, i64 k) {
  const u64 half = ((static_cast<u64>(k) + 4096) >> 1) - 2048;  // k is garbage if y is NaN
  const u64 rest = static_cast<u64>(k) - half;
  return y * from_bits((half + 1023) << 52) * from_bits((rest + 1023) << 52);
}

// x = mantissa * 2^exponent with mantissa in [sqrt(1/2), sqrt(2)), for x positive and finite,
// subnormals included. Anything else gives meaningless numbers, which the caller replaces.
struct split_double {
  double mantissa, exponent;
};
TILEOPS_FN split_double split_exponent(double x) {
  const bool tiny = x < 0x1p-1022;
  const u64 bits = to_bits(tiny ? x * 0x1p54 : x);
  // 0x3fe6a09e667f3bcd is sqrt(1/2). The bias of 1024 keeps the shifted number positive.
  const u64 biased = (bits - 0x3fe6a09e667f3bcdull + (u64{1024} << 52)) >> 52;
  const double mantissa = from_bits(bits - ((biased - 1024) << 52));
  // Small integer to double without a conversion instruction (AVX2 has none for 64 bits).
  const double exponent = from_bits(0x4330000000000000ull | biased) - (0x1p52 + 1024.0);
  return {mantissa, tiny ? exponent - 54.0 : exponent};
}

constexpr double kLn2Hi = 0x1.62e42fefa4000p-1;  // 40 bits: k * kLn2Hi is exact for |k| < 2^13
constexpr double kLn2Lo = -0x1.8432a1b0e2634p-43;
constexpr double kLog2eHi = 0x1.71547652b82fep+0;
constexpr double kLog2eLo = 0x1.777d0ffda0d24p-56;

}  // namespace f64
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

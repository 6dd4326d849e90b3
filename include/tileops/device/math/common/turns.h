// SPDX-License-Identifier: Apache-2.0
// Angles as 64-bit fixed-point fractions of a turn. position * frequency wraps exactly where the
// angle does, so that it is right to 2^-33 turn at any position up to 2^31, without f64.
#ifndef TILEOPS_DEVICE_MATH_TURNS_H
#define TILEOPS_DEVICE_MATH_TURNS_H

#include "../../config.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

// Conversions between 64-bit integers and double. Where vectors have no instructions for them, by way of sums with
// 2^52, in whose last bits an integer stands: loops vectorise.
#if defined(__CUDA_ARCH__) || defined(__AVX512DQ__)
TILEOPS_FN double double_of(u64 x) { return static_cast<double>(static_cast<i64>(x)); }
TILEOPS_FN double double_of_small(i64 x) { return static_cast<double>(x); }
TILEOPS_FN u64 truncated(double x) { return static_cast<u64>(static_cast<i64>(x)); }
#else
// Rounded once; x < 2^63.
TILEOPS_FN double double_of(u64 x) {
  const double high = from_bits((x >> 32) | 0x4330000000000000u) - 0x1p52;
  const double low = from_bits((x & 0xffffffffu) | 0x4330000000000000u) - 0x1p52;
  return high * 0x1p32 + low;  // exact products
}
// Exact; |x| < 2^51.
TILEOPS_FN double double_of_small(i64 x) { return from_bits(0x4338000000000000u + static_cast<u64>(x)) - 0x1.8p52; }
// 0 <= x < 2^63.
TILEOPS_FN u64 integer_below(double x) {  // x < 2^32
  const double sum = x + 0x1p52;
  return (to_bits(sum) - (sum - 0x1p52 > x ? 1 : 0)) & 0x1ffffffffu;
}
TILEOPS_FN u64 truncated(double x) {
  const u64 high = integer_below(x * 0x1p-32);
  const double whole = from_bits(high | 0x4330000000000000u) - 0x1p52;
  return (high << 32) + integer_below(x - whole * 0x1p32);
}
#endif

// Frequency in turns per position, divided by a rescale factor r > 0, to 2^-63 turn for r >= 1. Long
// division of 64 + 23 by 24 bits: a quotient in double, right to 2^-52, then the exact remainder. No
// integer division, so that loops vectorise; both quotients by one reciprocal and correctly rounded all the
// same (Markstein). 0 for r that is not positive and normal.
TILEOPS_FN double divided_by(double a, double b, double inverse) {
  const double q = a * inverse;
  return fma(fma(-b, q, a), inverse, q);
}
TILEOPS_FN u64 turns_divided(u64 turns, float r) {
  const u32 b = to_bits(r);
  const i64 exponent = static_cast<i64>(b >> 23) - 127;  // r = mantissa * 2^exponent
  const u64 m = (b & 0x007fffffu) | 0x00800000u;         // mantissa * 2^23
  const double mantissa = double_of_small(static_cast<i64>(m)) * 0x1p-23;
  const double inverse = 1.0 / mantissa;
  // Halved, so that the conversions are of signed numbers; the last bit comes back below.
  const double estimate = divided_by(double_of(turns >> 1), mantissa, inverse);
  const u64 q = truncated(estimate) << 1;
  const i64 rest = static_cast<i64>((turns << 23) - q * m);  // |rest| < 2^36, exact modulo 2^64
  const i64 more = static_cast<i32>(divided_by(double_of_small(rest) * 0x1p-23, mantissa, inverse));
  const u64 quotient = q + static_cast<u64>(more);
  const u64 right = static_cast<u64>(exponent < 0 ? 0 : exponent > 63 ? 63 : exponent);
  const u64 left = static_cast<u64>(exponent > 0 ? 0 : exponent < -63 ? 63 : -exponent);
  const bool usable = b - 0x00800000u < 0x7f000000u;
  return usable ? (quotient >> right) << left : 0;
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

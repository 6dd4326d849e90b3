// SPDX-License-Identifier: Apache-2.0
// e^x of any x as factor * 4^exponent, so that nothing overflows and nothing vanishes: what sums of exponentials
// are made of, whose largest element need not be known first.
#ifndef TILEOPS_DEVICE_MATH_FUNCTIONS_WIDE_EXP_H
#define TILEOPS_DEVICE_MATH_FUNCTIONS_WIDE_EXP_H

#include "../f32/exp.h"
#include "../f64/exp.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace wide {

// For |x| < near the exponent is the logarithm of e^x to base 4, rounded to a multiple of 1/2, so that the factor lies
// in [0.69, 1.44]. From there on T has fewer digits for the exponent, and the factor, from 2^-64 to 2^64, makes up for
// it. For |x| >= far e^x does not count beside that of the next larger number of T, and the factor is 1. Exponents grow
// with x.
template <class T>
struct bounds;
template <>
struct bounds<float> {
  static constexpr float near = 0x1p20f, far = 0x1p29f, round = 0x1.8p22f;
  static constexpr float log4e = 0x1.715476p-1f, log4e_lo = 0x1.4ae0cp-27f;
  static constexpr float bias = 0x1.8p23f + 127.0f, least = -63.5f;
};
template <>
struct bounds<double> {
  static constexpr double near = 0x1p48, far = 0x1p58, round = 0x1.8p51;
  static constexpr double log4e = 0.5 * f64::kLog2eHi, log4e_lo = 0.5 * f64::kLog2eLo;
  static constexpr double bias = 0x1.8p52 + 1023.0, least = -511.5;
};

template <class T>
TILEOPS_FN bool is_near(T x) {
  return abs(x) < bounds<T>::near;
}

// 4^d for a multiple of 1/2 from bounds::least on up to 0; of the least one 0. V may be a vector.
template <class V>
struct power_of_four;
template <>
struct power_of_four<float> {
  static TILEOPS_FN float of(float d) { return from_bits(to_bits(fma(d, 2.0f, bounds<float>::bias)) << 23); }
};
template <>
struct power_of_four<double> {
  static TILEOPS_FN double of(double d) { return from_bits(to_bits(fma(d, 2.0, bounds<double>::bias)) << 52); }
};

// 2^f for |f| <= 1/2.
TILEOPS_FN float exp2_between(float f) { return fma(f32::exp2_q(f), f, 1.0f); }
TILEOPS_FN double exp2_between(double f) {
  const double r = f * 0x1.62e42fefa39efp-1;
  const f64::pair e = f64::exp_reduced({r, fma(f, 0x1.62e42fefa39efp-1, -r) + f * 0x1.abc9e3b39803fp-56});
  return e.hi + e.lo;
}

template <class T>
struct exp_of {
  T factor, exponent;
};

template <class T>
TILEOPS_FN exp_of<T> exp_near(T x) {
  using b = bounds<T>;
  const T e = fma(x, b::log4e, b::round) - b::round;
  const T half = fma(x, b::log4e_lo, fma(x, b::log4e, -e));
  return {exp2_between(half + half), e};
}

// The same bits for x near 0. Of -inf the factor is 0; of NaN it is NaN, and the exponent -inf.
template <class T>
TILEOPS_FN exp_of<T> exp(T x) {
  using b = bounds<T>;
  const T round = copysign(b::round, x), inf = limits<T>::inf();
  const T e = fma(x, b::log4e, round) - round;
  const T half = fma(x, b::log4e_lo, fma(x, b::log4e, -e));
  const T whole = is_near(x) ? T(0) : (half + b::round) - b::round;  // which the factor takes
  const T between = exp2_between((half + half) - (whole + whole)), by = power_of_four<T>::of(-abs(whole));
  const T factor = whole < T(0) ? between * by : between / by;
  const T beyond = x == -inf ? T(0) : T(1);
  return {abs(x) >= b::far ? beyond : factor, x == x ? e : -inf};
}

}  // namespace wide
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

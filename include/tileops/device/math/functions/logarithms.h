// SPDX-License-Identifier: Apache-2.0
// log2, log10, and the inverses of the hyperbolic functions, all by the logarithm of a sum of two terms (hyperbolic.h
// says what holds for all formulas here).
#ifndef TILEOPS_DEVICE_MATH_FUNCTIONS_LOGARITHMS_H
#define TILEOPS_DEVICE_MATH_FUNCTIONS_LOGARITHMS_H

#include "../f32/log.h"
#include "../f64/log.h"
#include "hyperbolic.h"
#include "roots.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

// log(1 + f) as f - f^2/2 in two terms and the rest, -1/4 <= f <= 1/2; error 2^-30.
TILEOPS_FN two_terms<float> log1p_terms(float f) {
  const float q = polynomial(f, 0x1.55555ap-2f, -0x1.00006ep-2f, 0x1.999766p-3f, -0x1.5519d4p-3f, 0x1.24634ap-3f,
                             -0x1.04ad02p-3f, 0x1.df2046p-4f, -0x1.750e8cp-4f, 0x1.34264cp-5f);
  const float h = f * f;
  const float a = fma(h, -0.5f, f);
  const float a_lo = fma(h, -0.5f, f - a) + fma(h * f, q, fma(f, f, -h) * -0.5f);
  return {a, a_lo};
}
TILEOPS_FN two_terms<double> log1p_terms(double f) {
  const f64::pair m = f64::log_mantissa(f);
  return {m.hi, m.lo};
}

// x = m 2^e, 1 nearly in the middle of the m: positive finite x, subnormal or not.
TILEOPS_FN mantissa_exponent<float> split_number(float x) { return split_around_1(x); }
TILEOPS_FN mantissa_exponent<double> split_number(double x) {
  const f64::split_double s = f64::split_exponent(x);
  return {s.mantissa, s.exponent};
}
TILEOPS_FN float logarithm_or_special(float y, float x) { return with_log_specials(y, x); }
TILEOPS_FN double logarithm_or_special(double y, double x) { return f64::log_specials(x, y); }

// A logarithm is that of 2, times the exponent, and the natural one of the mantissa times `factor`. `of_2` has so few
// digits that its products with exponents are exact.
template <class T>
struct logarithm_base {
  T of_2, of_2_lo, factor, factor_lo;
};
template <class T>
TILEOPS_FN T logarithm(T x, logarithm_base<T> base) {
  const mantissa_exponent<T> s = split_number(x);
  const two_terms<T> m = log1p_terms(s.m - T(1));
  const T p = m.hi * base.factor;
  const T p_lo = fma(m.hi, base.factor, -p) + fma(m.hi, base.factor_lo, m.lo * base.factor);
  const two_terms<T> sum = fast_two_sum(s.e * base.of_2, p);
  return logarithm_or_special(sum.hi + (sum.lo + fma(s.e, base.of_2_lo, p_lo)), x);
}
TILEOPS_FN float log2(float x) { return logarithm<float>(x, {1.0f, 0.0f, 0x1.715476p+0f, 0x1.4ae0cp-26f}); }
TILEOPS_FN double log2(double x) { return logarithm<double>(x, {1.0, 0.0, f64::kLog2eHi, f64::kLog2eLo}); }
TILEOPS_FN float log10(float x) {
  return logarithm<float>(x, {0x1.344p-2f, 0x1.3509f8p-18f, 0x1.bcb7b2p-2f, -0x1.5b235ep-27f});
}
TILEOPS_FN double log10(double x) {
  return logarithm<double>(x,
                           {0x1.34413509f8000p-2, -0x1.80433b83b532ap-44, 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57});
}

// log(x.hi + x.lo) + times ln2 in two terms, right also where that is near 0; x.hi positive and finite.
template <class T>
TILEOPS_FN two_terms<T> log_terms(two_terms<T> x, T times = T(0)) {
  constexpr bool single = same_v<T, float>;
  constexpr T ln2 = single ? T(f32::kLn2Hi) : T(f64::kLn2Hi), ln2_lo = single ? T(f32::kLn2Lo) : T(f64::kLn2Lo);
  const mantissa_exponent<T> s = split_number(x.hi);
  const two_terms<T> f = two_sum(s.m - T(1), x.lo * exponential_of(at_most(at_least(-s.e, T(-100)), T(100))));
  const two_terms<T> m = log1p_terms(f.hi);
  const T m_lo = fma(f.lo, fma(f.hi, f.hi - T(1), T(1)), m.lo);  // the derivative is 1 - f + f^2 - ...
  const T e = s.e + times;
  const two_terms<T> sum = fast_two_sum(e * ln2, m.hi);
  return {sum.hi, sum.lo + fma(e, ln2_lo, m_lo)};
}
template <class T>
TILEOPS_FN T log_of_terms(two_terms<T> x, T times = T(0)) {
  const two_terms<T> y = log_terms(x, times);
  return y.hi + y.lo;
}

// 1 / x within 2 %, x normal and positive: its logarithm is nearly that of the bits, then a step of Newton's. For parts
// of which a few digits will do, and finite for 0.
TILEOPS_FN float rough_reciprocal(float x) {
  const float y = from_bits(0x7ef311c3u - to_bits(x));
  return y * fma(-x, y, 2.0f);
}
TILEOPS_FN double rough_reciprocal(double x) {
  const double y = from_bits(u64{0x7fde623822fc16e6} - to_bits(x));
  return y * fma(-x, y, 2.0);
}

// The square root of w.hi + w.lo in two terms, of which the second has few digits if it is `rough`.
template <bool rough, class T>
TILEOPS_FN two_terms<T> sqrt_terms(two_terms<T> w) {
  const T s = root_of(w.hi);
  const T rest = fma(-s, s, w.hi) + w.lo;
  return {s, T(0.5) * rest * (rough ? rough_reciprocal(s) : T(1) / s)};
}

// From there on x^2 + 1 and x^2 - 1 are x^2; below `small` x + x^3 c is enough.
template <class T>
struct inverse_hyperbolic_range {
  static constexpr T large = T(sizeof(T) == 4 ? 0x1p30 : 0x1p60), small = T(sizeof(T) == 4 ? 0x1p-12 : 0x1p-27);
};

// log(|x| + sqrt(x^2 + 1)).
template <class T>
TILEOPS_FN T asinh(T x) {
  using range = inverse_hyperbolic_range<T>;
  const T a = abs(x);
  const bool large = a > range::large;
  const T c = large ? T(1) : a;
  const two_terms<T> z = two_prod(c, c), w = two_sum(T(1), z.hi);
  const two_terms<T> s = sqrt_terms<false>(two_terms<T>{w.hi, w.lo + z.lo});
  const two_terms<T> u = two_sum(s.hi, c);
  const T y = log_of_terms(large ? two_terms<T>{a, T(0)} : two_terms<T>{u.hi, u.lo + s.lo}, large ? T(1) : T(0));
  const T near = fma(a * a * a, T(-1) / T(6), a);
  const T r = a < range::small ? near : y;
  return copysign(a < limits<T>::inf() ? r : a, x);
}

// log(x + sqrt(x^2 - 1)).
template <class T>
TILEOPS_FN T acosh(T x) {
  const bool large = x > inverse_hyperbolic_range<T>::large;
  const T c = large ? T(1) : x;
  const two_terms<T> z = two_prod(c, c), w = two_sum(z.hi, T(-1));
  const two_terms<T> s = sqrt_terms<true>(fast_two_sum(w.hi, w.lo + z.lo));
  const two_terms<T> u = two_sum(s.hi, c);
  const T y = log_of_terms(large ? two_terms<T>{x, T(0)} : two_terms<T>{u.hi, u.lo + s.lo}, large ? T(1) : T(0));
  return x >= T(1) ? (x < limits<T>::inf() ? y : x) : limits<T>::nan();
}

// log((1 + x) / (1 - x)) / 2.
template <class T>
TILEOPS_FN T atanh(T x) {
  const T a = abs(x);
  const T c = a < T(1) ? a : T(0);
  const two_terms<T> n = fast_two_sum(T(1), c), d = fast_two_sum(T(1), -c);
  const T inv = T(1) / d.hi;
  const T q = n.hi * inv;
  const T rest = fma(-q, d.hi, n.hi) + fma(-q, d.lo, n.lo);
  const T y = T(0.5) * log_of_terms(fast_two_sum(q, rest * inv));
  const T near = fma(a * a * a, T(1) / T(3), a);
  const T r = a < inverse_hyperbolic_range<T>::small ? near : y;
  const T end = a == T(1) ? limits<T>::inf() : limits<T>::nan();
  return copysign(a < T(1) ? r : end, x);
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

// SPDX-License-Identifier: Apache-2.0
// Numbers carried as an unevaluated sum of two, and the exact operations that make them.
#ifndef TILEOPS_DEVICE_MATH_TERMS_H
#define TILEOPS_DEVICE_MATH_TERMS_H

#include "../../config.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

template <class T>
struct two_terms {
  T hi, lo;
};

// c + rest[0] x + rest[1] x^2 + ..., by Horner's rule.
template <class T>
TILEOPS_FN T polynomial(T, T c) {
  return c;
}
template <class T, class... C>
TILEOPS_FN T polynomial(T x, T c, C... rest) {
  return fma(polynomial(x, static_cast<T>(rest)...), x, c);
}

// Exact, whichever is larger.
template <class T>
TILEOPS_FN two_terms<T> two_sum(T a, T b) {
  const T s = a + b;
  const T t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}

// Exact where |a| >= |b| or a = 0.
template <class T>
TILEOPS_FN two_terms<T> fast_two_sum(T a, T b) {
  const T s = a + b;
  return {s, b - (s - a)};
}

// Is d = b - a infinite although a and b are finite?
template <class T>
TILEOPS_FN bool difference_overflows(T a, T b, T d) {
  const T half = T(0.5) * b - T(0.5) * a, inf = limits<T>::inf();
  const bool infinite = abs(d) == inf, fits_halved = abs(half) < inf;
  return infinite & fits_halved;
}

// Exact, unless the low part underflows.
template <class T>
TILEOPS_FN two_terms<T> two_prod(T a, T b) {
  const T p = a * b;
  return {p, fma(a, b, -p)};
}

// a b + c, where |a b| is little above |c| at most, so that what is lost is below the low part. c may have more digits
// than T.
template <class T>
TILEOPS_FN two_terms<T> fma_terms(T a, T b, double c) {
  const T c_hi = static_cast<T>(c), c_lo = static_cast<T>(c - static_cast<double>(c_hi));
  const T hi = fma(a, b, c_hi);
  return {hi, fma(a, b, c_hi - hi) + c_lo};
}

// A number with the sign of a b - limit, the product unrounded; also where that underflows and the limit is 0. The
// factor depends on b and the limit alone; loops keep it outside, and are not vectorised with conditions on a.
template <class T>
TILEOPS_FN T product_beyond(T a, T b, T limit) {
  const T factor = limit == T(0) ? T(b > T(0)) - T(b < T(0)) : b;
  return fma(a, factor, -limit);
}

// (a + a_lo) / (b + b_lo) through one division, error little above half an ulp. Finite operands.
template <class T>
TILEOPS_FN T divide_terms(T a, T a_lo, T b, T b_lo) {
  const T inv = T(1) / b;
  const T q = a * inv;
  const T rest = fma(-q, b, a) + fma(-q, b_lo, a_lo);
  return fma(rest, inv, q);
}

// exp of something as (hi + lo) * s1 * s2 with hi + lo in [0.70, 1.42] and powers of two s1, s2.
// Keeping the scale apart lets a formula round once, also where its result is subnormal.
template <class T>
struct exp_parts_t {
  T hi, lo;
  T s1, s2;
};

// All ones where the sign bit of x is set. With pick() instead of ?: where one condition selects
// several values: g++ 12 otherwise splits the formula into two paths, computes both and blends.
TILEOPS_FN u32 sign_mask(float x) { return (u32)((i32)to_bits(x) >> 31); }
TILEOPS_FN u64 sign_mask(double x) { return 0u - (to_bits(x) >> 63); }
TILEOPS_FN float pick(u32 mask, float yes, float no) {
  return from_bits((to_bits(yes) & mask) | (to_bits(no) & ~mask));
}
TILEOPS_FN double pick(u64 mask, double yes, double no) {
  return from_bits((to_bits(yes) & mask) | (to_bits(no) & ~mask));
}

// The smaller of two non-negative numbers, compared as integers: one instruction. NaN is lost.
TILEOPS_FN float min_bits(float a, float b) {
  const i32 u = (i32)to_bits(a), v = (i32)to_bits(b);
  return from_bits((u32)(u < v ? u : v));
}
TILEOPS_FN double min_bits(double a, double b) {
  const u64 u = to_bits(a), v = to_bits(b);
  return from_bits(u < v ? u : v);
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

// Results in two terms, hi + lo, and their rounding to odd: what is then rounded to a narrower format
// is rounded once. For formulas of a few operations this is cheaper than testing how close the f32
// result is to a tie, and exact ties (hardsigmoid of 9-bit sums, a lerp at 1/2) cost nothing.
#ifndef TILEOPS_DEVICE_MATH_STICKY_H
#define TILEOPS_DEVICE_MATH_STICKY_H

#include "terms.h"

namespace tileops {
namespace device {
inline namespace TILEOPS_DEVICE_NS {

// hi = the nearest float to hi + lo.
TILEOPS_FN float round_to_odd(two_terms<float> t) {
  const u32 b = to_bits(t.hi);
  const bool inexact = (t.lo > 0.0f) | (t.lo < 0.0f);  // false for NaN: hi is not finite
  const u32 truncated = (t.lo < 0.0f) != (t.hi < 0.0f) ? b - 1 : b;
  return from_bits(inexact ? truncated | 1u : b);
}

// |a| >= |b|, or a = 0.
template <class T>
TILEOPS_FN two_terms<T> ordered_terms(T a, T b) {
  const T s = a + b;
  return {s, b - (s - a)};
}

// a*b + c.
template <class T>
TILEOPS_FN two_terms<T> fma_terms(T a, T b, T c) {
  const T p = a * b;
  const two_terms<T> s = two_sum(p, c);
  return ordered_terms(s.hi, s.lo + fma(a, b, -p));
}

template <class T>
TILEOPS_FN two_terms<T> leaky_relu_terms(T x, T slope) {
  const T p = slope * x;
  return {x > T(0) ? x : p, x > T(0) ? T(0) : fma(slope, x, -p)};
}

// (n + n_lo) / 6.
template <class T>
TILEOPS_FN two_terms<T> sixth_terms(T n, T n_lo) {
  const T inv = T(1) / T(6);
  const T q = n * inv;
  return ordered_terms(q, (fma(T(-6), q, n) + n_lo) * inv);
}

template <class T>
TILEOPS_FN two_terms<T> hardswish_terms(T x) {
  const two_terms<T> d = two_sum(x, T(3));
  const T n = x * d.hi;
  const two_terms<T> y = sixth_terms(n, fma(x, d.lo, fma(x, d.hi, -n)));
  const bool inside = (x > T(-3)) & (x < T(3));
  const T outside = x <= T(-3) ? -T(0) : x;
  return {inside ? copysign(y.hi, x) : outside, inside ? y.lo : T(0)};
}

template <class T>
TILEOPS_FN two_terms<T> hardsigmoid_terms(T x) {
  const two_terms<T> d = two_sum(x, T(3));
  const two_terms<T> y = sixth_terms(d.hi, d.lo);
  const bool inside = (x > T(-3)) & (x < T(3));
  const T outside = x <= T(-3) ? T(0) : x >= T(3) ? T(1) : x;
  return {inside ? y.hi : outside, inside ? y.lo : T(0)};
}

// PyTorch's two branches, each in two terms.
template <class T>
TILEOPS_FN two_terms<T> lerp_terms(T a, T b, T w) {
  const bool near_a = abs(w) < T(0.5);
  const two_terms<T> d = two_sum(b, -a);
  const T from = near_a ? a : b;
  const T weight = near_a ? w : w - T(1);  // exact for w in [0.5, 2]
  const two_terms<T> y = fma_terms(weight, d.hi, from);
  return ordered_terms(y.hi, fma(weight, d.lo, y.lo));
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device
}  // namespace tileops

#endif

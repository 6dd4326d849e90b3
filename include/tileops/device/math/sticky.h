// Results in two terms, hi + lo (or hi and a remainder of lo's sign), and their rounding to odd: what is then rounded to a narrower format
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
  const T rest = (abs(a) < limits<T>::inf()) & (b == b) ? b : T(0);  // of infinity there is none
  const T s = rest == T(0) ? a : a + rest;                           // -0 stays -0
  return {s, rest - (s - a)};
}

// x where the mask is ones, else +0. Masks rather than ?: where one condition selects several values:
// g++ 12 otherwise splits the loop into two paths and does not vectorise it.
TILEOPS_FN float masked(u32 mask, float x) { return from_bits(to_bits(x) & mask); }
TILEOPS_FN double masked(u64 mask, double x) { return from_bits(to_bits(x) & mask); }
TILEOPS_FN u32 mask_of(bool c, float) { return c ? ~u32{0} : 0; }
TILEOPS_FN u64 mask_of(bool c, double) { return c ? ~u64{0} : 0; }

// a*b + c. Where a*b alone overflows the rounded sum has to do.
template <class T>
TILEOPS_FN two_terms<T> fma_terms(T a, T b, T c) {
  const T p = a * b;
  const two_terms<T> s = two_sum(p, c);
  const two_terms<T> t = ordered_terms(s.hi, s.lo + fma(a, b, -p));
  const auto finite = mask_of(abs(p) < limits<T>::inf(), p);
  return {pick(finite, t.hi, fma(a, b, c)), masked(finite, t.lo)};
}

// (n + n_lo) / 6 rounded, and what is left of the dividend: its sign is that of the error.
template <class T>
TILEOPS_FN two_terms<T> sixth_terms(T n, T n_lo) {
  const T inv = T(1) / T(6);
  const T q = n * inv;
  const T y = fma(fma(T(-6), q, n) + n_lo, inv, q);
  return {y, fma(T(-6), y, n) + n_lo};
}

// x + 3 in two terms, 0 where it is negative, and the mask of where it is not. NaN stays.
template <class T>
TILEOPS_FN auto hard_sum(T x, two_terms<T>* d) {
  const two_terms<T> sum = two_sum(x, T(3));
  const auto kept = mask_of(!(sum.hi < T(0)), x);
  *d = {masked(kept, sum.hi), masked(kept, sum.lo)};
  return kept;
}

// Where hi = x or 1 is taken from the right-hand piece, lo is some other value's: those hi are
// representable in 16 bits, and a sticky bit does not move them.
template <class T>
TILEOPS_FN two_terms<T> hardswish_terms(T x) {
  two_terms<T> d;
  const auto kept = hard_sum(x, &d);
  const T f = masked(kept, x);  // finite where x is -inf
  const T n = f * d.hi;
  const two_terms<T> y = sixth_terms(n, fma(f, d.lo, fma(f, d.hi, -n)));
  // x^2/6, which is what x tiny leaves, may have underflown.
  const auto tiny = mask_of((abs(x) < T(0x1p-40)) & (x != T(0)), x);
  return {pick(mask_of(x >= T(3), x), x, copysign(y.hi, x)), pick(tiny, T(0x1p-100), y.lo)};
}

template <class T>
TILEOPS_FN two_terms<T> hardsigmoid_terms(T x) {
  two_terms<T> d;
  hard_sum(x, &d);
  const two_terms<T> y = sixth_terms(d.hi, d.lo);
  return {pick(mask_of(x >= T(3), x), T(1), y.hi), y.lo};
}

// PyTorch's two branches, each in two terms; see lerp.
template <class T>
TILEOPS_FN two_terms<T> lerp_terms(T a, T b, T w) {
  const auto near_a = mask_of(abs(w) < T(0.5), w);
  const two_terms<T> d = two_sum(b, -a);
  const T from = pick(near_a, a, b);
  const T weight = pick(near_a, w, w - T(1));  // exact for w in [0.5, 2]
  const two_terms<T> y = fma_terms(weight, d.hi, from);
  const two_terms<T> z = ordered_terms(y.hi, fma(weight, d.lo, y.lo));
  const auto far = mask_of(difference_overflows(a, b, d.hi), w);
  return {pick(far, fma(w, b, fma(-w, a, a)), z.hi), masked(~far, z.lo)};
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device
}  // namespace tileops

#endif

// SPDX-License-Identifier: Apache-2.0
// sinh and cosh. Each formula of this folder is written once, over float and double, whose polynomials have one name.
// Errors of both: docs/accuracy.md. Coefficients: tools/minimax.py and tools/minimax_f64.py.
#ifndef TILEOPS_DEVICE_MATH_FUNCTIONS_HYPERBOLIC_H
#define TILEOPS_DEVICE_MATH_FUNCTIONS_HYPERBOLIC_H

#include "../common/scalar_lanes.h"
#include "../common/terms.h"
#include "../f32/exp.h"
#include "../f64/exp.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

// sinh(x) = x + x^3 sinh_tail(x^2) for |x| <= 1; errors 2^-31.6 and 2^-62.9.
TILEOPS_FN float sinh_tail(float z) {
  return polynomial(z, 0x1.555556p-3f, 0x1.1110ep-7f, 0x1.a022bap-13f, 0x1.756cb2p-19f);
}
TILEOPS_FN double sinh_tail(double z) {
  return polynomial(z, 0x1.5555555555555p-3, 0x1.111111111119bp-7, 0x1.a01a01a00735fp-13, 0x1.71de3a68d1985p-19,
                    0x1.ae64411d694e7p-26, 0x1.6131537733c31p-33, 0x1.a65f3b6385245p-41, 0x1.d3b43552ecd5cp-48);
}
// cosh(r) = 1 + r^2 cosh_tail(r^2) for |r| <= ln2 / 2; errors 2^-33.2 and 2^-73.
TILEOPS_FN float cosh_tail(float z) { return polynomial(z, 0x1p-1f, 0x1.5554e6p-5f, 0x1.6d4f24p-10f); }
TILEOPS_FN double cosh_tail(double z) {
  return polynomial(z, 0x1p-1, 0x1.5555555555555p-5, 0x1.6c16c16c16f9dp-10, 0x1.a01a019e6a7d5p-16,
                    0x1.27e5017474e7bp-22, 0x1.1ed975a62fc56p-29, 0x1.c762d0d1fa354p-37);
}

// x = n ln2 + hi + lo, |hi| <= ln2 / 2.
template <class T>
struct less_ln2 {
  T n, hi, lo;
};
TILEOPS_FN less_ln2<float> reduce_by_ln2(float x) {
  const float n = fma(x, f32::kLog2e, kRound) - kRound;
  const float r = fma(n, -f32::kLn2Hi, x);
  const two_terms<float> s = fast_two_sum(r, n * -f32::kLn2Lo);
  return {n, s.hi, s.lo};
}
TILEOPS_FN less_ln2<double> reduce_by_ln2(double x) {
  const double n = fma(x, f64::kLog2eHi, f64::kRoundMagic) - f64::kRoundMagic;
  const double r = fma(n, -f64::kLn2Hi, x);
  const two_terms<double> s = fast_two_sum(r, n * -f64::kLn2Lo);
  return {n, s.hi, s.lo};
}

// 2^n of an integer, where that is a normal number.
TILEOPS_FN float exponential_of(float n) { return from_bits((to_bits(n + kRound) + 127u) << 23); }
TILEOPS_FN double exponential_of(double n) { return from_bits((to_bits(n + f64::kRoundMagic) + 1023u) << 52); }

// From there on sinh and cosh are infinite.
template <class T>
inline constexpr T kHyperbolicEnd = T(sizeof(T) == 4 ? 89.5 : 710.6);

// sinh(n ln2) and cosh(n ln2) in two terms each, halved so that neither overflows before the result does.
template <class T>
struct half_hyperbolic {
  T sinh, sinh_lo, cosh, cosh_lo;
};
template <class T>
TILEOPS_FN half_hyperbolic<T> half_hyperbolic_of(T n) {
  const T up = exponential_of(n - T(2)), down = exponential_of(T(-2) - at_most(n, T(60)));
  const T s = up - down, c = up + down;
  return {s, (up - s) - down, c, (up - c) + down};
}

// 2 (a + b r + more), a the largest.
template <class T>
TILEOPS_FN T twice_sum(T a, T b, T r, T more) {
  const two_terms<T> p = two_prod(b, r), s = fast_two_sum(a, p.hi);
  return T(2) * (s.hi + (s.lo + (p.lo + more)));
}

// sinh(n ln2 + r) = sinh(n ln2) cosh(r) + cosh(n ln2) sinh(r). Below 1 it is the polynomial alone.
template <class T>
TILEOPS_FN T sinh(T x) {
  const T a = at_most(abs(x), kHyperbolicEnd<T>);
  const less_ln2<T> k = reduce_by_ln2(a);
  const bool near = a < T(1);
  const T r = near ? a : k.hi, z = r * r;
  const T s = fma(r * z, sinh_tail(z), near ? T(0) : k.lo);
  const half_hyperbolic<T> h = half_hyperbolic_of(k.n);
  const T more = fma(h.sinh, z * cosh_tail(z), fma(h.cosh, s, h.sinh_lo));
  return copysign(near ? r + s : twice_sum(h.sinh, h.cosh, r, more), x);
}

template <class T>
TILEOPS_FN T cosh(T x) {
  const less_ln2<T> k = reduce_by_ln2(at_most(abs(x), kHyperbolicEnd<T>));
  const T z = k.hi * k.hi;
  const T s = fma(k.hi * z, sinh_tail(z), k.lo);
  const half_hyperbolic<T> h = half_hyperbolic_of(k.n);
  const T more = fma(h.cosh, z * cosh_tail(z), fma(h.sinh, s, h.cosh_lo));
  return twice_sum(h.cosh, h.sinh, k.hi, more);
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

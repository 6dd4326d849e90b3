// SPDX-License-Identifier: Apache-2.0
// lgamma: log|Gamma(x)|.
#ifndef TILEOPS_DEVICE_MATH_FUNCTIONS_LGAMMA_H
#define TILEOPS_DEVICE_MATH_FUNCTIONS_LGAMMA_H

#include "logarithms.h"
#include "tan.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

// lgamma(2 + u) / (u (1 + u)) for |u| <= 1/2; errors 2^-32 and 2^-56.2 before the coefficients of float are rounded.
TILEOPS_FN two_terms<float> lgamma_ratio(float u) {
  const float tail = polynomial(u, -0x1.9ae65p-4f, 0x1.0e0c96p-5f, -0x1.95ce08p-7f, 0x1.47a00ap-8f, -0x1.145c32p-9f,
                                0x1.dcde64p-11f, -0x1.a60812p-12f, 0x1.b565c2p-13f, -0x1.93437cp-14f);
  return fma_terms(tail, u, 0x1.b0ee6072093cep-2);
}
TILEOPS_FN two_terms<double> lgamma_ratio(double u) {
  const double tail = polynomial(
      u, -0x1.9ae6509ea109fp-4, 0x1.0e0c9df293764p-5, -0x1.95ce223a9cf16p-7, 0x1.479748531b071p-8,
      -0x1.145121f94aee7p-9, 0x1.dfebd0705038ap-11, -0x1.a96a407a503dfp-12, 0x1.7ed6d93131db8p-13,
      -0x1.5c86938dc3938p-14, 0x1.4043e2cca8ae4p-15, -0x1.2856d8358f285p-16, 0x1.10f96d7b085a5p-17,
      -0x1.0177b948481dcp-18, 0x1.3368f573d7f14p-19, -0x1.e1ecd8ea72b4dp-21, -0x1.45ace54fa2706p-20,
      -0x1.837b2cf58a8ddp-24, 0x1.9efe6a320fa11p-19, -0x1.3509941d8a585p-23, -0x1.3a8b692e496a9p-19);
  return fma_terms(tail, u, 0x1.b0ee6072093cep-2);
}
// x (lgamma(x) - (x - 1/2) log(x) + x - log(2 pi) / 2), z = 1 / x^2, for x >= 2.5; errors 2^-39 and 2^-58.6 of
// lgamma(x).
TILEOPS_FN float stirling_rest(float z) {
  return polynomial(z, 0x1.555556p-4f, -0x1.6c166p-9f, 0x1.9fc6dp-11f, -0x1.304b8ep-11f, 0x1.580f9cp-11f,
                    -0x1.322186p-11f);
}
TILEOPS_FN double stirling_rest(double z) {
  return polynomial(z, 0x1.555555555554cp-4, -0x1.6c16c16bdb37ep-9, 0x1.a01a00be385fap-11, -0x1.38131c9f5c243p-11,
                    0x1.b938409083bbdp-11, -0x1.f4947b697a656p-10, 0x1.95216b2147c29p-8, -0x1.9609964c3270ap-6,
                    0x1.a5fed0ad3988cp-4, -0x1.7eefd221989ccp-2, 0x1.0562ca8ac08fap+0, -0x1.c815ac12fe12ep+0,
                    0x1.754092f62f2c7p+0);
}

// log(2 pi) / 2 in two terms.
template <class T>
TILEOPS_FN two_terms<T> half_log_of_turn() {
  if constexpr (same_v<T, float>) return {0x1.d67f1cp-1f, 0x1.0c97d6p-26f};
  else return {0x1.d67f1c864beb5p-1, -0x1.65b5a1b7ff5dfp-55};
}

// Of x from 2.5 on by Stirling's series: x (log(x) - 1) - log(x) / 2 + log(2 pi) / 2 + rest / x.
template <class T>
TILEOPS_FN two_terms<T> lgamma_far(T x, two_terms<T> log) {
  const two_terms<T> log_x = fast_two_sum(log.hi, log.lo);  // or the product is infinite before its time
  const two_terms<T> less = two_sum(log_x.hi, T(-1)), constant = half_log_of_turn<T>();
  const two_terms<T> p = two_prod(x, less.hi);
  const two_terms<T> k = two_sum(T(-0.5) * log_x.hi, constant.hi);
  const T inv = T(1) / x;
  const two_terms<T> s = two_sum(p.hi, k.hi);
  const T lo = fma(x, less.lo + log_x.lo, p.lo) + (k.lo + fma(T(-0.5), log_x.lo, constant.lo));
  const T more = fma(inv, stirling_rest(inv * inv), lo + s.lo);
  return {s.hi, abs(p.hi) < limits<T>::inf() ? more : T(0)};
}

// Of 2 + u less the logarithm of `by`, |u| <= 1/2, where 1 + u = v + v_lo.
template <class T>
TILEOPS_FN two_terms<T> lgamma_near(T u, two_terms<T> v, two_terms<T> log_by) {
  const two_terms<T> ratio = lgamma_ratio(u), m = two_prod(u, ratio.hi), a = two_prod(m.hi, v.hi);
  const two_terms<T> s = two_sum(a.hi, -log_by.hi);
  return {s.hi, s.lo + (fma(m.hi, v.lo, fma(fma(u, ratio.lo, m.lo), v.hi, a.lo)) - log_by.lo)};
}

// Gamma(x) = Gamma(x + 2) / (x (x + 1)) up to 1/2, Gamma(x + 1) / x up to 3/2. Left of -1/2 by Gamma(x) Gamma(-x) =
// -pi / (x sin(pi x)). What leads to a zero, at 1, 2 or between negative integers, is a difference of two terms each.
template <class T>
TILEOPS_FN T lgamma(T x) {
  const bool mirrored = x <= T(-0.5);
  const T a = mirrored ? -x : x;
  const bool two = a < T(0.5), one = a < T(1.5), near = a <= T(2.5);
  const T product = fma(a, a, a);
  const two_terms<T> by = {two             ? abs(product)
                           : (one | !near) ? a
                                           : T(1),
                           two ? (a < T(0) ? T(-1) : T(1)) * fma(a, a, a - product) : T(0)};
  const two_terms<T> log_by = log_terms(by);
  const two_terms<T> v = two ? fast_two_sum(T(1), a) : two_terms<T>{one ? a : a - T(1), T(0)};
  const two_terms<T> r_near = lgamma_near(near ? (two ? a : one ? a - T(1) : a - T(2)) : T(0), v, log_by);
  const two_terms<T> r_far = lgamma_far(near ? T(3) : a, log_by);
  const two_terms<T> r = near ? r_near : r_far;
  const T f = a - round_(a), z = f * f;
  const two_terms<T> s = fast_two_sum(T(1), z * sinc_tail(z)), w = two_prod(a, abs(f)), q = two_prod(w.hi, s.hi);
  const two_terms<T> mirror = log_terms(fast_two_sum(q.hi, q.lo + fma(w.hi, s.lo, w.lo * s.hi)));
  const two_terms<T> sum = two_sum(-mirror.hi, -r.hi);
  const T left = f == T(0) ? limits<T>::inf() : sum.hi + (sum.lo - (mirror.lo + r.lo));
  const T y = mirrored ? left : r.hi + r.lo;
  const T end = ((x == T(0)) | (abs(x) == limits<T>::inf())) ? limits<T>::inf() : y;
  return x == x ? end : x;
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

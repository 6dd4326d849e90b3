// SPDX-License-Identifier: Apache-2.0
// The inverse of erf.
#ifndef TILEOPS_DEVICE_MATH_FUNCTIONS_ERFINV_H
#define TILEOPS_DEVICE_MATH_FUNCTIONS_ERFINV_H

#include "../f64/erf.h"
#include "logarithms.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

// erfinv(x) / x in two terms given w = -log(1 - x^2) <= 5.5, error 2^-27.8.
template <class T>
TILEOPS_FN two_terms<T> erfinv_ratio(T w) {
  const T tail = polynomial(w, T(0x1.db29eap-3), T(0x1.7a7de6p-7), T(-0x1.32ab1p-9), T(-0x1.f7f2b4p-14),
                            T(0x1.461e8ap-15), T(0x1.bee3c8p-18), T(-0x1.717516p-19), T(0x1.7ef4cp-22),
                            T(-0x1.77c6f4p-26), T(0x1.2612d4p-31));
  return fma_terms(tail, w, 0x1.c5bf891b4ef6bp-1);  // sqrt(pi) / 2
}
// The same for larger w: of float up to 16.7, error 2^-27, of double up to 37, 2^-23.4.
TILEOPS_FN float erfinv_ratio_far(float w) {
  return polynomial(sqrt(w) - 3.0f, 0x1.6a9efcp+1f, 0x1.006dcap+0f, 0x1.357c1ap-7f, -0x1.f4c6ccp-8f, 0x1.75248ap-8f,
                    -0x1.d5af0ap-9f, 0x1.7e16f8p-10f, -0x1.10bc3cp-14f, -0x1.2068f8p-12f, 0x1.a5522cp-14f);
}
TILEOPS_FN double erfinv_ratio_far(double w) {
  return polynomial(f64::sqrt(w) - 4.0, 0x1.eb7e0cp+1, 0x1.026e3p+0, 0x1.488e2cp-10, -0x1.ca8128p-11, 0x1.68217cp-12,
                    -0x1.c238dp-14, 0x1.b5731p-16, -0x1.41638ep-15, 0x1.33d88ep-15, -0x1.3cbed2p-17, -0x1.f7e786p-20,
                    0x1.b2ff74p-21);
}

// 0 <= x < 1.
template <class T>
TILEOPS_FN T erfinv_start(T x) {
  const two_terms<T> z = two_prod(x, x), d = fast_two_sum(T(1), -z.hi);
  const T w = -log_of_terms(two_terms<T>{d.hi, d.lo - z.lo});
  const bool near = w <= T(5.5);
  const two_terms<T> ratio = erfinv_ratio(w);
  return fma(x, near ? ratio.hi : erfinv_ratio_far(w), near ? x * ratio.lo : T(0));
}

template <class T>
TILEOPS_FN T erfinv_or_special(T y, T x) {
  const T end = abs(x) == T(1) ? limits<T>::inf() : limits<T>::nan();
  return copysign(abs(x) < T(1) ? y : end, x);
}
TILEOPS_FN float erfinv(float x) { return erfinv_or_special(erfinv_start(abs(x) < 1.0f ? abs(x) : 0.0f), x); }

// One step of Halley's for erf(y) = x, or from 1/2 on erfc(y) = 1 - x.
TILEOPS_FN double erfinv(double x) {
  const double a = abs(x) < 1.0 ? abs(x) : 0.0;
  const double y = erfinv_start(a);
  const double off = a < 0.5 ? f64::erf(y) - a : (1.0 - a) - f64::erfc(y);
  const double step = off / (0x1.20dd750429b6dp+0 * f64::exp(-y * y));  // the derivative is 2 / sqrt(pi) e^(-y^2)
  return erfinv_or_special(y - step / fma(step, y, 1.0), x);
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

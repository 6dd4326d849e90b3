// SPDX-License-Identifier: Apache-2.0
// tan and sinc, with the reductions of sin and cos.
#ifndef TILEOPS_DEVICE_MATH_FUNCTIONS_TAN_H
#define TILEOPS_DEVICE_MATH_FUNCTIONS_TAN_H

#include "../common/round.h"
#include "../common/terms.h"
#include "../f32/trig.h"
#include "../f64/trig.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

// tan(r) = r + r^3 tan_tail(r^2) for |r| <= pi/4; errors 2^-32.9 and 2^-60.
TILEOPS_FN float tan_tail(float z) {
  return polynomial(z, 0x1.555554p-2f, 0x1.111198p-3f, 0x1.b9f78ap-5f, 0x1.689eb8p-6f, 0x1.0dc6f8p-7f, 0x1.549ce6p-8f,
                    -0x1.ab35e2p-11f, 0x1.17eab4p-9f);
}
TILEOPS_FN double tan_tail(double z) {
  return polynomial(z, 0x1.555555555555dp-2, 0x1.11111111106dcp-3, 0x1.ba1ba1bab24b3p-5, 0x1.664f485fc1174p-6,
                    0x1.226e3a302269dp-7, 0x1.d6d2f49970ce8p-9, 0x1.7db0daca8b9bep-10, 0x1.34c308fbcb16cp-11,
                    0x1.fecca51f500d4p-13, 0x1.606a6ef551524p-14, 0x1.166f8512c2fbbp-14, -0x1.9c651a8af26f2p-16,
                    0x1.90a5f034d9581p-15, -0x1.900182960ec6cp-16, 0x1.459669b29fc28p-17);
}
// sin(pi r) / (pi r) = 1 + r^2 sinc_tail(r^2) for |r| <= 1/2; errors 2^-34 and 2^-64.
TILEOPS_FN float sinc_tail(float z) {
  return polynomial(z, -0x1.a51a66p+0f, 0x1.9f9ca4p-1f, -0x1.86a466p-3f, 0x1.ab4cd4p-6f, -0x1.13b27p-9f,
                    -0x1.77b33ap-13f);
}
TILEOPS_FN double sinc_tail(double z) {
  return polynomial(z, -0x1.a51a6625307d3p+0, 0x1.9f9cb402bc439p-1, -0x1.86a8e4720a72p-3, 0x1.ac6805cbe6324p-6,
                    -0x1.338168b64b336p-9, 0x1.3745b48b5ef92p-13, -0x1.d2d95aeddd2cbp-18, 0x1.5aa1360550fccp-23,
                    0x1.1ad98dc1b2abp-22, -0x1.e4b7470ef12b5p-22, 0x1.5d55e62b74be4p-22);
}

// x = n pi/2 + hi + lo; where n is odd, the last bit of `odd` is set.
template <class T>
struct less_quarters {
  T hi, lo;
  bool odd;
};
TILEOPS_FN less_quarters<float> less_quarters_of(f32::quadrant<float> q) {
  return {q.r, -q.rest, (to_bits(q.t) & 1u) != 0u};
}
TILEOPS_FN less_quarters<double> less_quarters_of(f64::angle a) { return {a.r.hi, a.r.lo, (a.quadrant & 1u) != 0u}; }

// tan(hi + lo), or where n is odd -1 / tan(hi + lo) from that in two terms.
template <class T>
TILEOPS_FN T tan_of(less_quarters<T> k) {
  const T z = k.hi * k.hi, z_lo = fma(k.hi, k.hi, -z);
  const T tail = tan_tail(z), w = z * tail, t = fma(k.hi, w, k.hi);
  const T w_lo = fma(z, tail, -w) + z_lo * tail;
  const two_terms<T> y = fast_two_sum(k.hi, fma(k.hi, w, fma(k.hi, w_lo, k.lo * fma(t, t, T(1)))));
  const T inv = T(-1) / y.hi;
  const T e = fma(inv, y.hi, T(1)) + inv * y.lo;
  return k.odd ? fma(inv, e, inv) : y.hi;
}

TILEOPS_FN bool tan_rare(float x) { return f32::sin_rare(x); }
TILEOPS_FN bool tan_rare(double x) { return f64::trig_rare(x); }
TILEOPS_FN float tan(float x) {
  const float y = tan_of(less_quarters_of(f32::reduce(x)));
  return x == 0.0f ? x : y;
}
TILEOPS_FN double tan(double x) {
  const double y = tan_of(less_quarters_of(f64::reduce_fast(x)));
  return abs(x) < 0x1p-30 ? x : y;
}
TILEOPS_SLOW_FN float tan_slow(float x) {
  if (!tan_rare(x)) return tan(x);
  return abs(x) < limits<float>::inf() ? tan_of(less_quarters_of(f32::reduce_slow(x))) : limits<float>::nan();
}
TILEOPS_SLOW_FN double tan_slow(double x) {
  if (!tan_rare(x)) return tan(x);
  return abs(x) < limits<double>::inf() ? tan_of(less_quarters_of(f64::reduce_slow(x))) : x - x;
}

// sin(pi x) / (pi x) = (-1)^n r / x sin(pi r) / (pi r) with r = x - n, n the nearest integer.
template <class T>
TILEOPS_FN T sinc(T x) {
  const T n = round_(x), r = x - n;
  const bool near = n == T(0);
  const T d = near ? T(1) : x, inv = T(1) / d;
  const T a = near ? T(1) : r, q = a * inv;
  const T lost = fma(-q, d, a) * inv;
  const T z = r * r, tail = z * sinc_tail(z);
  const T half = T(0.5) * n;
  const T y = q + fma(q, tail, lost * (T(1) + tail));
  const T s = round_(half) == half ? y : -y;
  return abs(x) < limits<T>::inf() ? s + T(0) : (x == x ? T(0) : x);  // +0 at integers
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

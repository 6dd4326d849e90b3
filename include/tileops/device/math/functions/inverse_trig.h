// SPDX-License-Identifier: Apache-2.0
// atan, atan2, asin and acos: one polynomial for angles given by a tangent, one for those given by a sine, whose way to
// a tangent would be two more roots and divisions.
#ifndef TILEOPS_DEVICE_MATH_FUNCTIONS_INVERSE_TRIG_H
#define TILEOPS_DEVICE_MATH_FUNCTIONS_INVERSE_TRIG_H

#include "logarithms.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

// atan(x) = x + x^3 atan_tail(x^2) for |x| <= 1; errors 2^-31.1 and 2^-55.9.
TILEOPS_FN float atan_tail(float z) {
  return polynomial(z, -0x1.555552p-2f, 0x1.99981cp-3f, -0x1.24762p-3f, 0x1.c5116ep-4f, -0x1.6953a6p-4f, 0x1.1509ap-4f,
                    -0x1.707f1p-5f, 0x1.752c44p-6f, -0x1.e6971ap-8f, 0x1.295eb6p-10f);
}
TILEOPS_FN double atan_tail(double z) {
  return polynomial(z, -0x1.5555555555554p-2, 0x1.999999999973p-3, -0x1.249249248646fp-3, 0x1.c71c71c3516dcp-4,
                    -0x1.745d16e95f288p-4, 0x1.3b13ab616dfb8p-4, -0x1.1110cdfe121c2p-4, 0x1.e1dd711cf0105p-5,
                    -0x1.af0bb8aac504ep-5, 0x1.858786c4a6d8p-5, -0x1.61e710cfd5989p-5, 0x1.4052aa948204ap-5,
                    -0x1.1bf157a09f7dfp-5, 0x1.dfea5d445380dp-6, -0x1.755f7478ac8e8p-6, 0x1.011ecdb617ec8p-6,
                    -0x1.2cd6df5f720abp-7, 0x1.1e3784fd790fp-8, -0x1.a48c8dc056672p-10, 0x1.bc3c4e2b88df2p-12,
                    -0x1.2aa050369f7fp-14, 0x1.7e66c49b3df89p-18);
}
// asin(x) = x + x^3 asin_tail(x^2) for |x| <= 1/2; errors 2^-31.7 and 2^-63.8.
TILEOPS_FN float asin_tail(float z) {
  return polynomial(z, 0x1.55554cp-3f, 0x1.3338acp-4f, 0x1.6ca75p-5f, 0x1.04d374p-5f, 0x1.d51024p-7f, 0x1.34d0ep-5f);
}
TILEOPS_FN double asin_tail(double z) {
  return polynomial(z, 0x1.5555555555553p-3, 0x1.33333333339eap-4, 0x1.6db6db6d4c2d5p-5, 0x1.f1c71ca6f2dp-6,
                    0x1.6e8b9b16f0a62p-6, 0x1.1c4f82ae47cfep-6, 0x1.c9812abcc48b4p-7, 0x1.7ba184ba16276p-7,
                    0x1.36d4ba6946768p-7, 0x1.47b6c3de5ff3p-7, 0x1.74520803f1b61p-11, 0x1.95cafa259d046p-6,
                    -0x1.ab3d773c0d385p-6, 0x1.13477909b2f21p-5);
}

// pi / 2 in two terms.
template <class T>
TILEOPS_FN two_terms<T> quarter_turn() {
  if constexpr (same_v<T, float>) return {0x1.921fb6p+0f, -0x1.777a5cp-25f};
  else return {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
}

// quarters pi/2 + sign (v + v_lo), |v| <= pi/2, where quarters is 0, 1 or 2.
template <class T>
TILEOPS_FN T turned(T quarters, T sign, T v, T v_lo) {
  const two_terms<T> quarter = quarter_turn<T>();
  const two_terms<T> sum = fast_two_sum(quarters * quarter.hi, sign * v);
  return sum.hi + (sum.lo + fma(quarters, quarter.lo, sign * v_lo));
}

// The angle of the point (x, y), y >= 0, whose coordinates are neither infinite nor both 0, and not so large that the
// reciprocal is subnormal. `left`: the point is (-x, y).
template <class T>
TILEOPS_FN T angle_of(T y, T x, bool left) {
  const bool steep = y > x;
  const T a = steep ? x : y, b = steep ? y : x;
  const T inv = T(1) / b;
  const T q = a * inv, z = q * q, cube = q * z, p = atan_tail(z);
  const T lost = fma(-q, b, a) * inv;
  const T tail = fma(cube, p, fma(fma(q, z, -cube), p, lost * fma(z, T(-0.5), T(1))));  // the derivative is 1 / (1 + z)
  return turned(steep ? T(1) : left ? T(2) : T(0), steep != left ? T(-1) : T(1), q, tail);
}

template <class T>
TILEOPS_FN T atan(T x) {
  return copysign(angle_of(at_most(abs(x), T(0x1p60)), T(1), false), x);
}

template <class P, class T>
TILEOPS_FN T atan2(T y, T x) {
  constexpr T inf_from = same_v<T, float> ? T(0x1.fffffep127) : T(0x1.fffffffffffffp1023);
  constexpr bool single = same_v<T, float>;
  constexpr T many = single ? T(0x1p100) : T(0x1p1000), few = single ? T(0x1p26) : T(0x1p60);
  constexpr T scale = single ? T(0x1p70) : T(0x1p600);
  const T ax = abs(x), ay = abs(y);
  const T most = ay > ax ? ay : ax;
  const bool infinite = most > inf_from;
  const T by = most > many ? T(1) / scale : most < few ? scale : T(1);  // so that `lost` is no subnormal number
  const T px = infinite ? (ax > inf_from ? T(1) : T(0)) : most == T(0) ? T(1) : ax * by;
  const T py = infinite ? (ay > inf_from ? T(1) : T(0)) : ay * by;
  const T angle = angle_of(py, px, (to_bits(x) >> (8 * sizeof(T) - 1)) != 0);
  const bool is_below = P::pre_round && angle < T(0x1p-23) && angle == ay / ax;  // which may be a tie
  const T r = is_below ? angle - angle * T(0x1p-45) : angle;
  return ((x != x) | (y != y)) ? limits<T>::nan() : copysign(r, y);
}

// asin(|x|) = s + tail up to 1/2; beyond it is pi/2 - 2 (s + tail) with s = sqrt((1 - |x|) / 2).
template <class T>
struct arc {
  T s, tail;
  bool far;
};
template <class T>
TILEOPS_FN arc<T> arc_of(T x) {
  const T a = abs(x);
  const bool far = a > T(0.5);
  const T z = far ? fma(a, T(-0.5), T(0.5)) : a * a;
  const two_terms<T> root = sqrt_terms<true>(two_terms<T>{z, T(0)});
  const T s = far ? root.hi : a;
  return {s, fma(s * z, asin_tail(z), far ? root.lo : T(0)), far};
}

template <class T>
TILEOPS_FN T asin(T x) {
  const arc<T> k = arc_of(x);
  const T times = k.far ? T(-2) : T(1);
  return copysign(turned(k.far ? T(1) : T(0), times, k.s, k.tail), x);
}

template <class T>
TILEOPS_FN T acos(T x) {
  const arc<T> k = arc_of(x);
  const T times = (k.far ? T(2) : T(-1)) * (x < T(0) ? T(-1) : T(1));
  return turned(k.far ? (x < T(0) ? T(2) : T(0)) : T(1), times, k.s, k.tail);
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

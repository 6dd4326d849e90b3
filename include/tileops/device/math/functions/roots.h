// SPDX-License-Identifier: Apache-2.0
// cbrt and hypot.
#ifndef TILEOPS_DEVICE_MATH_FUNCTIONS_ROOTS_H
#define TILEOPS_DEVICE_MATH_FUNCTIONS_ROOTS_H

#include "../../body.h"
#include "../common/scalar_lanes.h"
#include "../common/terms.h"
#include "../f64/pow.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

// m^(-1/3) for 1 <= m <= 2, error 2^-14.7.
TILEOPS_FN float inverse_cbrt(float m) {
  return polynomial(m, 0x1.ab859cp+0f, -0x1.2c41f8p+0f, 0x1.641668p-1f, -0x1.c51868p-3f, 0x1.d46f5ap-6f);
}
TILEOPS_FN double inverse_cbrt(double m) {
  return polynomial(m, 0x1.ab85bc816e1bep+0, -0x1.2c4261e9ba2cap+0, 0x1.641778a12b0e2p-1, -0x1.c51ae1725b2f4p-3,
                    0x1.d47389f6ccb27p-6);
}

TILEOPS_FN float root_of(float x) { return sqrt(x); }
TILEOPS_FN double root_of(double x) { return f64::sqrt(x); }

// The cube root of m 2^j, 1 <= m < 2 and j = 0, 1 or 2: the inverse one by a step of third order, from that the root,
// and that corrected by what its cube, in two terms, lacks.
template <class T>
TILEOPS_FN T cbrt_of(T m, u32 j) {
  const T by = j == 0u ? T(1) : j == 1u ? T(0.79370052598409974) : T(0.62996052494743658);
  const T x = m * (j == 0u ? T(1) : j == 1u ? T(2) : T(4));
  const T w0 = inverse_cbrt(m) * by;
  const T e = fma(-x * w0, w0 * w0, T(1));
  const T w = fma(w0 * e, fma(e, T(2) / T(9), T(1) / T(3)), w0), square = w * w;
  const T y = x * square;
  const two_terms<T> h = two_prod(y, y);
  const T rest = fma(-h.lo, y, fma(-h.hi, y, x));
  return fma(rest, square * (T(1) / T(3)), y);
}

// x = m 2^(3k + j). What is subnormal is taken 2^24 or 2^54 times as large, the root 2^8 or 2^18 times.
TILEOPS_FN float cbrt(float x) {
  const float a = abs(x);
  const bool tiny = a < 0x1p-126f;
  const u32 bits = to_bits(tiny ? a * 0x1p24f : a);
  const u32 e = (bits >> 23) + (192u - 127u);
  const u32 third = (e * 21846u) >> 16;
  const float y = cbrt_of(from_bits((bits & 0x007fffffu) | 0x3f800000u), e - 3u * third);
  const float r = y * from_bits((third + (127u - 64u) - (tiny ? 8u : 0u)) << 23);
  return ((a > 0.0f) & (a < limits<float>::inf())) ? copysign(r, x) : x;
}
TILEOPS_FN double cbrt(double x) {
  const double a = abs(x);
  const bool tiny = a < 0x1p-1022;
  const u64 bits = to_bits(tiny ? a * 0x1p54 : a);
  const u32 e = static_cast<u32>(bits >> 52) + (1536u - 1023u);
  const u32 third = (e * 21846u) >> 16;
  const double y = cbrt_of(from_bits((bits & 0xfffffffffffffu) | 0x3ff0000000000000u), e - 3u * third);
  const double r = y * from_bits(static_cast<u64>(third + (1023u - 512u) - (tiny ? 18u : 0u)) << 52);
  return ((a > 0.0) & (a < limits<double>::inf())) ? copysign(r, x) : x;
}

// The root of u^2 + v^2, u >= v >= 0. A float's root of the rounded sum can be 1.03 ulp away: what its square lacks is
// added. d = r - u is exact, so that the rest v^2 - 2ud - d^2 loses little; of 1 / r a few bits are enough.
TILEOPS_FN float root_of_squares(float u, float v) {
  const float r = sqrt(fma(u, u, v * v)), d = r - u;
  const float twice = 2.0f * u, most = twice * d;
  const float rest = fma(-d, d, fma(v, v, -most) - fma(twice, d, -most));
  const float about = from_bits(0x7ef311c7u - to_bits(r)), inverse = about * fma(-r, about, 2.0f);
  return fma(rest, 0.5f * inverse, r);
}
TILEOPS_FN double root_of_squares(double u, double v) { return root_of(fma(u, u, v * v)); }

// sqrt(a^2 + b^2), brought by a power of two to where squares neither overflow nor, if they matter, underflow.
template <class P, class T>
TILEOPS_FN T hypot(T a, T b) {
  constexpr T many = same_v<T, float> ? T(0x1p60) : T(0x1p500), scale = same_v<T, float> ? T(0x1p100) : T(0x1p600);
  const T x = abs(a), y = abs(b);
  const bool less = x < y;
  const T most = less ? y : x, least = less ? x : y;
  const bool huge = most > many, tiny = most < T(1) / many;
  const T by = huge ? T(1) / scale : tiny ? scale : T(1), back = huge ? scale : tiny ? T(1) / scale : T(1);
  const T u = most * by, v = least * by;
  const T root = root_of_squares(u, v) * back;
  const T r = P::pre_round && root == most && least > T(0) ? root + root * T(0x1p-45) : root;
  const T inf = limits<T>::inf();
  return ((x == inf) | (y == inf)) ? inf : r;
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

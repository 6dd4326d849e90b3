// SPDX-License-Identifier: Apache-2.0
// Formulas of arithmetic: interpolation, powers, rounding to decimals, quotients and remainders. As in formulas.h each
// is written once over a policy P and a compute type T.
#ifndef TILEOPS_DEVICE_MATH_ARITHMETIC_H
#define TILEOPS_DEVICE_MATH_ARITHMETIC_H

#include "../../body.h"
#include "../../config.h"
#include "compose.h"
#include "round.h"
#include "scalar_lanes.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

// Two branches, so that w = 0 gives a and w = 1 gives b exactly. Where b - a overflows, although a and
// b are finite, this form gives NaN or infinity for finite results, and (1 - w)a + wb takes its place.
template <class P, class V>
TILEOPS_FN V lerp(V a, V b, V w) {
  using T = typename scalar_of<V>::type;
  const V d = b - a;
  if constexpr (same_v<V, T>) {
    const T near_a = fma(w, d, a);
    const T near_b = fma(w - T(1), d, b);
    const T y = abs(w) < T(0.5) ? near_a : near_b;
    return difference_overflows(a, b, d) ? fma(w, b, fma(-w, a, a)) : y;
  } else {
    // For a vector register: one fma, and a branch to the rare case.
    const float inf = limits<float>::inf();
    const auto near_b = abs(w) >= 0.5f;
    const V y = fma(w - only_where(near_b, V(1.0f)), d, select(near_b, b, a));
    const auto infinite = abs(d) == inf;
    if (__builtin_expect(!any(infinite), 1)) return y;
    return select(infinite & (abs(a) < inf) & (abs(b) < inf), fma(w, b, fma(-w, a, a)), y);
  }
}

template <class P, class T>
TILEOPS_FN T cube(T x) {
  return x * x * x;
}

// Not 1 / (x * x), which is 0 where the result is still a subnormal number.
template <class P, class T>
TILEOPS_FN T inverse_square(T x) {
  const T r = P::rcp(x);
  return r * r;
}

// 10^n, 0 <= n < 512, without a loop, so that a loop around it can move it out and vectorise.
template <class T>
TILEOPS_FN T power_of_ten(int n) {
  T p = (n & 1) != 0 ? T(10) : T(1);
  p *= (n & 2) != 0 ? T(1e2) : T(1);
  p *= (n & 4) != 0 ? T(1e4) : T(1);
  p *= (n & 8) != 0 ? T(1e8) : T(1);
  p *= (n & 16) != 0 ? T(1e16) : T(1);
  p *= (n & 32) != 0 ? T(1e32) : T(1);
  if constexpr (sizeof(T) == 4) {
    return (n & ~63) != 0 ? limits<T>::inf() : p;
  } else {
    p *= (n & 64) != 0 ? T(1e64) : T(1);
    p *= (n & 128) != 0 ? T(1e128) : T(1);
    return (n & ~255) != 0 ? limits<T>::inf() : p;
  }
}

// Half to even after `decimals` decimal places, or before the point if negative. Correctly rounded for up
// to 10 places in f32 and 22 in f64, for which the power of ten is exact.
template <class P, class T>
TILEOPS_FN T round_decimals(T x, int decimals) {
  const bool before = decimals < 0;
  const T scale = power_of_ten<T>(before ? -decimals : decimals);
  const T q = before ? x / scale : x * scale;
  // What q lost in being rounded, or of its sign: where q is a half, this tells on which side x is.
  const T lost = before ? fma(-q, scale, x) : fma(x, scale, -q);
  const T n = round_(q), rest = q - n;
  const T up = ((rest == T(0.5)) & (lost > T(0))) ? T(1) : T(0);
  const T down = ((rest == T(-0.5)) & (lost < T(0))) ? T(1) : T(0);
  const T m = n + (up - down);
  const T y = copysign(before ? m * scale : m / scale, x);
  // Neighbours of larger numbers are a unit of that place apart, or more; also infinity and NaN.
  return abs(q) < T(2) * range<T>::integers ? y : x;
}

// trunc(a / b) of the exact quotient, which may lie below an integer that it is rounded to: of one in a million
// pairs of f16 that changed the result (0x41a7 / 0x0699 = 28072.9994). NaN and infinity have no such rest.
template <class T>
TILEOPS_FN T truncated_quotient(T a, T b) {
  const T n = trunc_(a / b);
  const T rest = fma(-n, b, a);
  const bool beyond = ((rest < T(0)) & (a > T(0))) | ((rest > T(0)) & (a < T(0)));
  return copysign(n - (beyond ? copysign(T(1), n) : T(0)), n);
}

// ---- remainder and floor_divide, from fmod as in PyTorch

template <class T>
TILEOPS_FN T remainder_from(T mod, T b) {
  return ((mod != T(0)) & ((b < T(0)) != (mod < T(0)))) ? mod + b : mod;
}
template <class P, class T>
TILEOPS_FN T remainder(T a, T b) {
  return remainder_from(P::fmod(a, b), b);
}
template <class P, class T>
TILEOPS_FN bool remainder_rare(T a, T b) {
  return P::fmod_rare(a, b);
}
template <class P, class T>
TILEOPS_SLOW_FN T remainder_slow(T a, T b) {
  return remainder_from(P::fmod_slow(a, b), b);
}

template <class T>
TILEOPS_FN T floor_divide_from(T mod, T a, T b) {
  const bool down = (mod != T(0)) & ((b < T(0)) != (mod < T(0)));
  const T q = (a - mod) / b;
  const T div = down ? q - T(1) : q;
  const T f = floor_(div);
  const T r = div - f > T(0.5) ? f + T(1) : f;
  const T ab = a / b;
  const T z = div != T(0) ? r : copysign(T(0), ab);
  return b == T(0) ? ab : z;
}
template <class P, class T>
TILEOPS_FN T floor_divide(T a, T b) {
  return floor_divide_from(P::fmod(a, b), a, b);
}
template <class P, class T>
TILEOPS_FN bool floor_divide_rare(T a, T b) {
  return P::fmod_rare(a, b);
}
template <class P, class T>
TILEOPS_SLOW_FN T floor_divide_slow(T a, T b) {
  return floor_divide_from(P::fmod_slow(a, b), a, b);
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

// Numbers carried as an unevaluated sum of two, and the exact operations that make them.
#ifndef TILEOPS_DEVICE_MATH_TERMS_H
#define TILEOPS_DEVICE_MATH_TERMS_H

#include "../config.h"

namespace tileops {
namespace device {
inline namespace TILEOPS_DEVICE_NS {

template <class T>
struct two_terms {
  T hi, lo;
};

// Exact, whichever is larger.
template <class T>
TILEOPS_FN two_terms<T> two_sum(T a, T b) {
  const T s = a + b;
  const T t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}

// Exact, unless the low part underflows.
template <class T>
TILEOPS_FN two_terms<T> two_prod(T a, T b) {
  const T p = a * b;
  return {p, fma(a, b, -p)};
}

// (a + a_lo) / (b + b_lo) through one division, error little above half an ulp. Finite operands only.
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

// NaN passes.
template <class T>
TILEOPS_FN T clamp_nan(T x, T lo, T hi) {
  const T y = x < lo ? lo : x;
  return y > hi ? hi : y;
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device
}  // namespace tileops

#endif

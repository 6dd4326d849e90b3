// SPDX-License-Identifier: Apache-2.0
// Integer division and powers that never trap: x / 0 = x % 0 = 0, INT_MIN / -1 wraps.
#ifndef TILEOPS_DEVICE_MATH_INTEGER_H
#define TILEOPS_DEVICE_MATH_INTEGER_H

#include "../../body.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

template <class T>
TILEOPS_FN unsigned_t<T> magnitude(T x) {
  using U = unsigned_t<T>;
  return x < 0 ? static_cast<U>(U(0) - static_cast<U>(x)) : static_cast<U>(x);
}

// Truncated quotient.
template <class T>
TILEOPS_FN T int_div(T a, T b) {
  if (b == 0) return 0;
#if defined(__CUDA_ARCH__)
  // A GPU divides 64-bit numbers by 32-bit division where both upper halves are 0, as of small magnitudes they are.
  if constexpr (is_signed_v<T> && sizeof(T) == 8) {
    const unsigned_t<T> q = magnitude(a) / magnitude(b);
    return static_cast<T>((a < 0) != (b < 0) ? unsigned_t<T>(0) - q : q);
  }
#endif
  if constexpr (is_signed_v<T>) {
    if (b == T(-1)) return wrap_neg(a);
  }
  return static_cast<T>(a / b);
}

// Quotient rounded toward -infinity.
template <class T>
TILEOPS_FN T int_floor_div(T a, T b) {
  const T q = int_div(a, b);
  if constexpr (is_signed_v<T>) {
    const bool inexact = b != 0 && wrap_mul(q, b) != a;
    return inexact && ((a < 0) != (b < 0)) ? wrap_sub(q, T(1)) : q;
  }
  return q;
}

// a - b * floor(a / b): the sign of b.
template <class T>
TILEOPS_FN T int_remainder(T a, T b) {
  return b == 0 ? T(0) : wrap_sub(a, wrap_mul(int_floor_div(a, b), b));
}

// By squaring, wrapping; a negative exponent gives 0 except for bases 1 and -1. The exponent may be
// of another integer type.
template <class T, class E>
TILEOPS_FN T int_pow(T a, E b) {
  if constexpr (is_signed_v<E>) {
    if (b < 0) {
      if (a == 1) return 1;
      if (is_signed_v<T> && a == T(-1)) return (b & 1) ? T(-1) : T(1);
      return 0;
    }
  }
  T result = 1;
  for (unsigned_t<E> e = static_cast<unsigned_t<E>>(b); e; e = static_cast<unsigned_t<E>>(e >> 1)) {
    if (e & 1) result = wrap_mul(result, a);
    a = wrap_mul(a, a);
  }
  return result;
}

// How many bits of a word are set: sums of neighbours, of pairs, of fours, of all bytes.
template <class W>
TILEOPS_FN W bits_set(W n) {
  constexpr W ones = static_cast<W>(~W(0));
  n -= (n >> 1) & (ones / 3);
  n = (n & (ones / 5)) + ((n >> 2) & (ones / 5));
  n = (n + (n >> 4)) & (ones / 17);
  return (n * (ones / 255)) >> (8 * sizeof(W) - 8);
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

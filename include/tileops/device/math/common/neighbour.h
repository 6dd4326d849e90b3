// SPDX-License-Identifier: Apache-2.0
// The next number of a dtype in a direction, given and returned in the type that it computes in.
#ifndef TILEOPS_DEVICE_MATH_NEIGHBOUR_H
#define TILEOPS_DEVICE_MATH_NEIGHBOUR_H

#include "../../body.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

// The next number after x on the way to `towards`, of a dtype that is given by its digits and by its least normal,
// least subnormal and largest numbers. x itself may lie between two numbers of the dtype. Subnormal numbers are
// multiples of the least one.
template <int digits, class T>
TILEOPS_FN T neighbour(T x, T towards, T least_normal, T least, T largest) {
  using U = decltype(to_bits(x));
  constexpr U step = U(1) << ((sizeof(T) == 4 ? 24 : 53) - digits);
  const T a = abs(x);
  const bool grows = (towards > x) == (x > T(0)), small = (a < least_normal) | (!grows & (a == least_normal));
  const T larger = from_bits((to_bits(a) & ~(step - 1)) + step), smaller = from_bits((to_bits(a) - 1) & ~(step - 1));
  const T far = grows ? larger : smaller < largest ? smaller : largest;
  const T grid = least_normal * T(step), m = (a + grid) - grid;  // the multiple nearest to a, where a is small
  const T close = grows ? (m > a ? m : m + least) : (m < a ? m : m - least);
  const T y = copysign(small ? close : far, x);
  const T moved = x == towards ? towards : x == T(0) ? copysign(least, towards) : y;
  return ((x != x) | (towards != towards)) ? limits<T>::nan() : moved;
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

// SPDX-License-Identifier: Apache-2.0
// log(e^a + e^b).
#ifndef TILEOPS_DEVICE_MATH_FUNCTIONS_LOGADDEXP_H
#define TILEOPS_DEVICE_MATH_FUNCTIONS_LOGADDEXP_H

#include "../common/compose.h"
#include "../common/scalar_lanes.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

// max(a, b) + log1p(e^-d), d = |a - b| in two terms. Of infinities the larger operand.
template <class P, class T>
TILEOPS_FN T logaddexp(T a, T b) {
  const bool less = a < b;
  const T most = less ? b : a, least = less ? a : b;
  const two_terms<T> d = two_sum(least, -most);
  const bool near = d.hi >= -T(range<T>::exp_tail);  // not for NaN
  const exp_parts_t<T> e = P::exp_parts(near ? d.hi : -T(range<T>::exp_tail), near ? d.lo : T(0));
  const T scale = e.s1 * e.s2;
  const two_terms<T> l = log1p_scaled<P>(e.hi, e.lo, scale);
  const two_terms<T> sum = two_sum(most, near ? l.hi * scale : T(0));
  const T sums = sum.hi + (sum.lo + (near ? l.lo * scale : T(0)));
  const bool is_above = P::pre_round && sums == most && least > -limits<T>::inf();
  const T y = is_above ? sums + abs(sums) * T(0x1p-45) : sums;
  const T known = abs(most) < limits<T>::inf() ? y : most;
  return ((a != a) | (b != b)) ? limits<T>::nan() : known;
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

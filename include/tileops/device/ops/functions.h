// SPDX-License-Identifier: Apache-2.0
// Bodies of functions.def: functions that only expressions have.
#ifndef TILEOPS_DEVICE_OPS_FUNCTIONS_H
#define TILEOPS_DEVICE_OPS_FUNCTIONS_H

#include "../math/common/round_to_odd.h"
#include "position.h"
#include "unary.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace op {

template <class P, class T>
struct fused_multiply_add : body {
  using body::body;
  static constexpr bool cheap = true, has_round_to_odd = true;
  template <class V>
  TILEOPS_FN V operator()(V a, V b, V c) const {
    return fma(a, b, c);
  }
  template <class V>
  TILEOPS_FN V round_to_odd(V a, V b, V c) const {
    return fma_to_odd(a, b, c);
  }
};

// What dropout keeps of elements of these numbers.
template <class P, class T>
struct dropout_mask : body {
  dropout<P, float> whole;
  TILEOPS_FN explicit dropout_mask(const AttrValue* a) : whole(make(a[0])) {}
  TILEOPS_FN bool operator()(i64 index, i64 seed, i64 offset) const {
    return result<1>(whole(0.0f, index, seed, offset));
  }

 private:
  static TILEOPS_FN dropout<P, float> make(AttrValue p) {
    AttrValue a[4] = {p, {}, {}, {}};
    a[3].i64 = 1;  // training
    return dropout<P, float>(a);
  }
};

}  // namespace op
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

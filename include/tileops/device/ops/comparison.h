// SPDX-License-Identifier: Apache-2.0
// Bodies of ops/comparison.def.
#ifndef TILEOPS_DEVICE_OPS_COMPARISON_H
#define TILEOPS_DEVICE_OPS_COMPARISON_H

#include "../body.h"

namespace tileops {
namespace device {
inline namespace TILEOPS_DEVICE_NS {
namespace op {

#define TILEOPS_COMPARISON(name, value)                       \
  template <class P, class T>                                 \
  struct name : body {                                        \
    using body::body;                                         \
    TILEOPS_FN bool operator()(T a, T b) const { return value; } \
    static constexpr bool has_test = same_v<T, float>;        \
    template <class V>                                        \
    static TILEOPS_FN auto test(V a, V b) {                   \
      return value;                                           \
    }                                                         \
  };
TILEOPS_COMPARISON(eq, a == b)
TILEOPS_COMPARISON(ne, a != b)
TILEOPS_COMPARISON(gt, a > b)
TILEOPS_COMPARISON(lt, a < b)
TILEOPS_COMPARISON(ge, a >= b)
TILEOPS_COMPARISON(le, a <= b)

#define TILEOPS_BITWISE(name, value)                                          \
  template <class P, class T>                                                 \
  struct name : body {                                                        \
    using body::body;                                                         \
    TILEOPS_FN T operator()(T a, T b) const { return static_cast<T>(value); } \
  };
TILEOPS_BITWISE(bitwise_and, a & b)
TILEOPS_BITWISE(bitwise_or, a | b)
TILEOPS_BITWISE(bitwise_xor, a ^ b)

template <class P, class T>
struct bitwise_not : body {
  using body::body;
  TILEOPS_FN T operator()(T x) const {
    if constexpr (same_v<T, bool>) return !x;
    else return static_cast<T>(~x);
  }
};

// Operands arrive as bool; T is only the type the operands had.
template <class P, class T>
struct logical_and : body {
  using body::body;
  TILEOPS_FN bool operator()(bool a, bool b) const { return a & b; }
  static constexpr bool has_test = same_v<T, bool>;
  template <class V>
  static TILEOPS_FN auto test(V a, V b) {
    return (a != 0.0f) & (b != 0.0f);
  }
};
template <class P, class T>
struct logical_or : body {
  using body::body;
  TILEOPS_FN bool operator()(bool a, bool b) const { return a | b; }
  static constexpr bool has_test = same_v<T, bool>;
  template <class V>
  static TILEOPS_FN auto test(V a, V b) {
    return (a != 0.0f) | (b != 0.0f);
  }
};
template <class P, class T>
struct logical_not : body {
  using body::body;
  TILEOPS_FN bool operator()(bool x) const { return !x; }
  static constexpr bool has_test = same_v<T, bool>;
  template <class V>
  static TILEOPS_FN auto test(V x) {
    return x == 0.0f;
  }
};

}  // namespace op
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device
}  // namespace tileops

#endif

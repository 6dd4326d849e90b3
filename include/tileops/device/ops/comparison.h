// SPDX-License-Identifier: Apache-2.0
// Bodies of ops/comparison.def.
#ifndef TILEOPS_DEVICE_OPS_COMPARISON_H
#define TILEOPS_DEVICE_OPS_COMPARISON_H

#include "../body.h"
#include "../math/common/integer.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace op {

// The result is bool or, of vector registers, a mask.
#define TILEOPS_COMPARISON(name, value)             \
  template <class P, class T>                       \
  struct name : body {                              \
    using body::body;                               \
    static constexpr auto algebra = Algebra::order; \
    template <class V>                              \
    TILEOPS_FN auto operator()(V a, V b) const {    \
      return value;                                 \
    }                                               \
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
TILEOPS_BITWISE(bitwise_and, a& b)
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

// By the number of bits and more, or fewer than 0, everything is shifted out. On unsigned numbers, of which none is
// undefined.
template <class P, class T>
struct bitwise_left_shift : body {
  using body::body;
  static constexpr bool cheap = true;
  TILEOPS_FN T operator()(T a, T b) const {
    using U = unsigned_t<T>;
    const bool out = static_cast<U>(b) >= 8 * sizeof(T);
    return out ? T(0) : static_cast<T>(u64{static_cast<U>(a)} << (out ? 0 : static_cast<int>(b)));
  }
};
template <class P, class T>
struct bitwise_right_shift : body {
  using body::body;
  static constexpr bool cheap = true;
  TILEOPS_FN T operator()(T a, T b) const {
    constexpr int most = 8 * sizeof(T) - 1;
    const bool out = static_cast<unsigned_t<T>>(b) > most;
    if constexpr (is_signed_v<T>) return static_cast<T>(a >> (out ? most : static_cast<int>(b)));
    else return out ? T(0) : static_cast<T>(a >> (out ? 0 : static_cast<int>(b)));
  }
};

template <class P, class T>
struct popcount : body {
  using body::body;
  static constexpr bool cheap = true;
  TILEOPS_FN T operator()(T x) const {
    if constexpr (sizeof(T) == 8) return static_cast<T>(bits_set(static_cast<u64>(x)));
    else return static_cast<T>(bits_set(u32{static_cast<unsigned_t<T>>(x)}));
  }
};

// Operands arrive as bool; T is only the type the operands had.
template <class P, class T>
struct logical_and : body {
  using body::body;
  TILEOPS_FN bool operator()(bool a, bool b) const { return a & b; }
};
template <class P, class T>
struct logical_or : body {
  using body::body;
  TILEOPS_FN bool operator()(bool a, bool b) const { return a | b; }
};
template <class P, class T>
struct logical_not : body {
  using body::body;
  TILEOPS_FN bool operator()(bool x) const { return !x; }
};

}  // namespace op
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

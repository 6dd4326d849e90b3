// SPDX-License-Identifier: Apache-2.0
// Bodies of ops/unary_math.def.
#ifndef TILEOPS_DEVICE_OPS_UNARY_MATH_H
#define TILEOPS_DEVICE_OPS_UNARY_MATH_H

#include "../body.h"
#include "../convert.h"
#include "../math/common/formulas.h"
#include "../math/common/round.h"
#include "unary.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace op {

TILEOPS_UNARY_V(exp, P::exp(x))
TILEOPS_UNARY_V_OF(jumping, log, P::log(x))
TILEOPS_UNARY_V_OF(jumping, sqrt, P::sqrt(x))
TILEOPS_UNARY_V(reciprocal, P::rcp(x))
TILEOPS_UNARY(erf, P::erf(x))
TILEOPS_UNARY_OF(jumping, log1p, P::log1p(x))
TILEOPS_UNARY(expm1, P::expm1(x))

template <class P, class T>
struct rsqrt : jumping {
  using jumping::jumping;
  static constexpr bool cheap = true;
  static constexpr auto accuracy = Accuracy::exact_among_bf16;
  template <class V>
  TILEOPS_FN V operator()(V x) const {
    return P::rsqrt(x);
  }
};

template <class P, class T>
struct sin : body {
  using body::body;
  template <class V>
  TILEOPS_FN V operator()(V x) const {
    return P::sin(x);
  }
  TILEOPS_FN bool rare(T x) const { return P::sin_rare(x); }
  TILEOPS_SLOW_FN T slow(T x) const { return P::sin_slow(x); }
};

template <class P, class T>
struct cos : body {
  using body::body;
  template <class V>
  TILEOPS_FN V operator()(V x) const {
    return P::cos(x);
  }
  TILEOPS_FN bool rare(T x) const { return P::cos_rare(x); }
  TILEOPS_SLOW_FN T slow(T x) const { return P::cos_slow(x); }
};

template <class P, class T>
struct abs : body {
  using body::body;
  TILEOPS_FN T operator()(T x) const {
    if constexpr (is_float_v<T>) return device_detail::abs(x);
    else if constexpr (is_signed_v<T>) return x < 0 ? wrap_neg(x) : x;
    else return x;
  }
  // On the bits of a float of any width, given its sign bit.
  static TILEOPS_FN u32 on_bits(u32 x, u32 sign) { return x & ~sign; }
};

template <class P, class T>
struct neg : body {
  using body::body;
  TILEOPS_FN T operator()(T x) const {
    if constexpr (is_float_v<T>) return -x;
    else return wrap_neg(x);
  }
  static TILEOPS_FN u32 on_bits(u32 x, u32 sign) { return x ^ sign; }
};

TILEOPS_UNARY_OF(jumping, sign, T((x > T(0)) - (x < T(0))))

// Rounding to integers: the identity on integers.
#define TILEOPS_ROUNDING(name)                                \
  template <class P, class T>                                 \
  struct name : jumping {                                     \
    using jumping::jumping;                                   \
    static constexpr auto accuracy = Accuracy::representable; \
    TILEOPS_FN T operator()(T x) const {                      \
      if constexpr (is_float_v<T>) return name##_(x);         \
      else return x;                                          \
    }                                                         \
  };
TILEOPS_ROUNDING(floor)
TILEOPS_ROUNDING(ceil)
TILEOPS_ROUNDING(trunc)

template <class P, class T>
struct round : jumping {
  using jumping::jumping;
  static TILEOPS_FN bool fits(const BodyChoice& c) { return c.attrs[0].i64 == 0; }
  static constexpr bool cheap = true;
  static constexpr auto accuracy = Accuracy::representable;
  TILEOPS_FN T operator()(T x) const {
    if constexpr (is_float_v<T>) return round_(x);
    else return x;
  }
};

template <class P, class T>
struct round_decimals : jumping {
  i64 decimals;
  TILEOPS_FN explicit round_decimals(const AttrValue* a) : decimals(a[0].i64) {}
  TILEOPS_FN T operator()(T x) const {
    if constexpr (is_float_v<T>) return device_detail::round_decimals<P>(x, static_cast<int>(decimals));
    else return x;
  }
};

}  // namespace op
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

// SPDX-License-Identifier: Apache-2.0
// Bodies of ops/unary_math.def.
#ifndef TILEOPS_DEVICE_OPS_UNARY_MATH_H
#define TILEOPS_DEVICE_OPS_UNARY_MATH_H

#include "../body.h"
#include "../convert.h"
#include "../math/common/arithmetic.h"
#include "../math/common/formulas.h"
#include "../math/common/round.h"
#include "../math/functions/erfinv.h"
#include "../math/functions/hyperbolic.h"
#include "../math/functions/inverse_trig.h"
#include "../math/functions/lgamma.h"
#include "../math/functions/logarithms.h"
#include "../math/functions/roots.h"
#include "../math/functions/tan.h"
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
TILEOPS_UNARY(erfc, P::erfc(x))
TILEOPS_UNARY_OF(jumping, erfinv, device_detail::erfinv(x))
TILEOPS_UNARY_OF(jumping, log1p, P::log1p(x))
TILEOPS_UNARY(expm1, P::expm1(x))
TILEOPS_UNARY(exp2, P::exp2(x))

TILEOPS_UNARY(sinh, device_detail::sinh(x))
TILEOPS_UNARY(cosh, device_detail::cosh(x))
TILEOPS_UNARY(asinh, device_detail::asinh(x))
TILEOPS_UNARY_OF(jumping, acosh, device_detail::acosh(x))
TILEOPS_UNARY_OF(jumping, atanh, device_detail::atanh(x))
TILEOPS_UNARY_OF(jumping, asin, device_detail::asin(x))
TILEOPS_UNARY_OF(jumping, acos, device_detail::acos(x))
TILEOPS_UNARY(atan, device_detail::atan(x))
TILEOPS_UNARY_OF(jumping, log2, device_detail::log2(x))
TILEOPS_UNARY_OF(jumping, log10, device_detail::log10(x))
TILEOPS_UNARY(cbrt, device_detail::cbrt(x))
TILEOPS_UNARY(sinc, device_detail::sinc(x))

// Next to the zeros between negative integers a float result is rounded from the double one.
template <class P, class T>
struct lgamma : jumping {  // at its poles
  using jumping::jumping;
  TILEOPS_FN T operator()(T x) const { return device_detail::lgamma(x); }
  TILEOPS_FN bool rare(T x) const {
    if constexpr (same_v<T, double>) return false;
    else return (x < T(-2)) & (device_detail::abs(device_detail::lgamma(x)) < T(0.25));
  }
  TILEOPS_SLOW_FN T slow(T x) const { return static_cast<T>(device_detail::lgamma(static_cast<double>(x))); }
};

template <class P, class T>
struct tan : jumping {  // at its poles
  using jumping::jumping;
  TILEOPS_FN T operator()(T x) const { return device_detail::tan(x); }
  TILEOPS_FN bool rare(T x) const { return tan_rare(x); }
  TILEOPS_SLOW_FN T slow(T x) const { return tan_slow(x); }
};

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

// SPDX-License-Identifier: Apache-2.0
// Bodies of ops/binary_arith.def.
#ifndef TILEOPS_DEVICE_OPS_BINARY_ARITH_H
#define TILEOPS_DEVICE_OPS_BINARY_ARITH_H

#include "../body.h"
#include "../convert.h"
#include "../math/common/arithmetic.h"
#include "../math/common/formulas.h"
#include "../math/common/integer.h"
#include "../math/common/neighbour.h"
#include "../math/common/policy.h"
#include "../math/common/round.h"
#include "../math/common/round_to_odd.h"
#include "../math/functions/inverse_trig.h"
#include "../math/functions/logaddexp.h"
#include "../math/functions/roots.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace op {

// alpha = 1: no multiplication. bool arithmetic: T(1 + 1) is true.
template <class P, class T>
struct add : body {
  using body::body;
  static constexpr auto accuracy = Accuracy::exact;
  static constexpr auto algebra = Algebra::sum;
  static TILEOPS_FN bool fits(const BodyChoice& c) { return c.attrs[0].f64 == 1.0; }
  TILEOPS_FN T operator()(T a, T b) const {
    if constexpr (is_float_v<T>) return a + b;
    else if constexpr (same_v<T, bool>) return a | b;
    else return wrap_add(a, b);
  }
};

template <class P, class T>
struct sub : body {
  using body::body;
  static constexpr auto accuracy = Accuracy::exact;
  static constexpr auto algebra = Algebra::sum;
  static TILEOPS_FN bool fits(const BodyChoice& c) { return c.attrs[0].f64 == 1.0; }
  TILEOPS_FN T operator()(T a, T b) const {
    if constexpr (is_float_v<T>) return a - b;
    else return wrap_sub(a, b);
  }
};

// alpha of integers wraps: -1 is 255 for uint8.
template <class T>
TILEOPS_FN T wrapped(double x) {
  if constexpr (is_float_v<T> || same_v<T, bool>) return convert<T>(x);
  else if constexpr (same_v<T, u64>) return x < 0 ? static_cast<T>(static_cast<i64>(x)) : convert<T>(x);
  else return static_cast<T>(static_cast<i64>(x));
}

// a + alpha*b with one rounding for floats.
template <class P, class T>
struct add_scaled : body {
  T alpha;
  TILEOPS_FN explicit add_scaled(const AttrValue* a) : alpha(wrapped<T>(a[0].f64)) {}
  TILEOPS_FN T operator()(T a, T b) const {
    if constexpr (is_float_v<T>) return fma(alpha, b, a);
    else if constexpr (same_v<T, bool>) return a | (alpha & b);
    else return wrap_add(a, wrap_mul(alpha, b));
  }
  static constexpr bool has_round_to_odd = true;
  template <class V>
  TILEOPS_FN V round_to_odd(V a, V b) const {
    return fma_to_odd(V(alpha), b, a);
  }
};

template <class P, class T>
struct sub_scaled : body {
  T alpha;
  TILEOPS_FN explicit sub_scaled(const AttrValue* a) : alpha(wrapped<T>(a[0].f64)) {}
  TILEOPS_FN T operator()(T a, T b) const {
    if constexpr (is_float_v<T>) return fma(-alpha, b, a);
    else return wrap_sub(a, wrap_mul(alpha, b));
  }
  static constexpr bool has_round_to_odd = true;
  template <class V>
  TILEOPS_FN V round_to_odd(V a, V b) const {
    return fma_to_odd(V(-alpha), b, a);
  }
};

template <class P, class T>
struct mul : body {
  using body::body;
  TILEOPS_FN T operator()(T a, T b) const {
    if constexpr (is_float_v<T>) return a * b;
    else if constexpr (same_v<T, bool>) return a & b;
    else return wrap_mul(a, b);
  }
};

template <class P, class T>
struct div : body {
  using body::body;
  static TILEOPS_FN bool fits(const BodyChoice& c) { return c.attrs[0].i64 == 0; }
  TILEOPS_FN T operator()(T a, T b) const {
    if constexpr (is_float_v<T>) return a / b;
    else return int_div(a, b);  // not reached: integers compute in f32 here
  }
};

template <class P, class T>
struct div_trunc : jumping {
  using jumping::jumping;
  static TILEOPS_FN bool fits(const BodyChoice& c) { return c.attrs[0].i64 == 1; }
  TILEOPS_FN T operator()(T a, T b) const {
    if constexpr (is_float_v<T>) return truncated_quotient(a, b);
    else return int_div(a, b);
  }
};

template <class P, class T>
struct remainder : jumping {
  using jumping::jumping;
  TILEOPS_FN T operator()(T a, T b) const {
    if constexpr (is_float_v<T>) return device_detail::remainder<P>(a, b);
    else return int_remainder(a, b);
  }
  TILEOPS_FN bool rare(T a, T b) const {
    if constexpr (is_float_v<T>) return device_detail::remainder_rare<P>(a, b);
    else return false;
  }
  TILEOPS_SLOW_FN T slow(T a, T b) const {
    if constexpr (is_float_v<T>) return device_detail::remainder_slow<P>(a, b);
    else return int_remainder(a, b);
  }
};

template <class P, class T>
struct fmod : jumping {
  using jumping::jumping;
  TILEOPS_FN T operator()(T a, T b) const {
    if constexpr (is_float_v<T>) return P::fmod(a, b);
    else return b == 0 ? T(0) : wrap_sub(a, wrap_mul(int_div(a, b), b));
  }
  TILEOPS_FN bool rare(T a, T b) const {
    if constexpr (is_float_v<T>) return P::fmod_rare(a, b);
    else return false;
  }
  TILEOPS_SLOW_FN T slow(T a, T b) const {
    if constexpr (is_float_v<T>) return P::fmod_slow(a, b);
    else return (*this)(a, b);
  }
};

template <class P, class T>
struct floor_divide : jumping {
  using jumping::jumping;
  TILEOPS_FN T operator()(T a, T b) const {
    if constexpr (is_float_v<T>) return device_detail::floor_divide<P>(a, b);
    else return int_floor_div(a, b);
  }
  TILEOPS_FN bool rare(T a, T b) const {
    if constexpr (is_float_v<T>) return device_detail::floor_divide_rare<P>(a, b);
    else return false;
  }
  TILEOPS_SLOW_FN T slow(T a, T b) const {
    if constexpr (is_float_v<T>) return device_detail::floor_divide_slow<P>(a, b);
    else return int_floor_div(a, b);
  }
};

template <class P, class T>
struct pow : jumping {  // of a negative base: NaN where the exponent is no integer
  using jumping::jumping;
  template <class V>
  TILEOPS_FN V operator()(V a, V b) const {
    if constexpr (is_float_v<T>) return P::pow(a, b);
    else return int_pow(a, b);
  }
};

// Exponents that PyTorch specialises too; the exponent is no operand then.
TILEOPS_FN bool is_exponent(const BodyChoice& c, double exponent) {
  return !c.input_present[1] && c.attr_given[0] && c.attrs[0].f64 == exponent;
}
#define TILEOPS_POW(base, name, exponent, is_exact, for_float, for_int)                   \
  template <class P, class T>                                                             \
  struct name : base {                                                                    \
    using base::base;                                                                     \
    static constexpr bool cheap = true;                                                   \
    static constexpr auto accuracy = is_exact ? Accuracy::exact : Accuracy::bounded;      \
    static TILEOPS_FN bool fits(const BodyChoice& c) { return is_exponent(c, exponent); } \
    TILEOPS_FN T operator()(T x) const {                                                  \
      if constexpr (is_float_v<T>) return for_float;                                      \
      else return for_int;                                                                \
    }                                                                                     \
  };
TILEOPS_POW(body, pow_2, 2.0, true, x* x, wrap_mul(x, x))
TILEOPS_POW(body, pow_3, 3.0, false, cube<P>(x), wrap_mul(wrap_mul(x, x), x))
TILEOPS_POW(jumping, pow_minus_half, -0.5, false, x == -limits<T>::inf() ? T(0) : P::rsqrt(x + T(0)), x)
TILEOPS_POW(body, pow_minus_1, -1.0, true, P::rcp(x), int_pow(x, -1))
TILEOPS_POW(body, pow_minus_2, -2.0, false, inverse_square<P>(x), int_pow(x, -2))

template <class P, class T>
struct pow_half : jumping {
  using jumping::jumping;
  static constexpr bool cheap = true;
  static constexpr auto accuracy = Accuracy::exact;
  static TILEOPS_FN bool fits(const BodyChoice& c) { return is_exponent(c, 0.5); }
  template <class V>
  TILEOPS_FN V operator()(V x) const {
    if constexpr (same_v<T, float>) return power_half(x);
    else if constexpr (is_float_v<T>) return x == -limits<T>::inf() ? -x : P::sqrt(x + T(0));
    else return x;  // not reached: 0.5 is no exponent for integers
  }
};

// Exponents of integers that are attributes need not fit the operand's type. (Of floats they become an
// operand: with the exponent outside the loop g++ 12 splits it by cases and vectorises none.)
template <class P, class T>
struct pow_attr : body {
  double exponent;
  TILEOPS_FN explicit pow_attr(const AttrValue* a) : exponent(a[0].f64) {}
  static TILEOPS_FN bool fits(const BodyChoice& c) { return !c.input_present[1] && c.attr_given[0] && !c.floating; }
  TILEOPS_FN T operator()(T x) const {
    if constexpr (is_float_v<T>) return P::pow(x, static_cast<T>(exponent));  // not reached
    else return int_pow(x, static_cast<i64>(exponent));
  }
};

template <class P, class T>
struct lerp : body {
  using body::body;
  static constexpr bool has_round_to_odd = true;
  template <class V>
  TILEOPS_FN V operator()(V a, V b, V w) const {
    return device_detail::lerp<P>(a, b, w);
  }
  template <class V>
  TILEOPS_FN V round_to_odd(V a, V b, V w) const {
    return lerp_to_odd(a, b, w);
  }
};

template <class P, class T>
struct lerp_attr : body {
  T weight;
  TILEOPS_FN explicit lerp_attr(const AttrValue* a) : weight(T(a[0].f64)) {}
  static TILEOPS_FN bool fits(const BodyChoice& c) { return !c.input_present[2]; }
  static constexpr bool has_round_to_odd = true;
  TILEOPS_FN T operator()(T a, T b) const { return device_detail::lerp<P>(a, b, weight); }
  template <class V>
  TILEOPS_FN V round_to_odd(V a, V b) const {
    return lerp_to_odd(a, b, V(weight));
  }
};

// The middle: half of the sum, rounded once, or the sum of the halves where that overflows. NaN where b is
// infinite, as b + (w - 1)(b - a).
template <class P, class T>
struct lerp_half : body {
  using body::body;
  static constexpr auto accuracy = Accuracy::exact;
  static TILEOPS_FN bool fits(const BodyChoice& c) { return !c.input_present[2] && c.attrs[0].f64 == 0.5; }
  TILEOPS_FN T operator()(T a, T b) const {
    const T sum = a + b;
    const T halves = fma(T(0.5), b, fma(b, T(0), T(0.5) * a));
    return abs(sum) < limits<T>::inf() ? T(0.5) * sum : halves;
  }
};

template <class P, class T>
struct atan2 : jumping {  // from pi to -pi
  using jumping::jumping;
  TILEOPS_FN T operator()(T a, T b) const { return device_detail::atan2<P>(a, b); }
};

template <class P, class T>
struct hypot : body {
  using body::body;
  TILEOPS_FN T operator()(T a, T b) const { return device_detail::hypot<P>(a, b); }
};

template <class P, class T>
struct copysign : jumping {
  using jumping::jumping;
  static constexpr bool cheap = true;
  static constexpr auto accuracy = Accuracy::representable;
  // Whether a computed NaN is -NaN depends on the processor: it counts as positive.
  TILEOPS_FN T operator()(T a, T b) const { return device_detail::copysign(a, b == b ? b : T(0)); }
};

// By the operands' dtype, whatever they are computed in: its digits, its least normal number and the least one.
#define TILEOPS_NEXTAFTER(name, digits_of, least_normal, least, largest)                                  \
  template <class P, class T>                                                                             \
  struct name : jumping {                                                                                 \
    using jumping::jumping;                                                                               \
    static constexpr auto accuracy = Accuracy::representable;                                             \
    static TILEOPS_FN bool fits(const BodyChoice& c) { return c.digits == (digits_of); }                  \
    TILEOPS_FN T operator()(T a, T b) const {                                                             \
      constexpr int most = sizeof(T) == 4 ? 24 : 53;                                                      \
      return neighbour<((digits_of) < most ? (digits_of) : most)>(a, b, T(least_normal), T(least),        \
                                                                  T((digits_of) > most ? 0 : (largest))); \
    }                                                                                                     \
  };
TILEOPS_NEXTAFTER(nextafter_f64, 53, 0x1p-1022, 0x1p-1074, 0x1.fffffffffffffp1023)
TILEOPS_NEXTAFTER(nextafter_f32, 24, 0x1p-126, 0x1p-149, 0x1.fffffep127)
TILEOPS_NEXTAFTER(nextafter_f16, 11, 0x1p-14, 0x1p-24, 65504)
TILEOPS_NEXTAFTER(nextafter_bf16, 8, 0x1p-126, 0x1p-133, 0x1.fep127)
TILEOPS_NEXTAFTER(nextafter_e4m3, 4, 0x1p-6, 0x1p-9, 448)
TILEOPS_NEXTAFTER(nextafter_e5m2, 3, 0x1p-14, 0x1p-16, 57344)
TILEOPS_NEXTAFTER(nextafter_e2m1, 2, 1, 0.5, 6)  // inside of expressions

// Where the result is small beside the operands, digits cancel: in float32 such elements are computed in float64.
template <class P, class T>
struct logaddexp : body {
  using body::body;
  TILEOPS_FN T operator()(T a, T b) const { return device_detail::logaddexp<P>(a, b); }
  TILEOPS_FN bool rare(T a, T b) const {
    if constexpr (same_v<T, double>) return false;
    else return device_detail::abs((*this)(a, b)) <= T(0.4) * device_detail::abs(a < b ? b : a);
  }
  TILEOPS_SLOW_FN T slow(T a, T b) const {
    return static_cast<T>(device_detail::logaddexp<P>(static_cast<double>(a), static_cast<double>(b)));
  }
};

#define TILEOPS_EXTREMUM(name, op)                                      \
  template <class P, class T>                                           \
  struct name : body {                                                  \
    using body::body;                                                   \
    static constexpr auto accuracy = Accuracy::representable;           \
    TILEOPS_FN T operator()(T a, T b) const {                           \
      if constexpr (is_float_v<T>) return device_detail::name<P>(a, b); \
      else return select(a op b, a, b);                                 \
    }                                                                   \
  };
TILEOPS_EXTREMUM(maximum, >)
TILEOPS_EXTREMUM(minimum, <)

}  // namespace op
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

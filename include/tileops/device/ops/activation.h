// SPDX-License-Identifier: Apache-2.0
// Bodies of ops/activation.def and ops/fused_gated.def.
#ifndef TILEOPS_DEVICE_OPS_ACTIVATION_H
#define TILEOPS_DEVICE_OPS_ACTIVATION_H

#include "../body.h"
#include "../convert.h"
#include "../math/common/formulas.h"
#include "../math/common/gated_tail.h"
#include "../math/common/policy.h"
#include "../math/common/round_to_odd.h"
#include "../math/functions/tanhshrink.h"
#include "unary.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace op {

// For attributes that meet a condition, so that the formula has constants in their place.
#define TILEOPS_ACTIVATION_IF(name, condition, value)                      \
  template <class P, class T>                                              \
  struct name : body {                                                     \
    using body::body;                                                      \
    static TILEOPS_FN bool fits(const BodyChoice& c) { return condition; } \
    TILEOPS_FN T operator()(T x) const { return value; }                   \
  };

// With one number attribute, called `k`.
#define TILEOPS_ACTIVATION_1(name, value)                            \
  template <class P, class T>                                        \
  struct name : body {                                               \
    T k;                                                             \
    TILEOPS_FN explicit name(const AttrValue* a) : k(T(a[0].f64)) {} \
    TILEOPS_FN T operator()(T x) const { return value; }             \
  };

// With two, called `k0` and `k1`.
#define TILEOPS_ACTIVATION_2(base, name, value)                                        \
  template <class P, class T>                                                          \
  struct name : base {                                                                 \
    T k0, k1;                                                                          \
    TILEOPS_FN explicit name(const AttrValue* a) : k0(T(a[0].f64)), k1(T(a[1].f64)) {} \
    TILEOPS_FN T operator()(T x) const { return value; }                               \
  };

// toward_exact changes f64 results alone that are to be rounded again, see math/common/policy.h.
TILEOPS_UNARY_V(gelu, toward_exact<P>(device_detail::gelu<P>(x), x, V(T(0.5))))
TILEOPS_UNARY_V(silu, toward_exact<P>(device_detail::silu<P>(x), x, V(T(0.5))))
TILEOPS_UNARY_V(sigmoid, device_detail::sigmoid<P>(x))
TILEOPS_UNARY_V(tanh, P::tanh(x))
template <class P, class T>
TILEOPS_FN T elu_value(T x, T alpha) {
  return x > T(0) ? device_detail::elu<P>(x, alpha) : toward_exact<P>(device_detail::elu<P>(x, alpha), x, alpha);
}
TILEOPS_ACTIVATION_1(elu, elu_value<P>(x, k))
TILEOPS_ACTIVATION_IF(elu_one, c.attrs[0].f64 == 1.0, elu_value<P>(x, T(1)))
// alpha expm1(x / alpha) on the left, with what the quotient lost; of infinities that is no number.
template <class P, class T>
TILEOPS_FN T celu_value(T x, T alpha) {
  const T q = x / alpha, e = P::expm1(q), lost = fma(-q, alpha, x);
  const T y = fma(alpha, e, lost == lost ? fma(lost, e, lost) : T(0));
  return x >= T(0) ? x : y;  // -0 stays
}
TILEOPS_ACTIVATION_1(celu, celu_value<P>(x, k))
TILEOPS_UNARY(selu, device_detail::selu<P>(x))
TILEOPS_ACTIVATION_2(jumping, softplus, device_detail::softplus<P>(x, k0, k1))  // to x, at any threshold
TILEOPS_ACTIVATION_IF(softplus_one, c.attrs[0].f64 == 1.0 && c.attrs[1].f64 == 20.0,
                      device_detail::softplus<P>(x, T(1), T(20)))
TILEOPS_UNARY(mish, toward_exact<P>(device_detail::mish<P>(x), x, T(0.5)))
TILEOPS_ACTIVATION_IF(gelu_tanh, c.attrs[0].i64 == 1, toward_exact<P>(device_detail::gelu_tanh<P>(x), x, T(0.5)))

TILEOPS_UNARY(softsign, device_detail::softsign<P>(x))
TILEOPS_UNARY(tanhshrink, device_detail::tanhshrink<P>(x))
// log(1 / (1 + exp(-x))). From 60 on exp(-|x|) is nothing beside x. Where the result is x, the exact value lies a hair
// below, which tells in doubles that are rounded again. f32: 1.65 ulp.
template <class P, class T>
struct logsigmoid : body {
  using body::body;
  TILEOPS_FN T operator()(T x) const {
    const T y = -device_detail::softplus<P>(-x, T(1), T(60));
    if constexpr (P::pre_round) return y == x ? y + y * T(0x1p-45) : y;
    return y;
  }
};

template <class P, class T>
struct relu : body {
  using body::body;
  static constexpr auto accuracy = Accuracy::representable;
  TILEOPS_FN T operator()(T x) const { return device_detail::relu<P>(x); }
};

template <class P, class T>
struct hardtanh : body {
  T lo, hi;
  TILEOPS_FN explicit hardtanh(const AttrValue* a) : lo(T(a[0].f64)), hi(T(a[1].f64)) {}
  TILEOPS_FN T operator()(T x) const { return device_detail::hardtanh<P>(x, lo, hi); }
};

template <class P, class T>
struct leaky_relu : body {
  T slope;
  TILEOPS_FN explicit leaky_relu(const AttrValue* a) : slope(T(a[0].f64)) {}
  static constexpr bool cheap = true;
  TILEOPS_FN T operator()(T x) const { return device_detail::leaky_relu<P>(x, slope); }
};

template <class P, class T>
struct hardswish : body {
  using body::body;
  static constexpr bool cheap = true, has_round_to_odd = true;
  static constexpr auto accuracy = Accuracy::exact_among_bf16;
  template <class V>
  TILEOPS_FN V operator()(V x) const {
    return toward_exact<P>(device_detail::hardswish<P>(x), x, V(T(0.5)));
  }
  TILEOPS_FN float round_to_odd(float x) const { return hardswish_to_odd(x); }
};

template <class P, class T>
struct hardsigmoid : body {
  using body::body;
  static constexpr bool cheap = true, has_round_to_odd = true;
  static constexpr auto accuracy = Accuracy::exact_among_bf16;
  template <class V>
  TILEOPS_FN V operator()(V x) const {
    return device_detail::hardsigmoid<P>(x);
  }
  TILEOPS_FN float round_to_odd(float x) const { return hardsigmoid_to_odd(x); }
};

template <class P, class T>
struct prelu : body {
  using body::body;
  TILEOPS_FN T operator()(T x, T weight) const { return device_detail::leaky_relu<P>(x, weight); }
};

// act(gate) * value. Left of `tail` (f32) or `tail64` the activation underflows although the product
// may not, and the activation of a tiny gate is a subnormal number with few bits. In float32 such elements
// are computed in float64; in float64 by math/common/gated_tail.h.
#define TILEOPS_GATED(name, activation, tail, tail64)                                                               \
  template <class P, class T>                                                                                       \
  struct name : body {                                                                                              \
    using body::body;                                                                                               \
    static constexpr bool gated = true;                                                                             \
    template <class V>                                                                                              \
    TILEOPS_FN V activated(V gate) const {                                                                          \
      return toward_exact<P>(device_detail::activation<P>(gate), gate, V(T(0.5)));                                  \
    }                                                                                                               \
    template <class V>                                                                                              \
    TILEOPS_FN V operator()(V gate, V value) const {                                                                \
      return activated(gate) * value;                                                                               \
    }                                                                                                               \
    template <class V>                                                                                              \
    TILEOPS_FN auto loses_bits(V gate) const {                                                                      \
      constexpr bool single = same_v<T, float>;                                                                     \
      return (gate < T(single ? tail : tail64)) | (abs(gate) < T(single ? 0x1p-100 : 0x1p-960));                    \
    }                                                                                                               \
    TILEOPS_FN bool rare(T gate, T value) const { return loses_bits(gate) & (gate != T(0)) & (abs(value) > T(1)); } \
    TILEOPS_SLOW_FN T slow(T gate, T value) const {                                                                 \
      const double g = gate, v = value;                                                                             \
      if (same_v<T, double> && g < tail64 && abs(g) < limits<double>::inf())                                        \
        return abs(v) < limits<double>::inf() ? static_cast<T>(activation##_tail(g, v)) : -value;                   \
      const double half = P::pre_round ? 0.5 + (g > 0.0 ? 0x1p-45 : -0x1p-45) : 0.5;                                \
      if (abs(g) < 0x1p-100) return static_cast<T>(g * (v * half));                                                 \
      const double a = toward_exact<P>(device_detail::activation<P>(g), g, 0.5);                                    \
      const bool decides = (a == 0.0) & (g > -limits<double>::inf()) & (abs(v) == limits<double>::inf());           \
      return static_cast<T>((decides ? -1.0 : a) * v);                                                              \
    }                                                                                                               \
  };
TILEOPS_GATED(silu_and_mul, silu, -80, -700)
TILEOPS_GATED(gelu_and_mul, gelu, -12, -37)
TILEOPS_GATED(gelu_tanh_and_mul, gelu_tanh, -9, -20)

}  // namespace op
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

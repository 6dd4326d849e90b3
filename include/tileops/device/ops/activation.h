// SPDX-License-Identifier: Apache-2.0
// Bodies of ops/activation.def and ops/fused_gated.def.
#ifndef TILEOPS_DEVICE_OPS_ACTIVATION_H
#define TILEOPS_DEVICE_OPS_ACTIVATION_H

#include "../body.h"
#include "../convert.h"
#include "../math/common/formulas.h"
#include "../math/common/gated_tail.h"
#include "../math/common/policy.h"
#include "../math/common/sticky.h"

namespace tileops {
namespace device {
inline namespace TILEOPS_DEVICE_NS {
namespace op {

// Claimed to be right_if_untied, as those for attributes that are mostly asked for.
#define TILEOPS_ACTIVATION(name, value)               \
  template <class P, class T>                         \
  struct name : body {                                \
    using body::body;                                 \
    static constexpr bool right_if_untied = true;     \
    TILEOPS_FN T operator()(T x) const { return value; } \
  };

#define TILEOPS_ACTIVATION_IF(name, condition, value)                                \
  template <class P, class T>                                                        \
  struct name : body {                                                               \
    using body::body;                                                                \
    static constexpr bool right_if_untied = true;                                    \
    static TILEOPS_FN bool fits(const Choice& c) { return condition; }               \
    TILEOPS_FN T operator()(T x) const { return value; }                             \
  };

// With one number attribute, called `k`.
#define TILEOPS_ACTIVATION_1(name, value)                              \
  template <class P, class T>                                          \
  struct name : body {                                                 \
    T k;                                                               \
    TILEOPS_FN explicit name(const AttrValue* a) : k(T(a[0].f64)) {}   \
    TILEOPS_FN T operator()(T x) const { return value; }               \
  };

// With two, called `k0` and `k1`.
#define TILEOPS_ACTIVATION_2(name, value)                                                 \
  template <class P, class T>                                                             \
  struct name : body {                                                                    \
    T k0, k1;                                                                             \
    TILEOPS_FN explicit name(const AttrValue* a) : k0(T(a[0].f64)), k1(T(a[1].f64)) {}    \
    TILEOPS_FN T operator()(T x) const { return value; }                                  \
  };

template <class P, class T>
struct gelu : body {
  static constexpr unsigned lanes_together = 2;
  static constexpr bool right_if_untied = true, near_untied = true;
  static constexpr int near_unless = kNan | kSubnormal;
  TILEOPS_LANES_MEMBERS(with_hair<P>(device::gelu<P>(x), x, V(T(0.5))))
  TILEOPS_NEAR_MEMBER(rough_gelu(x))
};
TILEOPS_BODY_LANES(silu, 4, with_hair<P>(device::silu<P>(x), x, V(T(0.5))))
TILEOPS_BODY_LANES(sigmoid, 4, device::sigmoid<P>(x))
TILEOPS_BODY_LANES(tanh, 4, P::tanh(x))
template <class P, class T>
TILEOPS_FN T elu_value(T x, T alpha) {
  return x > T(0) ? device::elu<P>(x, alpha) : with_hair<P>(device::elu<P>(x, alpha), x, alpha);
}
TILEOPS_ACTIVATION_1(elu, elu_value<P>(x, k))
TILEOPS_ACTIVATION_IF(elu_one, c.attrs[0].f64 == 1.0, elu_value<P>(x, T(1)))
TILEOPS_ACTIVATION(selu, device::selu<P>(x))
TILEOPS_ACTIVATION_2(softplus, device::softplus<P>(x, k0, k1))
TILEOPS_ACTIVATION_IF(softplus_one, c.attrs[0].f64 == 1.0 && c.attrs[1].f64 == 20.0, device::softplus<P>(x, T(1), T(20)))
TILEOPS_ACTIVATION(mish, with_hair<P>(device::mish<P>(x), x, T(0.5)))

template <class P, class T>
struct relu : body {
  using body::body;
  static constexpr bool representable = true;
  TILEOPS_FN T operator()(T x) const { return device::relu<P>(x); }
  template <class S>
  TILEOPS_FN auto on_codes() const {
    return [](u16 x) {
      const bool negative = static_cast<u16>(x - 0x8000u) <= code_of<S>::infinity;
      return static_cast<u16>(negative ? 0 : x);
    };
  }
};

template <class P, class T>
struct hardtanh : body {
  T lo, hi;
  TILEOPS_FN explicit hardtanh(const AttrValue* a) : lo(T(a[0].f64)), hi(T(a[1].f64)) {}
  static constexpr bool selects = true;
  template <class S>
  TILEOPS_FN hardtanh stored_as() const {
    hardtanh rounded = *this;
    rounded.lo = bound_as<S>(lo);
    rounded.hi = bound_as<S>(hi);
    return rounded;
  }
  TILEOPS_FN T operator()(T x) const { return device::hardtanh<P>(x, lo, hi); }
};

template <class P, class T>
struct leaky_relu : body {
  T slope;
  TILEOPS_FN explicit leaky_relu(const AttrValue* a) : slope(T(a[0].f64)) {}
  static constexpr bool cheap = true, rounds_once = true;
  TILEOPS_FN T operator()(T x) const { return device::leaky_relu<P>(x, slope); }
  template <class V>
  TILEOPS_FN V odd(V x) const { return select(x > V(0.0f), x, mul_odd(x, V(slope))); }
  // Of a slope with more than 9 bits no product is a tie of bf16.
  static constexpr bool near_if = true, near_untied = true;
  static constexpr int near_unless = kNan;
  TILEOPS_FN bool near_holds() const {
    return slope >= T(0x1p-126) && slope < T(1) && (to_bits(static_cast<float>(slope)) & 0x7fffu) != 0;
  }
  TILEOPS_NEAR_MEMBER(rough_leaky_relu(x, V(slope)))
  // Of x > 0 the result is no tie.
  static constexpr bool has_rest_of_f16 = true;
  template <class V>
  TILEOPS_FN V nearest(V x) const { return select(x > V(0.0f), x, x * V(slope)); }
  template <class V>
  TILEOPS_FN V rest(V y, V x) const { return fma(x, V(slope), -y); }
};

template <class P, class T>
struct hardswish : body {
  static constexpr bool cheap = true;
  static constexpr bool exact_bf16 = true, has_odd = true, odd_lanes = false, odd_if_doubtful = true;
  static constexpr bool near_f16 = true, has_near_of_f16 = true, near_untied = true;
  static constexpr int near_unless = kNan | kSubnormal;
  static constexpr unsigned lanes_together = 4;
  TILEOPS_FN float odd(float x) const { return hardswish_odd(x); }
  TILEOPS_LANES_MEMBERS(with_hair<P>(device::hardswish<P>(x), x, V(T(0.5))))
  TILEOPS_NEAR_MEMBER(rough_hardswish(x))
  template <class V>
  TILEOPS_FN V near_of_f16(V x) const { return rough_hardswish_of_f16(x); }
  // y is a tie of 12 bits next to x (x + 3) / 6, so that 3 x - 6 y is exact.
  static constexpr bool has_rest_of_f16 = true;
  template <class V>
  TILEOPS_FN V nearest(V x) const { return device::hardswish<portable>(x); }
  template <class V>
  TILEOPS_FN V rest(V y, V x) const {
    const V k = at_most(at_least(x, V(-3.0f)), V(3.0f));
    return fma(k, k, fma(V(-6.0f), y, V(3.0f) * k));
  }
};

template <class P, class T>
struct hardsigmoid : body {
  using body::body;
  static constexpr bool cheap = true;
  static constexpr bool exact_bf16 = true, has_odd = true, odd_lanes = false, near_f16 = true;
  TILEOPS_FN T operator()(T x) const { return device::hardsigmoid<P>(x); }
  TILEOPS_FN float odd(float x) const { return hardsigmoid_odd(x); }
  TILEOPS_NEAR_MEMBER(rough_hardsigmoid(x))
};

template <class P, class T>
struct gelu_tanh : body {
  using body::body;
  static constexpr bool right_if_untied = true;
  static TILEOPS_FN bool fits(const Choice& c) { return c.attrs[0].i64 == 1; }
  TILEOPS_FN T operator()(T x) const {
    return with_hair<P>(device::gelu_tanh<P>(x), x, T(0.5));
  }
};

template <class P, class T>
struct prelu : body {
  using body::body;
  TILEOPS_FN T operator()(T x, T weight) const { return device::leaky_relu<P>(x, weight); }
};

// act(gate) * value. Left of `tail` (f32) or `tail64` the activation underflows although the product
// may not, and of a tiny gate it is a subnormal number with few bits. In float32 such elements are
// computed in float64; in float64 by math/common/gated_tail.h.
#define TILEOPS_GATED(name, activation, tail, tail64, together)                                  \
  template <class P, class T>                                                                    \
  struct name : body {                                                                           \
    using body::body;                                                                            \
    static constexpr bool fuse_rare = true, gated = true;                                        \
    static constexpr bool has_lanes = together != 0 && same_v<T, float>;                         \
    static constexpr unsigned lanes_together = P::rough ? 2 : together; /* chunks of 64 */       \
    template <class V>                                                                           \
    TILEOPS_FN V activated(V gate) const {                                                       \
      return with_hair<P>(device::activation<P>(gate), gate, V(T(0.5)));                         \
    }                                                                                            \
    TILEOPS_FN T operator()(T gate, T value) const { return activated(gate) * value; }           \
    template <class V>                                                                           \
    TILEOPS_FN V lanes(V gate, V value) const {                                                  \
      return activated(gate) * value;                                                            \
    }                                                                                            \
    template <class V>                                                                           \
    TILEOPS_FN auto lanes_maybe_rare(V gate, V) const {                                          \
      constexpr bool single = same_v<T, float>;                                                  \
      return (gate < T(single ? tail : tail64)) |                                                \
             (abs(gate) < T(single ? 0x1p-100 : 0x1p-960));                                      \
    }                                                                                            \
    TILEOPS_FN bool maybe_rare(T gate, T value) const { return lanes_maybe_rare(gate, value); }  \
    TILEOPS_FN bool rare(T gate, T value) const {                                                \
      return maybe_rare(gate, value) & (gate != T(0)) & (abs(value) > T(1));                     \
    }                                                                                            \
    TILEOPS_SLOW_FN T slow(T gate, T value) const {                                              \
      const double g = gate, v = value;                                                          \
      if (same_v<T, double> && g < tail64 && abs(g) < limits<double>::inf())                      \
        return abs(v) < limits<double>::inf() ? static_cast<T>(activation##_tail(g, v)) : -value; \
      const double half = P::sticky ? 0.5 + (g > 0.0 ? 0x1p-45 : -0x1p-45) : 0.5;                \
      if (abs(g) < 0x1p-100) return static_cast<T>(g * (v * half));                              \
      const double a = with_hair<P>(device::activation<P>(g), g, 0.5);                           \
      const bool decides = (a == 0.0) & (g > -limits<double>::inf()) &                           \
                           (abs(v) == limits<double>::inf());                                    \
      return static_cast<T>((decides ? -1.0 : a) * v);                                           \
    }                                                                                            \
  };
TILEOPS_GATED(silu_and_mul, silu, -80, -700, 4)
TILEOPS_GATED(gelu_and_mul, gelu, -12, -37, 2)
TILEOPS_GATED(gelu_tanh_and_mul, gelu_tanh, -9, -20, 0)

}  // namespace op
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device
}  // namespace tileops

#endif

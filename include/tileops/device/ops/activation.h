// Bodies of ops/activation.def and ops/fused_gated.def.
#ifndef TILEOPS_DEVICE_OPS_ACTIVATION_H
#define TILEOPS_DEVICE_OPS_ACTIVATION_H

#include "../body.h"
#include "../math/formulas.h"
#include "../math/sticky.h"

namespace tileops {
namespace device {
inline namespace TILEOPS_DEVICE_NS {
namespace op {

#define TILEOPS_ACTIVATION(name, value)               \
  template <class P, class T>                         \
  struct name : body {                                \
    using body::body;                                 \
    TILEOPS_FN T operator()(T x) const { return value; } \
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

TILEOPS_ACTIVATION(gelu, device::gelu<P>(x))
TILEOPS_ACTIVATION(silu, device::silu<P>(x))
TILEOPS_ACTIVATION(sigmoid, device::sigmoid<P>(x))
TILEOPS_ACTIVATION(tanh, P::tanh(x))
TILEOPS_ACTIVATION_1(elu, device::elu<P>(x, k))
TILEOPS_ACTIVATION(selu, device::selu<P>(x))
TILEOPS_ACTIVATION_2(hardtanh, device::hardtanh<P>(x, k0, k1))
TILEOPS_ACTIVATION_2(softplus, device::softplus<P>(x, k0, k1))
TILEOPS_ACTIVATION(mish, device::mish<P>(x))

template <class P, class T>
struct relu : body {
  using body::body;
  static constexpr bool representable = true;
  TILEOPS_FN T operator()(T x) const { return device::relu<P>(x); }
};

template <class P, class T>
struct leaky_relu : body {
  T slope;
  TILEOPS_FN explicit leaky_relu(const AttrValue* a) : slope(T(a[0].f64)) {}
  static constexpr bool cheap = true;
  TILEOPS_FN T operator()(T x) const { return device::leaky_relu<P>(x, slope); }
  TILEOPS_FN two_terms<T> terms(T x) const { return leaky_relu_terms(x, slope); }
};

template <class P, class T>
struct hardswish : body {
  using body::body;
  static constexpr bool cheap = true;
  TILEOPS_FN T operator()(T x) const { return device::hardswish<P>(x); }
  TILEOPS_FN two_terms<T> terms(T x) const { return hardswish_terms(x); }
};

template <class P, class T>
struct hardsigmoid : body {
  using body::body;
  static constexpr bool cheap = true;
  TILEOPS_FN T operator()(T x) const { return device::hardsigmoid<P>(x); }
  TILEOPS_FN two_terms<T> terms(T x) const { return hardsigmoid_terms(x); }
};

template <class P, class T>
struct gelu_tanh : body {
  using body::body;
  static bool fits(const Choice& c) { return c.attrs[0].i64 == 1; }
  TILEOPS_FN T operator()(T x) const { return device::gelu_tanh<P>(x); }
};

template <class P, class T>
struct prelu : body {
  using body::body;
  TILEOPS_FN T operator()(T x, T weight) const { return device::leaky_relu<P>(x, weight); }
};

#define TILEOPS_GATED(name, activation)                                      \
  template <class P, class T>                                                \
  struct name : body {                                                       \
    using body::body;                                                        \
    TILEOPS_FN T operator()(T gate, T value) const { return activation * value; } \
  };
TILEOPS_GATED(silu_and_mul, device::silu<P>(gate))
TILEOPS_GATED(gelu_and_mul, device::gelu<P>(gate))
TILEOPS_GATED(gelu_tanh_and_mul, device::gelu_tanh<P>(gate))

}  // namespace op
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device
}  // namespace tileops

#endif

// Bodies that have a shorter form for values inside an expression: inner_form<Body>, whose operator() is within the
// bound of simd/inner.h.
#pragma once

#include "cpu/forms/form.h"
#include "cpu/simd/inner.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

template <class Body>
struct inner_form {
  static constexpr bool exists = false;
};

#define TILEOPS_INNER_FORM(name, unroll)                                   \
  template <class P>                                                       \
  struct inner_form<op::name<P, float>> : plain_form<op::name<P, float>> { \
    using plain_form<op::name<P, float>>::plain_form;                      \
    static constexpr bool exists = true;                                   \
    static constexpr unsigned simd_unroll = unroll;                        \
    template <class V>                                                     \
    TILEOPS_INLINE V operator()(V x) const {                               \
      return device::inner::name(x);                                       \
    }                                                                      \
  };
TILEOPS_INNER_FORM(exp, 4)
TILEOPS_INNER_FORM(tanh, 4)
TILEOPS_INNER_FORM(sigmoid, 4)
TILEOPS_INNER_FORM(silu, 4)
TILEOPS_INNER_FORM(gelu, 4)
TILEOPS_INNER_FORM(gelu_tanh, 4)
TILEOPS_INNER_FORM(mish, 4)
#undef TILEOPS_INNER_FORM

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS

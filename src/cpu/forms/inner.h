// Bodies that have a shorter form for values inside an expression: inner_form<Body>, whose operator() is within the
// bound of simd/inner.h. `beats_lookup`: it takes no longer than to look results up.
#pragma once

#include "cpu/forms/form.h"
#include "cpu/simd/inner.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

template <class Body>
struct inner_form {
  static constexpr bool exists = false;
};

#define TILEOPS_INNER_FORM(name, unroll, quick)                            \
  template <class P>                                                       \
  struct inner_form<op::name<P, float>> : plain_form<op::name<P, float>> { \
    using plain_form<op::name<P, float>>::plain_form;                      \
    static constexpr bool exists = true, beats_lookup = quick;             \
    static constexpr unsigned simd_unroll = unroll;                        \
    template <class V>                                                     \
    TILEOPS_INLINE V operator()(V x) const {                               \
      return device::inner::name(x);                                       \
    }                                                                      \
  };

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS

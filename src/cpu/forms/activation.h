// The CPU's forms of device/ops/activation.h.
#pragma once

#include "cpu/forms/inner.h"
#include "tileops/device/ops/activation.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

TILEOPS_UNTIED_SIMD_FORM(silu, 4)
TILEOPS_UNTIED_SIMD_FORM(sigmoid, 4)
TILEOPS_UNTIED_SIMD_FORM(tanh, 4)
TILEOPS_UNTIED_FORM(elu_one)
TILEOPS_UNTIED_FORM(selu)
TILEOPS_UNTIED_FORM(softplus_one)
TILEOPS_UNTIED_FORM(mish)
TILEOPS_UNTIED_FORM(gelu_tanh)

TILEOPS_FORM(gelu) {
  TILEOPS_FORM_CONSTRUCTORS(gelu)
  static constexpr unsigned simd_unroll = 2;
  static constexpr bool right_if_untied = true, has_approx = true, approx_untied = true;
  static constexpr int approx_unless = kNan | kSubnormal;
  template <class V>
  TILEOPS_INLINE V approx(V x) const {
    return approx_gelu(x);
  }
};

TILEOPS_FORM(relu) {
  TILEOPS_FORM_CONSTRUCTORS(relu)
  static constexpr bool has_codes = true;
  template <class S>
  TILEOPS_INLINE auto on_codes() const {
    return [](d::u16 x) {
      const bool negative = static_cast<d::u16>(x - 0x8000u) <= d::code_of<S>::infinity;
      return static_cast<d::u16>(negative ? 0 : x);
    };
  }
};

TILEOPS_BOUNDED_FORM(hardtanh)

// slope * x rounded once, or x.
TILEOPS_FORM(leaky_relu) {
  TILEOPS_FORM_CONSTRUCTORS(leaky_relu)
  static constexpr bool rounds_once = true;
  template <class V>
  TILEOPS_INLINE V round_to_odd(V x) const {
    return select(x > V(0.0f), x, mul_to_odd(x, V(this->slope)));
  }
  // A product with a slope of more than 9 bits is no tie of bf16.
  static constexpr bool has_approx = true, has_approx_condition = true, approx_untied = true;
  static constexpr int approx_unless = kNan;
  TILEOPS_INLINE bool approx_holds() const {
    const T slope = this->slope;
    return slope >= T(0x1p-126) && slope < T(1) && (d::to_bits(static_cast<float>(slope)) & 0x7fffu) != 0;
  }
  template <class V>
  TILEOPS_INLINE V approx(V x) const {
    return approx_leaky_relu(x, V(this->slope));
  }
  // x > 0 is its own result, which is no tie.
  static constexpr bool has_residual_f16 = true;
  template <class V>
  TILEOPS_INLINE V nearest(V x) const {
    return select(x > V(0.0f), x, x * V(this->slope));
  }
  template <class V>
  TILEOPS_INLINE V residual(V y, V x) const {
    return fma(x, V(this->slope), -y);
  }
};

TILEOPS_FORM(hardswish) {
  TILEOPS_FORM_CONSTRUCTORS(hardswish)
  static constexpr unsigned simd_unroll = 4;
  static constexpr bool to_odd_of_registers = false, to_odd_if_near_tie = true;
  static constexpr bool has_approx = true, approx_serves_f16 = true, has_approx_f16 = true, approx_untied = true;
  static constexpr int approx_unless = kNan | kSubnormal;
  template <class V>
  TILEOPS_INLINE V approx(V x) const {
    return approx_hardswish(x);
  }
  template <class V>
  TILEOPS_INLINE V approx_f16(V x) const {
    return approx_hardswish_f16(x);
  }
};

TILEOPS_FORM(hardsigmoid) {
  TILEOPS_FORM_CONSTRUCTORS(hardsigmoid)
  static constexpr unsigned simd_unroll = 4;
  static constexpr bool to_odd_of_registers = false, has_approx = true, approx_serves_f16 = true;
  template <class V>
  TILEOPS_INLINE V approx(V x) const {
    return approx_hardsigmoid(x);
  }
};

// Two registers where results are rounded to 16 bits: chunks have 64 elements.
#define TILEOPS_GATED_FORM(name, unroll)                                           \
  TILEOPS_FORM(name) {                                                             \
    TILEOPS_FORM_CONSTRUCTORS(name)                                                \
    static constexpr unsigned simd_unroll = P::approximate && unroll ? 2 : unroll; \
    static constexpr bool rare_in_half_loop = true, has_maybe_rare = true;         \
    template <class V>                                                             \
    TILEOPS_INLINE auto maybe_rare(V gate, V) const {                              \
      return this->loses_bits(gate);                                               \
    }                                                                              \
  };
TILEOPS_GATED_FORM(silu_and_mul, 4)
TILEOPS_GATED_FORM(gelu_and_mul, 2)
TILEOPS_GATED_FORM(gelu_tanh_and_mul, 0)

TILEOPS_INNER_FORM(tanh, 4, true)
TILEOPS_INNER_FORM(sigmoid, 4, true)
TILEOPS_INNER_FORM(silu, 4, true)
TILEOPS_INNER_FORM(gelu, 4, false)
TILEOPS_INNER_FORM(gelu_tanh, 4, false)
TILEOPS_INNER_FORM(mish, 4, false)

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS

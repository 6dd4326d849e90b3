// The CPU's forms of device/ops/binary_arith.h.
#pragma once

#include "cpu/forms/form.h"
#include "tileops/device/ops/binary_arith.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

TILEOPS_SIMD_FORM(pow, 2)

TILEOPS_FORM(div) {
  TILEOPS_FORM_CONSTRUCTORS(div)
  static constexpr bool has_approx = true, approx_untied = true;
  static constexpr int approx_unless = kNan | kInfinite | kSubnormal;
  template <class V>
  TILEOPS_INLINE V approx(V a, V b) const {
    return approx_quotient(a, b);
  }
};

TILEOPS_FORM(pow_half) {
  TILEOPS_FORM_CONSTRUCTORS(pow_half)
  static constexpr unsigned simd_unroll = 2;
  static constexpr int octave_scale = 1;
  static constexpr bool has_instruction = true, has_approx_twice = true;
  template <class V>
  TILEOPS_INLINE V by_instruction(V x) const {
    return hardware_power_half(x);
  }
  template <class V>
  TILEOPS_INLINE V approx_twice(V x) const {
    return approx_twice_sqrt(x);
  }
};
TILEOPS_FORM(pow_minus_half) {
  TILEOPS_FORM_CONSTRUCTORS(pow_minus_half)
  static constexpr int octave_scale = -1;
};
TILEOPS_FORM(pow_minus_1) {
  TILEOPS_FORM_CONSTRUCTORS(pow_minus_1)
  static constexpr int octave_scale = -2;
  static constexpr bool odd_function = true;
};

TILEOPS_FORM(lerp) {
  TILEOPS_FORM_CONSTRUCTORS(lerp)
  static constexpr unsigned simd_unroll = 2;
  static constexpr bool has_approx = true, approx_serves_f16 = true;
  static constexpr int approx_unless = kNan | kInfinite | kZero;
  template <class V>
  TILEOPS_INLINE V approx(V a, V b, V w) const {
    return lerp_to_odd_or_zero(a, b, w);
  }
  static constexpr bool has_residual = true, has_residual_f16 = true;
  template <class V>
  TILEOPS_INLINE V nearest(V a, V b, V w) const {
    return fma(w, b - a, a);
  }
  template <class V>
  TILEOPS_INLINE V residual(V y, V a, V b, V w) const {
    return fma(w, b - a, a - y);
  }
};

TILEOPS_FORM(lerp_attr) {
  TILEOPS_FORM_CONSTRUCTORS(lerp_attr)
  static constexpr bool has_approx = true, approx_serves_f16 = true;
  static constexpr int approx_unless = kNan | kInfinite | kZero;
  template <class V>
  TILEOPS_INLINE V approx(V a, V b) const {
    return lerp_to_odd_or_zero(a, b, V(this->weight));
  }
};

TILEOPS_FORM(lerp_half) {
  TILEOPS_FORM_CONSTRUCTORS(lerp_half)
  static constexpr bool has_approx = true, approx_serves_f16 = true;
  static constexpr int approx_unless = kNan | kInfinite;
  template <class V>
  TILEOPS_INLINE V approx(V a, V b) const {
    return (a + b) * 0.5f;
  }
};

// Codes of floats as integers in the order of the numbers, -0 before +0.
TILEOPS_INLINE d::i16 ordered_code(d::u16 code) {
  const d::i16 x = static_cast<d::i16>(code);
  return static_cast<d::i16>(x ^ ((x >> 15) & 0x7fff));
}
#define TILEOPS_EXTREMUM_FORM(name, op_, of_registers)                             \
  TILEOPS_FORM(name) {                                                             \
    TILEOPS_FORM_CONSTRUCTORS(name)                                                \
    static constexpr unsigned simd_unroll = 2;                                     \
    using op::name<P, T>::operator();                                              \
    template <class V>                                                             \
    TILEOPS_INLINE V operator()(V a, V b) const {                                  \
      return of_registers(a, b);                                                   \
    }                                                                              \
    static constexpr bool has_codes = true;                                        \
    template <class S>                                                             \
    TILEOPS_INLINE auto on_codes() const {                                         \
      return [](d::u16 a, d::u16 b) {                                              \
        const d::u16 first = ordered_code(a) op_ ordered_code(b) ? a : b;          \
        const d::u16 number = (b & 0x7fffu) > d::code_of<S>::infinity ? b : first; \
        return (a & 0x7fffu) > d::code_of<S>::infinity ? a : number;               \
      };                                                                           \
    }                                                                              \
  };
TILEOPS_EXTREMUM_FORM(maximum, >, larger)
TILEOPS_EXTREMUM_FORM(minimum, <, smaller)
#undef TILEOPS_EXTREMUM_FORM

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS

// The CPU's forms of device/ops/unary_math.h.
#pragma once

#include "cpu/forms/inner.h"
#include "tileops/device/ops/unary_math.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

TILEOPS_UNTIED_SIMD_FORM(exp, 4)
TILEOPS_UNTIED_SIMD_FORM(log, 4)
TILEOPS_SIMD_FORM(sin, 2)
TILEOPS_SIMD_FORM(cos, 2)
TILEOPS_UNTIED_FORM(erf)
TILEOPS_UNTIED_FORM(log1p)
TILEOPS_UNTIED_FORM(expm1)

TILEOPS_FORM(sqrt) {
  TILEOPS_FORM_CONSTRUCTORS(sqrt)
  static constexpr unsigned simd_unroll = 2;
  static constexpr int octave_scale = 1;
  static constexpr bool has_instruction = true, has_approx_twice = true;
  template <class V>
  TILEOPS_INLINE V by_instruction(V x) const {
    return hardware_root(x);
  }
  template <class V>
  TILEOPS_INLINE V approx_twice(V x) const {
    return approx_twice_sqrt(x);
  }
};

TILEOPS_FORM(rsqrt) {
  TILEOPS_FORM_CONSTRUCTORS(rsqrt)
  static constexpr unsigned simd_unroll = 4;
  static constexpr int octave_scale = -1;
  static constexpr bool exact_f16 = true;
  static constexpr bool has_approx = true, approx_serves_f16 = true, approx_untied = true, has_approx_twice = true;
  static constexpr int approx_unless = kNan | kInfinite | kSubnormal;
  template <class V>
  TILEOPS_INLINE V approx(V x) const {
    return approx_rsqrt(x);
  }
  template <class V>
  TILEOPS_INLINE V approx_twice(V x) const {
    return approx_twice_rsqrt(x);
  }
};

TILEOPS_FORM(reciprocal) {
  TILEOPS_FORM_CONSTRUCTORS(reciprocal)
  static constexpr unsigned simd_unroll = 2;
  static constexpr int octave_scale = -2;
  static constexpr bool odd_function = true, has_instruction = true;
  static constexpr bool has_approx = true, approx_serves_f16 = true, approx_untied = true;
  static constexpr int approx_unless = kNan | kInfinite | kSubnormal;
  template <class V>
  TILEOPS_INLINE V by_instruction(V x) const {
    return 1.0f / x;
  }
  template <class V>
  TILEOPS_INLINE V approx(V x) const {
    return approx_inverse(x);
  }
};

TILEOPS_FORM(sign) {
  TILEOPS_FORM_CONSTRUCTORS(sign)
  static constexpr bool has_codes = true;
  template <class S>
  TILEOPS_INLINE auto on_codes() const {
    return [](d::u16 x) {
      const d::u16 one = static_cast<d::u16>((x & 0x8000u) | d::code_of<S>::one);
      const bool number = static_cast<d::u16>((x & 0x7fffu) - 1) < d::code_of<S>::infinity;
      return static_cast<d::u16>(number ? one : 0);
    };
  }
};

TILEOPS_INNER_FORM(exp, 4, true)

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS

// The CPU's forms of device/ops/comparison.h.
#pragma once

#include "cpu/forms/form.h"
#include "tileops/device/ops/comparison.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

TILEOPS_TEST_FORM(eq)
TILEOPS_TEST_FORM(ne)
TILEOPS_TEST_FORM(gt)
TILEOPS_TEST_FORM(lt)
TILEOPS_TEST_FORM(ge)
TILEOPS_TEST_FORM(le)

// For floats instead of bools.
TILEOPS_FORM(logical_and) {
  TILEOPS_FORM_CONSTRUCTORS(logical_and)
  static constexpr bool has_test = same_v<T, bool>;
  template <class V>
  static TILEOPS_INLINE auto test(V a, V b) {
    return (a != 0.0f) & (b != 0.0f);
  }
};
TILEOPS_FORM(logical_or) {
  TILEOPS_FORM_CONSTRUCTORS(logical_or)
  static constexpr bool has_test = same_v<T, bool>;
  template <class V>
  static TILEOPS_INLINE auto test(V a, V b) {
    return (a != 0.0f) | (b != 0.0f);
  }
};
TILEOPS_FORM(logical_not) {
  TILEOPS_FORM_CONSTRUCTORS(logical_not)
  static constexpr bool has_test = same_v<T, bool>;
  template <class V>
  static TILEOPS_INLINE auto test(V x) {
    return x == 0.0f;
  }
};

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS

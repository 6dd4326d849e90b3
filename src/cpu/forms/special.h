// The CPU's forms of device/ops/special.h and device/ops/comparison.h.
#pragma once

#include "cpu/forms/form.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

TILEOPS_BOUNDED_FORM(clamp_attrs)

TILEOPS_FORM(nan_to_num) {
  TILEOPS_FORM_CONSTRUCTORS(nan_to_num)
  static constexpr unsigned simd_unroll = 2;
  using op::nan_to_num<P, T>::operator();
  template <class V>
  TILEOPS_INLINE V operator()(V x) const {
    const float infinity = d::limits<float>::inf();
    if (__builtin_expect(all_below(abs(x), infinity), 1)) return x;
    const V y = select(x == infinity, V(this->posinf), select(x == -infinity, V(this->neginf), x));
    return select(x != x, V(this->nan), y);
  }
  static constexpr bool has_codes = true;
  template <class S>
  TILEOPS_INLINE auto on_codes() const {
    const d::u16 for_nan = d::convert<S>(this->nan).bits;
    const d::u16 above = d::convert<S>(this->posinf).bits, below = d::convert<S>(this->neginf).bits;
    return [=](d::u16 x) {
      constexpr d::u16 infinity = d::code_of<S>::infinity;
      const d::u16 low = x == static_cast<d::u16>(infinity | 0x8000u) ? below : x;
      const d::u16 number = x == infinity ? above : low;
      return (x & 0x7fffu) > infinity ? for_nan : number;
    };
  }
};

// The operator itself.
#define TILEOPS_TEST_FORM(name)                        \
  TILEOPS_FORM(name) {                                 \
    TILEOPS_FORM_CONSTRUCTORS(name)                    \
    static constexpr bool has_test = same_v<T, float>; \
    template <class... V>                              \
    static TILEOPS_INLINE auto test(V... x) {          \
      return op::name<P, T>()(x...);                   \
    }                                                  \
  };
TILEOPS_TEST_FORM(isnan)
TILEOPS_TEST_FORM(isinf)
TILEOPS_TEST_FORM(isfinite)
TILEOPS_TEST_FORM(eq)
TILEOPS_TEST_FORM(ne)
TILEOPS_TEST_FORM(gt)
TILEOPS_TEST_FORM(lt)
TILEOPS_TEST_FORM(ge)
TILEOPS_TEST_FORM(le)
#undef TILEOPS_TEST_FORM

// The same for floats instead of bools.
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

// The CPU's forms of device/ops/special.h.
#pragma once

#include "cpu/forms/form.h"
#include "tileops/device/ops/special.h"

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

TILEOPS_TEST_FORM(isnan)
TILEOPS_TEST_FORM(isinf)
TILEOPS_TEST_FORM(isfinite)

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS

// Two bodies of f32 as one, so that what is between them stays in a register: the first one's result is the second
// one's operand `into`. It is rounded there, as if they came one after the other, so that the bits are the same.
#pragma once

#include "cpu/forms/binary_arith.h"
#include "cpu/forms/functions.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

// The operands of the first body, then the others of the second.
template <class First, class Second, int into>
struct pair : device::body {
  First first;
  Second second;
  // Neither body has attributes.
  TILEOPS_INLINE explicit pair(const device::AttrValue*) : first(nullptr), second(nullptr) {}
  static constexpr bool cheap = true;
  static constexpr auto accuracy = device::Accuracy::exact;
  TILEOPS_INLINE float operator()(float a, float b, float c) const {
    const float between = first(a, b);
    if constexpr (into == 0) return second(between, c);
    else return second(c, between);
  }
};

// The result of the first body is the addend of an fma.
template <class First, class P>
struct pair<First, op::fused_multiply_add<P, float>, 2> : device::body {
  First first;
  TILEOPS_INLINE explicit pair(const device::AttrValue*) : first(nullptr) {}
  static constexpr bool cheap = true;
  static constexpr auto accuracy = device::Accuracy::exact;
  TILEOPS_INLINE float operator()(float a, float b, float c, float e) const { return fma(c, e, first(a, b)); }
};

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS

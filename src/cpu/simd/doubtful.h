// The rounding test: may an f32 result's error change what it is rounded to?
#pragma once

#include "tileops/device/convert.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

namespace d = device;

// Is a tie of D's rounding within `ulp` float ulps of x?
template <class D>
inline __attribute__((always_inline)) bool doubtful(float x, d::u32 ulp) {
  const d::u32 bits = d::to_bits(x);
  if constexpr (d::same_v<D, d::bf16>) {
    // A tie has the low half 0x8000, at every magnitude.
    return static_cast<d::u32>((bits & 0xffffu) - 0x8000u + ulp) <= 2 * ulp;
  } else {
    const d::u32 sign = bits & 0x80000000u, mag = bits & 0x7fffffffu;
    const d::u32 low = mag > ulp ? mag - ulp : 0;
    const d::u32 high = mag < 0x7f800000u ? mag + ulp : mag;  // infinity is exact
    const auto a = d::narrow<D>(d::from_bits(sign | low)).bits;
    const auto b = d::narrow<D>(d::from_bits(sign | high)).bits;
    return a != b && mag < 0x7f800000u;
  }
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS

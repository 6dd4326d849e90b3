// SPDX-License-Identifier: Apache-2.0
// The rounding test (Ziv): may an f32 result's error change what it is rounded to? Where it may, the result is computed
// again in f64.
#ifndef TILEOPS_DEVICE_MATH_ROUNDING_TEST_H
#define TILEOPS_DEVICE_MATH_ROUNDING_TEST_H

#include "../../convert.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

// Fraction bits of f32 that S drops, and the bits of its least normal number: f32's own, 0, for bf16.
template <class S>
inline constexpr bool is_e4m3_v = same_v<S, e4m3fn> || same_v<S, e4m3fn_sat>;
template <class S>
inline constexpr int dropped_bits_v = same_v<S, bf16>  ? 16
                                      : same_v<S, f16> ? 13
                                      : is_e4m3_v<S>   ? 20
                                      : is_packed_v<S> ? 22
                                                       : 21;
template <class S>
inline constexpr u32 least_normal_v = same_v<S, bf16>  ? 0u
                                      : is_e4m3_v<S>   ? (127u - 6) << 23
                                      : is_packed_v<S> ? 127u << 23
                                                       : (127u - 14) << 23;

// Is a tie of S's rounding within `ulp` float ulps of x? bf16 ties have the low half 0x8000 at every magnitude; the
// others the like from their least normal number on, and below it the answer is yes. Not for NaN, infinity and 0. Three
// instructions, and two more where there is a least normal number.
template <class S>
TILEOPS_FN bool near_tie(float x, u32 ulp) {
  constexpr int keep = 32 - dropped_bits_v<S>;
  const u32 bits = to_bits(x);
  const u32 place = (bits << keep) - (0x80000000u - (ulp << keep));
  bool hit = place <= ulp << (keep + 1);
  if constexpr (!same_v<S, bf16>) hit |= (bits & 0x7fffffffu) - 1 < least_normal_v<S> - 1;
  return hit;
}

// The same, exactly: below the least normal number ties lie elsewhere, and differ(low, high) says whether both ends of
// what the result may be are rounded to different numbers.
template <class S, class Differ>
TILEOPS_FN bool fails_rounding_test(float x, u32 ulp, const Differ& differ) {
  if constexpr (same_v<S, bf16>) {
    return near_tie<S>(x, ulp);
  } else {
    const u32 bits = to_bits(x), sign = bits & 0x80000000u, mag = bits & 0x7fffffffu;
    const float low = from_bits(sign | (mag > ulp ? mag - ulp : 0u)), high = from_bits(sign | (mag + ulp));
    const bool apart = differ(low, high);
    return mag < least_normal_v<S> ? apart & (mag != 0u) : near_tie<S>(x, ulp);
  }
}
template <class S>
TILEOPS_FN bool fails_rounding_test(float x, u32 ulp) {
  return fails_rounding_test<S>(x, ulp,
                                [](float low, float high) { return narrow<S>(low).bits != narrow<S>(high).bits; });
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

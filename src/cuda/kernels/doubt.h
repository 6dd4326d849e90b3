// The rounding test: may the error of an f32 result change what it is rounded to?
#ifndef TILEOPS_KERNELS_DOUBT_H
#define TILEOPS_KERNELS_DOUBT_H

#include "cuda/kernels/narrow.h"

namespace tileops {
namespace kernels {

// Fraction bits of f32 that S drops, and the bits of its least normal number.
template <class S>
inline constexpr int dropped_bits_v = same_v<S, bf16> ? 16 : same_v<S, f16> ? 13 : is_e4m3_v<S> ? 20 : 21;
template <class S>
inline constexpr u32 least_normal_v = same_v<S, bf16> ? 0u
                                      : is_e4m3_v<S>  ? (127u - 6) << 23
                                                      : (127u - 14) << 23;

// Below the least normal number ties lie elsewhere: try both ends.
template <class S>
__device__ __noinline__ bool doubtful_subnormal(float x, u32 ulp) {
  const u32 bits = to_bits(x), sign = bits & 0x80000000u, mag = bits & 0x7fffffffu;
  const u32 low = mag > ulp ? mag - ulp : 0;
  return narrow<S>(from_bits(sign | low)).bits != narrow<S>(from_bits(sign | (mag + ulp))).bits;
}

// May a tie of S's rounding be within `ulp` float ulps of x? bf16 ties have the low half 0x8000 at every
// magnitude; the others the like from their least normal number on, and below it the answer is yes.
// Not for NaN, infinity and 0. Three instructions, and two more where there is a least normal number.
template <class S>
TILEOPS_DEVICE bool maybe_doubtful(float x, u32 ulp) {
  constexpr int keep = 32 - dropped_bits_v<S>;
  const u32 bits = to_bits(x);
  const u32 place = (bits << keep) - (0x80000000u - (ulp << keep));
  bool hit = place <= ulp << (keep + 1);
  if constexpr (!same_v<S, bf16>) hit |= (bits & 0x7fffffffu) - 1 < least_normal_v<S> - 1;
  return hit;
}

// Is it?
template <class S>
TILEOPS_DEVICE bool doubtful(float x, u32 ulp) {
  const u32 mag = to_bits(x) & 0x7fffffffu;
  if (mag < least_normal_v<S>) return mag != 0 && doubtful_subnormal<S>(x, ulp);
  return maybe_doubtful<S>(x, ulp);
}

}  // namespace kernels
}  // namespace tileops

#endif

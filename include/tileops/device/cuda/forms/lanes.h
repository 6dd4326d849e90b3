// SPDX-License-Identifier: Apache-2.0
// The aligned binary tree over neighbouring lanes of a warp. R is an accumulator of all that a stage reduces: state,
// identity(), merge(a, b).
#ifndef TILEOPS_DEVICE_CUDA_FORMS_LANES_H
#define TILEOPS_DEVICE_CUDA_FORMS_LANES_H

#include "../common/pack.h"

namespace tileops {
namespace kernels {

constexpr u32 kWholeWarp = 0xffffffffu;

template <class S>
struct words_of {
  static_assert(sizeof(S) % 4 == 0, "of whole words");
  u32 w[sizeof(S) / 4];
};

// A state of the lane whose number differs in the bits of `mask`.
template <class S>
TILEOPS_DEVICE S from_lane(const S& s, int mask) {
  words_of<S> x = __builtin_bit_cast(words_of<S>, s);
#pragma unroll
  for (u32 i = 0; i < sizeof(S) / 4; ++i) x.w[i] = __shfl_xor_sync(kWholeWarp, x.w[i], mask);
  return __builtin_bit_cast(S, x);
}

// The node of all nodes of lanes that differ in the low bits, up to `Lanes` of them: in each of these lanes.
template <class R, int Lanes>
TILEOPS_DEVICE typename R::state over_lanes(typename R::state s) {
#pragma unroll
  for (int bit = 1; bit < Lanes; bit *= 2) s = R::merge(s, from_lane(s, bit));
  return s;
}

}  // namespace kernels
}  // namespace tileops

#endif

// SPDX-License-Identifier: Apache-2.0
// The aligned binary tree (docs/numerics.md) over what a thread has in an array and what neighbouring lanes of a warp
// have. R merges nodes: merge(a, b). Whichever of two nodes comes first, merging gives the same bits, so that lanes
// need not know who is left. All lanes of the warp call together.
#ifndef TILEOPS_DEVICE_REDUCTION_TREE_H
#define TILEOPS_DEVICE_REDUCTION_TREE_H

#include "config.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace trees {

// How lanes get at each other's words, if a caller names nothing else: tiles have their own (tile/lanes.h), and the
// host has none.
struct warp_shuffle;

#if defined(__CUDACC__) || defined(__CUDACC_RTC__) || defined(__CUDA__)

struct warp_shuffle {
  // A word of the lane whose number differs in the bits of `mask`.
  static __device__ __forceinline__ u32 from(u32 x, int mask) { return __shfl_xor_sync(0xffffffffu, x, mask); }
};

#endif

template <class S>
struct words_of {
  static_assert(sizeof(S) % 4 == 0, "of whole words");
  u32 w[sizeof(S) / 4];
};

// A state of the lane whose number differs in the bits of `mask`.
template <class Warp = warp_shuffle, class S>
TILEOPS_FN S from_lane(const S& s, int mask) {
  words_of<S> x = __builtin_bit_cast(words_of<S>, s);
  TILEOPS_UNROLL
  for (u32 i = 0; i < sizeof(S) / 4; ++i) x.w[i] = Warp::from(x.w[i], mask);
  return __builtin_bit_cast(S, x);
}

// One of two states, word by word: of a conditional expression the compiler makes an address, and puts both in memory.
template <class S>
TILEOPS_FN S either(bool first, const S& a, const S& b) {
  words_of<S> x = __builtin_bit_cast(words_of<S>, a);
  const words_of<S> y = __builtin_bit_cast(words_of<S>, b);
  TILEOPS_UNROLL
  for (u32 i = 0; i < sizeof(S) / 4; ++i) x.w[i] = first ? x.w[i] : y.w[i];
  return __builtin_bit_cast(S, x);
}

TILEOPS_FN constexpr int power_of_two_from(int n) {
  int power = 1;
  while (power < n) power *= 2;
  return power;
}

// The node of `Count` neighbours in an array: where that is no power of two, those that are missing are left out.
template <class R, int Count, class S, int N>
TILEOPS_FN S over_array(const S (&s)[N], int first = 0) {
  if constexpr (Count == 1) {
    return s[first];
  } else {
    constexpr int left = power_of_two_from(Count) / 2;
    return R::merge(over_array<R, left>(s, first), over_array<R, Count - left>(s, first + left));
  }
}

// The node of all nodes of lanes that differ in the low bits, up to `Lanes` of them: in each of these lanes.
template <class R, int Lanes, class Warp = warp_shuffle, class S>
TILEOPS_FN S over_lanes(S s) {
  TILEOPS_UNROLL
  for (int bit = 1; bit < Lanes; bit *= 2) s = R::merge(s, from_lane<Warp>(s, bit));
  return s;
}

// One butterfly for `Left` nodes of each lane: at each bit a lane sends half of them, those that the other one goes on
// with, and keeps the rest. In the end a lane's low bits say which of the nodes it has the sum of.
template <class R, class Warp, int Bit, int Lanes, int Left, class S, int N>
TILEOPS_FN void share_over_lanes(S (&s)[N], int lane) {
  if constexpr (Bit < Lanes && Left > 1) {
    const bool odd = (lane & Bit) != 0;
    TILEOPS_UNROLL
    for (int i = 0; i < Left / 2; ++i) {
      const S keep = either(odd, s[2 * i + 1], s[2 * i]), send = either(odd, s[2 * i], s[2 * i + 1]);
      s[i] = R::merge(keep, from_lane<Warp>(send, Bit));
    }
    share_over_lanes<R, Warp, 2 * Bit, Lanes, Left / 2>(s, lane);
  } else if constexpr (Bit < Lanes) {
    s[0] = R::merge(s[0], from_lane<Warp>(s[0], Bit));
    share_over_lanes<R, Warp, 2 * Bit, Lanes, 1>(s, lane);
  }
}

// Node m of a lane has number m * Lanes + lane: the node of all, in each of these lanes. With several lanes as many
// nodes as a power of two; of `lane` the low bits count.
template <class R, int Lanes, class Warp = warp_shuffle, class S, int N>
TILEOPS_FN S over_lanes_and_array(S (&s)[N], int lane) {
  if constexpr (N == 1) {
    return over_lanes<R, Lanes, Warp>(s[0]);
  } else if constexpr (Lanes == 1) {
    return over_array<R, N>(s);
  } else {
    static_assert((N & (N - 1)) == 0, "a power of two");
    constexpr int left = N > Lanes ? N / Lanes : 1, numbered = N > Lanes ? Lanes : N;
    share_over_lanes<R, Warp, 1, Lanes, N>(s, lane);
    S rest[left];
    TILEOPS_UNROLL
    for (int i = 0; i < left; ++i) rest[i] = s[i];
    return over_lanes_and_array<R, numbered, Warp>(rest, lane);
  }
}

}  // namespace trees
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

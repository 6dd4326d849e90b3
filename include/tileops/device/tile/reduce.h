// SPDX-License-Identifier: Apache-2.0
// Reductions along the rows of a tile: one value for each row, in every thread that has elements of the row.
//
//   row_sum(x)                  the sum, in the order of the library's `sum` of a last axis, the aligned binary tree
//                               over the columns (docs/numerics.md), so that it has the same bits
//   row_sum_with_low_parts(x)   the same with what its roundings took beside it, as float32 results of the library
//   row_max(x), row_min(x)      NaN if an element is; of -0 and +0 the larger one is +0
//   reduce_rows<R>(x)           by an accumulator R of reductions.h
//
// All 32 lanes of each warp that has the tile call them together: they exchange values by shuffles, and wait for no
// other warp. A layout whose rows lie in several warps is refused. Tiles of one thread need no other.
#ifndef TILEOPS_DEVICE_TILE_REDUCE_H
#define TILEOPS_DEVICE_TILE_REDUCE_H

#include "../reductions.h"
#include "apply.h"
#include "lanes.h"

namespace tileops {
namespace device {
inline namespace TILEOPS_DEVICE_NS {
namespace tiles {

template <class S>
struct words {
  static_assert(sizeof(S) % 4 == 0, "of whole words");
  u32 w[sizeof(S) / 4];
};
template <class Warp, class S>
TILEOPS_FN S from_lane(const S& s, int mask) {
  words<S> x = __builtin_bit_cast(words<S>, s);
  TILEOPS_UNROLL
  for (u32 i = 0; i < sizeof(S) / 4; ++i) x.w[i] = Warp::from(x.w[i], mask);
  return __builtin_bit_cast(S, x);
}
// One of two, word by word: of a conditional expression the compiler makes an address, and puts both in memory.
template <class S>
TILEOPS_FN S either(bool first, const S& a, const S& b) {
  words<S> x = __builtin_bit_cast(words<S>, a);
  const words<S> y = __builtin_bit_cast(words<S>, b);
  TILEOPS_UNROLL
  for (u32 i = 0; i < sizeof(S) / 4; ++i) x.w[i] = first ? x.w[i] : y.w[i];
  return __builtin_bit_cast(S, x);
}

// The tree over neighbours in an array, those that are not there left out.
template <class R, class S, int N>
TILEOPS_FN S over_array(S (&s)[N]) {
  TILEOPS_UNROLL
  for (int width = 1; width < N; width *= 2) {
    TILEOPS_UNROLL
    for (int i = 0; i + width < N; i += 2 * width) s[i] = R::merge(s[i], s[i + width]);
  }
  return s[0];
}

// One step of a butterfly at each bit of the lane's number for `Left` nodes of each lane: it sends half of them, those
// that the other lane goes on with, and keeps the rest. In the end a lane's low bits say which of the nodes it has.
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

// Node m of a lane has number m * Lanes + lane: the node of all, in each of these lanes. Whichever of two nodes comes
// first, merging gives the same bits.
template <class R, class Warp, int Lanes, class S, int N>
TILEOPS_FN S over_lanes(S (&s)[N], int lane) {
  if constexpr (Lanes == 1) {
    return over_array<R>(s);
  } else if constexpr (N == 1) {
    share_over_lanes<R, Warp, 1, Lanes, 1>(s, lane);
    return s[0];
  } else {
    static_assert((N & (N - 1)) == 0, "a power of two");
    constexpr int left = N > Lanes ? N / Lanes : 1, numbered = N > Lanes ? Lanes : N;
    share_over_lanes<R, Warp, 1, Lanes, N>(s, lane);
    S rest[left];
    TILEOPS_UNROLL
    for (int i = 0; i < left; ++i) rest[i] = s[i];
    return over_lanes<R, Warp, numbered>(rest, lane);
  }
}

TILEOPS_FN constexpr int power_of_two_from(int n) {
  int power = 1;
  while (power < n) power *= 2;
  return power;
}

// The value of row number r of the calling thread, of the warp that its functions are of.
template <class R, class Warp, class X>
TILEOPS_FN auto reduce_row(const X& x, int r, int lane) {
  using Layout = typename X::layout;
  using State = typename R::template state<typename X::value_type>;
  constexpr int runs = Layout::columns_of_thread / Layout::run;
  constexpr int nodes = Layout::lanes_of_row == 1 ? runs : power_of_two_from(runs);
  State s[nodes];
  TILEOPS_UNROLL
  for (int m = 0; m < runs; ++m) {
    State leaf[Layout::run];
    TILEOPS_UNROLL
    for (int k = 0; k < Layout::run; ++k) leaf[k] = R::of(x.v[Layout::element(r, m * Layout::run + k)]);
    s[m] = over_array<R>(leaf);
  }
  TILEOPS_UNROLL
  for (int m = runs; m < nodes; ++m) s[m] = R::identity();
  return R::finish(over_lanes<R, Warp, Layout::lanes_of_row>(s, lane));
}

template <class R, class Warp, class X>
TILEOPS_FN auto reduce_rows_of(const X& x, int lane) {
  using Layout = typename X::layout;
  constexpr bool in_one_warp = Layout::warps_of_row == 1;
  static_assert(
      in_one_warp,
      "tileops: rows of this layout lie in several warps: reduce their parts, and these through shared memory");
  column_vector<decltype(reduce_row<R, Warp>(x, 0, lane)), Layout> y;
  if constexpr (in_one_warp) {
    TILEOPS_UNROLL
    for (int r = 0; r < Layout::rows_of_thread; ++r) y.v[r] = reduce_row<R, Warp>(x, r, lane);
  }
  return y;
}

}  // namespace tiles

#if defined(__CUDACC__) || defined(__CUDACC_RTC__) || defined(__CUDA__)

template <class R, class X, class = tiles::if_any_is_tile<X>>
static __device__ __forceinline__ auto reduce_rows(const X& x) {
  return tiles::reduce_rows_of<R, tiles::warp_shuffle>(x, tiles::warp_shuffle::lane());
}
template <class X, class = tiles::if_any_is_tile<X>>
static __device__ __forceinline__ auto row_sum(const X& x) {
  return reduce_rows<reductions::sum<typename X::value_type>>(x);
}
template <class X, class = tiles::if_any_is_tile<X>>
static __device__ __forceinline__ auto row_sum_with_low_parts(const X& x) {
  return reduce_rows<reductions::sum_with_low_parts<typename X::value_type>>(x);
}
template <class X, class = tiles::if_any_is_tile<X>>
static __device__ __forceinline__ auto row_max(const X& x) {
  return reduce_rows<reductions::extreme<true, typename X::value_type>>(x);
}
template <class X, class = tiles::if_any_is_tile<X>>
static __device__ __forceinline__ auto row_min(const X& x) {
  return reduce_rows<reductions::extreme<false, typename X::value_type>>(x);
}

#endif

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device
}  // namespace tileops

#endif

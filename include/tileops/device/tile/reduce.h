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

#include "../reduction_tree.h"
#include "../reductions.h"
#include "apply.h"
#include "lanes.h"

namespace tileops {
namespace device {
inline namespace TILEOPS_DEVICE_NS {
namespace tiles {

// The value of row number r of the calling thread, of the warp that its functions are of.
template <class R, class Warp, class X>
TILEOPS_FN auto reduce_row(const X& x, int r, int lane) {
  using Layout = typename X::layout;
  using State = typename R::template state<typename X::value_type>;
  constexpr int runs = Layout::columns_of_thread / Layout::run;
  constexpr int nodes = Layout::lanes_of_row == 1 ? runs : trees::power_of_two_from(runs);
  State s[nodes];
  TILEOPS_UNROLL
  for (int m = 0; m < runs; ++m) {
    State leaf[Layout::run];
    TILEOPS_UNROLL
    for (int k = 0; k < Layout::run; ++k) leaf[k] = R::of(x.v[Layout::element(r, m * Layout::run + k)]);
    s[m] = trees::over_array<R, Layout::run>(leaf);
  }
  TILEOPS_UNROLL
  for (int m = runs; m < nodes; ++m) s[m] = R::identity();
  return R::finish(trees::over_lanes_and_array<R, Layout::lanes_of_row, Warp>(s, lane));
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

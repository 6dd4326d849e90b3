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
// other warp. Tiles of one thread need no other.
//
// Rows that lie in several warps of a block need shared memory besides, which the caller gives as the last argument,
// for each tile its own:
//
//   __shared__ row_parts<Layout> parts;
//   row_sum(x, parts)           and so all functions above
//
// All threads of the block call these together: they wait for each other, and `parts` is free again afterwards. Where
// not all of a block have the tile, say which do: row_sum(x, parts, tile_threads{first, count, barrier}), lanes.h. What
// a warp has of a row is a power of two of columns, so that it is a node of the tree: other layouts are refused.
#ifndef TILEOPS_DEVICE_TILE_REDUCE_H
#define TILEOPS_DEVICE_TILE_REDUCE_H

#include "../reduction_tree.h"
#include "../reductions.h"
#include "apply.h"
#include "lanes.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace tiles {

// What elements of a tile are reduced as: narrower floats as float.
template <class X>
using reduced_t = computed_t<typename X::value_type>;
template <class R, class X>
using state_of = typename R::template state<reduced_t<X>>;

// What the calling thread's warp, of which Warp has the functions, knows of row number r of the thread.
template <class R, class Warp, class X>
TILEOPS_FN state_of<R, X> node_of_row(const X& x, int r, int lane) {
  using Layout = typename X::layout;
  using State = state_of<R, X>;
  constexpr int runs = Layout::columns_of_thread / Layout::run;
  constexpr int nodes = Layout::lanes_of_row == 1 ? runs : trees::power_of_two_from(runs);
  State s[nodes];
  TILEOPS_UNROLL
  for (int m = 0; m < runs; ++m) {
    State leaf[Layout::run];
    TILEOPS_UNROLL
    for (int k = 0; k < Layout::run; ++k)
      leaf[k] = R::of(convert<reduced_t<X>>(to_element(x.v[Layout::element(r, m * Layout::run + k)])));
    s[m] = trees::over_array<R, Layout::run>(leaf);
  }
  TILEOPS_UNROLL
  for (int m = runs; m < nodes; ++m) s[m] = R::identity();
  return trees::over_lanes_and_array<R, Layout::lanes_of_row, Warp>(s, lane);
}

template <class R, class X>
using reduced_rows = column_vector<decltype(R::finish(R::identity())), typename X::layout>;

template <class R, class Warp, class X>
TILEOPS_FN reduced_rows<R, X> reduce_rows_of(const X& x, int lane) {
  using Layout = typename X::layout;
  constexpr bool in_one_warp = Layout::warps_of_row == 1;
  static_assert(
      in_one_warp,
      "tileops: rows of this layout lie in several warps: give row_parts<Layout> in shared memory behind the tile");
  reduced_rows<R, X> y;
  if constexpr (in_one_warp) {
    TILEOPS_UNROLL
    for (int r = 0; r < Layout::rows_of_thread; ++r) y.v[r] = R::finish(node_of_row<R, Warp>(x, r, lane));
  }
  return y;
}

// Where the words of a part of a row begin, of which it has `Words`.
template <class Layout, int Words>
TILEOPS_FN int word_of_part(int row, int part) {
  return (row * Layout::warps_of_row + part) * Words;
}

// Writes what the calling thread's warp knows of its rows. `thread` counts within the layout.
template <class R, class Warp, class X, class Parts>
TILEOPS_FN void leave_parts(const X& x, int thread, Parts* parts) {
  using Layout = typename X::layout;
  using Words = trees::words_of<state_of<R, X>>;
  constexpr int columns = Layout::columns / Layout::warps_of_row, words = sizeof(Words) / 4;
  static_assert(
      trees::power_of_two_from(columns) == columns,
      "tileops: a warp has a number of columns of this layout that is no power of two: its part of a row is no node "
      "of the tree");
  static_assert(words <= Parts::words_of_part, "tileops: row_parts of a type of more bytes");
  TILEOPS_UNROLL
  for (int r = 0; r < Layout::rows_of_thread; ++r) {
    const int i = Layout::element(r, 0);
    const Words node = __builtin_bit_cast(Words, node_of_row<R, Warp>(x, r, thread % 32));
    if (thread % Layout::lanes_of_row == 0) {
      const int at = word_of_part<Layout, words>(Layout::row(thread, i), Layout::column(thread, i) / columns);
      TILEOPS_UNROLL
      for (int k = 0; k < words; ++k) parts->w[at + k] = node.w[k];
    }
  }
}
// What all parts of the calling thread's rows come to, once all are there.
template <class R, class X, class Parts>
TILEOPS_FN reduced_rows<R, X> take_parts(int thread, const Parts& parts) {
  using Layout = typename X::layout;
  using State = state_of<R, X>;
  using Words = trees::words_of<State>;
  constexpr int words = sizeof(Words) / 4;
  reduced_rows<R, X> y;
  TILEOPS_UNROLL
  for (int r = 0; r < Layout::rows_of_thread; ++r) {
    State s[Layout::warps_of_row];
    TILEOPS_UNROLL
    for (int part = 0; part < Layout::warps_of_row; ++part) {
      const int at = word_of_part<Layout, words>(Layout::row(thread, Layout::element(r, 0)), part);
      Words node;
      TILEOPS_UNROLL
      for (int k = 0; k < words; ++k) node.w[k] = parts.w[at + k];
      s[part] = __builtin_bit_cast(State, node);
    }
    y.v[r] = R::finish(trees::over_array<R, Layout::warps_of_row>(s));
  }
  return y;
}

}  // namespace tiles

// Where the warps of a block leave what they know of rows of elements T, of sums with low parts two numbers a row.
template <class Layout, class T = float>
struct row_parts {
  static constexpr int words_of_part = sizeof(T) < 4 ? 2 : static_cast<int>(2 * sizeof(T) / 4);
  u32 w[Layout::rows * Layout::warps_of_row * words_of_part];
};

#if defined(__CUDACC__) || defined(__CUDACC_RTC__) || defined(__CUDA__)

template <class R, class X, class = tiles::if_any_is_tile<X>>
static __device__ __forceinline__ auto reduce_rows(const X& x) {
  return tiles::reduce_rows_of<R, tiles::warp_shuffle>(x, tiles::warp_shuffle::lane());
}
namespace tiles {

template <class R, class X, class Parts, class Threads>
static __device__ __forceinline__ auto reduce_rows_of_block(const X& x, Parts& parts, const Threads& threads) {
  using Layout = typename X::layout;
  if constexpr (Layout::warps_of_row == 1) {
    return reduce_rows_of<R, warp_shuffle>(x, warp_shuffle::lane());
  } else {
    const int thread = thread_in<Layout>(threads.first);
    leave_parts<R, warp_shuffle>(x, thread, &parts);
    threads.wait();
    const auto y = take_parts<R, X>(thread, parts);
    threads.wait();
    return y;
  }
}

}  // namespace tiles

template <class R, class X, class T, class = tiles::if_any_is_tile<X>>
static __device__ __forceinline__ auto reduce_rows(const X& x, row_parts<typename X::layout, T>& parts) {
  return tiles::reduce_rows_of_block<R>(x, parts, tiles::whole_block{});
}
template <class R, class X, class T, class = tiles::if_any_is_tile<X>>
static __device__ __forceinline__ auto reduce_rows(const X& x, row_parts<typename X::layout, T>& parts,
                                                   const tile_threads& threads) {
  return tiles::reduce_rows_of_block<R>(x, parts, tiles::part_of_block(threads));
}

#define TILEOPS_ROW_REDUCTION(name, ...)                                                             \
  template <class X, class = tiles::if_any_is_tile<X>>                                               \
  static __device__ __forceinline__ auto name(const X& x) {                                          \
    return reduce_rows<reductions::__VA_ARGS__>(x);                                                  \
  }                                                                                                  \
  template <class X, class T, class = tiles::if_any_is_tile<X>>                                      \
  static __device__ __forceinline__ auto name(const X& x, row_parts<typename X::layout, T>& parts) { \
    return reduce_rows<reductions::__VA_ARGS__>(x, parts);                                           \
  }                                                                                                  \
  template <class X, class T, class = tiles::if_any_is_tile<X>>                                      \
  static __device__ __forceinline__ auto name(const X& x, row_parts<typename X::layout, T>& parts,   \
                                              const tile_threads& threads) {                         \
    return reduce_rows<reductions::__VA_ARGS__>(x, parts, threads);                                  \
  }
TILEOPS_ROW_REDUCTION(row_sum, sum<tiles::reduced_t<X>>)
TILEOPS_ROW_REDUCTION(row_sum_with_low_parts, sum_with_low_parts<tiles::reduced_t<X>>)
TILEOPS_ROW_REDUCTION(row_max, extreme<true, tiles::reduced_t<X>>)
TILEOPS_ROW_REDUCTION(row_min, extreme<false, tiles::reduced_t<X>>)
#undef TILEOPS_ROW_REDUCTION

#endif

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail

namespace device {
using device_detail::row_parts;
#if defined(__CUDACC__) || defined(__CUDACC_RTC__) || defined(__CUDA__)
using device_detail::reduce_rows;
using device_detail::row_max;
using device_detail::row_min;
using device_detail::row_sum;
using device_detail::row_sum_with_low_parts;
#endif
}  // namespace device
}  // namespace tileops

#endif

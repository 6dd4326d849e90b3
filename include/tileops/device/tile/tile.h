// SPDX-License-Identifier: Apache-2.0
// Tiles in registers, and vectors that stand beside them: of each the part of one thread.
//
//   tile<T, Layout>            rows x columns
//   tile_view<T, Layout>       the same over an array that is there already; as_tile<Layout>(array) makes one
//   row_vector<T, Layout>      1 x columns, a bias: the same in each row of the tile
//   column_vector<T, Layout>   rows x 1, scales or sums of rows: the same in each column
//
// A number, of an arithmetic type or one of convert.h, is the same in each element.
#ifndef TILEOPS_DEVICE_TILE_TILE_H
#define TILEOPS_DEVICE_TILE_TILE_H

#include "../element.h"
#include "check.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

template <class T, class Layout>
struct tile {
  static_assert(tiles::is_right_v<Layout>, "");  // which says itself what is wrong
  using layout = Layout;
  using value_type = T;
  static constexpr bool is_tile = true;
  T v[Layout::elements];
  TILEOPS_FN const T& at(int i) const { return v[i]; }
};

template <class T, class Layout>
struct tile_view {
  static_assert(tiles::is_right_v<Layout>, "");  // which says itself what is wrong
  using layout = Layout;
  using value_type = T;
  static constexpr bool is_tile = true;
  T (&v)[Layout::elements];
  TILEOPS_FN const T& at(int i) const { return v[i]; }
};

template <class T, class Layout>
struct row_vector {
  using layout = Layout;
  using value_type = T;
  static constexpr bool is_tile = false;
  T v[Layout::columns_of_thread];
  TILEOPS_FN const T& at(int i) const { return v[Layout::column_number(i)]; }
};

template <class T, class Layout>
struct column_vector {
  using layout = Layout;
  using value_type = T;
  static constexpr bool is_tile = false;
  T v[Layout::rows_of_thread];
  TILEOPS_FN const T& at(int i) const { return v[Layout::row_number(i)]; }
};

// The type of the numbers of an array of arrays, and how many there are.
template <class A>
struct array_of {
  using type = A;
  static constexpr int count = 1;
};
template <class A, unsigned long N>
struct array_of<A[N]> {
  using type = typename array_of<A>::type;
  static constexpr int count = static_cast<int>(N) * array_of<A>::count;
};

// A thread's registers, of any rank (float acc[2][8][4]), as its part of a tile.
template <class Layout, class Array>
TILEOPS_FN tile_view<typename array_of<Array>::type, Layout> as_tile(Array& array) {
  using T = typename array_of<Array>::type;
  static_assert(array_of<Array>::count == Layout::elements,
                "tileops as_tile: the array has another number of elements than the layout has for a thread");
  return {reinterpret_cast<T(&)[Layout::elements]>(array)};
}

// The part of a row or column vector in memory that thread `thread` needs, converted to T. From `count` on there is
// nothing: T{}. Each thread reads by itself.
template <class Layout, class T = float, class S>
TILEOPS_FN row_vector<T, Layout> load_row_vector(const S* from, int thread, int count = Layout::columns) {
  row_vector<T, Layout> y;
  TILEOPS_UNROLL
  for (int c = 0; c < Layout::columns_of_thread; ++c) {
    const int column = Layout::column(thread, Layout::element(0, c));
    y.v[c] = column < count ? from_element<T>(convert<element_t<T>>(to_element(from[column]))) : T{};
  }
  return y;
}
template <class Layout, class T = float, class S>
TILEOPS_FN column_vector<T, Layout> load_column_vector(const S* from, int thread, int count = Layout::rows) {
  column_vector<T, Layout> y;
  TILEOPS_UNROLL
  for (int r = 0; r < Layout::rows_of_thread; ++r) {
    const int row = Layout::row(thread, Layout::element(r, 0));
    y.v[r] = row < count ? from_element<T>(convert<element_t<T>>(to_element(from[row]))) : T{};
  }
  return y;
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail

namespace device {
using device_detail::as_tile;
using device_detail::column_vector;
using device_detail::load_column_vector;
using device_detail::load_row_vector;
using device_detail::row_vector;
using device_detail::tile;
using device_detail::tile_view;
}  // namespace device
}  // namespace tileops

#endif

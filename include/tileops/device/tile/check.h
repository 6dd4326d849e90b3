// SPDX-License-Identifier: Apache-2.0
// Is a layout what layout.h says? That of the library's own is known; others are looked at when they are compiled.
#ifndef TILEOPS_DEVICE_TILE_CHECK_H
#define TILEOPS_DEVICE_TILE_CHECK_H

#include "layout.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace tiles {

// The layout whose check is that of this one, void of those that need none.
template <class Layout>
struct checked_by {
  using type = Layout;
};
template <int Rows, int Columns>
struct checked_by<accumulator_layout<Rows, Columns>> {
  using type = void;
};
template <int Columns>
struct checked_by<row_per_lane_layout<Columns>> {
  using type = void;
};
template <int Rows, int Columns>
struct checked_by<thread_layout<Rows, Columns>> {
  using type = void;
};
template <class Part, int Down, int Across, tile_scope Level>
struct checked_by<tiled_layout<Part, Down, Across, Level>> : checked_by<Part> {};

template <int... Warp>
struct warp_numbers {};
template <int N, int... Warp>
struct warps_below_of : warps_below_of<N - 1, N - 1, Warp...> {};
template <int... Warp>
struct warps_below_of<0, Warp...> {
  using type = warp_numbers<Warp...>;
};
template <int N>
using warps_below = typename warps_below_of<N>::type;

// Whether owner() and place() follow from row() and column(), and need no look.
template <class Layout>
inline constexpr bool has_owners_v = false;

// Compilers evaluate only so much at once: a warp's elements at a time, 32 threads or fewer.
template <class Layout>
inline constexpr int threads_at_once_v = Layout::threads < 32 ? Layout::threads : 32;

// Where the elements of a warp's threads lie: row * columns + column, thread after thread; -1 beyond the tile.
template <class Layout>
struct warp_places {
  int at[threads_at_once_v<Layout> * Layout::elements] = {};
};
template <class Layout, int Warp>
TILEOPS_FN constexpr warp_places<Layout> places_of_warp() {
  warp_places<Layout> p;
  int k = 0;
  for (int t = 0; t < threads_at_once_v<Layout>; ++t)
    for (int i = 0; i < Layout::elements; ++i, ++k) {
      const int row = Layout::row(32 * Warp + t, i), column = Layout::column(32 * Warp + t, i);
      const bool inside = row >= 0 && row < Layout::rows && column >= 0 && column < Layout::columns;
      p.at[k] = inside ? row * Layout::columns + column : -1;
    }
  return p;
}
template <class Layout, int Warp>
inline constexpr warp_places<Layout> places_v = places_of_warp<Layout, Warp>();

// Every element is of one thread, once.
template <class Layout>
struct seen_elements {
  bool seen[Layout::rows * Layout::columns] = {}, right = true;
  TILEOPS_FN constexpr bool add(const warp_places<Layout>& p) {
    for (const int at : p.at) {
      right = right && at >= 0 && !seen[at < 0 ? 0 : at];
      if (at >= 0) seen[at] = true;
    }
    return right;
  }
};
template <class Layout, int... Warp>
TILEOPS_FN constexpr bool owns_each_once(warp_numbers<Warp...>) {
  seen_elements<Layout> all;
  return (all.add(places_v<Layout, Warp>) && ...);
}
// And its owner and its place there are what the layout says.
template <class Layout, int Warp>
TILEOPS_FN constexpr bool finds_its_elements() {
  if (has_owners_v<Layout>) return true;
  const warp_places<Layout>& p = places_v<Layout, Warp>;
  int k = 0;
  for (int t = 0; t < threads_at_once_v<Layout>; ++t)
    for (int i = 0; i < Layout::elements; ++i, ++k) {
      const int row = p.at[k] / Layout::columns, column = p.at[k] % Layout::columns;
      if (Layout::owner(row, column) != 32 * Warp + t || Layout::place(row, column) != i) return false;
    }
  return true;
}

// A thread's elements are those of some rows and some columns.
template <class Layout>
TILEOPS_FN constexpr bool numbers_its_elements() {
  bool right = Layout::rows_of_thread * Layout::columns_of_thread == Layout::elements;
  for (int i = 0; right && i < Layout::elements; ++i) {
    const int r = Layout::row_number(i), c = Layout::column_number(i);
    right = r >= 0 && r < Layout::rows_of_thread && c >= 0 && c < Layout::columns_of_thread;
    if (right) right = Layout::element(r, c) == i;
  }
  return right;
}
// In each thread alike.
template <class Layout, int Warp>
TILEOPS_FN constexpr bool has_rows_and_columns() {
  const warp_places<Layout>& p = places_v<Layout, Warp>;
  int first_of_row[Layout::elements] = {}, first_of_column[Layout::elements] = {};
  for (int i = 0; i < Layout::elements; ++i) {
    first_of_row[i] = Layout::element(Layout::row_number(i), 0);
    first_of_column[i] = Layout::element(0, Layout::column_number(i));
  }
  for (int t = 0; t < threads_at_once_v<Layout>; ++t)
    for (int i = 0; i < Layout::elements; ++i) {
      const int from = t * Layout::elements, at = p.at[from + i];
      if (at / Layout::columns != p.at[from + first_of_row[i]] / Layout::columns) return false;
      if (at % Layout::columns != p.at[from + first_of_column[i]] % Layout::columns) return false;
    }
  return true;
}

// Neighbours along a row lie as `run`, `lanes_of_row` and `warps_of_row` say: what row reductions go by.
template <class Layout, int Warp>
TILEOPS_FN constexpr bool lies_in_runs() {
  constexpr int run = Layout::run, lanes = Layout::lanes_of_row, warps = Layout::warps_of_row;
  constexpr int of_warp = lanes * Layout::columns_of_thread;  // columns
  bool right = run >= 1 && lanes >= 1 && lanes <= 32 && (lanes & (lanes - 1)) == 0 && warps >= 1 &&
               of_warp * warps == Layout::columns;
  if (right) right = Layout::columns_of_thread % run == 0;
  const warp_places<Layout>& p = places_v<Layout, Warp>;
  for (int c = 0; right && c < Layout::columns_of_thread; ++c) {
    const int i = Layout::element(0, c);
    for (int t = 0; t < threads_at_once_v<Layout>; ++t) {
      const int column = (c / run * lanes + t % lanes) * run + c % run;
      right = right && p.at[t * Layout::elements + i] % Layout::columns % of_warp == column;
    }
  }
  return right;
}

template <class Layout, int... Warp>
TILEOPS_FN constexpr bool passes_checks(warp_numbers<Warp...>) {
  constexpr bool whole = Layout::threads * Layout::elements == Layout::rows * Layout::columns &&
                         (Layout::threads <= 32 || Layout::threads % 32 == 0);
  static_assert(whole, "tileops: a wrong layout: threads * elements is to be rows * columns, in whole warps");
  if constexpr (whole) {
    constexpr bool owns = owns_each_once<Layout>(warp_numbers<Warp...>{});
    static_assert(owns, "tileops: a wrong layout: each element of the tile is to be of one thread, once");
    if constexpr (owns) {
      constexpr bool finds = (finds_its_elements<Layout, Warp>() && ...);
      static_assert(finds,
                    "tileops: a wrong layout: owner() and place() are to say which thread has an element, and as "
                    "which one");
      constexpr bool numbers = numbers_its_elements<Layout>();
      static_assert(numbers, "tileops: a wrong layout: a thread's elements are to be those of rows_of_thread rows and "
                             "columns_of_thread columns, as row_number(), column_number() and element() number them");
      if constexpr (finds && numbers) {
        constexpr bool alike = (has_rows_and_columns<Layout, Warp>() && ...);
        static_assert(alike, "tileops: a wrong layout: each thread is to have its rows in the same columns");
        if constexpr (alike)
          static_assert((lies_in_runs<Layout, Warp>() && ...),
                        "tileops: a wrong layout: along a row come run columns of a thread, then those of the next "
                        "of lanes_of_row lanes, then of the next of warps_of_row warps");
      }
    }
  }
  return true;  // that one line has said it
}
template <class Layout, class Checked = typename checked_by<Layout>::type>
inline constexpr bool is_right_v = passes_checks<Checked>(warps_below<(Checked::threads + 31) / 32>{});
template <class Layout>
inline constexpr bool is_right_v<Layout, void> = true;

}  // namespace tiles
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

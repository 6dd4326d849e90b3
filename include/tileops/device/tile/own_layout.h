// SPDX-License-Identifier: Apache-2.0
// A layout made of one function, that from a thread and the number of one of its elements to where this lies:
//
//   struct stripes {  // a warp has 8 rows x 32 columns, four lanes a row, two columns at a time
//     static TILEOPS_FN constexpr row_and_column at(int thread, int i) {
//       return {thread / 4, i / 2 * 8 + thread % 4 * 2 + i % 2};
//     }
//   };
//   using Layout = own_layout<stripes, 32, 8, 32>;  // of 32 threads
//
// All else that layout.h asks for follows from it. What is no layout is refused when it is compiled: a thread has each
// of its rows in the same columns, and of the columns as many beside each other as others have.
#ifndef TILEOPS_DEVICE_TILE_OWN_LAYOUT_H
#define TILEOPS_DEVICE_TILE_OWN_LAYOUT_H

#include "check.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

struct row_and_column {
  int row, column;
};

namespace tiles {

// What is known of a layout when its function has been looked at: the numbers of layout.h.
template <int Elements>
struct layout_numbers {
  int rows_of_thread = 0, columns_of_thread = 0, run = 1, lanes_of_row = 0, warps_of_row = 0;
  int row_number[Elements] = {}, column_number[Elements] = {}, element[Elements] = {};
};

// Rows and columns of a thread have numbers in the order of where they lie, which thread 0 shows for all.
template <class Where, int Threads, int Elements>
TILEOPS_FN constexpr layout_numbers<Elements> numbers_of() {
  layout_numbers<Elements> n;
  bool new_row[Elements] = {}, new_column[Elements] = {};
  row_and_column at[Elements] = {};
  for (int i = 0; i < Elements; ++i) {
    at[i] = Where::at(0, i);
    new_row[i] = new_column[i] = true;
    for (int k = 0; k < i; ++k) {
      new_row[i] = new_row[i] && at[k].row != at[i].row;
      new_column[i] = new_column[i] && at[k].column != at[i].column;
    }
    n.rows_of_thread += new_row[i];
    n.columns_of_thread += new_column[i];
  }
  for (int i = 0; i < Elements; ++i)
    for (int k = 0; k < Elements; ++k) {
      n.row_number[i] += new_row[k] && at[k].row < at[i].row;
      n.column_number[i] += new_column[k] && at[k].column < at[i].column;
    }
  for (int i = 0; i < Elements; ++i) {
    const int number = n.row_number[i] * n.columns_of_thread + n.column_number[i];
    if (number < Elements) n.element[number] = i;
  }
  bool warp_has[(Threads + 31) / 32] = {};
  for (int t = 0; t < Threads; ++t) {
    bool has = false;
    for (int i = 0; i < Elements; ++i) has = has || Where::at(t, i).row == at[0].row;
    n.lanes_of_row += has && t < 32;
    warp_has[t / 32] = warp_has[t / 32] || has;
  }
  for (const bool has : warp_has) n.warps_of_row += has;
  // Columns of thread 0 beside each other, up to the first gap.
  int least = at[0].column;
  for (int i = 0; i < Elements; ++i) least = at[i].column < least ? at[i].column : least;
  bool more = true;
  for (n.run = 0; more; n.run += more) {
    more = false;
    for (int i = 0; i < Elements; ++i) more = more || at[i].column == least + n.run;
  }
  return n;
}

}  // namespace tiles

template <class Where, int Threads, int Rows, int Columns>
struct own_layout {
  static constexpr int threads = Threads, rows = Rows, columns = Columns,
                       elements = (Rows * Columns + Threads - 1) / Threads;
  static constexpr tile_scope level = threads == 1     ? tile_scope::thread
                                      : threads == 32  ? tile_scope::warp
                                      : threads == 128 ? tile_scope::warpgroup
                                                       : tile_scope::block;
  using numbers = tiles::layout_numbers<elements>;
  static constexpr numbers all = tiles::numbers_of<Where, threads, elements>();
  static constexpr int rows_of_thread = all.rows_of_thread, columns_of_thread = all.columns_of_thread;
  static constexpr int run = all.run, lanes_of_row = all.lanes_of_row, warps_of_row = all.warps_of_row;

  static TILEOPS_FN constexpr int row(int thread, int i) { return Where::at(thread, i).row; }
  static TILEOPS_FN constexpr int column(int thread, int i) { return Where::at(thread, i).column; }
  // By looking: for where the element is known when compiling.
  static TILEOPS_FN constexpr int owner(int row, int column) {
    for (int t = 0; t < threads; ++t)
      if (place_in(t, row, column) < elements) return t;
    return -1;
  }
  static TILEOPS_FN constexpr int place(int row, int column) { return place_in(owner(row, column), row, column); }
  static TILEOPS_FN constexpr int row_number(int i) {
    constexpr numbers n = all;
    return n.row_number[i];
  }
  static TILEOPS_FN constexpr int column_number(int i) {
    constexpr numbers n = all;
    return n.column_number[i];
  }
  static TILEOPS_FN constexpr int element(int r, int c) {
    constexpr numbers n = all;
    return n.element[r * columns_of_thread + c];
  }

 private:
  static TILEOPS_FN constexpr int place_in(int thread, int row, int column) {
    int i = 0;
    while (i < elements && (Where::at(thread, i).row != row || Where::at(thread, i).column != column)) ++i;
    return i;
  }
};

namespace tiles {

template <class Where, int Threads, int Rows, int Columns>
inline constexpr bool has_owners_v<own_layout<Where, Threads, Rows, Columns>> = true;

}  // namespace tiles
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail

namespace device {
using device_detail::own_layout;
using device_detail::row_and_column;
}  // namespace device
}  // namespace tileops

#endif

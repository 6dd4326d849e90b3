// SPDX-License-Identifier: Apache-2.0
// Which thread owns which element of a tile in registers. A layout is a type with
//
//   level                               the threads that have a tile together: one, a warp, a warpgroup, a block
//   threads, rows, columns, elements    how many these are; elements that each of them has
//   row(thread, i), column(thread, i)   where element i of a thread lies in the tile
//   owner(row, column), place(row, column)     the thread that has an element, and as which one
//   rows_of_thread, columns_of_thread   how many rows and columns a thread has elements of
//   row_number(i), column_number(i)     of which of these its element i is
//   element(r, c)                       its element in its row number r and column number c
//   run, lanes_of_row                   neighbours along a row: so many columns of a thread, then those of so many
//   lanes warps_of_row                        1, or how many warps have parts of a row
//
// `thread` counts from 0 within the level. Everything is constexpr, for host and device. A layout of one's own is best
// made of one function, by own_layout.h; what is written by hand is looked at when a tile is made of it.
#ifndef TILEOPS_DEVICE_TILE_LAYOUT_H
#define TILEOPS_DEVICE_TILE_LAYOUT_H

#include "../config.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

enum class tile_scope { thread, warp, warpgroup, block };

// Element i of a thread in what mma m16n8 adds up, a warp's 16 rows, or wgmma m64nNk, of which each of the four warps
// has 16: pairs of columns in each 8, rows r and r + 8. `thread` is the lane, or its number in the warpgroup.
TILEOPS_FN constexpr int accumulator_row(int thread, int i) {
  return thread / 32 * 16 + thread % 32 / 4 + 8 * (i / 2 % 2);
}
TILEOPS_FN constexpr int accumulator_column(int thread, int i) { return 8 * (i / 4) + 2 * (thread % 4) + i % 2; }

// A warp's accumulators of mma m16n8, Rows / 16 below each other and Columns / 8 side by side: float v[Rows / 16]
// [Columns / 8][4].
template <int Rows, int Columns>
struct accumulator_layout {
  static_assert(Rows > 0 && Rows % 16 == 0 && Columns > 0 && Columns % 8 == 0,
                "accumulator_layout: rows in multiples of 16, columns in multiples of 8");
  static constexpr tile_scope level = tile_scope::warp;
  static constexpr int threads = 32, rows = Rows, columns = Columns, elements = Rows * Columns / 32;
  static constexpr int rows_of_thread = Rows / 8, columns_of_thread = Columns / 4;
  static constexpr int run = 2, lanes_of_row = 4, warps_of_row = 1;
  static constexpr int each = Columns / 2;  // elements of a thread in 16 rows

  static TILEOPS_FN constexpr int row(int thread, int i) { return i / each * 16 + accumulator_row(thread, i % each); }
  static TILEOPS_FN constexpr int column(int thread, int i) { return accumulator_column(thread, i % each); }
  static TILEOPS_FN constexpr int owner(int row, int column) { return row % 8 * 4 + column % 8 / 2; }
  static TILEOPS_FN constexpr int place(int row, int column) {
    return row / 16 * each + column / 8 * 4 + row % 16 / 8 * 2 + column % 2;
  }
  static TILEOPS_FN constexpr int row_number(int i) { return i / each * 2 + i / 2 % 2; }
  static TILEOPS_FN constexpr int column_number(int i) { return i % each / 4 * 2 + i % 2; }
  static TILEOPS_FN constexpr int element(int r, int c) { return r / 2 * each + c / 2 * 4 + r % 2 * 2 + c % 2; }
};

// Lane i has row i of 32: what tcgen05.ld 32x32b gives a warp.
template <int Columns>
struct row_per_lane_layout {
  static_assert(Columns > 0, "row_per_lane_layout: at least one column");
  static constexpr tile_scope level = tile_scope::warp;
  static constexpr int threads = 32, rows = 32, columns = Columns, elements = Columns;
  static constexpr int rows_of_thread = 1, columns_of_thread = Columns;
  static constexpr int run = Columns, lanes_of_row = 1, warps_of_row = 1;

  static TILEOPS_FN constexpr int row(int thread, int) { return thread; }
  static TILEOPS_FN constexpr int column(int, int i) { return i; }
  static TILEOPS_FN constexpr int owner(int row, int) { return row; }
  static TILEOPS_FN constexpr int place(int, int column) { return column; }
  static TILEOPS_FN constexpr int row_number(int) { return 0; }
  static TILEOPS_FN constexpr int column_number(int i) { return i; }
  static TILEOPS_FN constexpr int element(int, int c) { return c; }
};

// One thread has all, row after row.
template <int Rows, int Columns>
struct thread_layout {
  static_assert(Rows > 0 && Columns > 0, "thread_layout: at least one row and one column");
  static constexpr tile_scope level = tile_scope::thread;
  static constexpr int threads = 1, rows = Rows, columns = Columns, elements = Rows * Columns;
  static constexpr int rows_of_thread = Rows, columns_of_thread = Columns;
  static constexpr int run = Columns, lanes_of_row = 1, warps_of_row = 1;

  static TILEOPS_FN constexpr int row(int, int i) { return i / Columns; }
  static TILEOPS_FN constexpr int column(int, int i) { return i % Columns; }
  static TILEOPS_FN constexpr int owner(int, int) { return 0; }
  static TILEOPS_FN constexpr int place(int row, int column) { return row * Columns + column; }
  static TILEOPS_FN constexpr int row_number(int i) { return i / Columns; }
  static TILEOPS_FN constexpr int column_number(int i) { return i % Columns; }
  static TILEOPS_FN constexpr int element(int r, int c) { return r * Columns + c; }
};

// Tiles of Part, Down of them below each other and Across side by side, each of other threads: those of the first
// column of tiles come first. The tile is that of Level.
template <class Part, int Down, int Across, tile_scope Level>
struct tiled_layout {
  static_assert(Down > 0 && Across > 0, "tiled_layout: at least one part");
  static_assert(Part::threads % 32 == 0 || (Part::threads == 1 && Across == 1),
                "tiled_layout: parts are those of warps, or of threads below each other");
  static constexpr tile_scope level = Level;
  static constexpr int threads = Part::threads * Down * Across, rows = Part::rows * Down;
  static constexpr int columns = Part::columns * Across, elements = Part::elements;
  static constexpr int rows_of_thread = Part::rows_of_thread, columns_of_thread = Part::columns_of_thread;
  static constexpr int run = Part::run, lanes_of_row = Part::lanes_of_row, warps_of_row = Part::warps_of_row * Across;

  static TILEOPS_FN constexpr int row(int thread, int i) {
    return thread / Part::threads % Down * Part::rows + Part::row(thread % Part::threads, i);
  }
  static TILEOPS_FN constexpr int column(int thread, int i) {
    return thread / Part::threads / Down * Part::columns + Part::column(thread % Part::threads, i);
  }
  static TILEOPS_FN constexpr int owner(int row, int column) {
    return (column / Part::columns * Down + row / Part::rows) * Part::threads +
           Part::owner(row % Part::rows, column % Part::columns);
  }
  static TILEOPS_FN constexpr int place(int row, int column) {
    return Part::place(row % Part::rows, column % Part::columns);
  }
  static TILEOPS_FN constexpr int row_number(int i) { return Part::row_number(i); }
  static TILEOPS_FN constexpr int column_number(int i) { return Part::column_number(i); }
  static TILEOPS_FN constexpr int element(int r, int c) { return Part::element(r, c); }
};

// The four warps of a warpgroup below each other: accumulator_layout<16, N> becomes that of wgmma m64nNk,
// row_per_lane_layout<N> the 128 rows of tensor memory.
template <class Warp>
using warpgroup_layout = tiled_layout<Warp, 4, 1, tile_scope::warpgroup>;

// Parts of a block's warps, or warpgroups.
template <class Part, int Down, int Across = 1>
using block_layout = tiled_layout<Part, Down, Across, tile_scope::block>;

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail

namespace device {
using device_detail::accumulator_column;
using device_detail::accumulator_layout;
using device_detail::accumulator_row;
using device_detail::block_layout;
using device_detail::row_per_lane_layout;
using device_detail::thread_layout;
using device_detail::tile_scope;
using device_detail::tiled_layout;
using device_detail::warpgroup_layout;
}  // namespace device
}  // namespace tileops

#endif

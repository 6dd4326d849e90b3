// Scans of rows of a few elements each: some rows at a time are turned into columns, and their results back.
#pragma once

#include "cpu/loops/reductions/scan.h"
#include "cpu/loops/reductions/turned_rows.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

// Row after row by the kernel K.
template <class K, class T>
void scan_each_row(const void* x_, size_t rows, size_t cols, void* y_) {
  const T* x = static_cast<const T*>(x_);
  T* y = static_cast<T*>(y_);
  alignas(64) unsigned char state[kScanState];
  for (size_t row = 0; row < rows; ++row, x += cols, y += cols) {
    K::begin(state);
    K::feed(state, x, cols, y);
  }
}

// In the order of the tree, which is that of columns in groups of one.
template <class Acc, class T, bool Exclusive>
void scan_each_in_tree(const void* x_, size_t rows, size_t cols, void* y_) {
  using C = scan_columns<Acc, T, 1, Exclusive>;
  using turned = turned_rows<T>;
  constexpr size_t kSide = turned::kSide, kFewestRows = 4;
  if (cols > turned::kMost || rows < kFewestRows)
    return scan_each_row<scan_in_tree<Acc, T, Exclusive>, T>(x_, rows, cols, y_);
  const T* x = static_cast<const T*>(x_);
  T* y = static_cast<T*>(y_);
  turned t;
  alignas(64) unsigned char state[C::bytes(turned::kMost, kSide)];
  alignas(64) T results[turned::kMost * kSide];
  for (size_t row = 0; row < rows; row += kSide, x += kSide * cols, y += kSide * cols) {
    const size_t some = rows - row < kSide ? rows - row : kSide;
    t.take(x, rows - row, cols);
    C::begin(state, kSide);
    C::feed(state, t.x, cols, kSide, results);
    turned::give_back(results, some, cols, y);
  }
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS

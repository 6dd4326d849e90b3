// Kernels of reductions: a unit is one row, or some columns side by side. Values come in order, in as many pieces as
// they like. This header crosses between translation units compiled for different ISAs: it holds no inline code.
#pragma once

#include <cstddef>

namespace tileops::cpu {

// In which order floats are added, and what comes along (Step::in_columns, Step::low_parts).
struct SumOrder {
  bool low_parts, in_columns;
};

// Bytes of what is known of one unit, aligned to 64.
constexpr size_t kReductionState = 2560;

struct ReduceKernel {
  void (*begin)(void* state);
  void (*feed)(void* state, const void* values, size_t n);
  void (*finish)(void* state, void* result);

  // The same of `cols` columns of at most `rows` values; sums in the order of columns alone, NULL for others. A piece
  // is rows of all columns, one after the other. Results lie one after the other.
  size_t (*columns_state)(size_t rows, size_t cols);  // its bytes, a multiple of 64
  void (*begin_columns)(void* state, size_t cols);
  void (*feed_columns)(void* state, const void* values, size_t rows, size_t cols);
  void (*finish_columns)(void* state, size_t cols, void* results);

  // Of sums in columns: adds n values to as many sums in memory, whose states lie one after the other. `first`: nothing
  // has been added to them. NULL for others.
  void (*add)(void* sums, const void* values, size_t n, bool first);
};

}  // namespace tileops::cpu

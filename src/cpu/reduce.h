// Kernels of reductions. One begins with a state, is fed values in their order, in pieces of any length, and finishes
// with the result; likewise for some columns side by side. This header crosses between translation units compiled for
// different ISAs: it holds no inline code.
#pragma once

#include <cstddef>

namespace tileops::cpu {

// In which order floats are added, and what comes along (Step::in_columns, Step::low_parts).
struct SumOrder {
  bool low_parts, in_columns;
};

struct ReduceKernel {
  size_t state;  // bytes of a state of one row; it is aligned to 64
  void (*begin)(void* state);
  void (*feed)(void* state, const void* values, size_t n);
  void (*finish)(void* state, void* result);
  // All of that for rows of `cols` values of `element` bytes, one after the other; results lie `step` bytes apart.
  void (*each)(const void* values, size_t rows, size_t cols, size_t element, void* results, size_t step);

  // The same for `cols` columns of at most `rows` values each. A piece is some rows of all columns, one after the
  // other; results lie one after the other. NULL where there is no such kernel, as for argmax.
  size_t (*columns_state)(size_t rows, size_t cols);  // its bytes, a multiple of 64
  void (*begin_columns)(void* state, size_t cols);
  void (*feed_columns)(void* state, const void* values, size_t rows, size_t cols);
  void (*finish_columns)(void* state, size_t cols, void* results);

  // Of sums in columns: adds n values to as many sums in memory, whose states lie one after the other. `first`: nothing
  // has been added to them. NULL for others.
  void (*add)(void* sums, const void* values, size_t n, bool first);
};

// What a scan is of; as SumOrder, and whether an element is left out of its own result.
struct ScanOrder {
  bool low_parts, in_columns, exclusive;
};

// Kernels of scans: as of reductions, but that each piece of values gives as many results, at once. Their states have
// so many bytes at most.
constexpr size_t kScanState = 2560;
struct ScanKernel {
  void (*begin)(void* state);
  void (*feed)(void* state, const void* values, size_t n, void* results);
  // Begins and feeds each of some rows of `cols` values, which lie one after the other.
  void (*each)(const void* values, size_t rows, size_t cols, void* results);

  size_t (*columns_state)(size_t rows, size_t cols);
  void (*begin_columns)(void* state, size_t cols);
  void (*feed_columns)(void* state, const void* values, size_t rows, size_t cols, void* results);
};

}  // namespace tileops::cpu

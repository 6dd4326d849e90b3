// Stores that bypass the cache, of results too many to be found there later.
#pragma once

#include "cpu/memory/operand.h"

namespace tileops::cpu {

// From how many elements on a pass stores so much that its results shall bypass the cache.
constexpr size_t kNeverPastCache = SIZE_MAX;
size_t past_cache_from(const Pass& pass, int threads);

inline bool is_dense(const Tile& t, ptrdiff_t element) {
  return t.col_stride == element && (t.rows == 1 || t.row_stride == static_cast<ptrdiff_t>(t.cols) * element);
}

// Is every row a number of whole lines, of 64 bytes?
inline bool whole_lines(const uint8_t* memory, const Tile& rows, ptrdiff_t element) {
  const auto bits = reinterpret_cast<uintptr_t>(memory) | static_cast<uintptr_t>(rows.row_stride) |
                    static_cast<uintptr_t>(static_cast<ptrdiff_t>(rows.cols) * element);
  return rows.col_stride == element && bits % 64 == 0;
}

// Is it of use to copy these rows past the cache?
inline bool rows_suit_non_temporal(const uint8_t* memory, const Tile& rows, ptrdiff_t element) {
  return is_dense(rows, element) || whole_lines(memory, rows, element);
}

// Copies n bytes past the cache, but for the lines that they fill in part; to rows, from where they
// are dense.
void copy_non_temporal(const MemoryKernels& memory, void* dst, const void* src, size_t n);
void copy_rows_non_temporal(const MemoryKernels& memory, uint8_t* dst, const Tile& rows, ptrdiff_t element,
                            const uint8_t* src);

}  // namespace tileops::cpu

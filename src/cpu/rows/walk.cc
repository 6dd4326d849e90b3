// The tiles that a phase takes of some blocks: rows one below the other, columns side by side, or single values.
#include <algorithm>

#include "cpu/rows/executor.h"

namespace tileops::cpu {

bool RowsExecutor::has_elements(const Batch& b) const {
  return std::find(b.extents + outer(), b.extents + layout_.extents.size(), 0) == b.extents + layout_.extents.size();
}

void RowsExecutor::run_few(const Binding& binding, const Machine& m, Level level, Batch* b) const {
  if (matrices_ > 1) {
    const size_t matrices = static_cast<size_t>(b->matrices), cols = static_cast<size_t>(b->count);
    return m.run_tile(binding, Place{b->index, matrices, cols}, &b->memory.scratch, b);
  }
  const size_t dims = outer(), along = level == Level::group ? dims : dims - 1;
  const int64_t first = level == Level::group ? 0 : b->index[along];
  const int64_t n = level == Level::group ? b->extents[dims] : b->count;
  const int64_t room = static_cast<int64_t>(m.program().tile);
  for (int64_t at = 0; at < n; at += room) {
    b->index[along] = first + at;
    m.run_tile(binding, Place{b->index, 1, static_cast<size_t>(std::min(room, n - at))}, &b->memory.scratch, b);
  }
  b->index[along] = first;
}

void RowsExecutor::run_columns(const Binding& binding, const Machine& m, Batch* b) const {
  const size_t dims = layout_.extents.size(), block = outer(), down = dims - 2;
  whole_blocks(m, b, true);
  int64_t index[TILEOPS_MAX_NDIM + 4] = {};
  std::copy_n(b->index, block - 1, index);
  index[dims - 1] = b->index[block - 1];
  const size_t cols = static_cast<size_t>(b->count);
  const int64_t some = std::max<int64_t>(1, tile_ / b->count);
  bool any = has_elements(*b);
  while (any) {
    const int64_t n = takes_first_[b->phase] ? 1 : extent_of(*b, dims - 1, index, 1);
    for (int64_t r = 0; r < n; r += some) {
      index[down] = r;
      m.run_tile(binding, Place{index, static_cast<size_t>(std::min(some, n - r)), cols}, &b->memory.scratch, b);
    }
    index[down] = 0;
    any = false;
    if (takes_first_[b->phase]) break;
    for (size_t d = down; d-- > block - 1 && !any;) {
      any = ++index[d] < extent_of(*b, d + 1, index, 1);
      if (!any) index[d] = 0;
    }
  }
  whole_blocks(m, b, false);
}

void RowsExecutor::run_matrices(const Binding& binding, const Machine& m, Batch* b) const {
  const size_t dims = layout_.extents.size(), block = outer() - 1;  // the columns come last
  whole_blocks(m, b, true);
  int64_t index[TILEOPS_MAX_NDIM + 4] = {};
  std::copy_n(b->index, block, index);
  const size_t matrices = static_cast<size_t>(b->matrices), cols = static_cast<size_t>(b->count);
  bool any = true;
  while (any) {
    m.run_tile(binding, Place{index, matrices, cols}, &b->memory.scratch, b);
    any = false;
    if (takes_first_[b->phase]) break;
    for (size_t d = dims - 1; d-- > block && !any;) {
      any = ++index[d] < b->extents[d + 1];
      if (!any) index[d] = 0;
    }
  }
  whole_blocks(m, b, false);
}

void RowsExecutor::run_elements(const Binding& binding, const Machine& m, Batch* b) const {
  if (matrices_ > 1) return run_matrices(binding, m, b);
  if (columns_) return run_columns(binding, m, b);
  if (layout_.row_rank == 1) return run_rows(binding, m, b);
  const size_t dims = layout_.extents.size(), block = outer();
  whole_blocks(m, b, true);
  if (split_elements_) {
    run_part(binding, m, b);
  } else if (has_elements(*b)) {
    std::fill(b->index + block, b->index + dims, 0);
    do {
      run_rows_of_block(binding, m, b);
    } while (!takes_first_[b->phase] && next(*b, block, dims - 2, b->index));
    std::fill(b->index + block, b->index + dims, 0);
  }
  whole_blocks(m, b, false);
}

// Rows that a tile has. Short ones are turned into columns 16 at a time (turned_rows): a few beyond would take as long.
// (A core of a Xeon, family 6 model 167, December 2026: amax of 60000 x 31 f32 0.75 ms in tiles of
// 32 rows, 2.18 in tiles of 33.)
int64_t RowsExecutor::rows_of_tile(int64_t count, int64_t length) const {
  constexpr int64_t kTurned = 32, kTogether = 16;
  const int64_t some = std::max<int64_t>(1, tile_ / std::max<int64_t>(length, 1));
  if (length > kTurned || some <= kTogether) return some;
  const int64_t most = some / kTogether * kTogether, tiles = (count + most - 1) / most;
  return ((count + tiles - 1) / tiles + kTogether - 1) / kTogether * kTogether;
}

// Rows that are blocks: as many at a time as a tile has, or a part of one.
void RowsExecutor::run_rows(const Binding& binding, const Machine& m, Batch* b) const {
  const size_t cols = layout_.extents.size() - 1, rows = cols - 1;
  const int64_t n = length_of(*b, 0), some = rows_of_tile(b->count, n);
  if (n == 0) return of_nothing(m, b);
  int64_t index[TILEOPS_MAX_NDIM + 4] = {};
  std::copy_n(b->index, cols, index);
  for (int64_t r = 0; r < b->count; r += some, index[rows] += some) {
    if (r > 0) begin_scans(b);
    for (int64_t c = 0; c < n && (c == 0 || !takes_first_[b->phase]); c += tile_) {
      index[cols] = c;
      m.run_tile(
          binding,
          Place{index, static_cast<size_t>(std::min(some, b->count - r)), static_cast<size_t>(std::min(tile_, n - c))},
          &b->memory.scratch, b);
    }
  }
}

void RowsExecutor::run_part(const Binding& binding, const Machine& m, Batch* b) const {
  const int64_t* const e = b->extents;
  const size_t dims = layout_.extents.size(), block = outer(), cols = dims - 1, rows = cols - 1;
  const Pass::ShortGroup& cut = layout_.short_group;
  const auto length = [&](size_t d) { return cut.limit && d == cut.within ? cut.limit : e[d]; };
  int64_t all = 1;
  for (size_t d = block; d <= cols; ++d)
    if (!cut.limit || d != cut.group) all *= length(d);
  const int64_t end = std::min(all, (b->index[block - 1] + 1) * split_elements_);
  for (int64_t at = b->index[block - 1] * split_elements_; at < end;) {
    int64_t left = at;
    for (size_t d = cols + 1; d-- > block;) {
      if (cut.limit && d == cut.group) continue;  // it is found with what is within
      const int64_t i = left % length(d);
      left /= length(d);
      b->index[d] = cut.limit && d == cut.within ? i % e[d] : i;
      if (cut.limit && d == cut.within) b->index[cut.group] = i / e[d];
    }
    const int64_t row = b->index[rows], width = length_of(*b, row), left_of_part = end - at;
    int64_t count = 1, some = std::min({width - b->index[cols], left_of_part, tile_});
    if (some == width) {  // whole rows
      count = std::min(
          {std::max<int64_t>(1, tile_ / width), extent_of(*b, rows, b->index) - row, left_of_part / width});
      while (count > 1 && length_of(*b, row + count - 1) != width) --count;
    }
    m.run_tile(binding, Place{b->index, static_cast<size_t>(count), static_cast<size_t>(some)}, &b->memory.scratch, b);
    at += count * some;
  }
  std::fill(b->index + block, b->index + dims, 0);
}

void RowsExecutor::run_rows_of_block(const Binding& binding, const Machine& m, Batch* b) const {
  const size_t rows = layout_.extents.size() - 2, cols = rows + 1;
  const int64_t height = extent_of(*b, rows, b->index);
  for (int64_t r = 0; r < height;) {
    const int64_t width = length_of(*b, r);
    int64_t count = std::max<int64_t>(1, tile_ / std::max<int64_t>(width, 1));
    count = std::min(count, height - r);
    while (count > 1 && length_of(*b, r + count - 1) != length_of(*b, r)) --count;
    b->index[rows] = r;
    for (int64_t c = 0; c < width; c += tile_) {
      b->index[cols] = c;
      m.run_tile(binding, Place{b->index, static_cast<size_t>(count), static_cast<size_t>(std::min(tile_, width - c))},
                 &b->memory.scratch, b);
      if (takes_first_[b->phase]) break;
    }
    b->index[cols] = 0;
    if (takes_first_[b->phase]) break;
    r += count;
  }
  b->index[rows] = 0;
}

int64_t RowsExecutor::length_of(const Batch& b, int64_t row) const {
  const size_t last = layout_.extents.size() - 1;
  const Pass::ShortGroup& cut = layout_.short_group;
  if (!cut.limit || cut.within != last || cut.group < outer()) return extent_of(b, last, b.index);
  return std::min(b.extents[last], cut.limit - row * b.extents[last]);
}

int64_t RowsExecutor::extent_of(const Batch& b, size_t d, const int64_t* index, size_t shift) const {
  const Pass::ShortGroup& cut = layout_.short_group;
  const int64_t all = b.extents[d];
  if (!cut.limit || d != cut.within) return all;
  if (cut.group < outer()) return b.in_group ? b.in_group : all;
  return std::min(all, cut.limit - index[cut.group - shift] * all);
}

bool RowsExecutor::next(const Batch& b, size_t from, size_t to, int64_t* index) const {
  for (size_t d = to; d-- > from;) {
    if (++index[d] < extent_of(b, d, index)) return true;
    index[d] = 0;
  }
  return false;
}

}  // namespace tileops::cpu

// The tiles that a phase takes of some blocks: rows one below the other, columns side by side, or single values.
#include <algorithm>

#include "cpu/rows/executor.h"

namespace tileops::cpu {
namespace {

// Has a block elements to go through? One without any has the results of its reductions all the same.
bool has_elements(const Layout& l) {
  return std::find(l.extents.end() - static_cast<ptrdiff_t>(l.row_rank), l.extents.end(), 0) == l.extents.end();
}

}  // namespace

void RowsExecutor::run_few(const Binding& binding, const Machine& m, Level level, Batch* b) const {
  const size_t dims = outer(), along = level == Level::group ? dims : dims - 1;
  const int64_t first = level == Level::group ? 0 : b->index[along];
  const int64_t n = level == Level::group ? layout_.extents[dims] : b->count;
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
  bool any = has_elements(layout_);
  while (any) {
    const int64_t n = extent_of(*b, dims - 1, index, 1);
    for (int64_t r = 0; r < n; r += some) {
      index[down] = r;
      m.run_tile(binding, Place{index, static_cast<size_t>(std::min(some, n - r)), cols}, &b->memory.scratch, b);
    }
    index[down] = 0;
    any = false;
    for (size_t d = down; d-- > block - 1 && !any;) {
      any = ++index[d] < extent_of(*b, d + 1, index, 1);
      if (!any) index[d] = 0;
    }
  }
  whole_blocks(m, b, false);
}

void RowsExecutor::run_elements(const Binding& binding, const Machine& m, Batch* b) const {
  if (columns_) return run_columns(binding, m, b);
  const size_t dims = layout_.extents.size(), block = outer();
  if (layout_.row_rank == 1) {
    const int64_t n = length_of(*b, 0);
    if (n == 0) of_nothing(m, b);
    for (int64_t c = 0; c < n; c += tile_) {
      b->index[dims - 1] = c;
      const Place place{b->index, static_cast<size_t>(b->count), static_cast<size_t>(std::min(tile_, n - c))};
      m.run_tile(binding, place, &b->memory.scratch, b);
    }
    b->index[dims - 1] = 0;
    return;
  }
  whole_blocks(m, b, true);
  if (split_elements_) {
    run_part(binding, m, b);
  } else if (has_elements(layout_)) {
    std::fill(b->index + block, b->index + dims, 0);
    do {
      run_rows_of_block(binding, m, b);
    } while (next(*b, block, dims - 2, b->index));
    std::fill(b->index + block, b->index + dims, 0);
  }
  whole_blocks(m, b, false);
}

void RowsExecutor::run_part(const Binding& binding, const Machine& m, Batch* b) const {
  const std::vector<int64_t>& e = layout_.extents;
  const size_t block = outer(), cols = e.size() - 1, rows = cols - 1;
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
  std::fill(b->index + block, b->index + e.size(), 0);
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
    }
    b->index[cols] = 0;
    r += count;
  }
  b->index[rows] = 0;
}

int64_t RowsExecutor::length_of(const Batch& b, int64_t row) const {
  const size_t last = layout_.extents.size() - 1;
  const Pass::ShortGroup& cut = layout_.short_group;
  if (!cut.limit || cut.within != last || cut.group < outer()) return extent_of(b, last, b.index);
  return std::min(layout_.extents[last], cut.limit - row * layout_.extents[last]);
}

int64_t RowsExecutor::extent_of(const Batch& b, size_t d, const int64_t* index, size_t shift) const {
  const Pass::ShortGroup& cut = layout_.short_group;
  const int64_t all = layout_.extents[d];
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

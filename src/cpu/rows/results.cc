// What becomes of the values that a phase reduces or scans: the results lie in locals, or are sums in the workspace.
#include <cstring>

#include "cpu/rows/executor.h"

namespace tileops::cpu {
// Writes the result of a reduction: for row `at` of the batch, or for group `at` of its one row.
void RowsExecutor::Batch::finish(size_t number, int64_t at) {
  const RowReduction& r = e.reductions_[number];
  e.kernels_[number].finish(state(number), result(r, at));
}

void RowsExecutor::Batch::take(size_t number, const void* values, const Place& place) {
  const RowReduction& r = e.reductions_[number];
  const ReduceKernel& k = e.kernels_[number];
  const size_t dims = e.layout_.extents.size(), width = ctype_size(r.type);
  const auto* x = static_cast<const uint8_t*>(values);
  if (r.sums) return e.add_rows(*this, *r.sums, k, x, place);
  if (e.matrices_ > 1) return k.feed_columns(state(number), values, 1, columns());
  if (e.columns_) return k.feed_columns(state(number), values, place.rows, place.cols);
  const bool rows_are_blocks = e.layout_.row_rank == 1;
  if (!rows_are_blocks && !r.of_groups) {
    return k.feed(state(number), values, place.rows * place.cols);
  }
  // Each row of the tile is one unit, or a part of one.
  const int64_t begin = place.index[dims - 1], end = begin + static_cast<int64_t>(place.cols);
  if (rows_are_blocks && begin == 0 && end == e.length_of(*this, 0)) {
    const int64_t first = place.index[dims - 2] - index[dims - 2];
    return k.each(values, place.rows, place.cols, width, result(r, first), e.element_of(r));
  }
  for (size_t row = 0; row < place.rows; ++row, x += place.cols * width) {
    if (begin == 0) k.begin(state(number));
    k.feed(state(number), x, place.cols);
    const int64_t at = place.index[dims - 2] + static_cast<int64_t>(row);
    const bool outside = rows_are_blocks;
    const int64_t unit = outside ? at - index[dims - 2] : at;
    if (end == e.length_of(*this, outside ? 0 : at) || e.takes_first_[phase]) finish(number, unit);
  }
}

void RowsExecutor::Batch::scan(size_t number, const void* values, const Place& place, void* results) {
  e.scans_.feed(phase, number, memory.states + e.scan_states_, e.rows_of_block_, static_cast<size_t>(count),
                e.layout_.row_rank == 1, values, place, results);
}

void RowsExecutor::add_rows(const Batch& b, const View& sums, const ReduceKernel& k, const uint8_t* values,
                            const Place& place) const {
  const size_t dims = layout_.extents.size();
  const bool rows_are_blocks = layout_.row_rank == 1;
  const int64_t row_step = rows_are_blocks ? 0 : int64_t{sums.strides[dims - 2]};
  int64_t within = sums.offset;
  for (size_t d = outer(); d < dims; ++d) within += place.index[d] * sums.strides[d];
  for (size_t row = 0; row < place.rows; ++row) {
    int64_t block = b.number;
    if (rows_are_blocks) block += place.index[dims - 2] - b.index[dims - 2] + static_cast<int64_t>(row);
    const int64_t at = within + block / kColumnGroup * sums.sum_of_blocks->chunk + static_cast<int64_t>(row) * row_step;
    k.add(static_cast<uint8_t*>(b.binding.temporary(sums.slot)) + at, values, place.cols, block % kColumnGroup == 0);
    values += place.cols * sizeof(float);
  }
}

void RowsExecutor::begin_scans(Batch* b) const {
  scans_.begin(b->phase, b->memory.states + scan_states_, rows_of_block_, static_cast<size_t>(b->count));
}

void RowsExecutor::of_nothing(const Machine& m, Batch* b) const {
  for (const Instruction& i : m.program().instructions) {
    if (i.does != Instruction::Does::reduce) continue;
    const size_t number = static_cast<size_t>(i.index);
    if (reductions_[number].sums) continue;
    kernels_[number].begin(b->state(number));
    for (int64_t row = 0; row < b->count; ++row) b->finish(number, row);
  }
}

void RowsExecutor::whole_blocks(const Machine& m, Batch* b, bool begin) const {
  for (const Instruction& i : m.program().instructions) {
    if (i.does != Instruction::Does::reduce) continue;
    const size_t number = static_cast<size_t>(i.index);
    if (reductions_[number].of_groups || reductions_[number].sums) continue;
    const ReduceKernel& k = kernels_[number];
    if (columns_) {
      if (begin) k.begin_columns(b->state(number), b->columns());
      else finish_columns(number, b);
    } else if (!begin) {
      b->finish(number, 0);
    } else {
      k.begin(b->state(number));
    }
  }
}

void RowsExecutor::finish_columns(size_t number, Batch* b) const {
  const RowReduction& r = reductions_[number];
  const size_t width = ctype_size(result_type(r.by, r.type)), count = b->columns();
  uint8_t* const results = b->result(r, 0);
  if (width == element_of(r)) return kernels_[number].finish_columns(b->state(number), count, results);
  alignas(64) uint8_t dense[kBlock * kLocalElement];
  kernels_[number].finish_columns(b->state(number), count, dense);
  for (size_t c = 0; c < count; ++c) std::memcpy(results + c * element_of(r), dense + c * width, width);
}

}  // namespace tileops::cpu

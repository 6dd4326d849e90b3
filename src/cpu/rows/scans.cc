#include "cpu/rows/scans.h"

#include <algorithm>

#include "base/error.h"

namespace tileops::cpu {

Scans::Scans(const Problem& problem, const std::vector<Phase>& phases, const IsaKernels& isa, bool columns)
    : columns_(columns) {
  for (const Phase& phase : phases) {
    std::vector<One>& list = scans_.emplace_back();
    for (const RowScan& s : phase.scans) {
      One& one = list.emplace_back();
      if (!isa.scan(s.by, s.type, {s.low_parts, s.in_columns, s.exclusive}, &one.kernel))
        unsupported("op: %s has no CPU kernel of a scan by %s in %s", problem.name.c_str(), reduction_name(s.by),
                    ctype_name(s.type));
    }
  }
}

size_t Scans::bytes_of(const One& scan, size_t rows, size_t cols) const {
  return columns_ ? (scan.kernel.columns_state(rows, cols) + 63) / 64 * 64 : kScanState;
}

size_t Scans::bytes(size_t rows, size_t cols) const {
  size_t most = 0;
  for (const std::vector<One>& list : scans_) {
    size_t all = 0;
    for (const One& scan : list) all += bytes_of(scan, rows, cols);
    most = std::max(most, all);
  }
  return most;
}

uint8_t* Scans::state(size_t phase, size_t scan, uint8_t* states, size_t rows, size_t cols) const {
  for (size_t i = 0; i < scan; ++i) states += bytes_of(scans_[phase][i], rows, cols);
  return states;
}

void Scans::begin(size_t phase, uint8_t* states, size_t rows, size_t cols) const {
  for (const One& scan : scans_[phase]) {
    if (columns_) scan.kernel.begin_columns(states, cols);
    else scan.kernel.begin(states);
    states += bytes_of(scan, rows, cols);
  }
}

void Scans::feed(size_t phase, size_t number, uint8_t* states, size_t block_rows, size_t block_cols,
                 bool rows_are_blocks, const void* values, const Place& place, void* results) const {
  const One& scan = scans_[phase][number];
  void* const known = state(phase, number, states, block_rows, block_cols);
  if (columns_) return scan.kernel.feed_columns(known, values, place.rows, place.cols, results);
  if (!rows_are_blocks) return scan.kernel.feed(known, values, place.rows * place.cols, results);
  if (place.rows == 1) return scan.kernel.feed(known, values, place.cols, results);
  scan.kernel.each(values, place.rows, place.cols, results);  // which are whole
}

}  // namespace tileops::cpu

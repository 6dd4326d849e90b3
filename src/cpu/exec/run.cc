// Running a pass: threads, and the walk over its tiles. A tile is run on memory itself (rows.cc) or
// loaded, computed and stored while it is in L1 (block.cc).
#include "cpu/exec/run.h"

#include <algorithm>

namespace tileops::cpu {

// Fewer elements than this stay on the calling thread: waking a worker takes a few microseconds,
// in which one core computes about as many.
constexpr size_t kGrain = 32768;

// What goes past the cache may be computed by any thread. In this many pieces for each, those that are
// slowed down (by a neighbour on the same core, by another program) take fewer: on 16 virtual cores of a
// Sapphire Rapids relu of 16 Mi bf16 took 250 us, and 477 us in equal shares.
constexpr int kShares = 4;

void CpuPass::run(const void* const* inputs, void* const* outputs, const Threads& threads) const {
  if (layout_.numel == 0) return;
  const Run run{this, inputs, outputs};
  const size_t elements = static_cast<size_t>(layout_.numel);
  const size_t most = std::max<size_t>(elements / kGrain, 1);
  const int chunks = static_cast<int>(
      std::min({most, units_, static_cast<size_t>(threads.count())}));
  const auto task = [](const void* arg, size_t begin, size_t end) {
    const Run& r = *static_cast<const Run*>(arg);
    if (r.pass->flat_) r.pass->run_flat(r, begin, end);
    else r.pass->run_tiles(r, begin, end);
  };
  if (chunks <= 1) return task(&run, 0, units_);
  const size_t pieces = stream_ ? std::min<size_t>(chunks * kShares, units_) : chunks;
  threads.run(units_, static_cast<int>(pieces), stream_, task, &run);
}

void CpuPass::run_flat(const Run& run, size_t begin, size_t end) const {
  const void* in[kMaxLoads];
  void* out[kMaxStores];
  for (size_t k = 0; k < loads_.size(); ++k)
    in[k] = run.base(loads_[k]) + static_cast<ptrdiff_t>(begin) * loads_[k].storage;
  for (size_t k = 0; k < stores_.size(); ++k)
    out[k] = const_cast<uint8_t*>(run.base(stores_[k])) +
             static_cast<ptrdiff_t>(begin) * stores_[k].storage;
  call(in, out, end - begin, false);
}

void CpuPass::run_tiles(const Run& run, size_t begin, size_t end) const {
  Scratch scratch;
  const int dims = static_cast<int>(layout_.extents.size());
  // Tile coordinates of `begin`; columns step fastest, then rows, then the other dims.
  int order[TILEOPS_MAX_NDIM + 1], n = 0;
  for (int d = 0; d < dims; ++d)
    if (d != row_dim_ && d != col_dim_) order[n++] = d;
  if (row_dim_ >= 0) order[n++] = row_dim_;
  order[n++] = col_dim_;
  const auto step_of = [&](int d) {
    return static_cast<int64_t>(d == col_dim_ ? tile_cols_ : d == row_dim_ ? tile_rows_ : 1);
  };
  int64_t index[TILEOPS_MAX_NDIM + 1] = {};
  size_t rest = begin;
  for (int i = n - 1; i >= 0; --i) {
    const int d = order[i];
    const size_t tiles = (layout_.extents[d] + step_of(d) - 1) / step_of(d);
    index[d] = static_cast<int64_t>(rest % tiles) * step_of(d);
    rest /= tiles;
  }
  for (size_t unit = begin; unit < end; ++unit) {
    const size_t cols = std::min<size_t>(tile_cols_, layout_.extents[col_dim_] - index[col_dim_]);
    const size_t rows =
        row_dim_ < 0 ? 1 : std::min<size_t>(tile_rows_, layout_.extents[row_dim_] - index[row_dim_]);
    if (rows_) run_rows(run, index, rows, cols, &scratch);
    else run_block(run, index, rows, cols, &scratch);
    for (int i = n - 1; i >= 0; --i) {
      const int d = order[i];
      index[d] += step_of(d);
      if (index[d] < layout_.extents[d]) break;
      index[d] = 0;
    }
  }
  if (stream_) memory_.stream_fence();
}

Tile CpuPass::tile_of(const Operand& op, size_t rows, size_t cols) const {
  return {rows, cols, row_dim_ < 0 ? 0 : op.strides[row_dim_], op.strides[col_dim_]};
}

}  // namespace tileops::cpu

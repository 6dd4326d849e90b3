// Tiles of at most kBlock elements, loaded into scratch, computed and stored. Dense operands that need
// no conversion are used where they lie.
#include <algorithm>
#include <cstring>

#include "cpu/exec/run.h"

namespace tileops::cpu {

// The next tile's. (rope_neox of 16 Mi f32 on two cores of a Zen 5: 5.2 ms, 4.0 so; every second element of 16 Mi bf16
// added on two of a Zen 4: 5.1 ms, 3.2 so.)
static void prefetch_rows(const uint8_t* p, const Tile& tile) {
  const size_t bytes = tile.cols * static_cast<size_t>(tile.col_stride);
  for (size_t r = 0; r < tile.rows; ++r, p += tile.row_stride)
    for (size_t i = 0; i < bytes; i += 64) __builtin_prefetch(p + i);
}

const void* CpuPass::fetch(size_t k, const Run& run, const int64_t* index, size_t rows, size_t cols,
                           Scratch* scratch) const {
  const Operand& op = loads_[k];
  const Tile tile = tile_of(op, rows, cols);
  const int64_t offset = offset_of(op, index);
  if (op.kind == ViewKind::index) {
    void* dst = scratch->in[k];
    if (op.type == Ctype::f32) memory_.fill_index_f32(op.offset + offset, tile, static_cast<float*>(dst));
    else memory_.fill_index(op.offset + offset, tile, static_cast<int64_t*>(dst));
    return dst;
  }
  const uint8_t* src = run.base(op) + offset;
  const bool close = tile.col_stride == op.storage || tile.col_stride == 2 * op.storage;
  if (stream_ && rows > 1 && next_dim_ >= 0 && tile.row_stride != 0 && close)
    prefetch_rows(src + static_cast<ptrdiff_t>(next_dim_ == row_dim_ ? rows : 1) * op.strides[next_dim_], tile);
  if (op.direct && is_dense(tile, op.storage)) return src;
  if (stream_ && rows == 1 && tile.col_stride == 2 * op.storage) {
    const bool ends = index[col_dim_] + static_cast<int64_t>(cols) == layout_.extents[col_dim_];
    if (!ends) prefetch_rows(src + static_cast<ptrdiff_t>(cols) * tile.col_stride, tile);
    else if (row_dim_ >= 0 && index[row_dim_] + 1 < layout_.extents[row_dim_])
      prefetch_rows(src + op.strides[row_dim_] - index[col_dim_] * tile.col_stride, tile);
  }
  if (tile.col_stride == 0 && (tile.row_stride == 0 || rows == 1))
    return spread(k, src, rows * cols, scratch);
  // Rows that are all the same one stay for the next tiles (the weights of prelu).
  const bool same = tile.row_stride == 0 && rows > 1;
  if (same && scratch->value[k] == src && scratch->rows[k] == rows && scratch->cols[k] == cols)
    return scratch->in[k];
  scratch->value[k] = same ? src : nullptr;  // overwrites what spread() left there
  scratch->rows[k] = rows;
  scratch->cols[k] = cols;
  op.load(src, tile, scratch->in[k]);
  return scratch->in[k];
}

void CpuPass::fetch_gathered(const Operand& op, const Run& run, const int64_t* index, size_t rows,
                             size_t cols, float* dst) const {
  int64_t positions[kBlock];
  const Operand& ids = *op.gather;
  ids.load(run.base(ids) + offset_of(ids, index), tile_of(ids, rows, cols), positions);
  const Tile tile = tile_of(op, rows, cols);
  const uint8_t* base = run.base(op) + offset_of(op, index);
  for (size_t i = 0; i < rows * cols; ++i) {
    const bool inside = positions[i] >= 0 && positions[i] < op.gather_extent;
    const int64_t at = static_cast<int64_t>(i / cols) * tile.row_stride +
                       static_cast<int64_t>(i % cols) * tile.col_stride;
    if (inside) std::memcpy(&dst[i], base + at + positions[i] * op.gather_stride, sizeof(float));
    else dst[i] = __builtin_nanf("");
  }
}

// Over a tile in scratch. In two stages, the first one's operands are one row.
void CpuPass::run_body(const void* const* in, void* const* out, size_t rows, size_t cols,
                       Scratch* scratch, bool past_cache) const {
  if (!staged_) return call(in, out, rows * cols, past_cache);
  void* angle[] = {scratch->early[0], scratch->early[1]};
  kernel_.early(in + kernel_.num_late, angle, cols, attrs_);
  for (size_t r = 0; r < rows; ++r) {
    const void* ins[kMaxLoads];
    void* outs[kMaxStores];
    int k = 0;
    for (; k < kernel_.num_late; ++k)
      ins[k] = static_cast<const uint8_t*>(in[k]) + r * cols * ctype_size(kernel_.in[k]);
    ins[k] = angle[0];
    ins[k + 1] = angle[1];
    for (int i = 0; i < kernel_.num_out; ++i)
      outs[i] = static_cast<uint8_t*>(out[i]) + r * cols * ctype_size(kernel_.out[i]);
    kernel_.late(ins, outs, cols, attrs_);
  }
}

void CpuPass::run_block(const Run& run, const int64_t* index, size_t rows, size_t cols,
                        Scratch* scratch) const {
  if (table_) return run_table(run, index, rows, cols, scratch);
  if (run_identity(run, index, rows, cols, scratch)) return;
  const void* in[kMaxLoads];
  void* out[kMaxStores];
  const size_t n = rows * cols;
  for (size_t k = 0; k < loads_.size(); ++k) {
    const Operand& op = loads_[k];
    if (op.gather) {
      fetch_gathered(op, run, index, rows, cols, reinterpret_cast<float*>(scratch->in[k]));
      in[k] = scratch->in[k];
    } else {
      const bool early = staged_ && k >= static_cast<size_t>(kernel_.num_late);
      in[k] = fetch(k, run, index, early ? 1 : rows, cols, scratch);
    }
  }
  uint8_t* memory[kMaxStores];
  Tile tiles[kMaxStores];
  bool past_cache = false;  // by the kernel itself
  for (int k = 0; k < kernel_.num_out; ++k) {
    out[k] = scratch->out[k];
    if (static_cast<size_t>(k) >= stores_.size()) continue;  // a result nobody asked for
    const Operand& op = stores_[k];
    memory[k] = const_cast<uint8_t*>(run.base(op)) + offset_of(op, index);
    tiles[k] = tile_of(op, rows, cols);
    if (!op.direct || !is_dense(tiles[k], op.storage)) continue;
    past_cache = stream_ && kernel_streams() && !staged_ && n >= 256 &&
                 reinterpret_cast<uintptr_t>(memory[k]) % 64 == 0;
    if (!stream_ || past_cache) out[k] = memory[k];
  }
  if (kernel_.identity && loads_[0].type == stores_[0].type) out[0] = const_cast<void*>(in[0]);
  else run_body(in, out, rows, cols, scratch, past_cache);
  if (alternate_) return store_alternating(in, cols, out, tiles[0], memory[0], scratch);
  for (size_t k = 0; k < stores_.size(); ++k) {
    const Operand& op = stores_[k];
    if (op.direct && out[k] == memory[k]) continue;
    if (!stream_ || !worth_streaming(memory[k], tiles[k], op.storage)) {
      store_block(k, in, cols, out[k], tiles[k], memory[k]);
      continue;
    }
    if (!op.direct && op.streamed && is_dense(tiles[k], op.storage)) {
      op.streamed(out[k], n, memory[k]);
      continue;
    }
    const void* results = out[k];
    if (!op.direct) {
      store_block(k, in, cols, out[k], Tile{1, n, 0, op.storage}, scratch->stream);
      results = scratch->stream;
    }
    stream_rows(memory_, memory[k], tiles[k], op.storage, static_cast<const uint8_t*>(results));
  }
}

// Both results in turn, from where the first one's begin.
void CpuPass::store_alternating(const void* const* in, size_t cols, void* const* out, const Tile& tile,
                                uint8_t* memory, Scratch* scratch) const {
  const ptrdiff_t element = stores_[0].storage;
  const size_t row = cols * static_cast<size_t>(element);
  const uint8_t* results[2];
  for (size_t k = 0; k < 2; ++k) {
    void* dense = stores_[k].direct ? out[k] : scratch->early[k];  // free: the late stage has run, repair() reads `in`
    if (!stores_[k].direct) store_block(k, in, cols, out[k], Tile{1, tile.rows * cols, 0, element}, dense);
    results[k] = static_cast<const uint8_t*>(dense);
  }
  const Tile both{tile.rows, 2 * cols, tile.row_stride, element};
  const bool past_cache = stream_ && worth_streaming(memory, both, element);
  const auto zip = memory_.zip[__builtin_ctzll(static_cast<size_t>(element))];
  const size_t together = is_dense(both, element) ? tile.rows : 1;
  for (size_t r = 0; r < tile.rows; r += together, memory += tile.row_stride) {
    zip(results[0] + r * row, results[1] + r * row, together * cols, past_cache ? scratch->stream : memory);
    if (past_cache) stream_out(memory_, memory, scratch->stream, 2 * row * together);
  }
}

void CpuPass::store_block(size_t which, const void* const* in, size_t cols, const void* src,
                          const Tile& tile, void* dst) const {
  const Operand& op = stores_[which];
  if (!op.checked) return op.store(src, tile, dst);
  uint16_t doubtful[kBlock];
  const size_t count = op.checked(static_cast<const float*>(src), tile, dst, ulp_, doubtful);
  if (count) repair(which, in, cols, tile, dst, count, doubtful);
}

// `cols` are those of the block, which the tile of a streamed result does not tell.
void CpuPass::repair(size_t which, const void* const* in, size_t cols, const Tile& tile, void* dst,
                     size_t count, const uint16_t* doubtful) const {
  constexpr size_t kGroup = 64;
  alignas(64) uint8_t args[kMaxLoads][kGroup * 8];
  alignas(64) uint8_t results[kMaxStores][kGroup * 8];
  const void* ins[kMaxLoads];
  void* outs[kMaxStores] = {results[0], results[1]};
  const Operand& op = stores_[which];
  const StoreFn store = repair_store_[which];
  for (size_t base = 0; base < count; base += kGroup) {
    const size_t m = std::min(kGroup, count - base);
    for (int k = 0; k < kernel_.num_in; ++k) {
      ins[k] = args[k];
      const bool widened = kernel_.widened[k];
      const size_t element = ctype_size(kernel_.in[k]);
      const bool one_row = staged_ && k >= kernel_.num_late;
      for (size_t i = 0; i < m; ++i) {
        const size_t lane = one_row ? doubtful[base + i] % cols : doubtful[base + i];
        if (widened) {
          reinterpret_cast<double*>(args[k])[i] = static_cast<const float*>(in[k])[lane];
        } else {
          std::memcpy(args[k] + i * element, static_cast<const uint8_t*>(in[k]) + lane * element,
                      element);
        }
      }
    }
    kernel_.repair(ins, outs, m, attrs_);
    for (size_t i = 0; i < m; ++i) {
      const size_t lane = doubtful[base + i];
      const ptrdiff_t at = static_cast<ptrdiff_t>(lane / tile.cols) * tile.row_stride +
                           static_cast<ptrdiff_t>(lane % tile.cols) * tile.col_stride;
      store(results[which] + i * 8, Tile{1, 1, 0, op.storage}, static_cast<uint8_t*>(dst) + at);
    }
  }
}

}  // namespace tileops::cpu

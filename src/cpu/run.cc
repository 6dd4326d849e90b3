// Running a pass: tiles of at most kBlock elements are loaded, computed and stored while they are
// in L1. Dense operands that need no conversion are used where they lie.
#include <algorithm>
#include <cstring>

#include "cpu/pass.h"

namespace tileops::cpu {

struct CpuPass::Run {
  const CpuPass* pass;
  const void* const* inputs;
  void* const* outputs;

  const uint8_t* base(const Operand& op) const {
    if (op.kind == ViewKind::constant) return op.constant + op.offset;
    const void* p = op.kind == ViewKind::input ? inputs[op.slot] : outputs[op.slot];
    return static_cast<const uint8_t*>(p) + op.offset;
  }
};

struct CpuPass::Scratch {
  alignas(64) uint8_t in[kMaxLoads][kBlock * 8];
  alignas(64) uint8_t out[kMaxStores][kBlock * 8];
  alignas(64) uint8_t stream[kBlock * 8];
  alignas(64) uint8_t early[2][kBlock * 8];
  // in[k] holds this value so many times.
  const void* value[kMaxLoads] = {};
  size_t copies[kMaxLoads] = {};
};

namespace {

// Fewer elements than this stay on the calling thread: waking a worker takes a few microseconds,
// in which one core computes about as many.
constexpr size_t kGrain = 32768;

int64_t offset_of(const Operand& op, const int64_t* index) {
  int64_t offset = 0;
  for (size_t d = 0; d < op.strides.size(); ++d) offset += index[d] * op.strides[d];
  return offset;
}

bool is_dense(const Tile& t, ptrdiff_t element) {
  return t.col_stride == element &&
         (t.rows == 1 || t.row_stride == static_cast<ptrdiff_t>(t.cols) * element);
}

// Through the cache up to the first whole line and from the last one on, past it in between.
void stream_out(const MemoryKernels& memory, void* dst_, const void* src_, size_t n) {
  auto* dst = static_cast<uint8_t*>(dst_);
  const auto* src = static_cast<const uint8_t*>(src_);
  const size_t head = std::min(n, (64 - reinterpret_cast<uintptr_t>(dst) % 64) % 64);
  std::memcpy(dst, src, head);
  const size_t body = (n - head) / 64 * 64;
  memory.stream_copy(dst + head, src + head, body);
  std::memcpy(dst + head + body, src + head + body, n - head - body);
}

}  // namespace

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
  if (chunks <= 1) task(&run, 0, units_);
  else threads.run(units_, chunks, task, &run);
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

// One value for a whole tile, which the next tiles often share.
const void* CpuPass::spread(size_t k, const void* src, size_t n, Scratch* scratch) const {
  if (scratch->value[k] != src || scratch->copies[k] < n) {
    loads_[k].load(src, Tile{1, n, 0, 0}, scratch->in[k]);
    scratch->value[k] = src;
    scratch->copies[k] = n;
  }
  return scratch->in[k];
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
  if (op.direct && is_dense(tile, op.storage)) return src;
  if (tile.col_stride == 0 && (tile.row_stride == 0 || rows == 1))
    return spread(k, src, rows * cols, scratch);
  op.load(src, tile, scratch->in[k]);
  return scratch->in[k];
}

// The body on memory itself, one row or kBlock of it at a time where a value had to be spread out.
void CpuPass::run_rows(const Run& run, const int64_t* index, size_t rows, size_t cols,
                       Scratch* scratch) const {
  Tile from[kMaxLoads], to[kMaxStores];
  const uint8_t* source[kMaxLoads];
  uint8_t* memory[kMaxStores];
  size_t piece = cols;
  for (size_t k = 0; k < loads_.size(); ++k) {
    from[k] = tile_of(loads_[k], rows, cols);
    source[k] = run.base(loads_[k]) + offset_of(loads_[k], index);
    if (from[k].col_stride == 0) piece = std::min(cols, kBlock);
  }
  for (size_t k = 0; k < stores_.size(); ++k) {
    to[k] = tile_of(stores_[k], rows, cols);
    memory[k] = const_cast<uint8_t*>(run.base(stores_[k])) + offset_of(stores_[k], index);
  }
  // Streamed by the kernel itself, which needs aligned rows, or from scratch.
  const bool direct = stream_ && fused_fn_ && reinterpret_cast<uintptr_t>(memory[0]) % 64 == 0 &&
                      (rows == 1 || to[0].row_stride % 64 == 0);
  const bool through_scratch = stream_ && !direct;
  if (rows_fn_) {
    const ptrdiff_t row_bytes = static_cast<ptrdiff_t>(cols) * stores_[0].storage;
    rows_fn_({rows, cols, {source[0], source[1]}, stream_ ? scratch->out[0] : memory[0],
              {from[0].row_stride, from[1].row_stride}, stream_ ? row_bytes : to[0].row_stride},
             attrs_);
  }
  for (size_t r = 0; r < rows && !rows_fn_; ++r) {
    const auto row = static_cast<ptrdiff_t>(r);
    for (size_t c = 0; c < cols; c += piece) {
      const void* in[kMaxLoads];
      void* out[kMaxStores];
      for (size_t k = 0; k < loads_.size(); ++k) {
        const uint8_t* p = source[k] + row * from[k].row_stride;
        in[k] = from[k].col_stride ? p + static_cast<ptrdiff_t>(c) * from[k].col_stride
                                   : spread(k, p, piece, scratch);
      }
      for (size_t k = 0; k < stores_.size(); ++k) {
        const size_t element = static_cast<size_t>(stores_[k].storage);
        out[k] = through_scratch ? scratch->out[k] + (r * cols + c) * element
                                 : memory[k] + row * to[k].row_stride + c * element;
      }
      call(in, out, std::min(piece, cols - c), direct);
    }
  }
  if (!through_scratch) return;
  for (size_t k = 0; k < stores_.size(); ++k) {
    const size_t bytes = cols * static_cast<size_t>(stores_[k].storage);
    if (is_dense(to[k], stores_[k].storage)) {
      stream_out(memory_, memory[k], scratch->out[k], rows * bytes);
    } else {
      for (size_t r = 0; r < rows; ++r)
        stream_out(memory_, memory[k] + static_cast<ptrdiff_t>(r) * to[k].row_stride,
                   scratch->out[k] + r * bytes, bytes);
    }
  }
}

// A conversion straight from memory to memory, if it is one.
bool CpuPass::run_identity(const Run& run, const int64_t* index, size_t rows, size_t cols,
                           Scratch* scratch) const {
  const Operand &from = loads_[0], &to = stores_[0];
  if (!kernel_.identity || stream_ || from.gather || from.type != to.type || to.checked)
    return false;
  const Tile source = tile_of(from, rows, cols), target = tile_of(to, rows, cols);
  const uint8_t* src = run.base(from) + offset_of(from, index);
  uint8_t* dst = const_cast<uint8_t*>(run.base(to)) + offset_of(to, index);
  if (to.direct && is_dense(target, to.storage)) {
    from.load(src, source, dst);
  } else if (from.direct && is_dense(source, from.storage)) {
    to.store(src, target, dst);
  } else {
    from.load(src, source, scratch->in[0]);
    to.store(scratch->in[0], target, dst);
  }
  return true;
}

// Over a tile in scratch. In two stages, the first one's operands are one row.
void CpuPass::run_body(const void* const* in, void* const* out, size_t rows, size_t cols,
                       Scratch* scratch) const {
  if (!staged_) return call(in, out, rows * cols, false);
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
  for (int k = 0; k < kernel_.num_out; ++k) {
    out[k] = scratch->out[k];
    if (static_cast<size_t>(k) >= stores_.size()) continue;  // a result nobody asked for
    const Operand& op = stores_[k];
    memory[k] = const_cast<uint8_t*>(run.base(op)) + offset_of(op, index);
    tiles[k] = tile_of(op, rows, cols);
    if (op.direct && !stream_ && is_dense(tiles[k], op.storage)) out[k] = memory[k];
  }
  if (kernel_.identity && loads_[0].type == stores_[0].type) out[0] = const_cast<void*>(in[0]);
  else run_body(in, out, rows, cols, scratch);
  for (size_t k = 0; k < stores_.size(); ++k) {
    const Operand& op = stores_[k];
    if (op.direct && out[k] == memory[k]) continue;
    if (!stream_ || !is_dense(tiles[k], op.storage)) {
      store_block(k, in, cols, out[k], tiles[k], memory[k]);
      continue;
    }
    const void* results = out[k];
    if (!op.direct) {
      store_block(k, in, cols, out[k], Tile{1, n, 0, op.storage}, scratch->stream);
      results = scratch->stream;
    }
    stream_out(memory_, memory[k], results, n * static_cast<size_t>(op.storage));
  }
}

void CpuPass::run_table(const Run& run, const int64_t* index, size_t rows, size_t cols,
                        Scratch* scratch) const {
  const size_t n = rows * cols;
  const Tile from = tile_of(loads_[0], rows, cols), to = tile_of(stores_[0], rows, cols);
  const uint8_t* src = run.base(loads_[0]) + offset_of(loads_[0], index);
  auto* dst = const_cast<uint8_t*>(run.base(stores_[0])) + offset_of(stores_[0], index);
  const ptrdiff_t code = loads_[0].storage, element = stores_[0].storage;
  if (!is_dense(from, code)) {
    const Ctype raw = bits_type(static_cast<size_t>(code));
    memory_.load[static_cast<int>(ctype_dtype(raw))][static_cast<int>(raw)](src, from,
                                                                            scratch->in[0]);
    src = scratch->in[0];
  }
  const LookupFn* lookups = code == 1 ? memory_.lookup : memory_.lookup16;
  const LookupFn lookup = lookups[__builtin_ctzll(static_cast<size_t>(element))];
  const bool dense = is_dense(to, element);
  if (dense && !stream_) return lookup(src, table_->data(), n, dst);
  lookup(src, table_->data(), n, scratch->stream);
  if (dense) return stream_out(memory_, dst, scratch->stream, n * static_cast<size_t>(element));
  const Ctype raw = bits_type(static_cast<size_t>(element));
  memory_.store[static_cast<int>(raw)][static_cast<int>(ctype_dtype(raw))](scratch->stream, to, dst);
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

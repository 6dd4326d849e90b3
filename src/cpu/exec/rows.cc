// Tiles that need no scratch, or only for values that repeat: the kernel runs on memory itself.
#include <algorithm>
#include <cstring>

#include "cpu/exec/run.h"

namespace tileops::cpu {

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

void stream_rows(const MemoryKernels& memory, uint8_t* dst, const Tile& rows, ptrdiff_t element, const uint8_t* src) {
  const size_t bytes = rows.cols * static_cast<size_t>(element);
  if (is_dense(rows, element)) return stream_out(memory, dst, src, rows.rows * bytes);
  for (size_t r = 0; r < rows.rows; ++r)
    stream_out(memory, dst + static_cast<ptrdiff_t>(r) * rows.row_stride, src + r * bytes, bytes);
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
  const bool direct = streams() || (rows_fn_ && whole_lines(memory[0], to[0], stores_[0].storage));
  const bool through_scratch = stream_ && !direct;
  if (rows_fn_) {
    const ptrdiff_t row_bytes = static_cast<ptrdiff_t>(cols) * stores_[0].storage;
    rows_fn_({rows, cols, {source[0], source[1]}, through_scratch ? scratch->out[0] : memory[0],
              {from[0].row_stride, from[1].row_stride},
              through_scratch ? row_bytes : to[0].row_stride, stream_ && !through_scratch}, attrs_);
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
      call(in, out, std::min(piece, cols - c), stream_ && !through_scratch);
    }
  }
  if (!through_scratch) return;
  for (size_t k = 0; k < stores_.size(); ++k)
    stream_rows(memory_, memory[k], to[k], stores_[k].storage, scratch->out[k]);
}

// A conversion straight from memory to memory, if it is one.
bool CpuPass::run_identity(const Run& run, const int64_t* index, size_t rows, size_t cols,
                           Scratch* scratch) const {
  const Operand &from = loads_[0], &to = stores_[0];
  if (!kernel_.identity || from.gather || from.type != to.type || to.checked) return false;
  const Tile source = tile_of(from, rows, cols), target = tile_of(to, rows, cols);
  const uint8_t* src = run.base(from) + offset_of(from, index);
  uint8_t* dst = const_cast<uint8_t*>(run.base(to)) + offset_of(to, index);
  if (stream_) {
    if (!is_dense(source, from.storage) || !is_dense(target, to.storage)) return false;
    stream_conversion(src, dst, rows * cols, scratch);
    return true;
  }
  convert(src, source, dst, target, scratch);
  return true;
}

void CpuPass::convert(const uint8_t* src, const Tile& source, uint8_t* dst, const Tile& target,
                      Scratch* scratch) const {
  const Operand &from = loads_[0], &to = stores_[0];
  if (to.direct && is_dense(target, to.storage)) {
    from.load(src, source, dst);
  } else if (from.direct && is_dense(source, from.storage)) {
    to.store(src, target, dst);
  } else {
    from.load(src, source, scratch->in[0]);
    to.store(scratch->in[0], target, dst);
  }
}

// In pieces that start at whole lines: see kernels/streamed.h.
void CpuPass::stream_conversion(const uint8_t* src, uint8_t* dst, size_t n, Scratch* scratch) const {
  constexpr size_t kPiece = 256;
  if (converts_) return converts_(src, n, dst);
  const ptrdiff_t in = loads_[0].storage, out = stores_[0].storage;
  const size_t element = static_cast<size_t>(out);
  size_t piece = kPiece + (64 - reinterpret_cast<uintptr_t>(dst) % 64) % 64 / element;
  for (size_t i = 0; i < n; i += piece, piece = kPiece) {
    piece = std::min(piece, n - i);
    convert(src + i * static_cast<size_t>(in), Tile{1, piece, 0, in}, scratch->stream,
            Tile{1, piece, 0, out}, scratch);
    stream_out(memory_, dst + i * element, scratch->stream, piece * element);
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
  if (dense) return lookup(src, table_->data(), n, dst, stream_);
  lookup(src, table_->data(), n, scratch->stream, false);
  const Ctype raw = bits_type(static_cast<size_t>(element));
  memory_.store[static_cast<int>(raw)][static_cast<int>(ctype_dtype(raw))](scratch->stream, to, dst);
}

}  // namespace tileops::cpu

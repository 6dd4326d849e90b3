// What the parts of running a pass share: run.cc, rows.cc, block.cc.
#pragma once

#include "cpu/exec/pass.h"

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

// Of one thread, on its stack.
struct CpuPass::Scratch {
  alignas(64) uint8_t in[kMaxLoads][kBlock * 8];
  alignas(64) uint8_t out[kMaxStores][kBlock * 8];
  alignas(64) uint8_t stream[kBlock * 16];  // of one result, or of two in turn
  alignas(64) uint8_t early[2][kBlock * 8];
  // in[k] holds this value so many times.
  const void* value[kMaxLoads] = {};
  size_t copies[kMaxLoads] = {};
  size_t rows[kMaxLoads] = {}, cols[kMaxLoads] = {};  // or, of a row, that tile
};

inline int64_t offset_of(const Operand& op, const int64_t* index) {
  int64_t offset = 0;
  for (size_t d = 0; d < op.strides.size(); ++d) offset += index[d] * op.strides[d];
  return offset;
}

inline bool is_dense(const Tile& t, ptrdiff_t element) {
  return t.col_stride == element &&
         (t.rows == 1 || t.row_stride == static_cast<ptrdiff_t>(t.cols) * element);
}

// Is every row a number of whole lines, of 64 bytes?
inline bool whole_lines(const uint8_t* memory, const Tile& rows, ptrdiff_t element) {
  const auto bits = reinterpret_cast<uintptr_t>(memory) | static_cast<uintptr_t>(rows.row_stride) |
                    static_cast<uintptr_t>(static_cast<ptrdiff_t>(rows.cols) * element);
  return rows.col_stride == element && bits % 64 == 0;
}

// Is it of use to copy these rows past the cache, as stream_rows does?
inline bool worth_streaming(const uint8_t* memory, const Tile& rows, ptrdiff_t element) {
  return is_dense(rows, element) || whole_lines(memory, rows, element);
}

// Copies past the cache; to rows, from where they are dense.
void stream_out(const MemoryKernels& memory, void* dst, const void* src, size_t n);
void stream_rows(const MemoryKernels& memory, uint8_t* dst, const Tile& rows, ptrdiff_t element, const uint8_t* src);

}  // namespace tileops::cpu

// Loads and stores of a pass, made ready: where they lie, and what converts them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cpu/kernel.h"
#include "cpu/memory/shared_table.h"
#include "problem/layout.h"

namespace tileops::cpu {

// A view of a pass, made ready for kernels: what a load and a store have in common.
struct Operand {
  ViewKind kind = ViewKind::input;
  int slot = 0;  // which input or output
  Dtype dtype{};
  bool packed = false;  // elements share bytes, and its offset, strides and storage count elements
  int64_t offset = 0;   // bytes; index views: the value at the origin
  std::shared_ptr<const uint8_t> constant;
  std::vector<int64_t> strides;      // by the layout's dimensions, outermost first
  ptrdiff_t storage = 0;             // bytes of an element in memory
  Ctype type{};                      // what kernels take it as
  std::vector<View::Index> indices;  // of gathered loads and scattered stores
  bool direct = false;               // which is what lies in memory: dense elements need no conversion

  bool is_dense_row() const { return strides.back() == storage; }
  // Can a kernel run on its rows where they lie?
  bool rows_in_place() const { return direct && is_dense_row(); }
};

struct Load : Operand {
  LoadFn load = nullptr;
  uint64_t outside = 0;  // what lies where these are outside, in storage; of packed elements: is it NaN?
  Table table;           // what its codes stand for, f32; or NULL
};

struct Store : Operand {
  StoreFn store = nullptr;
  bool adds = false;  // scattered elements to what is there
  // Where f32 results are within a bound of exact ones: the store with a rounding test, and that of
  // the results that are computed again in f64. Else NULL.
  TestedStoreFn tested = nullptr;
  StoreFn store_f64 = nullptr;
  // Stores dense results that need no rounding test past the cache; or NULL.
  NonTemporalConvertFn non_temporal = nullptr;
};

// Addresses of one call's operands.
struct Binding {
  const void* const* inputs;
  void* const* outputs;
  const AttrValue* numbers = nullptr;
  void* workspace = nullptr;
  uint8_t* const* locals = nullptr;  // of phases of rows, as their views' strides count from

  // Without the operand's offset.
  uint8_t* base(const Operand& op) const {
    const void* p = op.kind == ViewKind::constant    ? op.constant.get()
                    : op.kind == ViewKind::input     ? inputs[op.slot]
                    : op.kind == ViewKind::number    ? numbers + op.slot
                    : op.kind == ViewKind::temporary ? (op.slot ? locals[op.slot - 1] : workspace)
                                                     : outputs[op.slot];
    return static_cast<uint8_t*>(const_cast<void*>(p));
  }
};

// How a load of `view` that kernels take as `type` is read. `copied`: by a kernel that copies it,
// not one that computes with it. `raw`: storage is read as `type`, bit by bit.
Load make_load(const Problem& problem, const View& view, const std::vector<int64_t>& strides,
               const MemoryKernels& memory, Ctype type, bool copied, bool raw);

// Likewise. `tested`: results of type f32 are within a bound of exact ones.
Store make_store(const Problem& problem, const View& view, const std::vector<int64_t>& strides,
                 const MemoryKernels& memory, Ctype type, bool tested, bool raw);

}  // namespace tileops::cpu

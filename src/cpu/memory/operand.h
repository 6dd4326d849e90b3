// Loads and stores of a pass, made ready: where they lie, and what converts them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cpu/kernel.h"
#include "cpu/memory/shared_table.h"
#include "cpu/memory/sizes.h"
#include "problem/layout.h"

namespace tileops::cpu {

// Views of locals of phases of rows (cpu/rows/locals.h) are of kind temporary, with negative slots; other slots are of
// the plan's workspace.
constexpr int slot_of_local(int number) { return -1 - number; }
constexpr int local_of_slot(int slot) { return -1 - slot; }
template <class ViewOrOperand>
bool is_local(const ViewOrOperand& view) {
  return view.kind == ViewKind::temporary && view.slot < 0;
}

// A view of a pass, made ready for kernels: what a load and a store have in common.
struct Operand {
  ViewKind kind = ViewKind::input;
  int slot = 0;  // which input or output
  Dtype dtype{};
  bool packed = false;  // elements share bytes, and its offset, strides and storage count elements
  int64_t offset = 0;   // bytes; index views: the value at the origin
  std::shared_ptr<const uint8_t> constant;
  std::vector<Extent> strides;  // by the layout's dimensions, outermost first
  size_t strides_at = 0;        // where these are among the executor's sizes
  ptrdiff_t storage = 0;        // bytes of an element in memory
  Ctype type{};                 // what kernels take it as
  // A gathered load and a scattered store have indices: where these lie. The executor's sizes have the stride and the
  // extent of each index, from indices_at on.
  std::vector<View::Index> indices;
  size_t indices_at = 0;
  bool indices_once_a_row = false;  // each has one value for a row of a tile
  bool direct = false;              // which is what lies in memory: dense elements need no conversion

  bool is_dense_row() const { return strides.back() == storage; }
  // Can a kernel run on its rows where they lie?
  bool rows_in_place() const { return direct && is_dense_row(); }
};

struct Load : Operand {
  LoadFn load = nullptr;
  uint64_t outside = 0;         // what lies where indices are outside, in storage; of packed elements: is it NaN?
  bool gathered_as_is = false;  // what is gathered needs no conversion
  Table table;                  // what its codes stand for, f32; or NULL
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

// Addresses of one call's operands, and its sizes.
struct Binding {
  const void* const* inputs;
  void* const* outputs;
  const AttrValue* numbers = nullptr;
  void* workspace = nullptr;
  const int64_t* temporaries = nullptr;  // where each begins in the workspace
  const int64_t* extents = nullptr;      // the plan's open ones
  const int64_t* sizes = nullptr;        // of the executor that runs
  uint8_t* const* locals = nullptr;      // of phases of rows, as their views' strides count from

  void* temporary(int slot) const {
    return slot < 0 ? locals[local_of_slot(slot)] : static_cast<uint8_t*>(workspace) + temporaries[slot];
  }
  // Without the operand's offset.
  uint8_t* base(const Operand& op) const {
    const void* p = op.kind == ViewKind::constant    ? op.constant.get()
                    : op.kind == ViewKind::input     ? inputs[op.slot]
                    : op.kind == ViewKind::number    ? numbers + op.slot
                    : op.kind == ViewKind::temporary ? temporary(op.slot)
                                                     : outputs[op.slot];
    return static_cast<uint8_t*>(const_cast<void*>(p));
  }
};

// How a load of `view` that kernels take as `type` is read; its sizes become the executor's. `copied`: by a kernel that
// copies it, not one that computes with it. `raw`: storage is read as `type`, bit by bit.
Load make_load(const Problem& problem, const View& view, const std::vector<Extent>& strides,
               const MemoryKernels& memory, Ctype type, bool copied, bool raw, Sizes* sizes);

// Likewise. `tested`: results of type f32 are within a bound of exact ones.
Store make_store(const Problem& problem, const View& view, const std::vector<Extent>& strides,
                 const MemoryKernels& memory, Ctype type, bool tested, bool raw, Sizes* sizes);

}  // namespace tileops::cpu

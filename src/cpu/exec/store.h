// From a kernel's results to memory. Those that are within a bound of exact ones are stored so that what lies in memory
// is rounded right: the rounding test (Ziv's) tells those that may not be, which are computed again in f64.
#pragma once

#include "cpu/exec/step.h"
#include "cpu/memory/fetch.h"
#include "cpu/memory/non_temporal.h"

namespace tileops::cpu {

// A step's operands in a block: in[k] has `cols` elements a row; from `whole` on only the first
// row.
struct BlockOperands {
  const void* in[kMaxOperands];
  size_t cols;
  const AttrValue* attrs;  // of the step, for this execute
  int whole = kMaxOperands;
};

// Stores result number `which` of a step. `tile` may have other rows than the block.
void store_tested(const Store& store, const void* results, const Tile& tile, void* dst, const StepKernel& step,
                  int which, const BlockOperands& operands);

// Can a step write n results to where they are stored, instead of to scratch? With non-temporal stores it must do so
// past the cache itself, to whole lines.
inline bool can_write_there(const StepKernel& step, const Store& store, const Piece& to, size_t n, bool non_temporal) {
  if (!store.direct || !is_dense(to.tile, store.storage)) return false;
  return !non_temporal || (step.can_store_non_temporal() && n >= 256 && reinterpret_cast<uintptr_t>(to.at) % 64 == 0);
}

// Stores n results that lie dense, past the cache where that is wanted and of use. write(tile, memory) rounds them to
// memory's form; `dense` has room for so many in it.
template <class Write>
void store_results(const Store& store, const void* results, size_t n, const Piece& to, bool non_temporal,
                   const MemoryKernels& memory, uint8_t* dense, const Write& write) {
  if (store.direct && results == to.at) return;  // a step wrote it there
  if (!non_temporal || store.packed || !rows_suit_non_temporal(to.at, to.tile, store.storage))
    return write(to.tile, to.at);
  if (!store.direct && store.non_temporal && is_dense(to.tile, store.storage))
    return store.non_temporal(results, n, to.at);
  if (!store.direct) {
    write(Tile{1, n, 0, store.storage}, dense);
    results = dense;
  }
  copy_rows_non_temporal(memory, to.at, to.tile, store.storage, static_cast<const uint8_t*>(results));
}

}  // namespace tileops::cpu

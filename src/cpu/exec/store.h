// Stores of dense results that are within a bound of exact ones, so that what lies in memory is
// rounded right: the rounding test (Ziv's) tells those that may not be, which are computed again in
// f64.
#pragma once

#include "cpu/exec/step.h"
#include "cpu/memory/fetch.h"

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

}  // namespace tileops::cpu

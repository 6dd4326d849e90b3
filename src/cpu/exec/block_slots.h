// Which slot of a block's scratch each value of a pass has.
#pragma once

#include "cpu/exec/executor.h"

namespace tileops::cpu {

// 8 KiB each. Loads have the first ones for themselves, since a slot keeps what later tiles need
// again.
constexpr int kSlots = 12;

struct BlockSlots {
  int spare = 0;  // two that are free, from this one on
  // The store that takes a result of the last step, which may write it there at once; or -1.
  int in_place[kMaxResults];
  // Where a store's value comes from, if from a step.
  int store_step[kMaxStores] = {}, store_result[kMaxStores] = {};
};

// Takes steps away that copy, gives the others slots of their operands and results, and the stores
// those of their values. Throws Error(UNSUPPORTED) if too many values are needed at a time.
BlockSlots assign_slots(const Pass& pass, Prepared* p);

// What a value is, followed through steps that copy. `steps`: all of them.
Value source_of(const Pass& pass, const std::vector<StepKernel>& steps, Value value);

}  // namespace tileops::cpu

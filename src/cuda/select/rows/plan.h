// How the blocks of a pass of rows are dealt out to threads, and which of a block's elements these keep.
#pragma once

#include <cstdint>
#include <vector>

#include "cuda/select/stages.h"
#include "problem/analysis.h"

namespace tileops::cuda {

struct RowPlan {
  Layout layout;
  Operands operands;                          // with the pattern that kernels/rows/transfer.h reads and writes them by
  std::vector<Level> levels;                  // of the operands
  int64_t blocks = 1, groups = 1, inner = 1;  // how many; groups of a block; elements of a group, or of a block
  int64_t length = 0;                         // places of a block
  int vec = 1;
  bool index64 = false;
  std::vector<bool> kept;  // by load: its packs are read once, before the first stage
  RowSpec spec;
  int threads = 128;

  // Places that are reduced together: of a part, or of a whole block.
  int64_t kept_length() const { return spec.split_elements ? spec.split_elements : length; }
};

// Throws Error(UNSUPPORTED) for what there is no kernel of.
RowPlan row_plan_of(const Problem& problem, const Pass& pass, const PassInfo& info, const ChooseOptions& options,
                    const Tuning& tuning);

}  // namespace tileops::cuda

// How the blocks of a pass of rows are dealt out to threads, and which of a block's elements these keep.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cuda/select/rows/shape.h"
#include "cuda/select/stages.h"

namespace tileops::cuda {

struct RowPlan {
  Operands operands;  // the shape's, of columns with the pattern from column to column
  Extent length = 0;  // places of a block
  int vec = 1;
  bool index64 = false;
  std::vector<bool> kept;  // by load: its packs are read once, before the first stage
  RowSpec spec;
  int threads = 128;
  bool thread_a_row = false;  // each row has one thread

  // Places that are reduced together: of a part, or of a whole block.
  Extent kept_length() const { return spec.split_elements ? Extent(spec.split_elements) : length; }
  int64_t chunk_packs() const {
    return int64_t{spec.packs} * spec.lanes * spec.warps * spec.cluster * std::max(1, spec.staged);
  }
};

// Throws Error(UNSUPPORTED) for what there is no kernel of.
RowPlan row_plan_of(const RowShape& shape, const ChooseOptions& options, const Tuning& tuning);

}  // namespace tileops::cuda

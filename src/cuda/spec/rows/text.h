// The text of a pass of rows: struct steps, which has its stages, for kernels/rows.h and kernels/columns.h.
#pragma once

#include <string>
#include <vector>

#include "cuda/spec/spec.h"
#include "problem/analysis.h"

namespace tileops::cuda {

// What a kernel computes of which access and traversal are known already. `kept`: by load, is a pack of it read once,
// before the first stage?
ComputeSpec row_steps_of(const Pass& pass, const PassInfo& info, bool reproducible, const std::vector<bool>& kept,
                         const KernelSpec& spec);

}  // namespace tileops::cuda

// The text of a pass of rows: struct steps, which has its stages, for kernels/rows.h and kernels/columns.h.
#pragma once

#include <string>
#include <vector>

#include "cuda/spec/spec.h"
#include "problem/analysis.h"

namespace tileops::cuda {

// What the text adds to a spec, whose loads and stores are known already: `steps`, operands and attributes. `kept`: by
// load, is a pack of it read once, before the first stage?
void add_row_steps(const Pass& pass, const PassInfo& info, bool reproducible, const std::vector<bool>& kept,
                   KernelSpec* spec);

}  // namespace tileops::cuda

// The text of a kernel of rows: its stages, by the steps of the pass, for kernels/rows.h.
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

// The kernel itself: the steps, a struct spec, and the function that `head` begins.
std::string row_kernel_text(const KernelSpec& spec, const std::string& head);

}  // namespace tileops::cuda

// The argument block of a kernel (kernels/arguments.h) but for addresses, and its grid.
#pragma once

#include <vector>

#include "cuda/select/choose.h"
#include "cuda/select/reach.h"

namespace tileops::cuda {

// Fills in c->words, views, blocks and threads, and spec.wide, from the rest of the choice. The first
// `direct` operands are loads and stores, the others indices of gathers.
void fill_arguments(const Problem& problem, const Pass& pass, const Layout& layout,
                    const std::vector<Operand>& operands, size_t direct, Choice* choice);

}  // namespace tileops::cuda

// The executor of passes of rows.
#pragma once

#include "cpu/select.h"
#include "cpu/source/kernelled_pass.h"
#include "problem/analysis.h"

namespace tileops::cpu {

class Gate;

// Throws Error(UNSUPPORTED) if the CPU cannot run it. `gate`: the mask that leaves blocks out, or NULL, whose sizes
// `sizes` has.
ExecutorPtr make_rows_of(const Problem& problem, const Pass& pass, const PassInfo& info,
                         const std::vector<ChosenKernel>& kernels, const KernelSet& set, size_t past_cache_from,
                         std::shared_ptr<const Gate> gate, Sizes sizes);

}  // namespace tileops::cpu

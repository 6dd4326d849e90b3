// The executor of passes of rows.
#pragma once

#include "cpu/program/kernelled_pass.h"
#include "cpu/select.h"
#include "problem/analysis.h"

namespace tileops::cpu {

// Throws Error(UNSUPPORTED) if the CPU cannot run it.
ExecutorPtr make_rows_of(const Problem& problem, const Pass& pass, const PassInfo& info,
                         const std::vector<ChosenKernel>& kernels, const KernelSet& set, int threads);

}  // namespace tileops::cpu

// The kernel, the launch and the arguments of a pass of rows.
#pragma once

#include "cuda/select/choose.h"
#include "cuda/tuning/tuning.h"

namespace tileops::cuda {

// Throws Error as choose() does.
Choice choose_rows(const Problem& problem, const Pass& pass, const ChooseOptions& options, const Tuning& tuning);

}  // namespace tileops::cuda

// Measuring the ways in which a problem can be cut on its device (tileops_tune).
#pragma once

#include <vector>

#include "cuda/driver/device.h"
#include "cuda/jit/state.h"
#include "plan/backend.h"

namespace tileops::cuda {

// What is worth measuring for a problem, the library's own choice (all 0) first. Needs no GPU.
std::vector<LaunchHint> tuning_candidates(const Problem& problem, int arch);

// Measures them and keeps the fastest for later plans. Throws Error.
tileops_tune_result tune(const Request& request, const Problem& problem, Device& device, CudaState& state,
                         const TuneProgress& progress);

}  // namespace tileops::cuda

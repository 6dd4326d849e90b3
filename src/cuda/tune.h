// Measuring the ways in which a problem can be cut on its device (tileops_tune).
#pragma once

#include "cuda/driver/device.h"
#include "cuda/jit/state.h"
#include "plan/backend.h"

namespace tileops::cuda {

// Measures the candidates (tuning_candidates.h) and keeps the fastest for later plans. Throws Error.
tileops_tune_result tune(const Request& request, const Problem& problem, Device& device, CudaState& state,
                         const TuneProgress& progress);

}  // namespace tileops::cuda

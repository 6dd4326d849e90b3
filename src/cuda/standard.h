// The kernels that the prebuilt pack holds: every operator on every dtype as its users call it
// most, in the layouts that they have most. Found by asking for plans of example shapes.
#pragma once

#include <vector>

#include "cuda/select/spec.h"

namespace tileops::cuda {

// For one architecture; no two are equal. With `small` a systematic sample: every body, few dtypes.
std::vector<KernelSpec> standard_kernels(int arch, bool small);

}  // namespace tileops::cuda

// The kernels that the prebuilt pack holds: every operator on every dtype, and every named expression on the usual
// ones, as their users call them most, in the layouts that they have most. Found by asking for plans of example shapes.
#pragma once

#include <vector>

#include "cuda/spec/spec.h"

namespace tileops::cuda {

// For one architecture; no two are equal. With `small` a systematic sample: every body, few dtypes. Kernels of
// expressions have the expression's name for a body.
std::vector<KernelSpec> standard_kernels(int arch, bool small);

}  // namespace tileops::cuda

// The kernels that the prebuilt pack holds: every operator on every dtype, and every named expression on the usual
// ones, as their users call them most, in the layouts that they have most. Found by asking for plans of example shapes.
#pragma once

#include <string>
#include <vector>

#include "cuda/spec/kernel.h"

namespace tileops::cuda {

struct StandardKernel {
  KernelSpec spec;
  Kernel kernel;
  std::string name;  // the body's or, of expressions and rows, the named expression's
};

// For one architecture; no two are equal. With `small` a systematic sample: every body, few dtypes.
std::vector<StandardKernel> standard_kernels(int arch, bool small);

}  // namespace tileops::cuda

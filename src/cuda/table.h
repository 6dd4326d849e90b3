// Tables of all results of an operator of one narrow operand or of pairs of 8-bit ones, made on the device by
// the operator's exact kernel. They change nothing but the speed.
#pragma once

#include "core/problem.h"
#include "cuda/choose.h"
#include "cuda/device.h"

namespace tileops {
struct ContextOptions;
}

namespace tileops::cuda {

// The kernel that fills the table of a pass.
Choice choose_filler(const Problem& problem, const Pass& pass, int arch);

// Device address of the table of a pass, made if it is not known yet; 0 if there are too many already
// (they are never freed, as kernels in flight may read them). Call under CurrentContext.
CUdeviceptr result_table(Device& device, const Problem& problem, const Pass& pass,
                         const ContextOptions& options);

}  // namespace tileops::cuda

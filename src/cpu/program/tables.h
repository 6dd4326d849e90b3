// Parts of a program that are functions of one narrow operand, such as silu(gate) of bf16: looked up in a table of all
// its codes instead, which the program's own steps fill, so that the bits are the same.
#pragma once

#include <vector>

#include "cpu/source/kernelled_pass.h"

namespace tileops::cpu {

// Where that is faster: of steps with a dear body, for tensors larger than the table.
KernelledPass look_up_parts(const Problem& problem, const Pass& pass, const MemoryKernels& memory,
                            std::vector<ChosenKernel> kernels);

}  // namespace tileops::cpu

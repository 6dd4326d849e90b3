// A pass of several steps as a function for CUDA code of one's own: a text that needs tileops/device/cuda.h alone.
#pragma once

#include <string>
#include <vector>

#include "problem/problem.h"

namespace tileops::cuda {

// What the text calls things.
struct FunctionNames {
  std::string function, expression;  // its canonical text
  std::vector<std::string> operands, scalars, results;
};

// Throws Error(UNSUPPORTED) for what is no function of registers: several passes, gathered operands, positions, groups.
std::string device_function(const Problem& problem, const FunctionNames& names, bool reproducible);

}  // namespace tileops::cuda

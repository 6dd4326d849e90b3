// From what is asked for to a problem, and to what results are.
#pragma once

#include "problem/problem.h"

namespace tileops {

// Builds the problem of a request, or throws Error.
Problem lower(const Request& request);

// The pass of an operator's call, whose constants become the problem's. Throws Error.
Pass lower_call(const Call& call, Problem* problem);
// Appends it, and another one where an operator has two.
void add_passes_of(const Call& call, Problem* problem);

// What outputs[output] of a request is if the caller does not choose: shape, dtype, row-major strides.
// Outputs of the request are not needed but by operators without a shape of their own. Throws Error.
TensorSpec infer_result(const Request& request, int output);

}  // namespace tileops

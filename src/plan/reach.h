// What results depend on a step of a pass.
#pragma once

#include <vector>

#include "plan/problem.h"

namespace tileops {

// By step: do only float results of 16 bits or fewer depend on it? Not if it is converted to more bits on the way, or
// if a comparison, an integer or anything else that jumps is made of it: then it is as exact as its operator.
std::vector<bool> reaches_few_bits_alone(const Pass& pass);

}  // namespace tileops

// Which steps of a pass may take the short forms for values inside an expression (Kernel::inner).
#pragma once

#include <vector>

#include "plan/problem.h"

namespace tileops::cpu {

// By step: does its value reach float results of 16 bits or fewer alone, and is it not rounded to them by the
// operator's own rounding? None in a reproducible plan.
std::vector<bool> inner_steps(const Problem& problem, const Pass& pass);

}  // namespace tileops::cpu

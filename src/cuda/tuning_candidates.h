// The ways to cut a problem that are worth measuring (tune.h).
#pragma once

#include <vector>

#include "op/strategy.h"
#include "problem/problem.h"

namespace tileops::cuda {

// The library's own choice (all 0) first; each comes to a kernel of its own. Needs no GPU.
std::vector<LaunchHint> tuning_candidates(const Problem& problem, int arch);

}  // namespace tileops::cuda

// Passes whose scans go from the last element to the first.
#pragma once

#include <vector>

#include "problem/problem.h"

namespace tileops::expr {

// The pass with the elements of each block in the opposite order, of which every view goes backwards. A short group has
// its own last element: a pass that has one is two, of the whole groups and of the short one.
std::vector<Pass> mirrored(Pass pass);

}  // namespace tileops::expr

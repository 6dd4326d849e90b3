// What passes store of an expression's results.
#pragma once

#include <vector>

#include "expr/split/split.h"

namespace tileops::expr {

// What is stored for result k: its value, or the values that it is joined of.
std::vector<Target> targets_of(const Request& request, const Inference& inference, size_t k);

}  // namespace tileops::expr

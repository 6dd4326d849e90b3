// Gathers of values that are computed: gather(f(x, w), i) is f(gather(x, i), gather(w, i)), so that f(x, w) need not be
// in memory, of which few elements are taken.
#pragma once

#include "expr/infer/infer.h"

namespace tileops::expr {

// The expression with gathers of operands in the place of those of what is computed of them element by element; NULL
// where there are none, or more elements are gathered than there are.
std::shared_ptr<const Graph> with_gathers_of_operands(const Inference& inference);

}  // namespace tileops::expr

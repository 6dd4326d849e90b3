// Places of extreme values of few long rows, which one thread block each would look through: the place of the largest
// value is the smallest index of those that equal it. Both reductions can be done in parts, by all threads.
#pragma once

#include "expr/infer/infer.h"

namespace tileops::expr {

// The expression with argmax and argmin by two reductions each, where `has_few_long_blocks` says so of their node; NULL
// where there are none. The places are the same.
std::shared_ptr<const Graph> with_places_by_values(const Inference& inference,
                                                   bool (*has_few_long_blocks)(const Inference&, int));

}  // namespace tileops::expr

// Places of extreme values of few long rows, which one thread block each would look through: the place of the largest
// value is the smallest index of those that equal it. Both reductions are done in parts (split/parts.h), by all
// threads.
#pragma once

#include "expr/infer/infer.h"

namespace tileops::expr {

// The expression with argmax and argmin of few long rows by two reductions each; NULL where there are none. The places
// are the same.
std::shared_ptr<const Graph> with_places_by_values(const Inference& inference);

}  // namespace tileops::expr

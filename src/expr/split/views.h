// Parts of values that are computed: chunk(f(x, w), i, n) is f(chunk(x, i, n), chunk(w, i, n)).
#pragma once

#include "expr/infer/infer.h"

namespace tileops::expr {

// The expression with chunk and every of operands alone; itself where that is so already. Throws Error(UNSUPPORTED) for
// a value through which they cannot be taken down.
std::shared_ptr<const Graph> with_views_of_operands(const Inference& inference);

}  // namespace tileops::expr

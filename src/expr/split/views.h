// Parts of values that are computed: chunk(f(x, w), i, n) is f(chunk(x, i, n), chunk(w, i, n)).
#pragma once

#include "expr/infer/infer.h"

namespace tileops::expr {

// The expression with chunk and every of operands, and of values through which they cannot be taken down, which have to
// be in memory; itself where that is so already.
std::shared_ptr<const Graph> with_views_of_operands(const Inference& inference);

}  // namespace tileops::expr

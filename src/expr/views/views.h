// Parts of values that are computed: chunk(f(x, w), i, n) is f(chunk(x, i, n), chunk(w, i, n)).
#pragma once

#include "expr/infer/infer.h"

namespace tileops::expr {

// The expression with chunk and every of operands, and of values through which they cannot be taken down, which have to
// be in memory; itself where that is so already.
std::shared_ptr<const Graph> with_views_of_operands(const Inference& inference);

// An expression that means the same, to the bit, with sums of rows computed from the rows' halves, so that a pass over
// halves has them as well. In the tree of additions (docs/numerics.md) the two chunks of 2^k elements meet at the root,
// and the two elements that `every` takes apart meet at the bottom. NULL: there is no such sum. Sums with low parts are
// none; they are found from `results`.
std::shared_ptr<const Graph> with_sums_of_halves(const Inference& inference, const std::vector<TensorSpec>& results);

}  // namespace tileops::expr

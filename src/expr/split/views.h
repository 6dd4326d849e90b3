// Parts of values that are computed: chunk(f(x, w), i, n) is f(chunk(x, i, n), chunk(w, i, n)).
#pragma once

#include "expr/infer/infer.h"

namespace tileops::expr {

// The expression with chunk and every of operands, and of values through which they cannot be taken down, which have to
// be in memory; itself where that is so already.
std::shared_ptr<const Graph> with_views_of_operands(const Inference& inference);

// The same, in which sums of rows are made of those of their two halves, which have the same bits: a row of 2^k
// elements has its tree's root above them, and neighbours, that every takes apart, are its lowest nodes. So a pass over
// halves has the sums as well. NULL: no sum is such. Those with low parts are not (`results`: what they are made for).
std::shared_ptr<const Graph> with_sums_of_halves(const Inference& inference, const std::vector<TensorSpec>& results);

}  // namespace tileops::expr

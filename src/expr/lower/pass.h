// The passes of an expression: what their targets need, in an order in which each value comes after those that it
// takes.
#pragma once

#include "expr/lower/numbers.h"
#include "expr/split/split.h"

namespace tileops::expr {

// Number `number` of those that the expression was split into; several where groups of several axes are short.
std::vector<Pass> passes_of(const Request& request, const Inference& inference, const Split& split, int number,
                            Problem* problem, NumberTable* numbers);

// Puts zeros into a result.
Pass zeros_for(const Request& request, size_t result, Problem* problem);

}  // namespace tileops::expr

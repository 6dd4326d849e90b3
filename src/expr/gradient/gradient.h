// The gradient of an expression, an expression itself (derivatives.def has each function's derivative).
#pragma once

#include <memory>
#include <vector>

#include "expr/graph/graph.h"

namespace tileops::expr {

// With respect to operands of these numbers. It takes the expression's operands and scalars, then for each result r an
// operand grad_r, the gradient that it gets, and gives for each of these operands x a result grad_x, of x's shape and
// dtype: zeros if no result depends on it. A name that is taken gets a number: grad_x_2. Where an operand was broadcast
// its gradient is a sum, sum_to(), which refuses what is no float. An operand of which parts are read gets its gradient
// by concat or interleave. Throws Error.
std::shared_ptr<const Graph> gradient(const Graph& graph, const std::vector<int>& operands);

// Does every operand of the function that could have a derivative have one? For tests.
bool has_derivatives(const Function& function);

}  // namespace tileops::expr

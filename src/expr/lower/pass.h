// One pass of an expression: what its targets need, in an order in which each value comes after those that it takes.
#pragma once

#include "expr/lower/numbers.h"
#include "expr/split/split.h"

namespace tileops::expr {

// Pass number `number` of those that the expression was split into.
Pass pass_of(const Request& request, const Inference& inference, const Split& split, int number, Problem* problem,
             NumberTable* numbers);

}  // namespace tileops::expr

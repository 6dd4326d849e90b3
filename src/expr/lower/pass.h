// One pass of an expression: what its targets need, in an order in which each value comes after those that it takes.
#pragma once

#include "expr/lower/numbers.h"

namespace tileops::expr {

// A result, or one of the parts that it is joined of.
struct Target {
  int node;   // whose value it takes
  View view;  // strides by the result's dimensions
  std::vector<int64_t> extents;
};

// The nodes that the targets, all of one shape, need.
Pass pass_of(const Request& request, const Inference& inference, const std::vector<Target>& targets, Problem* problem,
             NumberTable* numbers);

}  // namespace tileops::expr

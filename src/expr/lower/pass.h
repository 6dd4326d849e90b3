// One pass of an expression. Each node is lowered as the operator that it is, with the lowering that the operator
// itself has; the steps that come of it are put one behind the other, and what would have been loads of results of
// other nodes are those results.
#pragma once

#include "expr/lower/infer_map.h"
#include "expr/lower/numbers.h"

namespace tileops::expr {

// A result, or one of the parts that it is joined of.
struct Target {
  int node;   // whose value it takes
  View view;  // strides by the result's dimensions
  std::vector<int64_t> extents;
};

// A whole operand or result.
View view_of(const TensorSpec& t, ViewKind kind, int slot);

// The nodes that the targets, all of one shape, need. `alone`: the expression is one operator of its operands.
Pass pass_of(const Request& request, const Inference& inference, bool alone, const std::vector<Target>& targets,
             Problem* problem, NumberTable* numbers);

}  // namespace tileops::expr

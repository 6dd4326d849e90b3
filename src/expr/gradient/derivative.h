// What an operand of one function adds to its gradient.
#pragma once

#include <vector>

#include "expr/nodes/builder.h"

namespace tileops::expr {

// A function's call in a builder: handles of its operands, one a slot (0: not there), attributes in the table's order,
// its result, and the gradient of that.
struct Differentiated {
  const Function* function = nullptr;
  std::vector<NodeHandle> operands, attributes;
  NodeHandle y = 0, g = 0;
};

// May a gradient pass through this function at all? Not through steps, indices and results of bool.
bool passes_gradients(const Function& function);

// What the operand in a slot gets, or 0 for nothing. Throws Error, the builder's too.
NodeHandle derivative(const Differentiated& call, size_t slot, Builder* builder);

}  // namespace tileops::expr

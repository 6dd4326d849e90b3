// Gradients of what parts are taken of.
#pragma once

#include <vector>

#include "expr/nodes/builder.h"

namespace tileops::expr {

// A part that a gradient arrives at.
struct PartGradient {
  const Node* node;    // chunk or every, of the forward expression
  NodeHandle forward;  // its value
  NodeHandle gradient;
};

// What the whole value x gets from one of its parts: the part's gradient there, 0 elsewhere.
NodeHandle whole_of_part(const PartGradient& part, NodeHandle x, Builder* builder);

// What x gets from parts of one kind, joined, and, if it is not 0, from `whole`. 0: there is no such join, since they
// are of different kinds, or more than a result is joined of.
NodeHandle joined_parts(const std::vector<PartGradient>& parts, NodeHandle x, NodeHandle whole, Builder* builder);

}  // namespace tileops::expr

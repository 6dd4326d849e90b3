// What is known of shapes before there are operands: a shape is the broadcast of the shapes of some values.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "expr/nodes/builder.h"

namespace tileops::expr {

// Handles of the values whose shapes a shape is the broadcast of; two shapes of equal sets are equal. A reduction
// without groups broadcasts to what it is made of, and is left out beside that.
using ShapeOf = std::set<NodeHandle>;

class Shapes {
 public:
  explicit Shapes(const Builder& builder) : builder_(builder) {}
  const ShapeOf& of(NodeHandle value);
  // What the value's own node does not say: the gradient of a result has the result's shape.
  void set(NodeHandle value, const ShapeOf& shape) { known_[value] = shape; }
  bool equal(NodeHandle a, NodeHandle b) { return of(a) == of(b); }
  // Is it the shape of reductions alone?
  bool is_reduced(NodeHandle value);

 private:
  ShapeOf shape_of(NodeHandle value);
  ShapeOf joined(const Node& node);

  const Builder& builder_;
  std::map<NodeHandle, ShapeOf> known_;
  NodeHandle next_ = 1;                                      // the first that is not looked at
  std::map<std::pair<ShapeOf, int64_t>, NodeHandle> parts_;  // chunk and every: one for each number of parts
};

}  // namespace tileops::expr

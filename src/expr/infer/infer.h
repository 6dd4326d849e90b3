// Shapes and dtypes of an expression's nodes for given operands. A node's shape is the broadcast of its own operands.
// Its dtype is promoted in three levels: tensors with dimensions, 0-d tensors, numbers; it is a label, since values
// inside are not rounded. An expression of one operator infers what the operator does: the same code says so.
#pragma once

#include <memory>
#include <vector>

#include "expr/graph/graph.h"
#include "problem/problem.h"

namespace tileops::expr {

struct NodeType {
  bool number = false;  // known on the host, or a literal; has no dtype yet
  Number::Type number_type = Number::Type::f64;
  const Number* literal = nullptr;  // of a constant: its value, in the graph
  TensorSpec spec;                  // of tensors: shape, dtype, row-major strides
};

struct Inference {
  std::shared_ptr<const Graph> graph;  // defaults in the place of absent operands
  std::vector<NodeType> nodes;         // of that graph
  std::vector<Call> calls;  // by node: of a map, its operator's (map.h), inner and with the result; of others none
  std::vector<TensorSpec> results;  // one that is a scatter is absent: its shape is the output's
};

// What a number has where no tensor says another: PyTorch's default dtypes.
Dtype dtype_of_number(Number::Type type);

// One spec an operand; trailing optional ones may be left off. Throws Error.
Inference infer(const std::shared_ptr<const Graph>& graph, const std::vector<TensorSpec>& operands);

}  // namespace tileops::expr

// Shape and dtype of one operator within an expression.
#pragma once

#include <vector>

#include "expr/infer/infer.h"
#include "problem/request.h"

namespace tileops::expr {

// The call of its operator that a node of kind map is, or the broadcast of what is joined, as if each operand was a
// tensor: inputs[i] is argument i.
// Attributes that are numbers of the host have a value that chooses no particular body. Throws Error, with the offset
// of the argument that is at fault, if one is.
Call call_of(const Node& node, const std::vector<NodeType>& types);

// The call of a cast; the dtype that it casts to is that of the call's output.
Call cast_call(const Node& node, const std::vector<NodeType>& types);

// Shape and dtype of what a node's call gives. Throws Error likewise.
TensorSpec result_of(const Node& node, const Call& call);

}  // namespace tileops::expr

// Shape and dtype of one operator within an expression.
#pragma once

#include <vector>

#include "expr/lower/infer.h"
#include "plan/request.h"

namespace tileops::expr {

// Shape and dtype of a node of kind map, or of the broadcast of what is joined. Throws Error, with the offset of the
// argument that is at fault, if one is.
// The operator's request for a node's operands, as if each was a tensor: inputs[i] is argument i. Attributes that are
// numbers of the host have a value that chooses no particular body.
Request request_of(const Node& node, const std::vector<NodeType>& types);

TensorSpec infer_map(const Node& node, const std::vector<NodeType>& types);

}  // namespace tileops::expr

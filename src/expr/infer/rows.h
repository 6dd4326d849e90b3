// Shapes and dtypes of rows: reductions and what belongs to them.
#pragma once

#include <vector>

#include "expr/infer/infer.h"

namespace tileops::expr {

// Is the node one of these?
bool is_row(const Node& node);

// Shape and dtype of such a node, of what its arguments are. Of a scatter the shape of what is written: its result has
// the extents of its output along the indexed axes. Throws Error, with the offset of what is at fault.
TensorSpec infer_row(const Graph& graph, const Node& node, const std::vector<NodeType>& types);

// Throws Error if one of a node's axes is beyond the dimensions.
void check_axes(const Node& node, int ndim);

}  // namespace tileops::expr

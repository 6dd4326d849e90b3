// The canonical text of an expression: parsed, it gives the same nodes, and their text is the same again. Expressions
// that are written differently and mean the same by the same steps have one text; that is what they are known by.
#pragma once

#include <string>

#include "expr/graph/graph.h"

namespace tileops::expr {

std::string canonical_text(const Graph& graph);

}  // namespace tileops::expr

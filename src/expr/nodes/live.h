// Which nodes an expression keeps, and in which order.
#pragma once

#include <vector>

#include "expr/graph/graph.h"

namespace tileops::expr {

// Fills nodes and results of a graph with what the results need, in the order in which they need it. Gives the place of
// each node there; -1: it is not needed.
std::vector<int> keep_live(const std::vector<Node>& nodes, const std::vector<Result>& results, Graph* graph);

}  // namespace tileops::expr

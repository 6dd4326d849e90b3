// An expression as plans know it.
#pragma once

#include <memory>

#include "expr/graph/graph.h"
#include "problem/problem.h"

namespace tileops::expr {

std::shared_ptr<const Formula> make_formula(std::shared_ptr<const Graph> graph);

// The problem of an expression for a request's operands and results (lower.cc).
Problem lower(const std::shared_ptr<const Graph>& graph, const Request& request);

}  // namespace tileops::expr

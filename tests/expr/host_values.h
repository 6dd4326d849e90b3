// Expressions of numbers, computed by folding them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "expr/nodes/builder.h"
#include "expr/nodes/replay.h"

namespace tileops::expr {

// The results of an expression for numbers as operands; what sum_to sums is what is asked for.
inline std::vector<double> values(const Graph& graph, const std::vector<double>& operands) {
  Builder builder;
  std::vector<NodeHandle> handles(graph.nodes.size());
  for (size_t i = 0; i < handles.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (node.kind == Node::Kind::scalar)
      handles[i] = builder.constant(graph.scalars[static_cast<size_t>(node.index)].value);
    if (node.kind != Node::Kind::operand) continue;
    const std::string& name = graph.operands[static_cast<size_t>(node.index)].name;
    const double v = operands[static_cast<size_t>(node.index)];
    handles[i] = builder.constant(name == "cond" ? Number::of(v != 0) : Number::of(v));
  }
  replay(graph, &builder, &handles);
  std::vector<double> results;
  for (const Result& r : graph.results) {
    Node node = builder.node(handles[static_cast<size_t>(r.node)]);
    if (node.is(Kind::sum_to)) node = builder.node(node.arguments[0].node + 1);
    EXPECT_EQ(node.kind, Node::Kind::constant) << graph.text;
    results.push_back(node.value.as_f64());
  }
  return results;
}

}  // namespace tileops::expr

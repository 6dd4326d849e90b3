// Are two expressions the same, and does an expression's canonical text mean it?
#pragma once

#include <memory>
#include <string>

#include "base/error.h"
#include "expr/graph/extents.h"
#include "expr/parse/parser.h"

namespace tileops::expr {

inline std::string different_shapes(const Graph& a, const Graph& b) {
  if (a.shapes.size() != b.shapes.size()) return "number of shapes";
  for (size_t i = 0; i < a.shapes.size(); ++i) {
    const SaidShape &x = a.shapes[i], &y = b.shapes[i];
    if (x.operand != y.operand || x.node != y.node || said_shape_text(x, a.extents) != said_shape_text(y, b.extents))
      return "shape " + std::to_string(i);
  }
  return "";
}

// What differs first between two expressions, their texts and places in them aside; "" if nothing does.
inline std::string difference(const Graph& a, const Graph& b) {
  const auto differs = [](const char* what, size_t i) { return std::string(what) + " " + std::to_string(i); };
  if (a.operands.size() != b.operands.size()) return "number of operands";
  for (size_t i = 0; i < a.operands.size(); ++i) {
    const Operand &x = a.operands[i], &y = b.operands[i];
    if (x.name != y.name || x.optional != y.optional || (x.optional && !same(x.value, y.value)))
      return differs("operand", i);
  }
  if (a.scalars.size() != b.scalars.size()) return "number of scalars";
  for (size_t i = 0; i < a.scalars.size(); ++i)
    if (a.scalars[i].name != b.scalars[i].name || !same(a.scalars[i].value, b.scalars[i].value))
      return differs("scalar", i);
  if (a.results.size() != b.results.size()) return "number of results";
  for (size_t i = 0; i < a.results.size(); ++i)
    if (a.results[i].name != b.results[i].name || a.results[i].node != b.results[i].node) return differs("result", i);
  if (a.nodes.size() != b.nodes.size()) return "number of nodes";
  for (size_t i = 0; i < a.nodes.size(); ++i) {
    const Node &x = a.nodes[i], &y = b.nodes[i];
    bool alike = x.kind == y.kind && x.index == y.index && x.function == y.function && x.on_host == y.on_host &&
                 x.host_type == y.host_type && same(x.value, y.value) && x.arguments.size() == y.arguments.size() &&
                 x.attributes.size() == y.attributes.size();
    for (size_t k = 0; alike && k < x.arguments.size(); ++k) alike = x.arguments[k].node == y.arguments[k].node;
    for (size_t k = 0; alike && k < x.attributes.size(); ++k) {
      const Attribute &p = x.attributes[k], &q = y.attributes[k];
      alike = p.index == q.index && p.node == q.node && (p.node >= 0 || same(p.value, q.value));
    }
    if (!alike) return differs("node", i);
  }
  return different_shapes(a, b);
}

// What is wrong with an expression's canonical text: parsed, it is the same expression and has the same text. "" if
// nothing is.
inline std::string wrong_with_text(const Graph& graph) {
  try {
    const std::shared_ptr<const Graph> again = parse(graph.text);
    const std::string what = difference(graph, *again);
    if (!what.empty()) return graph.text + "\nhas another meaning: " + what;
    if (again->text != graph.text) return graph.text + "\nis written again as\n" + again->text;
  } catch (const Error& e) {
    return graph.text + "\n" + e.message;
  }
  return "";
}

}  // namespace tileops::expr

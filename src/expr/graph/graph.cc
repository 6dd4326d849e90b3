#include "expr/graph/graph.h"

#include <algorithm>

namespace tileops::expr {

const Attribute* Node::find_attribute(tileops_attr_key key) const {
  for (const Attribute& a : attributes)
    if (function->attrs()[a.index].info.key == key) return &a;
  return nullptr;
}

Counts count(const Graph& graph) {
  Counts c{};
  c.operands = static_cast<int>(graph.operands.size());
  for (int i = 0; i < c.operands; ++i)
    if (!graph.operands[i].optional) c.min_operands = i + 1;
  c.scalars = static_cast<int>(graph.scalars.size());
  c.results = static_cast<int>(graph.results.size());
  for (const Node& node : graph.nodes) {
    c.constants += node.kind == Node::Kind::constant;
    if (node.kind == Node::Kind::function) ++(node.on_host ? c.host_nodes : c.nodes);
  }
  return c;
}

size_t num_read(const Node& node) {
  if (node.kind != Node::Kind::function) return 0;
  switch (node.function->kind) {
    case Kind::index:
    case Kind::extent:
    case Kind::dropout_mask: return 0;
    case Kind::cast:
    case Kind::spread:
    case Kind::sum_to: return 1;
    default: return node.arguments.size();
  }
}

bool is_name(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  if (text.empty() || !letter(text[0])) return false;
  if (!std::all_of(text.begin(), text.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); })) return false;
  return text != "true" && text != "false" && text != "inf" && text != "nan";
}

const Operand* find_operand(const Graph& graph, std::string_view name) {
  for (const Operand& o : graph.operands)
    if (o.name == name) return &o;
  return nullptr;
}

std::string usual_name(size_t result) { return "y" + std::to_string(result); }

}  // namespace tileops::expr

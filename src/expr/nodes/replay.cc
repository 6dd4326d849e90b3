#include "expr/nodes/replay.h"

#include <algorithm>

#include "expr/graph/place.h"

namespace tileops::expr {

NodeHandle build_node(const Graph& graph, const Node& node, const std::vector<NodeHandle>& inputs,
                      const std::function<NodeHandle(int)>& handle_of, Builder* builder,
                      const std::vector<Given>& along) {
  const auto handle = [&](int i) { return i < 0 ? 0 : handle_of(i); };
  if (node.kind == Node::Kind::constant) return builder->constant(node.value);
  if (node.kind == Node::Kind::operand) return inputs[node.index];
  if (node.kind == Node::Kind::scalar) return inputs[graph.operands.size() + static_cast<size_t>(node.index)];
  const Function& f = *node.function;
  std::vector<Use> uses;
  std::vector<Given> given;
  if (f.variadic) {
    for (const Argument& a : node.arguments) uses.push_back({handle(a.node), a.offset});
  } else {
    uses.resize(f.parameters.size());
  }
  for (size_t i = 0; i < f.parameters.size(); ++i) {
    const Parameter& p = f.parameters[i];
    if (p.slot < 0) continue;
    const Argument& a = node.arguments[p.slot];
    uses[i] = {handle(a.node), a.offset};
  }
  for (const Attribute& a : node.attributes) {
    if (a.node < 0 && !f.promotes(a.index)) {
      given.push_back({f.attrs()[a.index].info.key, a.value, a.offset});
      continue;
    }
    for (size_t i = 0; i < f.parameters.size(); ++i)
      if (f.parameters[i].attr == a.index)
        uses[i] = {a.node < 0 ? builder->constant(a.value) : handle(a.node), a.offset};
  }
  for (const Given& a : along)
    if (f.rule.attr_index(a.key) >= 0 && !node.find_attribute(a.key)) given.push_back(a);
  return builder->op(f, uses, given, node.offset);
}

Graph at_offset(Graph graph, Offset offset) {
  for (Operand& o : graph.operands) o.offset = offset;
  for (Node& node : graph.nodes) {
    node.offset = offset;
    for (Argument& a : node.arguments) a.offset = offset;
    for (Attribute& a : node.attributes) a.offset = offset;
  }
  for (Result& r : graph.results) r.offset = offset;
  for (SaidShape& s : graph.shapes) s.offset = offset;
  return graph;
}

std::vector<NodeHandle> declare(const Graph& graph, Builder* builder) {
  std::vector<NodeHandle> inputs;
  for (const Operand& o : graph.operands)
    inputs.push_back(o.optional ? builder->operand(o.name, o.value, o.offset) : builder->operand(o.name, o.offset));
  for (const Scalar& s : graph.scalars) inputs.push_back(builder->scalar(s.name, s.value));
  return inputs;
}

void splice(const Graph& graph, const std::vector<NodeHandle>& inputs, Builder* builder,
            std::vector<NodeHandle>* handles, const std::vector<Given>& along) {
  handles->resize(graph.nodes.size());
  const auto handle = [&](int i) { return (*handles)[i]; };
  for (size_t i = 0; i < graph.nodes.size() && !builder->error(); ++i)
    if ((*handles)[i] == 0) (*handles)[i] = build_node(graph, graph.nodes[i], inputs, handle, builder, along);
  if (!builder->error()) builder->shapes_of(graph, inputs, *handles);
}

void replay(const Graph& graph, Builder* builder, std::vector<NodeHandle>* handles) {
  splice(graph, declare(graph, builder), builder, handles);
}

std::shared_ptr<const Graph> with_defaults(const std::shared_ptr<const Graph>& graph,
                                           const std::vector<bool>& present) {
  for (size_t i = 0; i < graph->operands.size(); ++i) {
    const Operand& o = graph->operands[i];
    if (present[i] || o.optional) continue;
    invalid("inputs[%zu]: is absent, but operand '%s' has no default", i, o.name.c_str());
  }
  if (std::find(present.begin(), present.end(), false) == present.end()) return graph;
  Builder builder;
  std::vector<NodeHandle> handles(graph->nodes.size());
  for (size_t i = 0; i < handles.size(); ++i) {
    const Node& node = graph->nodes[i];
    if (node.kind == Node::Kind::operand && !present[node.index])
      handles[i] = builder.constant(graph->operands[node.index].value);
  }
  replay(*graph, &builder, &handles);
  for (const Result& r : graph->results) builder.result(handles[r.node], {}, r.offset);
  try {
    return builder.finish(graph->source);
  } catch (const Error& e) {
    if (e.offset < 0 || graph->source.empty()) throw;
    fail_at(e.status, graph->source, static_cast<Offset>(e.offset), e.message);
  }
}

}  // namespace tileops::expr

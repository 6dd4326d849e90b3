#include "expr/nodes/builder.h"

#include <algorithm>

#include "expr/graph/text.h"
#include "expr/nodes/live.h"

namespace tileops::expr {
namespace {

// Equal for nodes that are the same.
std::string key_of(const Node& node) {
  std::string key;
  const auto put = [&key](const auto& v) { key.append(reinterpret_cast<const char*>(&v), sizeof v); };
  put(node.kind);
  put(node.index);
  put(node.value.type);
  put(node.value.i64);
  put(node.function);
  put(node.arguments.size());
  for (const Argument& a : node.arguments) put(a.node);
  for (const Attribute& a : node.attributes) {
    put(a.index);
    put(a.value.type);
    put(a.value.i64);
    put(a.node);
  }
  return key;
}

// For numbers that are known only when the expression is executed, one that has their type.
Number example(Number::Type type) {
  switch (type) {
    case Number::Type::boolean: return Number::of(true);
    case Number::Type::i64: return Number::of(int64_t{1});
    case Number::Type::f64: return Number::of(0.5);
  }
  return {};
}

}  // namespace

void refuse_at(Offset offset, std::string message) {
  throw Error{TILEOPS_STATUS_INVALID_ARGUMENT, std::move(message), 0, offset};
}

void Builder::bind_name(std::string_view name, Offset offset) {
  const std::string text(name.substr(0, 64));
  if (!is_name(name)) refuse_at(offset, strf("'%s' is no name", text.c_str()));
  if (names_.find(name) != names_.end()) refuse_at(offset, strf("'%s' is bound twice", text.c_str()));
  for (size_t i = 0; i < results_.size(); ++i)
    if (results_[i].name == name && name != usual_name(i))
      refuse_at(offset, strf("'%s' is bound twice: it is the name of result %zu", text.c_str(), i));
}

NodeHandle Builder::add_operand(std::string_view name, const Number* value, Offset offset) {
  if (operands_.size() == TILEOPS_MAX_EXPR_INPUTS)
    refuse_at(offset, strf("an expression has at most %d operands", TILEOPS_MAX_EXPR_INPUTS));
  bind_name(name, offset);
  Node node;
  node.kind = Node::Kind::operand;
  node.index = static_cast<int>(operands_.size());
  node.offset = offset;
  operands_.push_back({std::string(name), value != nullptr, value ? *value : Number{}, offset});
  return names_[std::string(name)] = add(std::move(node));
}

NodeHandle Builder::operand(std::string_view name, Offset offset) {
  return guarded([&] { return add_operand(name, nullptr, offset); });
}

NodeHandle Builder::operand(std::string_view name, const Number& value, Offset offset) {
  return guarded([&] { return add_operand(name, &value, offset); });
}

NodeHandle Builder::scalar(std::string_view name, const Number& value, Offset offset) {
  return guarded([&] {
    if (scalars_.size() == TILEOPS_MAX_EXPR_SCALARS)
      refuse_at(offset, strf("an expression has at most %d scalars", TILEOPS_MAX_EXPR_SCALARS));
    bind_name(name, offset);
    if (value.type == Number::Type::boolean)
      refuse_at(offset, strf("scalar '%s' is bool (need an integer or a float)", std::string(name).c_str()));
    Node node;
    node.kind = Node::Kind::scalar;
    node.index = static_cast<int>(scalars_.size());
    node.on_host = true;
    node.host_type = value.type;
    node.offset = offset;
    scalars_.push_back({std::string(name), value});
    return names_[std::string(name)] = add(std::move(node));
  });
}

NodeHandle Builder::constant(const Number& value) {
  return guarded([&] { return add_constant(value); });
}

NodeHandle Builder::add_constant(const Number& value) {
  Node node;
  node.kind = Node::Kind::constant;
  node.value = value.type == Number::Type::f64 ? Number::of(value.f64) : value;
  node.on_host = true;
  node.host_type = value.type;
  return add(std::move(node));
}

NodeHandle Builder::op(tileops_op id, const std::vector<Use>& arguments, const std::vector<Given>& attributes,
                       Offset offset) {
  return guarded([&] {
    const Function* f = find_function(id);
    if (!f) refuse_at(offset, strf("op: unknown function (got %d)", id));
    return make(*f, arguments, attributes, offset);
  });
}

NodeHandle Builder::op(const Function& function, const std::vector<Use>& arguments,
                       const std::vector<Given>& attributes, Offset offset) {
  return guarded([&] { return make(function, arguments, attributes, offset); });
}

std::vector<NodeHandle> Builder::text(const Graph& text, const std::string& name, const std::vector<Use>& uses,
                                      Offset offset) {
  return guarded([&] { return write_text(text, name, uses, offset); });
}

NodeHandle Builder::add(Node node) {
  const std::string key = key_of(node);
  if (const auto it = known_.find(key); it != known_.end()) return it->second;
  if (node.kind == Node::Kind::function && ++num_functions_ > kMaxBuiltNodes)
    refuse_at(node.offset, strf("an expression has at most %d nodes, and %d with those that no result needs",
                                TILEOPS_MAX_EXPR_NODES, kMaxBuiltNodes));
  values_.push_back(node.kind == Node::Kind::constant ? node.value : example(node.host_type));
  nodes_.push_back(std::move(node));
  return known_[key] = static_cast<NodeHandle>(nodes_.size());
}

bool Builder::result(NodeHandle handle, std::string_view name, Offset offset) {
  return guarded([&] {
    if (results_.size() == TILEOPS_MAX_EXPR_OUTPUTS)
      refuse_at(offset, strf("an expression has at most %d results", TILEOPS_MAX_EXPR_OUTPUTS));
    if (handle < 1 || handle > static_cast<NodeHandle>(nodes_.size()))
      refuse_at(offset, strf("result %zu: is no node of this builder (got %d)", results_.size(), handle));
    const std::string usual = usual_name(results_.size());
    const std::string text(name.empty() ? std::string_view(usual) : name);
    if (!is_name(text)) refuse_at(offset, strf("'%s' is no name", text.substr(0, 64).c_str()));
    if (const auto it = names_.find(text); text != usual && it != names_.end() && it->second != handle)
      refuse_at(offset, strf("result '%s' has the name of an operand or scalar and is another value", text.c_str()));
    for (size_t i = 0; i < results_.size(); ++i)
      if (results_[i].name == text)
        refuse_at(offset, strf("results %zu and %zu are both '%s'", i, results_.size(), text.c_str()));
    results_.push_back({text, handle - 1, offset});
    return true;
  });
}

// What can be said only of the nodes that are needed.
void Builder::check_live(const Graph& graph) const {
  const Counts counts = count(graph);
  int functions = 0;
  for (const Node& node : graph.nodes) {
    functions += node.kind == Node::Kind::function;
    if (functions > TILEOPS_MAX_EXPR_NODES)
      refuse_at(node.offset, strf("an expression has at most %d nodes (got %d)", TILEOPS_MAX_EXPR_NODES,
                                  counts.nodes + counts.host_nodes));
    // A text can name a dtype in two ways, which operands may both hide.
    const Attribute* dtype = node.is(Kind::cast) ? node.find_attribute(TILEOPS_ATTR_DTYPE) : nullptr;
    if (!dtype) continue;
    const Dtype t = static_cast<Dtype>(dtype->value.i64);
    if (find_operand(graph, dtype_label(t)) && find_operand(graph, dtype_name(t)))
      refuse_at(node.offset, strf("cast: '%s' and '%s' are operands", dtype_label(t), dtype_name(t)));
  }
}

std::shared_ptr<const Graph> Builder::finish(std::string source) {
  auto graph = guarded([&] {
    if (results_.empty()) invalid("results: there are none");
    auto made = std::make_shared<Graph>();
    made->operands = operands_;
    made->scalars = scalars_;
    keep_shapes(keep_live(nodes_, results_, made.get()), made.get());
    check_live(*made);
    made->source = std::move(source);
    made->text = canonical_text(*made);
    if (made->text.size() > TILEOPS_MAX_EXPR_BYTES)
      invalid("the canonical text has more than %d bytes (got %zu)", TILEOPS_MAX_EXPR_BYTES, made->text.size());
    return made;
  });
  if (failed_) throw error_;
  finished_ = true;
  return graph;
}

}  // namespace tileops::expr

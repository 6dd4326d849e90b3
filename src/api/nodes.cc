// Reading an expression node by node, in the form in which a builder makes it.
#include "api/guard.h"
#include "api/handles.h"

namespace tileops::api {
namespace {

using expr::Graph;
using expr::Node;

// Nodes are numbered in the graph's order, but that numbers which the graph has as attributes stand before their call,
// where a builder has to be given them as arguments: beside integers 2 and 2.0 differ.
class Listing {
 public:
  explicit Listing(const Graph& graph) : graph_(graph) {}

  ExprNodes run() {
    for (const Node& node : graph_.nodes) {
      list(node);
      numbers_.push_back(static_cast<tileops_node>(all_.nodes.size()));
    }
    for (const expr::Result& r : graph_.results) all_.results.push_back(number(r.node));
    return std::move(all_);
  }

 private:
  tileops_node number(int node) const { return node < 0 ? 0 : numbers_[static_cast<size_t>(node)]; }

  void list(const Node& node) {
    std::vector<tileops_node> arguments;
    std::vector<tileops_attr> attrs;
    if (node.kind == Node::Kind::function) read_call(node, &arguments, &attrs);
    while (!arguments.empty() && arguments.back() == 0) arguments.pop_back();
    tileops_node_info info = TILEOPS_NODE_INFO_INIT;
    info.kind = TILEOPS_NODE_OPERAND + static_cast<int32_t>(node.kind);
    info.index = node.index;
    info.on_host = node.on_host;
    info.offset = node.offset;
    if (node.kind == Node::Kind::constant) info.value = number_of(node.value);
    if (node.kind == Node::Kind::function) info.function = node.function->id;
    info.num_arguments = static_cast<int32_t>(arguments.size());
    info.num_attrs = static_cast<int32_t>(attrs.size());
    all_.nodes.push_back({info, all_.arguments.size(), all_.attrs.size()});
    all_.arguments.insert(all_.arguments.end(), arguments.begin(), arguments.end());
    all_.attrs.insert(all_.attrs.end(), attrs.begin(), attrs.end());
  }

  void read_call(const Node& node, std::vector<tileops_node>* arguments, std::vector<tileops_attr>* attrs) {
    const expr::Function& f = *node.function;
    if (f.variadic)
      for (const expr::Argument& a : node.arguments) arguments->push_back(number(a.node));
    else
      for (const expr::Parameter& p : f.parameters)
        arguments->push_back(p.slot < 0 ? 0 : number(node.arguments[static_cast<size_t>(p.slot)].node));
    for (const expr::Attribute& a : node.attributes) {
      if (a.node < 0 && !f.promotes(a.index)) {
        attrs->push_back(attr_of(f.attrs()[static_cast<size_t>(a.index)].info.key, a.value));
        continue;
      }
      const tileops_node value = a.node < 0 ? constant(a.value) : number(a.node);
      for (size_t i = 0; i < f.parameters.size(); ++i)
        if (f.parameters[i].attr == a.index) (*arguments)[i] = value;
    }
  }

  tileops_node constant(const expr::Number& value) {
    Node node;
    node.kind = Node::Kind::constant;
    node.value = value;
    node.on_host = true;
    list(node);
    return static_cast<tileops_node>(all_.nodes.size());
  }

  static tileops_attr attr_of(tileops_attr_key key, const expr::Number& value) {
    if (key == TILEOPS_ATTR_DTYPE) {
      const DLDataType t = dtype_to_dl(static_cast<Dtype>(value.i64));
      return tileops_attr_i64(key, t.code * 256 + t.bits);
    }
    return value.type == expr::Number::Type::f64 ? tileops_attr_f64(key, value.f64) : tileops_attr_i64(key, value.i64);
  }

  const Graph& graph_;
  std::vector<tileops_node> numbers_;  // by node of the graph
  ExprNodes all_;
};

}  // namespace

ExprNodes nodes_of(const Graph& graph) { return Listing(graph).run(); }

}  // namespace tileops::api

using namespace tileops;
using namespace tileops::api;

tileops_status tileops_expr_node(const tileops_expr* handle, tileops_node node, tileops_node_info* out) {
  return guard("tileops_expr_node", [&] {
    const ExprNodes& all = expr_of(handle).nodes;
    if (!out) invalid("info: is NULL");
    if (node < 1 || static_cast<size_t>(node) > all.nodes.size())
      invalid("node: is out of range (got %d, need 1 to %zu)", node, all.nodes.size());
    const ExprNodes::Listed& listed = all.nodes[static_cast<size_t>(node) - 1];
    tileops_node_info info = listed.info;
    info.arguments = all.arguments.data() + listed.first_argument;
    info.attrs = all.attrs.data() + listed.first_attr;
    write_struct(out, "info", info);
  });
}

tileops_node tileops_expr_result(const tileops_expr* handle, size_t i) {
  tileops_node node = 0;
  guard("tileops_expr_result", [&] {
    const std::vector<tileops_node>& results = expr_of(handle).nodes.results;
    if (i >= results.size()) invalid("i: is out of range (got %zu, need less than %zu)", i, results.size());
    node = results[i];
  });
  return node;
}

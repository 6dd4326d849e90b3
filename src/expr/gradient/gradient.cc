#include "expr/gradient/gradient.h"

#include <algorithm>
#include <cmath>

#include "expr/gradient/derivative.h"
#include "expr/nodes/replay.h"

namespace tileops::expr {
namespace {

constexpr int kMostNodes = 16 * kMaxNodes;  // on the way; few of them are left

class Backward {
 public:
  Backward(const Graph& graph, const std::vector<int>& operands)
      : graph_(graph),
        wanted_(operands),
        needed_(graph.nodes.size()),
        forward_(graph.nodes.size()),
        gradient_(graph.nodes.size()),
        builder_(kMostNodes) {}

  std::shared_ptr<const Graph> run() {
    if (wanted_.empty()) invalid("num_operands: is 0 (need at least 1)");
    for (size_t k = 0; k < wanted_.size(); ++k) {
      const int i = wanted_[k];
      if (i < 0 || i >= static_cast<int>(graph_.operands.size()))
        invalid("operands[%zu]: the expression has no such operand (got %d, need 0 to %zu)", k, i,
                graph_.operands.size() - 1);
      if (std::count(wanted_.begin(), wanted_.begin() + static_cast<ptrdiff_t>(k), i))
        invalid("operands[%zu]: is given twice (got %d)", k, i);
    }
    find_needed();
    replay(graph_, &builder_, &forward_);
    begin();
    for (size_t i = graph_.nodes.size(); i-- > 0;) step(i);
    if (builder_.error()) throw *builder_.error();
    for (const int i : wanted_) finish_operand(i);
    return builder_.finish();
  }

 private:
  // Nodes through which a result depends on a wanted operand.
  void find_needed() {
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      const Node& node = graph_.nodes[i];
      if (node.of == Node::Of::operand)
        for (const int wanted : wanted_) needed_[i] = needed_[i] || wanted == node.index;
      if (node.of != Node::Of::function || node.on_host) continue;
      const Kind kind = node.function->kind;
      if (kind == Kind::map || kind == Kind::cast || kind == Kind::sum_to
              ? !passes_gradients(*node.function)
              : kind == Kind::index || kind == Kind::dropout_mask)
        continue;
      const size_t read = kind == Kind::cast || kind == Kind::sum_to ? 1 : node.arguments.size();
      for (size_t k = 0; k < read; ++k)
        if (node.arguments[k].node >= 0)
          needed_[i] = needed_[i] || needed_[static_cast<size_t>(node.arguments[k].node)];
    }
  }

  NodeHandle integer(int64_t v) { return builder_.constant(Number::of(v)); }

  void add(int node, NodeHandle gradient) {
    if (node < 0 || !needed_[static_cast<size_t>(node)] || gradient == 0) return;
    NodeHandle& sum = gradient_[static_cast<size_t>(node)];
    sum = sum ? builder_.op(TILEOPS_OP_ADD, {{sum}, {gradient}}) : gradient;
  }

  // What each result gets; of one that joins values, each of these gets its part.
  void begin() {
    for (const Result& r : graph_.results) {
      const NodeHandle g = builder_.operand("grad_" + r.name);
      const Node& node = graph_.nodes[static_cast<size_t>(r.node)];
      if (!node.is(Kind::concat) && !node.is(Kind::interleave)) {
        add(r.node, g);
        continue;
      }
      const Function& part = *find_function(node.is(Kind::concat) ? "chunk" : "every");
      const int64_t n = static_cast<int64_t>(node.arguments.size());
      for (int64_t i = 0; i < n; ++i)
        add(node.arguments[static_cast<size_t>(i)].node, builder_.op(part, {{g}, {integer(i)}, {integer(n)}}));
    }
  }

  // Hands a node's gradient on to its operands.
  void step(size_t i) {
    const Node& node = graph_.nodes[i];
    if (!gradient_[i] || node.of != Node::Of::function || !passes_gradients(*node.function)) return;
    Differentiated call;
    call.function = node.function;
    call.y = forward_[i];
    call.g = gradient_[i];
    for (const Argument& a : node.arguments)
      call.operands.push_back(a.node < 0 ? 0 : forward_[static_cast<size_t>(a.node)]);
    const std::vector<Number> none(graph_.nodes.size());
    const HostCall usual_call = host_call(node, none.data());
    const Number* const usual = usual_call.attributes;
    for (size_t k = 0; k < node.function->attrs().size(); ++k) call.attributes.push_back(builder_.constant(usual[k]));
    for (const Attribute& a : node.attributes)
      if (a.node >= 0) call.attributes[static_cast<size_t>(a.index)] = forward_[static_cast<size_t>(a.node)];
    for (size_t k = 0; k < node.arguments.size(); ++k) {
      const int operand = node.arguments[k].node;
      const bool label = k > 0 && (node.is(Kind::cast) || node.is(Kind::sum_to));  // read for its dtype or shape
      const bool choice = !node.function->slots()[k].fixed.empty();                // a condition or mask
      if (!label && !choice && operand >= 0 && needed_[static_cast<size_t>(operand)])
        add(operand, derivative(call, k, &builder_));
    }
  }

  // The gradient of an operand: of the whole, or of each of its parts.
  void finish_operand(int operand) {
    const std::string& name = graph_.operands[static_cast<size_t>(operand)].name;
    NodeHandle whole = 0, x = 0;
    std::vector<size_t> parts;
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      const Node& node = graph_.nodes[i];
      if (node.of == Node::Of::operand && node.index == operand) whole = gradient_[i], x = forward_[i];
      if ((node.is(Kind::chunk) || node.is(Kind::every)) && gradient_[i] &&
          graph_.nodes[static_cast<size_t>(node.arguments[0].node)].index == operand)
        parts.push_back(i);
    }
    if (whole && !parts.empty())
      unsupported("gradient: operand '%s' is read whole and in parts: not yet", name.c_str());
    if (!whole && parts.empty()) invalid("gradient: no result depends on operand '%s'", name.c_str());
    const NodeHandle result = whole ? builder_.op(*find_function("sum_to"), {{whole}, {x}}) : joined(name, parts);
    builder_.result(result, "grad_" + name);
  }

  NodeHandle joined(const std::string& name, const std::vector<size_t>& parts) {
    const Node& first = graph_.nodes[parts[0]];
    const int64_t n = first.find_attribute(TILEOPS_ATTR_PARTS)->value.i64;
    if (n > TILEOPS_MAX_INPUTS)
      unsupported("gradient: operand '%s' has more than %d parts: not yet", name.c_str(), TILEOPS_MAX_INPUTS);
    std::vector<Use> uses(static_cast<size_t>(n), Use{builder_.constant(Number::of(0.0))});
    for (const size_t i : parts) {
      const Node& node = graph_.nodes[i];
      if (node.function != first.function || node.find_attribute(TILEOPS_ATTR_PARTS)->value.i64 != n)
        unsupported("gradient: operand '%s' is read in parts of different kinds: not yet", name.c_str());
      const size_t part = static_cast<size_t>(node.find_attribute(TILEOPS_ATTR_PART)->value.i64);
      uses[part].node = builder_.op(*find_function("sum_to"), {{gradient_[i]}, {forward_[i]}});
    }
    if (n == 1) return uses[0].node;
    return builder_.op(*find_function(first.is(Kind::chunk) ? "concat" : "interleave"), uses);
  }

  const Graph& graph_;
  const std::vector<int>& wanted_;
  std::vector<bool> needed_;
  std::vector<NodeHandle> forward_, gradient_;
  Builder builder_;
};

}  // namespace

std::shared_ptr<const Graph> gradient(const Graph& graph, const std::vector<int>& operands) {
  return Backward(graph, operands).run();
}

}  // namespace tileops::expr

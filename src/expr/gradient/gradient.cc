#include "expr/gradient/gradient.h"

#include <algorithm>
#include <set>

#include "expr/gradient/derivative.h"
#include "expr/gradient/parts.h"
#include "expr/gradient/shapes.h"
#include "expr/nodes/replay.h"

namespace tileops::expr {
namespace {

class Backward {
 public:
  Backward(const Graph& graph, const std::vector<int>& operands)
      : graph_(graph),
        wanted_(operands),
        needed_(graph.nodes.size()),
        forward_(graph.nodes.size()),
        gradients_(graph.nodes.size()),
        shapes_(builder_) {}

  std::shared_ptr<const Graph> run() {
    check_wanted();
    find_needed();
    for (const Operand& o : graph_.operands) names_.insert(o.name);
    for (const Scalar& s : graph_.scalars) names_.insert(s.name);
    inputs_ = declare(graph_, &builder_);
    splice(graph_, inputs_, &builder_, &forward_);
    if (builder_.error()) throw *builder_.error();
    begin();
    for (size_t i = graph_.nodes.size(); i-- > 0;) step(i);
    for (const int i : wanted_) builder_.result(of_operand(i), free_name(graph_.operands[i].name));
    return builder_.finish();
  }

 private:
  void check_wanted() const {
    if (wanted_.empty()) invalid("num_operands: is 0 (need at least 1)");
    for (size_t k = 0; k < wanted_.size(); ++k) {
      const int i = wanted_[k];
      if (i < 0 || i >= static_cast<int>(graph_.operands.size()))
        invalid("operands[%zu]: the expression has no such operand (got %d, need 0 to %zu)", k, i,
                graph_.operands.size() - 1);
      if (std::count(wanted_.begin(), wanted_.begin() + static_cast<ptrdiff_t>(k), i))
        invalid("operands[%zu]: is given twice (got %d)", k, i);
    }
    if (wanted_.size() > TILEOPS_MAX_EXPR_OUTPUTS)
      invalid("num_operands: an expression has at most %d results (got %zu)", TILEOPS_MAX_EXPR_OUTPUTS, wanted_.size());
    if (graph_.operands.size() + graph_.results.size() > TILEOPS_MAX_EXPR_INPUTS)
      invalid("gradient: it has an operand for each operand and each result (%zu and %zu), and may have at most %d",
              graph_.operands.size(), graph_.results.size(), TILEOPS_MAX_EXPR_INPUTS);
  }

  // The builder's first error ends it all, so that every handle from here on is one.
  NodeHandle made(NodeHandle handle) const {
    if (builder_.error()) throw *builder_.error();
    return handle;
  }
  NodeHandle op(const char* function, const std::vector<Use>& uses) {
    return made(builder_.op(*find_function(function), uses));
  }
  NodeHandle constant(const Number& value) { return made(builder_.constant(value)); }
  NodeHandle integer(int64_t v) { return constant(Number::of(v)); }

  // grad_NAME; where an operand, a scalar or another gradient is called so, grad_NAME_2, grad_NAME_3, ...
  std::string free_name(const std::string& of) {
    const std::string usual = "grad_" + of;
    std::string name = usual;
    for (int n = 2; !names_.insert(name).second; ++n) name = usual + "_" + std::to_string(n);
    return name;
  }

  // The first arguments that a gradient passes to: others are conditions, indices, or say a shape or a dtype.
  static size_t num_passed(const Node& node) {
    const Function& f = *node.function;
    switch (f.kind) {
      case Kind::index:
      case Kind::extent:
      case Kind::dropout_mask: return 0;
      case Kind::chunk:
      case Kind::every:
      case Kind::concat:
      case Kind::interleave:
      case Kind::scatter:
      case Kind::tiled: return node.arguments.size();
      case Kind::store_if:
      case Kind::gather: return 1;
      default: return passes_gradients(f) ? num_read(node) : 0;
    }
  }

  bool is_needed(int node) const { return node >= 0 && needed_[node]; }

  // Nodes through which a result depends on a wanted operand.
  void find_needed() {
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      const Node& node = graph_.nodes[i];
      if (node.kind == Node::Kind::operand)
        for (const int wanted : wanted_) needed_[i] = needed_[i] || wanted == node.index;
      if (node.kind != Node::Kind::function || node.on_host) continue;
      for (size_t k = 0; k < num_passed(node); ++k) needed_[i] = needed_[i] || is_needed(node.arguments[k].node);
    }
  }

  // What a node gets. Its shape is the node's or one that this was broadcast to; those of one shape are added first.
  void add(int node, NodeHandle gradient) {
    if (!is_needed(node) || gradient == 0) return;
    auto& all = gradients_[node];
    const auto same = std::find_if(all.begin(), all.end(), [&](NodeHandle g) { return shapes_.equal(g, gradient); });
    if (same == all.end()) all.push_back(gradient);
    else *same = op("add", {{*same}, {gradient}});
  }

  // All that a node gets, or 0. Of several shapes each is summed before they are added.
  NodeHandle gradient_of(size_t i) {
    const auto& all = gradients_[i];
    if (all.size() < 2) return all.empty() ? 0 : all[0];
    NodeHandle sum = 0;
    for (const NodeHandle g : all) {
      const NodeHandle own = summed(g, forward_[i]);
      sum = sum ? op("add", {{sum}, {own}}) : own;
    }
    return sum;
  }

  NodeHandle summed(NodeHandle g, NodeHandle value) {
    return shapes_.equal(g, value) ? g : op("sum_to", {{g}, {value}});
  }

  // What each result gets; of one that joins values, each of these gets its part, of one that is stored under a mask
  // the value gets it where that is true.
  void begin() {
    for (const Result& r : graph_.results) {
      const NodeHandle g = made(builder_.operand(free_name(r.name)));
      const Node& node = graph_.nodes[r.node];
      if (node.is(Kind::scatter) || node.is(Kind::tiled)) {
        if (is_needed(r.node)) unsupported("%s: has no derivative", node.function->name);
        continue;
      }
      if (node.is(Kind::store_if)) {
        const NodeHandle v = forward_[node.arguments[0].node], mask = forward_[node.arguments[1].node];
        const NodeHandle own = is_needed(r.node) ? op("where", {{mask}, {g}, {integer(0)}}) : 0;
        shapes_.set(g, shapes_.of(v));
        if (own) shapes_.set(own, shapes_.of(v));
        add(node.arguments[0].node, own);
        continue;
      }
      const ShapeOf shape = shapes_.of(forward_[r.node]);
      if (!node.is(Kind::concat) && !node.is(Kind::interleave)) {
        shapes_.set(g, shape);
        add(r.node, g);
        continue;
      }
      const char* part = node.is(Kind::concat) ? "chunk" : "every";
      const int64_t n = static_cast<int64_t>(node.arguments.size());
      for (int64_t i = 0; i < n; ++i) {
        const NodeHandle own = op(part, {{g}, {integer(i)}, {integer(n)}});
        shapes_.set(own, shape);  // which is that of what is joined
        add(node.arguments[i].node, own);
      }
    }
  }

  // Hands a node's gradient on to its operands.
  void step(size_t i) {
    const Node& node = graph_.nodes[i];
    if (gradients_[i].empty() || node.kind != Node::Kind::function) return;
    if (is_slice(node)) return add_part(i);
    if (!passes_gradients(*node.function)) return;
    Differentiated call;
    call.function = node.function;
    call.y = forward_[i];
    call.g = gradient_of(i);
    // Functions of elements take the gradient of a shape that they were broadcast to, but what few values are computed
    // from is few values, too.
    const bool elements = node.is(Kind::map) || node.is(Kind::cast);
    if (!elements || shapes_.is_reduced(call.y)) call.g = summed(call.g, call.y);
    for (const Argument& a : node.arguments) call.operands.push_back(a.node < 0 ? 0 : forward_[a.node]);
    const std::vector<Number> none(graph_.nodes.size());
    const HostCall usual_call = host_call(node, none.data());
    const Number* const usual = usual_call.attributes;
    for (size_t k = 0; k < node.function->attrs().size(); ++k) call.attributes.push_back(constant(usual[k]));
    for (const Attribute& a : node.attributes)
      if (a.node >= 0) call.attributes[a.index] = forward_[a.node];
    for (size_t k = 0; k < num_passed(node); ++k) {
      const int operand = node.arguments[k].node;
      const bool choice = !node.function->slots()[k].fixed.empty();  // a condition or mask
      if (choice || !is_needed(operand)) continue;
      const bool same = node.is(Kind::sum_to) && shapes_.equal(call.operands[0], call.operands[1]);
      add(operand, same ? call.g : derivative(call, k, &builder_));
    }
  }

  PartGradient part_at(size_t i) { return {&graph_.nodes[i], forward_[i], gradient_of(i)}; }

  // Parts of an operand are put together at the end.
  void add_part(size_t i) {
    const int of = graph_.nodes[i].arguments[0].node;
    if (graph_.nodes[of].kind == Node::Kind::operand) return;
    add(of, whole_of_part(part_at(i), forward_[of], &builder_));
  }

  // The gradient of an operand: of the whole and of its parts.
  NodeHandle of_operand(int operand) {
    const NodeHandle x = inputs_[operand];
    NodeHandle whole = 0;
    std::vector<PartGradient> parts;
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      const Node& node = graph_.nodes[i];
      if (node.kind == Node::Kind::operand && node.index == operand) whole = gradient_of(i);
      if (!is_slice(node) || gradients_[i].empty()) continue;
      const Node& of = graph_.nodes[node.arguments[0].node];
      if (of.kind == Node::Kind::operand && of.index == operand) parts.push_back(part_at(i));
    }
    const NodeHandle joined = parts.empty() ? 0 : joined_parts(parts, x, whole, &builder_);
    if (joined) return joined;
    for (const PartGradient& p : parts) {
      const NodeHandle own = whole_of_part(p, x, &builder_);
      whole = whole ? op("add", {{whole}, {own}}) : own;
    }
    // Nothing arrives: zeros of its shape, whatever it holds.
    if (!whole) whole = op("where", {{constant(Number::of(true))}, {constant(Number::of(0.0))}, {x}});
    return op("sum_to", {{whole}, {x}});
  }

  const Graph& graph_;
  const std::vector<int>& wanted_;
  std::vector<bool> needed_;
  std::set<std::string> names_;
  std::vector<NodeHandle> inputs_, forward_;
  std::vector<std::vector<NodeHandle>> gradients_;  // of each node, one for each shape
  Builder builder_;
  Shapes shapes_;
};

}  // namespace

std::shared_ptr<const Graph> gradient(const Graph& graph, const std::vector<int>& operands) {
  const Graph plain = at_offset(graph, -1);
  return Backward(plain, operands).run();
}

}  // namespace tileops::expr

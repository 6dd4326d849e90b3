#include "expr/views/views.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "expr/frame/reduced.h"
#include "expr/nodes/replay.h"

namespace tileops::expr {
namespace {

// A part of the last axis.
struct Part {
  const Function* function;  // chunk or every
  int64_t part, parts;
  bool operator<(const Part& o) const {
    return std::tie(function, part, parts) < std::tie(o.function, o.part, o.parts);
  }
};

Part part_of(const Node& n) {
  return {n.function, n.find_attribute(TILEOPS_ATTR_PART)->value.i64, n.find_attribute(TILEOPS_ATTR_PARTS)->value.i64};
}

class PushSlicesToOperands {
 public:
  // `sums`: by node: is it a sum to be made of those of its halves? `halves`: chunk or every, which takes these.
  PushSlicesToOperands(const Inference& inference, std::vector<bool> sums, const Function* halves)
      : inference_(inference), graph_(*inference.graph), sums_(std::move(sums)), halves_(halves) {}

  std::shared_ptr<const Graph> run() {
    inputs_ = declare(graph_, &builder_);
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      const Node& n = graph_.nodes[i];
      whole_.push_back(is_slice(n) ? down(n.arguments[0].node, part_of(n))
                       : sums_[i]  ? sum_of_halves(n)
                                   : build_node(graph_, n, inputs_, [this](int k) { return whole(k); }, &builder_));
    }
    for (const Result& r : graph_.results) builder_.result(whole(r.node), r.name, r.offset);
    return builder_.finish(graph_.source);
  }

 private:
  const Node& node(int i) const { return graph_.nodes[i]; }
  NodeHandle whole(int i) const { return whole_[i]; }

  // Is the value the same along the last axis?
  bool is_same(int i) const {
    const NodeType& type = inference_.nodes[i];
    return type.number || type.spec.ndim == 0 || type.spec.shape[type.spec.ndim - 1] == 1;
  }

  NodeHandle constant(int64_t v) { return builder_.constant(Number::of(v)); }
  NodeHandle op(tileops_op id, NodeHandle a, NodeHandle b) { return builder_.op(id, {{a}, {b}}); }
  NodeHandle view(const Part& p, NodeHandle x) {
    return builder_.op(*p.function, {{x}, {constant(p.part)}, {constant(p.parts)}});
  }

  NodeHandle sum_of_halves(const Node& n) {
    const int x = n.arguments[0].node;
    const auto half = [&](int64_t part) { return down(x, {halves_, part, 2}); };
    const auto sum = [&](NodeHandle of) { return builder_.op(*find_function("sum"), {{of}}); };
    const NodeHandle total = halves_->kind == Kind::chunk ? op(TILEOPS_OP_ADD, sum(half(0)), sum(half(1)))
                                                          : sum(op(TILEOPS_OP_ADD, half(0), half(1)));
    const TensorSpec& spec = inference_.nodes[x].spec;
    return n.function->id == TILEOPS_OP_MEAN ? op(TILEOPS_OP_DIV, total, constant(spec.shape[spec.ndim - 1])) : total;
  }

  // The part of a value.
  NodeHandle down(int i, const Part& p) {
    if (is_same(i) && p.parts != 1) return whole(i);
    const auto [at, is_new] = parts_.emplace(std::make_pair(i, p), 0);
    if (is_new) at->second = made(i, p);
    return at->second;
  }

  NodeHandle made(int i, const Part& p) {
    const Node& n = node(i);
    if (n.kind == Node::Kind::operand) return view(p, whole(i));
    if (n.kind != Node::Kind::function) return whole(i);
    if (is_slice(n)) return of_part(n, p);
    const auto part = [&](int k) { return down(k, p); };
    switch (n.function->kind) {
      case Kind::index: return index(n, p);
      case Kind::map:
      case Kind::cast:
      case Kind::detach: return build_node(graph_, n, inputs_, part, &builder_);
      case Kind::reduce:
      case Kind::spread:
        if (!takes_last_axis(n)) return build_node(graph_, n, inputs_, part, &builder_);
        break;
      default: break;
    }
    return view(p, whole(i));  // of the value in memory
  }

  // A part of a part.
  NodeHandle of_part(const Node& n, const Part& p) {
    const Part of = part_of(n);
    if (of.function != p.function) return view(p, down(n.arguments[0].node, of));
    const int64_t part = n.is(Kind::chunk) ? of.part * p.parts + p.part : of.part + of.parts * p.part;
    return down(n.arguments[0].node, {p.function, part, of.parts * p.parts});
  }

  static bool takes_last_axis(const Node& n) {
    const Attribute* axes = n.find_attribute(TILEOPS_ATTR_AXES);
    return !axes || (axes->value.i64 & 1) != 0;
  }

  // The index is that of the whole value's elements.
  NodeHandle index(const Node& n, const Part& p) {
    const int x = n.arguments[0].node;
    const auto part = [&](int k) { return down(k, p); };
    const NodeHandle own = build_node(graph_, n, inputs_, part, &builder_);
    if (n.find_attribute(TILEOPS_ATTR_AXIS)->value.i64 != -1) return own;
    if (p.function->kind == Kind::every)
      return op(TILEOPS_OP_ADD, op(TILEOPS_OP_MUL, own, constant(p.parts)), constant(p.part));
    const TensorSpec& spec = inference_.nodes[x].spec;
    return op(TILEOPS_OP_ADD, own, constant(spec.shape[spec.ndim - 1] / p.parts * p.part));
  }

  const Inference& inference_;
  const Graph& graph_;
  const std::vector<bool> sums_;
  const Function* const halves_;
  Builder builder_;
  std::vector<NodeHandle> inputs_, whole_;
  std::map<std::pair<int, Part>, NodeHandle> parts_;
};

}  // namespace

std::shared_ptr<const Graph> with_views_of_operands(const Inference& inference) {
  const Graph& graph = *inference.graph;
  const auto is_computed = [&](const Node& n) {
    return is_slice(n) && graph.nodes[n.arguments[0].node].kind != Node::Kind::operand;
  };
  if (std::none_of(graph.nodes.begin(), graph.nodes.end(), is_computed)) return inference.graph;
  return PushSlicesToOperands(inference, std::vector<bool>(graph.nodes.size()), nullptr).run();
}

std::shared_ptr<const Graph> with_sums_of_halves(const Inference& inference, const std::vector<TensorSpec>& results) {
  const Graph& graph = *inference.graph;
  const auto halves = std::find_if(graph.nodes.begin(), graph.nodes.end(),
                                   [](const Node& n) { return is_slice(n) && part_of(n).parts == 2; });
  if (halves == graph.nodes.end()) return nullptr;
  const std::vector<bool> low_parts = sums_with_low_parts(inference, results);
  std::vector<bool> sums(graph.nodes.size());
  for (size_t i = 0; i < sums.size(); ++i) {
    const Node& n = graph.nodes[i];
    if (!n.is(Kind::reduce) || inference.nodes[i].number || low_parts[i]) continue;
    const Reduced r = reduced(inference, static_cast<int>(i));
    const int64_t length = extent_along(shape_of(inference, n.arguments[0].node), 1);
    const bool aligned = halves->is(Kind::chunk) ? (length & (length - 1)) == 0 : length % 2 == 0;
    sums[i] = r.by == Reduction::sum && is_float(inference.nodes[n.arguments[0].node].spec.dtype) && r.over.axes == 1 &&
              r.over.whole && aligned && length > 1;
  }
  if (std::none_of(sums.begin(), sums.end(), [](bool sum) { return sum; })) return nullptr;
  return PushSlicesToOperands(inference, std::move(sums), halves->function).run();
}

}  // namespace tileops::expr

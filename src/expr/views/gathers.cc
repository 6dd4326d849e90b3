#include "expr/views/gathers.h"

#include <algorithm>
#include <limits>

#include "expr/frame/reduced.h"
#include "expr/graph/axes.h"
#include "expr/nodes/replay.h"

namespace tileops::expr {
namespace {

class PushGathersToOperands {
 public:
  explicit PushGathersToOperands(const Inference& inference) : inference_(inference), graph_(*inference.graph) {}

  std::shared_ptr<const Graph> run() {
    if (!any()) return nullptr;
    inputs_ = declare(graph_, &builder_);
    for (size_t i = 0; i < graph_.nodes.size(); ++i)
      whole_.push_back(goes_down(graph_.nodes[i], static_cast<int>(i)) ? gathered(static_cast<int>(i))
                                                                       : built(graph_.nodes[i]));
    for (const Result& r : graph_.results) builder_.result(whole_[r.node], r.name, r.offset);
    return builder_.finish(graph_.source);
  }

 private:
  // An axis of a gather, and the index along it.
  struct Place {
    int axis;  // -1: the last one
    int index;
  };

  const Node& node(int i) const { return graph_.nodes[i]; }
  Extent extent(int i, int axis) const { return extent_along(shape_of(inference_, i), static_cast<size_t>(-axis)); }

  bool any() const {
    for (size_t i = 0; i < graph_.nodes.size(); ++i)
      if (goes_down(graph_.nodes[i], static_cast<int>(i))) return true;
    return false;
  }

  std::vector<Place> places(const Node& n) const {
    std::vector<Place> all;
    int argument = 1;
    for (const int axis : list_axes(axes_of(n))) all.push_back({axis, n.arguments[argument++].node});
    return all;
  }

  static bool is_map(const Node& n) { return n.is(Kind::map) || n.is(Kind::cast) || n.is(Kind::detach); }

  bool goes_down(const Node& n, int i) const {
    if (!n.is(Kind::gather) || axes_of(n) == kAllAxes) return false;
    const int of = n.arguments[0].node;
    if (!is_map(node(of)) || !has_an_outside(inference_.nodes[i].spec.dtype)) return false;
    const std::vector<Place> all = places(n);
    const auto is_closed = [&](const Place& p) {
      return !extent(of, p.axis).is_open() && !inference_.nodes[p.index].number;
    };
    return std::all_of(all.begin(), all.end(), is_closed) && takes_no_more(i, of, all) && can_go_to(of, all);
  }

  // Has the dtype what stands for elements that are outside: NaN, or 0?
  static bool has_an_outside(Dtype d) {
    return dtype_category(d) == kInt || d == Dtype::boolean || (is_float(d) && dtype_size(d) > 1);
  }

  // Along the axes one element is gathered, and along others as many as there are.
  bool takes_no_more(int i, int of, const std::vector<Place>& all) const {
    const std::vector<Extent> result = shape_of(inference_, i), shape = shape_of(inference_, of);
    if (result.size() != shape.size()) return false;
    for (size_t k = 1; k <= shape.size(); ++k) {
      const auto along_it = [&](const Place& p) { return static_cast<size_t>(-p.axis) == k; };
      const bool is_one = std::any_of(all.begin(), all.end(), along_it);
      if (extent_along(result, k) != (is_one ? Extent(1) : extent_along(shape, k))) return false;
    }
    return true;
  }

  bool is_same_along(int i, const std::vector<Place>& all) const {
    return std::all_of(all.begin(), all.end(), [&](const Place& p) { return extent(i, p.axis) == 1; });
  }

  // Is what would be gathered of a value in memory already, or the same at all places?
  bool can_go_to(int i, const std::vector<Place>& all) const {
    const Node& n = node(i);
    if (n.kind != Node::Kind::function || inference_.nodes[i].number || is_same_along(i, all)) return true;
    return is_map(n) && std::all_of(n.arguments.begin(), n.arguments.end(),
                                    [&](const Argument& a) { return a.node < 0 || can_go_to(a.node, all); });
  }

  NodeHandle built(const Node& n) {
    return build_node(graph_, n, inputs_, [this](int k) { return whole_[k]; }, &builder_);
  }

  NodeHandle gathered(int i) {
    const Node& n = node(i);
    const int of = n.arguments[0].node;
    const std::vector<Place> all = places(n);
    // A function of what is outside would be another value.
    NodeHandle inside = 0;
    for (const Place& p : all) {
      const NodeHandle least = op(TILEOPS_OP_GE, whole_[p.index], builder_.constant(Number::of(int64_t{0})));
      const NodeHandle most = op(TILEOPS_OP_LT, whole_[p.index],
                                 builder_.constant(Number::of(int64_t{extent(of, p.axis)})));
      for (const NodeHandle bound : {least, most}) inside = inside ? op(TILEOPS_OP_LOGICAL_AND, inside, bound) : bound;
    }
    const Dtype dtype = inference_.nodes[i].spec.dtype;
    const Number outside = is_float(dtype)           ? Number::of(std::numeric_limits<double>::quiet_NaN())
                           : dtype == Dtype::boolean ? Number::of(false)
                                                     : Number::of(int64_t{0});
    return builder_.op(TILEOPS_OP_WHERE, {{inside}, {down(of, all)}, {builder_.constant(outside)}});
  }

  NodeHandle op(tileops_op id, NodeHandle a, NodeHandle b) { return builder_.op(id, {{a}, {b}}); }

  // The elements of a value that are gathered.
  NodeHandle down(int i, const std::vector<Place>& all) {
    const Node& n = node(i);
    if (inference_.nodes[i].number || n.kind == Node::Kind::constant || is_same_along(i, all)) return whole_[i];
    if (n.kind == Node::Kind::function)
      return build_node(graph_, n, inputs_, [&](int k) { return down(k, all); }, &builder_);
    int64_t axes = 0;
    std::vector<Use> uses{{whole_[i]}};
    for (const Place& p : all) {
      if (extent(i, p.axis) == 1) continue;
      axes |= axis_bit(p.axis);
      uses.push_back({whole_[p.index]});
    }
    return builder_.op(*find_function("gather"), uses, {{TILEOPS_ATTR_AXES, Number::of(axes)}});
  }

  const Inference& inference_;
  const Graph& graph_;
  Builder builder_;
  std::vector<NodeHandle> inputs_, whole_;
};

}  // namespace

std::shared_ptr<const Graph> with_gathers_of_operands(const Inference& inference) {
  return PushGathersToOperands(inference).run();
}

}  // namespace tileops::expr

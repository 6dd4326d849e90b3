#include "expr/views/places.h"

#include <algorithm>
#include <limits>

#include "expr/frame/reduced.h"
#include "expr/nodes/replay.h"

namespace tileops::expr {
namespace {

bool is_place_of_rows(const Inference& inference, int i) {
  if (!is_reduction(inference, i)) return false;
  const Reduced r = reduced(inference, i);
  return asks_place(r) && r.over.groups.empty();
}

class PlacesByValues {
 public:
  // `by_values`: by node.
  PlacesByValues(const Inference& inference, std::vector<bool> by_values)
      : inference_(inference), graph_(*inference.graph), by_values_(std::move(by_values)) {}

  std::shared_ptr<const Graph> run() {
    inputs_ = declare(graph_, &builder_);
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      handles_.push_back(by_values_[i] ? place(static_cast<int>(i)) : same(graph_.nodes[i]));
    }
    for (const Result& r : graph_.results) builder_.result(handles_[r.node], r.name, r.offset);
    return builder_.finish(graph_.source);
  }

 private:
  NodeHandle same(const Node& n) {
    return build_node(graph_, n, inputs_, [this](int k) { return handles_[k]; }, &builder_);
  }
  NodeHandle constant(int64_t v) { return builder_.constant(Number::of(v)); }
  NodeHandle op(tileops_op id, std::vector<Use> arguments) { return builder_.op(id, arguments); }

  // A NaN goes before all numbers: the extreme value is NaN then, and equals none.
  NodeHandle place(int i) {
    const Node& n = graph_.nodes[i];
    const int of = n.arguments[0].node;
    const NodeHandle x = handles_[of];
    const Reduced r = reduced(inference_, i);
    std::vector<Given> along;
    if (const Attribute* axes = n.find_attribute(TILEOPS_ATTR_AXES)) along = {{TILEOPS_ATTR_AXES, axes->value}};
    const auto reduce = [&](const char* name, NodeHandle value) {
      return builder_.op(*find_function(name), {{value}}, along);
    };
    const NodeHandle extreme = reduce(r.by == Reduction::argmax ? "amax" : "amin", x);
    NodeHandle is_it = op(TILEOPS_OP_EQ, {{x}, {extreme}});
    if (is_float(inference_.nodes[of].spec.dtype))
      is_it = op(TILEOPS_OP_LOGICAL_OR, {{is_it}, {op(TILEOPS_OP_NE, {{x}, {x}})}});
    const NodeHandle none = constant(std::numeric_limits<int64_t>::max());
    return reduce("amin", op(TILEOPS_OP_WHERE, {{is_it}, {index(of, r.over.axes)}, {none}}));
  }

  // The index of each element among all that are reduced together, counted row-major.
  NodeHandle index(int of, uint32_t axes) {
    const std::vector<Extent> shape = shape_of(inference_, of);
    NodeHandle sum = 0;
    int64_t step = 1;
    for (size_t axis = 1; axis <= shape.size(); ++axis) {
      if ((axes >> (axis - 1) & 1) == 0) continue;
      const int64_t n = extent_along(shape, axis);
      if (n == 1) continue;
      NodeHandle at = builder_.op(TILEOPS_OP_INDEX, {{handles_[of]}},
                                  {{TILEOPS_ATTR_AXIS, Number::of(-static_cast<int64_t>(axis))}});
      if (step > 1) at = op(TILEOPS_OP_MUL, {{at}, {constant(step)}});
      sum = sum == 0 ? at : op(TILEOPS_OP_ADD, {{at}, {sum}});
      step *= n;
    }
    return sum;
  }

  const Inference& inference_;
  const Graph& graph_;
  const std::vector<bool> by_values_;
  Builder builder_;
  std::vector<NodeHandle> inputs_, handles_;
};

}  // namespace

std::shared_ptr<const Graph> with_places_by_values(const Inference& inference,
                                                   bool (*has_few_long_blocks)(const Inference&, int)) {
  std::vector<bool> by_values;
  for (size_t i = 0; i < inference.graph->nodes.size(); ++i) {
    const int at = static_cast<int>(i);
    by_values.push_back(is_place_of_rows(inference, at) && has_few_long_blocks(inference, at));
  }
  if (std::count(by_values.begin(), by_values.end(), true) == 0) return nullptr;
  return PlacesByValues(inference, std::move(by_values)).run();
}

}  // namespace tileops::expr

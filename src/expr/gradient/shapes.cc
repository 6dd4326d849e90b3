#include "expr/gradient/shapes.h"

#include <algorithm>

#include "expr/graph/axes.h"

namespace tileops::expr {

const ShapeOf& Shapes::of(NodeHandle value) {
  // Those before it first, so that a long chain of values takes no deep recursion.
  for (; next_ <= value; ++next_)
    if (known_.find(next_) == known_.end()) known_[next_] = shape_of(next_);
  return known_.at(value);
}

bool Shapes::is_reduced(NodeHandle value) {
  const ShapeOf& shape = of(value);
  return !shape.empty() &&
         std::all_of(shape.begin(), shape.end(), [&](NodeHandle of) { return builder_.node(of).is(Kind::reduce); });
}

ShapeOf Shapes::shape_of(NodeHandle value) {
  const Node& node = builder_.node(value);
  const auto argument = [&](size_t i) -> const ShapeOf& { return known_.at(node.arguments[i].node + 1); };
  if (node.kind == Node::Kind::operand) return {value};
  if (node.on_host) return {};
  switch (node.function->kind) {
    case Kind::index:
    case Kind::dropout_mask:
    case Kind::scan:
    case Kind::detach:
    case Kind::cast: return argument(0);
    case Kind::spread:
    case Kind::sum_to: return argument(1);
    case Kind::reduce:
    case Kind::gather: return {value};
    case Kind::chunk:
    case Kind::every:
      return {parts_.emplace(std::pair(argument(0), node.find_attribute(TILEOPS_ATTR_PARTS)->value.i64), value)
                  .first->second};
    default: return joined(node);
  }
}

ShapeOf Shapes::joined(const Node& node) {
  ShapeOf all;
  for (const Argument& a : node.arguments) {
    if (a.node < 0) continue;
    const ShapeOf& own = known_.at(a.node + 1);
    all.insert(own.begin(), own.end());
  }
  const ShapeOf every = all;
  for (const NodeHandle value : every) {
    const Node& reduction = builder_.node(value);
    if (!reduction.is(Kind::reduce) || group_of(reduction)) continue;
    const ShapeOf& from = known_.at(reduction.arguments[0].node + 1);
    if (std::includes(every.begin(), every.end(), from.begin(), from.end())) all.erase(value);
  }
  return all;
}

}  // namespace tileops::expr

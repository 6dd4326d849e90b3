#include "expr/split/targets.h"

#include "expr/graph/axes.h"

namespace tileops::expr {
namespace {

Target scattered(const Node& n, const std::vector<int64_t>& shape, View view, const std::vector<int64_t>& extents) {
  Target t{n.arguments[0].node, std::move(view), shape};
  size_t index = 1;
  for (const AlongAxis& a : along(n, static_cast<int>(shape.size()))) {
    const size_t d = static_cast<size_t>(a.dim);
    t.scattered.push_back({n.arguments[index++].node, t.view.strides[d], extents[d]});
    t.view.strides[d] = 0;
  }
  t.adds = n.function->id == TILEOPS_OP_SCATTER_ADD;
  return t;
}

}  // namespace

std::vector<Target> targets_of(const Request& r, const Inference& inference, size_t k) {
  const Graph& graph = *inference.graph;
  const int i = graph.results[k].node;
  const Node& n = graph.nodes[i];
  const View whole = view_of(r.outputs[k], ViewKind::output, static_cast<int>(k));
  const TensorSpec& out = r.outputs[k];
  std::vector<int64_t> extents(out.shape, out.shape + out.ndim);
  if (n.is(Kind::scatter)) return {scattered(n, shape_of(inference, i), whole, extents)};
  if (!n.is(Kind::concat) && !n.is(Kind::interleave)) return {{i, whole, extents}};
  const int64_t parts = static_cast<int64_t>(n.arguments.size());
  extents.back() /= parts;
  std::vector<Target> targets;
  for (int64_t part = 0; part < parts; ++part) {
    View v = whole;
    v.offset = v.strides.back() * (n.is(Kind::concat) ? extents.back() * part : part);
    if (n.is(Kind::interleave)) v.strides.back() *= parts;
    targets.push_back({n.arguments[part].node, v, extents});
  }
  return targets;
}

}  // namespace tileops::expr

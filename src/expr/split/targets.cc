#include "expr/split/targets.h"

#include "expr/graph/axes.h"

namespace tileops::expr {
namespace {

// `where(m, index(x, axis), -1)`, of an x that has the result's extent there, moves nothing. Returns m; or -1.
int mask_of(const Inference& inference, int index, const Extent& extent, int axis) {
  const std::vector<Node>& nodes = inference.graph->nodes;
  const Node& n = nodes[index];
  if (n.kind != Node::Kind::function || n.function->id != TILEOPS_OP_WHERE || n.on_host) return -1;
  const int mask = n.arguments[0].node, own = n.arguments[1].node, other = n.arguments[2].node;
  if (mask < 0 || own < 0 || other < 0 || !nodes[own].is(Kind::index)) return -1;
  const bool outside = nodes[other].kind == Node::Kind::constant && nodes[other].value.type == Number::Type::i64 &&
                       nodes[other].value.i64 < 0;
  const bool along = nodes[own].find_attribute(TILEOPS_ATTR_AXIS)->value.i64 == -axis;
  const bool whole = extent_along(shape_of(inference, own), static_cast<size_t>(axis)) == extent;
  return outside && along && whole ? mask : -1;
}

Target::Along stored_if(int mask) { return {mask, 0, 1, true}; }

Target scattered(const Inference& inference, const Node& n, const std::vector<Extent>& shape, View view,
                 const std::vector<Extent>& extents) {
  Target t{n.arguments[0].node, std::move(view), shape};
  size_t index = 1;
  for (const AlongAxis& a : along(n, static_cast<int>(shape.size()))) {
    const size_t d = static_cast<size_t>(a.dim);
    const int node = n.arguments[index++].node;
    const int mask = shape[d] == extents[d] ? mask_of(inference, node, extents[d], static_cast<int>(shape.size() - d))
                                            : -1;
    if (mask >= 0) {
      t.scattered.push_back(stored_if(mask));
      continue;
    }
    t.scattered.push_back({node, t.view.strides[d], extents[d]});
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
  std::vector<Extent> extents(out.shape, out.shape + out.ndim);
  if (n.is(Kind::scatter)) return {scattered(inference, n, shape_of(inference, i), whole, extents)};
  if (n.is(Kind::store_if)) return {{n.arguments[0].node, whole, extents, {stored_if(n.arguments[1].node)}}};
  if (!n.is(Kind::concat) && !n.is(Kind::interleave)) return {{i, whole, extents}};
  const int64_t parts = static_cast<int64_t>(n.arguments.size());
  extents.back() /= parts;
  std::vector<Target> targets;
  for (int64_t part = 0; part < parts; ++part) {
    View v = whole;
    v.offset = v.strides.back() * (n.is(Kind::concat) ? extents.back() * part : Extent(part));
    if (n.is(Kind::interleave)) v.strides.back() *= parts;
    targets.push_back({n.arguments[part].node, v, extents});
  }
  return targets;
}

}  // namespace tileops::expr

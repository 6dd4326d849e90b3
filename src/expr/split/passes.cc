#include "expr/split/passes.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "expr/split/parts.h"

namespace tileops::expr {
namespace {

int64_t numel_of(const std::vector<Extent>& shape) {
  if (std::count(shape.begin(), shape.end(), 0)) return 0;  // first: the other extents alone may overflow
  int64_t n = 1;
  for (const Extent& e : shape) n *= e.typical();
  return n;
}

}  // namespace

bool runs_before(const PassPlan& a, const PassPlan& b) {
  const int64_t n = numel_of(a.shape), m = numel_of(b.shape);
  return n != m ? n > m : a.shape.size() > b.shape.size();
}

bool has_shape(const PassPlan& p, const std::vector<Extent>& shape) {
  const size_t axes = std::max(p.shape.size(), shape.size());
  bool elements = true, groups = !p.block.groups.empty(), block = p.block.whole && !p.split_elements;
  for (size_t axis = 1; axis <= axes; ++axis) {
    const Extent all = extent_along(p.shape, axis), n = extent_along(shape, axis);
    const bool reduced = axis <= 32 && (p.block.axes >> (axis - 1) & 1) != 0;
    const auto cut = p.block.groups.find(static_cast<int>(axis));
    elements = elements && n == all;
    groups = groups && n == (cut == p.block.groups.end() ? all : groups_of(all, cut->second));
    block = block && n == (reduced ? Extent(1) : all);
  }
  return elements || groups || block;
}

bool brings_groups_back(const PassPlan& p) { return p.block.axes == 0 && !p.block.whole; }

std::vector<Extent> shape_of_parts(const PassPlan& p) {
  std::vector<Extent> shape{1};
  shape.insert(shape.end(), p.shape.begin(), p.shape.end());
  for (size_t axis = 1; axis <= p.shape.size(); ++axis) {
    if (!(p.block.axes >> (axis - 1) & 1)) continue;
    Extent& n = shape[shape.size() - axis];
    shape[0] *= n;
    n = 1;
  }
  shape[0] = groups_of(shape[0], p.split_elements);
  return shape;
}

int pass_with(size_t from, const std::vector<Extent>& shape, const Blocking& over, std::vector<PassPlan>* passes,
              int64_t split_elements, bool mirrored) {
  for (size_t p = from; p < passes->size(); ++p) {
    PassPlan& plan = (*passes)[p];
    if (brings_groups_back(plan) || plan.shape != shape || plan.mirrored != mirrored ||
        plan.split_elements != split_elements)
      continue;
    if (plan.scans || split_elements ? plan.block == over : plan.block.unite(over, shape)) return static_cast<int>(p);
  }
  passes->push_back({shape, over, {}});
  passes->back().split_elements = split_elements;
  passes->back().mirrored = mirrored;
  return static_cast<int>(passes->size()) - 1;
}

bool has_pass(const std::vector<PassPlan>& passes, size_t from, const std::vector<Extent>& shape,
              const Blocking& over) {
  return std::any_of(
      passes.begin() + static_cast<ptrdiff_t>(std::min(from, passes.size())), passes.end(), [&](const PassPlan& p) {
        return p.shape == shape && p.block == over && !p.split_elements && !p.mirrored && !brings_groups_back(p);
      });
}

int pass_of_scan(size_t from, const std::vector<Extent>& shape, const Blocking& over, bool reverse,
                 int64_t split_elements, std::vector<PassPlan>* passes) {
  for (size_t p = from; p < passes->size(); ++p) {
    PassPlan& plan = (*passes)[p];
    if (brings_groups_back(plan) || plan.shape != shape || plan.block != over || plan.mirrored != reverse ||
        plan.split_elements != split_elements || !plan.partial.empty())
      continue;
    plan.scans = true;
    return static_cast<int>(p);
  }
  passes->push_back({shape, over, {}});
  passes->back().scans = true;
  passes->back().split_elements = split_elements;
  passes->back().mirrored = reverse;
  return static_cast<int>(passes->size()) - 1;
}

int pass_of_parts(const Inference& inference, int node, size_t from, std::vector<PassPlan>* passes) {
  constexpr int64_t kLongest = 8192;  // blocks of groups that get longer ones for it
  const std::vector<Extent> shape = shape_of(inference, inference.graph->nodes[node].arguments[0].node);
  for (size_t p = from; p < passes->size(); ++p) {
    PassPlan& plan = (*passes)[p];
    if (plan.shape != shape || plan.mirrored || plan.split_elements || brings_groups_back(plan) ||
        !reduces_blocks(inference, node, plan.block.axes))
      continue;
    if (plan.block.whole) return static_cast<int>(p);
    int64_t elements = 1;
    for (size_t axis = 1; axis <= shape.size(); ++axis)
      if (plan.block.axes >> (axis - 1) & 1) elements *= extent_along(shape, axis).typical();
    Blocking whole;
    whole.axes = plan.block.axes;
    whole.whole = true;
    if (!plan.scans && elements <= kLongest && plan.block.unite(whole, shape)) return static_cast<int>(p);
  }
  return -1;
}

int pass_of_blocks(const Inference& inference, size_t from, const std::vector<Extent>& shape, size_t axes,
                   std::vector<PassPlan>* passes) {
  const Graph& graph = *inference.graph;
  for (size_t k = 0; k < graph.nodes.size(); ++k) {
    if (graph.nodes[k].kind != Node::Kind::function || inference.nodes[k].number) continue;
    for (const auto& [axis, group] : cuts_of(inference, static_cast<int>(k)))
      if (static_cast<size_t>(axis) > axes && extent_along(shape, static_cast<size_t>(axis)) % group != 0)
        return -1;  // elements of a short group lie within blocks (frame.h)
  }
  Blocking block;
  block.axes = UINT32_MAX >> (32 - axes);
  block.whole = true;
  for (size_t p = from; p < passes->size(); ++p) {
    PassPlan& plan = (*passes)[p];
    if (plan.shape != shape || plan.scans || plan.split_elements || brings_groups_back(plan) ||
        of_several(shape, plan.block.axes) != of_several(shape, block.axes))
      continue;
    Blocking whole = block;
    whole.axes = plan.block.axes;
    if (plan.block.unite(whole, shape)) return static_cast<int>(p);
  }
  if (!sums_many_blocks(shape)) return -1;
  passes->push_back({shape, block, {}});
  return static_cast<int>(passes->size()) - 1;
}

void add_map(Target&& t, bool splits_packed_bytes, std::vector<PassPlan>* maps) {
  const auto same = [&](const PassPlan& p) {
    return p.shape == t.extents &&
           (!splits_packed_bytes || is_packed(p.targets[0].view.dtype) == is_packed(t.view.dtype));
  };
  auto at = std::find_if(maps->begin(), maps->end(), same);
  if (at == maps->end()) at = maps->insert(at, {t.extents, {}, {}});
  at->targets.push_back(std::move(t));
}

}  // namespace tileops::expr

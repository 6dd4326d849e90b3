#include "expr/infer/said_shapes.h"

#include <algorithm>

#include "expr/graph/axes.h"
#include "expr/graph/extents.h"
#include "expr/graph/place.h"

namespace tileops::expr {
namespace {

using Front = SaidShape::Front;

std::string list(const std::vector<Extent>& extents) {
  std::string s;
  for (const Extent& n : extents) s += (s.empty() ? "" : ", ") + n.text();
  return "(" + s + ")";
}

}  // namespace

void SaidShapes::refuse(const SaidShape& shape, const std::string& what, int name) const {
  std::string message = shape.of + ": " + what + ": " + shape.of + said_shape_text(shape, graph_.extents);
  if (name >= 0) {
    const Known& known = *names_[name];
    const std::string extents = list(known.extents);
    const bool leading = graph_.extents[name].leading;
    message += ", where " + graph_.extents[name].name + " is " + (leading ? extents : known.extents[0].text()) +
               " of " + known.of;
  }
  if (shape.offset < 0 || graph_.source.empty()) invalid("%s", message.c_str());
  fail_at(TILEOPS_STATUS_INVALID_ARGUMENT, graph_.source, shape.offset, message);
}

void SaidShapes::check_operands(const std::vector<TensorSpec>& operands) {
  for (const SaidShape& s : graph_.shapes) {
    const size_t i = static_cast<size_t>(s.operand);
    if (s.operand >= 0 && i < operands.size() && operands[i].present) check(s, operands[i]);
  }
  check_later();
}

void SaidShapes::check_later() {
  std::vector<Later> all;
  all.swap(later_);
  for (const Later& l : all) check_extent(*l.shape, l.dim, l.extent);  // or later still
}

void SaidShapes::check_values(const std::vector<NodeType>& nodes) {
  for (const SaidShape& s : graph_.shapes)
    if (s.node >= 0) check(s, nodes[s.node].spec);
  check_later();
}

void SaidShapes::check(const SaidShape& shape, const TensorSpec& t) {
  const size_t rank = shape.dims.size(), ndim = static_cast<size_t>(t.ndim);
  if (shape.front == Front::none ? ndim != rank : ndim < rank)
    refuse(shape, strf("has %zu dimension%s, the text says %s%zu", ndim, ndim == 1 ? "" : "s",
                       shape.front == Front::none ? "" : "at least ", rank));
  for (size_t i = 0; i < rank; ++i) check_extent(shape, i, t.shape[ndim - rank + i]);
  check_front(shape, t);
}

void SaidShapes::check_extent(const SaidShape& shape, size_t dim, const Extent& extent) {
  const SaidExtent& d = shape.dims[dim];
  const auto wrong = [&](const std::string& needed, int name = -1) {
    refuse(shape,
           strf("extent -%zu is %s, the text says %s", shape.dims.size() - dim, extent.text().c_str(), needed.c_str()),
           name);
  };
  if (d.name < 0) {
    if (d.number >= 0 && d.number != extent) wrong(std::to_string(d.number));
    return;
  }
  std::optional<Known>& known = names_[d.name];
  if (!known && d.group > 1) return later_.push_back({&shape, dim, extent});
  if (!known && d.number != 1 && extent % d.number) wrong("a multiple of " + std::to_string(d.number));
  if (!known) known = Known{{d.number == 1 ? extent : Extent(extent / d.number)}, shape.of};
  const Extent n = known->extents[0];
  Extent needed = d.group == 1 ? n : groups_of(n, d.group);
  if (d.group == 1 && !multiply(n, d.number, &needed)) needed = INT64_MAX;
  if (!must_equal(extent, needed)) wrong(needed.text(), d.name);
}

void SaidShapes::check_front(const SaidShape& shape, const TensorSpec& t) {
  const std::vector<Extent> extents(t.shape, t.shape + t.ndim - static_cast<int>(shape.dims.size()));
  if (shape.front == Front::ones)
    for (const Extent& n : extents)
      if (n != 1) refuse(shape, "its leading extents are " + list(extents) + ", the text says 1 each");
  if (shape.front != Front::named) return;
  std::optional<Known>& known = names_[shape.leading];
  if (!known) known = Known{extents, shape.of};
  if (!std::equal(known->extents.begin(), known->extents.end(), extents.begin(), extents.end(), must_equal))
    refuse(shape, "its leading extents are " + list(extents) + ", the text says " + list(known->extents),
           shape.leading);
}

}  // namespace tileops::expr

#include "expr/graph/extents.h"

namespace tileops::expr {

bool same(const SaidExtent& a, const SaidExtent& b) {
  return a.name == b.name && a.number == b.number && a.group == b.group;
}

bool same_front(const SaidShape& a, const SaidShape& b) { return a.front == b.front && a.leading == b.leading; }

bool says_nothing(const SaidShape& shape) { return shape.front == SaidShape::Front::any && shape.dims.empty(); }

std::string said_shape_text(const SaidShape& shape, const std::vector<ExtentName>& names) {
  const auto name = [&](int i) { return names[i].name; };
  std::string s;
  if (shape.front != SaidShape::Front::none) s = "..";
  if (shape.front == SaidShape::Front::ones) s += "1";
  if (shape.front == SaidShape::Front::named) s += name(shape.leading);
  for (const SaidExtent& d : shape.dims) {
    s += s.empty() ? "" : ", ";
    if (d.name < 0) s += d.number < 0 ? "_" : std::to_string(d.number);
    else if (d.group > 1) s += name(d.name) + " / " + std::to_string(d.group);
    else s += (d.number > 1 ? std::to_string(d.number) + " * " : "") + name(d.name);
  }
  return "[" + s + "]";
}

}  // namespace tileops::expr

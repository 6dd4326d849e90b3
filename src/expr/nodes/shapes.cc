// Builder: shapes that a text says of its operands and values.
#include <algorithm>

#include "expr/graph/extents.h"
#include "expr/nodes/builder.h"

namespace tileops::expr {
namespace {

bool is_plain(const SaidExtent& d) { return d.name >= 0 && d.number == 1 && d.group == 1; }

// What has a shape of a text that is written out.
NodeHandle value_of(const SaidShape& shape, const Graph& text, const std::vector<NodeHandle>& inputs,
                    const std::vector<NodeHandle>& handles) {
  if (shape.node >= 0) return handles[shape.node];
  for (size_t i = 0; i < text.nodes.size(); ++i)
    if (text.nodes[i].kind == Node::Kind::operand && text.nodes[i].index == shape.operand) return handles[i];
  return inputs[shape.operand];
}

// What stands that many dimensions from the end, or NULL.
const SaidExtent* from_end(const SaidShape& shape, size_t k) {
  return k <= shape.dims.size() ? &shape.dims[shape.dims.size() - k] : nullptr;
}

// Is everything that `other` says said by `shape`?
bool implies(const SaidShape& shape, const SaidShape& other) {
  if (shape.dims.size() < other.dims.size()) return false;
  for (size_t k = 1; k <= other.dims.size(); ++k)
    if (!same(*from_end(shape, k), *from_end(other, k))) return false;
  return other.front == SaidShape::Front::any || (shape.dims.size() == other.dims.size() && same_front(shape, other));
}

}  // namespace

int Builder::extent(std::string_view name, bool leading, Offset offset) {
  return guarded([&] {
    const std::string text(name.substr(0, 64));
    for (size_t i = 0; i < extents_.size(); ++i) {
      if (extents_[i].name != name) continue;
      if (extents_[i].leading != leading)
        refuse_at(offset, strf(leading ? "'%s' is one extent, and cannot stand for several"
                                       : "'%s' stands for several extents: write ..%s in front",
                               text.c_str(), text.c_str()));
      return static_cast<int>(i);
    }
    extents_.push_back({std::string(name), leading});
    return static_cast<int>(extents_.size()) - 1;
  });
}

void Builder::shape(NodeHandle value, SaidShape shape) {
  guarded([&] {
    const Node& of = node(value);
    if (of.on_host) refuse_at(shape.offset, strf("'%s' is a number, which has no extents", shape.of.c_str()));
    if (of.is(Kind::scatter))
      refuse_at(shape.offset, strf("'%s' is a scatter, which has the extents of its output", shape.of.c_str()));
    if (of.kind == Node::Kind::operand) shape.of = operands_[of.index].name;
    shape.operand = -1;
    shape.node = value - 1;
    const auto said = [&](const SaidShape& other) { return other.node == shape.node && implies(other, shape); };
    if (!says_nothing(shape) && std::none_of(shapes_.begin(), shapes_.end(), said)) shapes_.push_back(std::move(shape));
    return true;
  });
}

// The number that a name is: of an operand that is there, if one has it, and not a part of its extent.
NodeHandle Builder::extent_value(std::string_view name, Offset offset) {
  return guarded([&]() -> NodeHandle {
    const auto known = std::find_if(extents_.begin(), extents_.end(),
                                    [&](const ExtentName& e) { return e.name == name; });
    if (known == extents_.end()) return 0;
    const std::string text(name.substr(0, 64));
    if (known->leading) refuse_at(offset, strf("'%s' stands for several extents, and is no number", text.c_str()));
    const int number = static_cast<int>(known - extents_.begin());
    const SaidShape* of = nullptr;
    size_t axis = 0;
    int best = 0;
    for (const SaidShape& s : shapes_)
      for (size_t k = 1; k <= s.dims.size(); ++k) {
        const SaidExtent& d = *from_end(s, k);
        if (d.name != number || d.group > 1) continue;
        const Node& node = nodes_[s.node];
        const bool there = node.kind != Node::Kind::operand || !operands_[node.index].optional;
        const int good = 1 + 2 * there + is_plain(d);
        if (good > best) best = good, of = &s, axis = k;
      }
    if (!of) refuse_at(offset, strf("'%s' is known of groups alone: no value has it as its extent", text.c_str()));
    const int64_t times = from_end(*of, axis)->number;
    const Given along{TILEOPS_ATTR_AXIS, Number::of(-static_cast<int64_t>(axis)), offset};
    const NodeHandle whole = make(*find_function(TILEOPS_OP_EXTENT), {{of->node + 1, offset}}, {along}, offset);
    if (times == 1) return whole;
    return make(*find_function(TILEOPS_OP_FLOOR_DIVIDE), {{whole, offset}, {add_constant(Number::of(times)), offset}},
                {}, offset);
  });
}

// A name of another text: the one that the value's dimension has here already; -1: it has none.
int Builder::known_name(const SaidExtent& d, NodeHandle value, size_t k) const {
  for (const SaidShape& s : shapes_) {
    const SaidExtent* own = s.node == value - 1 ? from_end(s, k) : nullptr;
    if (own && own->name >= 0 && own->number == d.number && own->group == 1 && d.group == 1) return own->name;
  }
  return -1;
}

void Builder::shapes_of(const Graph& text, const std::vector<NodeHandle>& inputs,
                        const std::vector<NodeHandle>& handles) {
  std::vector<int> names(text.extents.size(), -1);
  const auto own_name = [&](int name) {
    int& own = names[name];
    if (own >= 0) return own;
    const ExtentName& wanted = text.extents[name];
    ExtentName free = wanted;
    const auto taken = [&](const ExtentName& e) { return e.name == free.name; };
    for (int n = 2; std::any_of(extents_.begin(), extents_.end(), taken); ++n)
      free.name = wanted.name + "_" + std::to_string(n);
    own = static_cast<int>(extents_.size());
    extents_.push_back(std::move(free));
    return own;
  };
  // First what operands and values have here already, then what is new.
  std::vector<NodeHandle> values;
  for (const SaidShape& said : text.shapes) {
    const NodeHandle value = value_of(said, text, inputs, handles);
    values.push_back(value);
    const auto alike = [&](const SaidShape& s) {
      return s.node == value - 1 && s.front == SaidShape::Front::named && s.dims.size() == said.dims.size();
    };
    const auto own = std::find_if(shapes_.begin(), shapes_.end(), alike);
    if (said.leading >= 0 && own != shapes_.end() && names[said.leading] < 0) names[said.leading] = own->leading;
    for (size_t i = 0; i < said.dims.size(); ++i)
      if (const int name = said.dims[i].name; name >= 0 && names[name] < 0)
        names[name] = known_name(said.dims[i], value, said.dims.size() - i);
  }
  for (size_t i = 0; i < values.size(); ++i) {
    if (node(values[i]).on_host) continue;
    SaidShape shape = text.shapes[i];
    if (shape.leading >= 0) shape.leading = own_name(shape.leading);
    for (SaidExtent& d : shape.dims)
      if (d.name >= 0) d.name = own_name(d.name);
    this->shape(values[i], std::move(shape));
  }
}

// What the results' values and all operands are said to be: first the signature, an operand's first shape, then other
// shapes of operands, then those of values, in their order. `place` has each node's number in the graph.
void Builder::keep_shapes(const std::vector<int>& place, Graph* graph) const {
  std::vector<std::pair<std::pair<int, int>, SaidShape>> kept;
  std::vector<bool> in_signature(operands_.size());
  for (SaidShape s : shapes_) {
    const Node& node = nodes_[s.node];
    s.node = place[s.node];
    if (node.kind == Node::Kind::operand) {
      s.node = -1;
      s.operand = node.index;
      const bool first = !in_signature[node.index];
      in_signature[node.index] = true;
      kept.push_back({{first ? 0 : 1, node.index}, std::move(s)});
    } else if (s.node >= 0) {
      kept.push_back({{2, s.node}, std::move(s)});
    }
  }
  std::stable_sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<int> names(extents_.size(), -1);
  std::vector<bool> bound(extents_.size());
  for (const auto& [order, s] : kept)
    for (const SaidExtent& d : s.dims)
      if (d.name >= 0 && d.group == 1) bound[d.name] = true;
  const auto number = [&](int name) {
    int& own = names[name];
    if (own < 0) {
      own = static_cast<int>(graph->extents.size());
      graph->extents.push_back(extents_[name]);
    }
    return own;
  };
  for (auto& [order, s] : kept) {
    if (s.leading >= 0) s.leading = number(s.leading);
    for (SaidExtent& d : s.dims) {
      if (d.name >= 0 && !bound[d.name]) d = {};  // no value is left that has it
      if (d.name >= 0) d.name = number(d.name);
    }
    graph->shapes.push_back(std::move(s));
  }
}

}  // namespace tileops::expr

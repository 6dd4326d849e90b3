// Builder: rows. What their attributes must be, and what they are of numbers.
#include <algorithm>
#include <cmath>

#include "expr/graph/axes.h"
#include "expr/nodes/builder.h"

namespace tileops::expr {
namespace {

// Where the text says an attribute, or else the call.
Offset place_of(const Node& node, tileops_attr_key key) {
  const Attribute* a = node.find_attribute(key);
  return a && a->offset >= 0 ? a->offset : node.offset;
}

bool has_attribute(const Node& node, tileops_attr_key key) { return node.function->rule.attr_index(key) >= 0; }

void check_group(const Node& node) {
  const char* name = node.function->name;
  const Offset offset = place_of(node, TILEOPS_ATTR_GROUP);
  const int64_t axes = axes_of(node), group = group_of(node);
  if (group == 0) return;
  const std::vector<int64_t> sizes = list_groups(group);
  if (group < 0 || std::any_of(sizes.begin(), sizes.end(), [](int64_t n) { return n < 1 || n > kMostInGroup; }))
    refuse_at(offset, strf("%s: 'group' has numbers from 1 to %lld (got %lld)", name,
                           static_cast<long long>(kMostInGroup), static_cast<long long>(group)));
  if (axes == kAllAxes) refuse_at(offset, strf("%s: there are no groups of all axes", name));
  if (num_axes(axes) != num_groups(group))
    refuse_at(offset, strf("%s: 'group' has as many numbers as there are axes (got %s for the axes %s)", name,
                           group_text(group).c_str(), axes_text(axes).c_str()));
}

}  // namespace

int64_t one_axis(const Number& axis, const Function& f, Offset offset) {
  if (axis.type == Number::Type::i64 && axis.i64 < 0 && axis.i64 >= -kMostAxes)
    return axis_bit(static_cast<int>(axis.i64));
  refuse_at(offset,
            strf("%s: axes count from the end, from -1 to -%d (got %s)", f.name, kMostAxes, axis.text().c_str()));
}

// What is not said: a rectangle is one of the last two axes, and without groups a spread has no axes.
void Builder::complete_axes(Node* node) const {
  if (!has_attribute(*node, TILEOPS_ATTR_GROUP)) return;
  const int axes = node->function->rule.attr_index(TILEOPS_ATTR_AXES);
  auto& all = node->attributes;
  const auto given = std::find_if(all.begin(), all.end(), [&](const Attribute& a) { return a.index == axes; });
  if (given == all.end() && num_groups(group_of(*node)) == 2)
    all.insert(all.begin(), {axes, Number::of(kLastTwoAxes), -1, place_of(*node, TILEOPS_ATTR_GROUP)});
  else if (given != all.end() && node->is(Kind::spread) && group_of(*node) == 0) all.erase(given);
}

void Builder::check_rows(const Node& node) const {
  const Function& f = *node.function;
  const int64_t rows = f.kind == Kind::tiled && !node.attributes.empty() ? node.attributes[0].value.i64 : 128;
  if (rows != 128 && rows != 8)
    refuse_at(place_of(node, TILEOPS_ATTR_ROWS),
              strf("tiled: 'rows' is 128 or 8 (got %lld)", static_cast<long long>(rows)));
  if (has_attribute(node, TILEOPS_ATTR_AXES)) {
    const int64_t axes = axes_of(node);
    const Offset offset = place_of(node, TILEOPS_ATTR_AXES);
    if (axes != kAllAxes && (axes <= 0 || axes > UINT32_MAX))
      refuse_at(offset, strf("%s: 'axis' has a bit for each of up to %d axes, or is -1 for all (got %lld)", f.name,
                             kMostAxes, static_cast<long long>(axes)));
    if (f.kind == Kind::scan && num_axes(axes) != 1)
      refuse_at(offset, strf("%s goes along one axis (got %s)", f.name, axes_text(axes).c_str()));
    check_group(node);
  }
  const size_t num_indices = node.arguments.size() - 1;
  if ((f.kind == Kind::gather || f.kind == Kind::scatter) &&
      static_cast<size_t>(num_axes(axes_of(node))) != num_indices)
    refuse_at(place_of(node, TILEOPS_ATTR_AXES), strf("%s has as many axes as indices (got %s for %zu)", f.name,
                                                      axes_text(axes_of(node)).c_str(), num_indices));
  check_row_values(node);
}

// Which places take no number, or not any.
void Builder::check_row_values(const Node& node) const {
  const Function& f = *node.function;
  const auto number = [&](size_t i) {
    const Node& value = nodes_[node.arguments[i].node];
    return value.on_host ? &value : nullptr;
  };
  if ((f.kind == Kind::gather || f.kind == Kind::tiled) && number(0))
    refuse_at(node.arguments[0].offset,
              strf("%s: '%s' takes a tensor (got a number)", f.name, f.slots()[0].name.c_str()));
  if (f.kind != Kind::gather && f.kind != Kind::scatter) return;
  for (size_t i = 1; i < node.arguments.size(); ++i)
    if (const Node* index = number(i); index && index->host_type != Number::Type::i64)
      refuse_at(node.arguments[i].offset,
                strf("%s: an index is an integer (got %s)", f.name, type_name(index->host_type)));
}

// A number is one element, so that a row of it is a function of numbers, or the number itself. 0: it is none of these.
NodeHandle Builder::of_number(const Node& node) {
  const Function& f = *node.function;
  const bool is_row = f.kind == Kind::reduce || f.kind == Kind::scan || f.kind == Kind::spread ||
                      f.kind == Kind::sum_to || f.kind == Kind::detach || f.kind == Kind::extent;
  if (!is_row) return 0;
  const NodeHandle x = node.arguments[0].node + 1;
  const bool number = is_number(x - 1);
  if (f.kind == Kind::detach && nodes_[x - 1].is(Kind::detach)) return x;
  if (f.kind == Kind::spread) return number || is_number(node.arguments[1].node) ? x : 0;
  if (f.kind == Kind::sum_to) return number && is_number(node.arguments[1].node) ? x : 0;
  if (!number || f.kind == Kind::detach) return number ? x : 0;
  if (f.kind == Kind::extent) return add_constant(Number::of(int64_t{1}));

  const Number::Type type = nodes_[x - 1].host_type;
  const bool floating = type == Number::Type::f64, boolean = type == Number::Type::boolean;
  const auto call = [&](tileops_op op, NodeHandle a, NodeHandle b) {
    return make(*find_function(op), {{a, node.offset}, {b, node.offset}}, {}, node.offset);
  };
  const auto constant = [&](int64_t v) {
    return add_constant(floating ? Number::of(static_cast<double>(v)) : Number::of(v));
  };
  const auto summed = [&] { return boolean ? call(TILEOPS_OP_ADD, x, constant(0)) : x; };  // true counts as 1
  const bool exclusive = node.find_attribute(TILEOPS_ATTR_EXCLUSIVE);
  switch (f.id) {
    case TILEOPS_OP_SUM:
    case TILEOPS_OP_PROD: return summed();
    case TILEOPS_OP_CUMSUM: return exclusive ? constant(0) : summed();
    case TILEOPS_OP_CUMPROD: return exclusive ? constant(1) : summed();
    case TILEOPS_OP_LOGSUMEXP:
    case TILEOPS_OP_MEAN: return floating ? x : call(TILEOPS_OP_DIV, x, constant(1));
    case TILEOPS_OP_ANY:
    case TILEOPS_OP_ALL: return boolean ? x : call(TILEOPS_OP_NE, x, constant(0));
    case TILEOPS_OP_ARGMAX:
    case TILEOPS_OP_ARGMIN: return add_constant(Number::of(int64_t{0}));
    case TILEOPS_OP_VAR: {
      const Attribute* correction = node.find_attribute(TILEOPS_ATTR_CORRECTION);
      const double n = correction ? 0 : 1;  // 1 - correction, not below 0
      return call(TILEOPS_OP_DIV, floating ? call(TILEOPS_OP_SUB, x, x) : constant(0), add_constant(Number::of(n)));
    }
    default: return x;  // amax, amin, cummax, cummin
  }
}

}  // namespace tileops::expr

#include "expr/graph/axes.h"

namespace tileops::expr {
namespace {

template <class T>
std::string list_text(const std::vector<T>& values) {
  std::string text;
  for (const T v : values) text += (text.empty() ? "" : ", ") + std::to_string(v);
  return values.size() == 1 ? text : "(" + text + ")";
}

int64_t attribute(const Node& node, tileops_attr_key key) {
  if (const Attribute* a = node.find_attribute(key)) return a->value.i64;
  const int i = node.function->rule.attr_index(key);
  return i < 0 ? 0 : node.function->attrs()[i].info.default_value.i64;
}

}  // namespace

int num_axes(int64_t axes) { return static_cast<int>(list_axes(axes).size()); }

std::vector<int> list_axes(int64_t axes) {
  std::vector<int> list;
  for (int axis = -kMostAxes; axis < 0; ++axis)
    if (has_axis(axes, axis)) list.push_back(axis);
  return list;
}

int num_groups(int64_t group) { return group == 0 ? 0 : group >> 32 ? 2 : 1; }

int64_t group_of_two(int64_t before, int64_t last) { return before * (int64_t{1} << 32) + last; }

std::vector<int64_t> list_groups(int64_t group) {
  const int64_t before = group >> 32, last = group & 0xffffffff;
  if (before) return {before, last};
  return last ? std::vector<int64_t>{last} : std::vector<int64_t>{};
}

std::string axes_text(int64_t axes) { return axes == kAllAxes ? "all" : list_text(list_axes(axes)); }

std::string group_text(int64_t group) { return list_text(list_groups(group)); }

int64_t axes_of(const Node& node) { return attribute(node, TILEOPS_ATTR_AXES); }

int64_t group_of(const Node& node) { return attribute(node, TILEOPS_ATTR_GROUP); }

std::vector<AlongAxis> along(const Node& node, int ndim) {
  const int64_t axes = axes_of(node);
  const std::vector<int64_t> groups = list_groups(group_of(node));
  std::vector<AlongAxis> list;
  size_t next = 0;
  for (int axis = -kMostAxes; axis < 0; ++axis) {
    if (!has_axis(axes, axis)) continue;
    const int64_t group = next < groups.size() ? groups[next++] : 0;
    if (axis + ndim >= 0) list.push_back({axis + ndim, group});
  }
  return list;
}

}  // namespace tileops::expr

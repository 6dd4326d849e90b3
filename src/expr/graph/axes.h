// The attributes `axis` and `group` of rows: along which axes, counted from the end, and in groups of how many
// elements.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/extent.h"
#include "expr/graph/graph.h"

namespace tileops::expr {

// A set of axes: bit k - 1 for axis -k.
inline constexpr int64_t kAllAxes = -1, kLastAxis = 1, kLastTwoAxes = 3;
inline constexpr int kMostAxes = 32;
inline int64_t axis_bit(int axis) { return int64_t{1} << (-axis - 1); }  // of a negative axis
inline bool has_axis(int64_t axes, int axis) { return axes & axis_bit(axis); }
int num_axes(int64_t axes);
std::vector<int> list_axes(int64_t axes);  // not of all: ascending, {-2, -1}

// Numbers of elements, 32 bits an axis, the low ones for the last of the axes. 0: no groups.
inline constexpr int kMostGroups = 2;
inline constexpr int64_t kMostInGroup = INT32_MAX;
int num_groups(int64_t group);
int64_t group_of_two(int64_t before, int64_t last);
std::vector<int64_t> list_groups(int64_t group);  // in the order of the axes

// Along axis -k of a shape: one element where it has no such axis.
inline Extent extent_along(const std::vector<Extent>& shape, size_t k) {
  return k <= shape.size() ? shape[shape.size() - k] : Extent(1);
}

inline int64_t groups_of(int64_t extent, int64_t group) { return extent / group + (extent % group != 0); }
inline Extent groups_of(const Extent& extent, int64_t group) { return extent.in_groups_of(group); }

// As texts have them: "-2", "(-2, -1)", "all"; "128", "(16, 128)".
std::string axes_text(int64_t axes);
std::string group_text(int64_t group);

// The attributes of a node, or their defaults.
int64_t axes_of(const Node& node);
int64_t group_of(const Node& node);

// What a node's axis and group are of a shape: dimensions in ascending order, each with its elements in a group, or 0
// for all that there are. Axes that the shape does not have are left out.
struct AlongAxis {
  int dim;
  int64_t group;
};
std::vector<AlongAxis> along(const Node& node, int ndim);

}  // namespace tileops::expr

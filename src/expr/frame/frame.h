// The space of a pass, and how the axes of an expression's values lie in it. Axes are counted from the end, as texts
// do: -1 is the last one, which here is number 1. An axis is one extent of the pass or, where it is cut into groups,
// two: the groups, and the elements within one. Extents that reductions take together are a block, and come last.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "expr/graph/axes.h"
#include "problem/problem.h"

namespace tileops::expr {

// True of 0 as well.
constexpr bool is_power_of_two(int64_t n) { return (n & (n - 1)) == 0; }

// Axes that a reduction takes together, whole or in groups.
struct Blocking {
  uint32_t axes = 0;              // bit k - 1: axis -k
  bool whole = false;             // some reduction takes them whole
  std::map<int, int64_t> groups;  // by axis: the size of a group; empty: none is in groups

  bool in_groups_alone() const { return !whole && !groups.empty(); }
  bool operator==(const Blocking& o) const { return axes == o.axes && whole == o.whole && groups == o.groups; }
  bool operator!=(const Blocking& o) const { return !(*this == o); }
  // Makes this one that serves both, if one pass can.
  bool unite(const Blocking& other, const std::vector<Extent>& shape);
};

// Groups alone, of these sizes by axis.
Blocking blocks_of(const std::map<int, int64_t>& groups);

// A whole operand or result, in its own dimensions.
View view_of(const TensorSpec& t, ViewKind kind, int slot);

// Elements of an axis from one on. Of an axis that is cut into groups: whole ones, or the last one alone.
struct Slice {
  int64_t begin, length;
};

class Frame {
 public:
  // Without a block, axes as they are.
  explicit Frame(std::vector<Extent> shape);
  // `cuts`: axes that are cut into groups, by whatever value of the pass. `slices`, by axis: a pass of these elements
  // alone, which must not be reduced with others. `parts`: of each block, numbered along an axis before all others; 0:
  // it is whole.
  Frame(std::vector<Extent> shape, const Blocking& block, std::map<int, int64_t> cuts, std::map<int, Slice> slices = {},
        Extent parts = 0);

  const std::vector<Extent>& shape() const { return shape_; }
  const std::vector<Extent>& extents() const { return extents_; }
  size_t row_rank() const { return row_rank_; }
  const Pass::ShortGroup& short_group() const { return short_group_; }
  // How many of the innermost extents a reduction of groups takes.
  size_t rank_within_group() const { return rank_within_group_; }

  // A view over a shape, which broadcasts to the space or has groups in the place of a cut axis, as one of the pass.
  View place(View v, const std::vector<Extent>& own) const;

  // Is the last axis of more than one element among those that are reduced? Else sums are in the order of columns.
  bool ends_in_block(const Blocking& reduced) const;
  // How many elements a reduction of the block, or of a group, takes: by group, row-major, where they differ.
  std::vector<int64_t> counts(const Blocking& reduced) const;
  // The same of a reduction without groups.
  Extent count(const Blocking& reduced) const;
  // Strides, in elements, of a list that has one entry a group.
  std::vector<Extent> strides_by_group() const;

 private:
  enum class Part : uint8_t { whole, groups, within };
  struct Dim {
    int axis;  // 0: none, of a value without axes
    Part part;
  };
  int axis_of_parts() const { return static_cast<int>(shape_.size()) + 1; }
  Extent extent(int axis) const {
    return axis == axis_of_parts() ? parts_ : extent_along(shape_, static_cast<size_t>(axis));
  }
  Extent length(int axis) const { return slices_.count(axis) ? Extent(slices_.at(axis).length) : extent(axis); }
  Extent extent(const Dim& d) const;
  bool has_short_group(int axis) const;
  void add(const Dim& d);

  std::vector<Extent> shape_;
  std::map<int, int64_t> cuts_;
  std::map<int, Slice> slices_;
  Extent parts_;
  std::vector<Dim> dims_;
  std::vector<Extent> extents_;
  size_t row_rank_ = 0, rank_within_group_ = 0;
  Pass::ShortGroup short_group_;
};

}  // namespace tileops::expr

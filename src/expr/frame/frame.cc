#include "expr/frame/frame.h"

#include <algorithm>

#include "base/error.h"

namespace tileops::expr {
namespace {

// So many groups of a row may a pass have that reduces the row as well: executors keep a value of each.
constexpr int64_t kMostGroupsOfRow = 8192;
// And of at most so many elements, a power of two: groups are nodes of the row's tree, and of threads of one block.
constexpr int64_t kLargestGroupOfRow = 1024;

bool is_among(uint32_t axes, int axis) { return (axes >> (axis - 1) & 1) != 0; }

}  // namespace

Blocking blocks_of(const std::map<int, int64_t>& groups) {
  Blocking b;
  b.groups = groups;
  for (const auto& [axis, group] : groups) b.axes |= uint32_t{1} << (axis - 1);
  return b;
}

View view_of(const TensorSpec& t, ViewKind kind, int slot) {
  View v;
  v.kind = kind;
  v.slot = slot;
  v.dtype = t.dtype;
  v.strides.reserve(static_cast<size_t>(t.ndim));
  for (int d = 0; d < t.ndim; ++d) v.strides.push_back(t.strides[d] * static_cast<int64_t>(dtype_size(t.dtype)));
  v.fp8 = default_fp8_mode(t.dtype);
  return v;
}

bool Blocking::unite(const Blocking& other, const std::vector<Extent>& shape) {
  if (axes != other.axes) return false;
  if (whole == other.whole && groups == other.groups) return true;
  if (groups.size() > 1 || other.groups.size() > 1) return false;  // a row of rectangles is not one of elements
  if (!groups.empty() && !other.groups.empty() && groups != other.groups) return false;
  const std::map<int, int64_t>& cut = groups.empty() ? other.groups : groups;
  for (const auto& [axis, group] : cut)
    if (group > kLargestGroupOfRow || !is_power_of_two(group) ||
        groups_of(extent_along(shape, static_cast<size_t>(axis)), group) > kMostGroupsOfRow)
      return false;
  groups = cut;
  whole = true;
  return true;
}

Frame::Frame(std::vector<Extent> shape) : Frame(std::move(shape), {}, {}) {}

Frame::Frame(std::vector<Extent> shape, const Blocking& block, std::map<int, int64_t> cuts, std::map<int, Slice> slices,
             Extent parts)
    : shape_(std::move(shape)), cuts_(std::move(cuts)), slices_(std::move(slices)), parts_(parts) {
  std::vector<Dim> outer, inner;
  for (int axis = static_cast<int>(shape_.size()); axis > 0; --axis) {
    const bool reduced = is_among(block.axes, axis), cut = cuts_.count(axis) > 0;
    std::vector<Dim>& whole = reduced ? inner : outer;
    if (!cut) {
      whole.push_back({axis, Part::whole});
      continue;
    }
    const bool is_short = has_short_group(axis);
    (reduced && !block.in_groups_alone() ? inner : outer).push_back({axis, Part::groups});
    // An executor of rows alone knows that a group may be short.
    (reduced || is_short ? inner : outer).push_back({axis, Part::within});
  }
  if (block.whole && inner.empty()) inner.push_back({0, Part::whole});
  if (parts_ != 0) outer.push_back({axis_of_parts(), Part::whole});
  for (const Dim& d : outer) add(d);
  for (const Dim& d : inner) add(d);
  row_rank_ = inner.size();
  for (const Dim& d : inner) rank_within_group_ += block.groups.count(d.axis) && d.part == Part::within;
  for (size_t within = 0; within < dims_.size(); ++within) {
    const Dim& d = dims_[within];
    if (d.part != Part::within || !has_short_group(d.axis)) continue;
    const auto is_group = [&](const Dim& other) { return other.axis == d.axis && other.part == Part::groups; };
    const auto group = std::find_if(dims_.begin(), dims_.end(), is_group) - dims_.begin();
    short_group_ = {static_cast<size_t>(group), within, extent(d.axis)};
  }
}

Extent Frame::extent(const Dim& d) const {
  if (d.axis == 0) return 1;
  const Extent n = length(d.axis);
  if (d.part == Part::whole) return n;
  const int64_t group = cuts_.at(d.axis);
  if (d.part == Part::groups) return groups_of(n, group);
  return slices_.count(d.axis) ? std::min(int64_t{n}, group) : group;
}

bool Frame::has_short_group(int axis) const { return !slices_.count(axis) && extent(axis) % cuts_.at(axis) != 0; }

void Frame::add(const Dim& d) {
  dims_.push_back(d);
  extents_.push_back(extent(d));
}

View Frame::place(View v, const std::vector<Extent>& own) const {
  std::vector<Extent> strides(dims_.size());
  for (size_t i = 0; i < dims_.size(); ++i) {
    const Dim& d = dims_[i];
    const size_t axis = static_cast<size_t>(d.axis);
    if (axis == 0 || axis > own.size()) continue;
    const Extent n = own[own.size() - axis], all = extent(d.axis);
    if (n == 1 && all != 1) continue;
    // Strides of an operand without elements say nothing: that it changes along the axis has to be seen.
    const Extent stride = n == 0 ? Extent(dtype_size(v.dtype)) : v.strides[own.size() - axis];
    const bool of_groups = n != all;
    const auto slice = slices_.find(d.axis);
    if (slice != slices_.end() && d.part != Part::within)
      v.offset += stride * (of_groups ? slice->second.begin / cuts_.at(d.axis) : slice->second.begin);
    if (d.part == Part::whole) strides[i] = stride;
    else if (d.part == Part::within) strides[i] = of_groups ? Extent(0) : stride;
    else strides[i] = of_groups ? stride : stride * cuts_.at(d.axis);
  }
  v.strides = std::move(strides);
  return v;
}

bool Frame::ends_in_block(const Blocking& reduced) const {
  for (int axis = 1; axis <= static_cast<int>(shape_.size()); ++axis) {
    if (extent(axis) == 1) continue;
    const auto cut = reduced.groups.find(axis);
    // Of groups of one element each: then the last axis of more is that of the groups.
    const bool alone = cut != reduced.groups.end() && cut->second == 1;
    return !alone && is_among(reduced.axes, axis);
  }
  return true;
}

std::vector<int64_t> Frame::counts(const Blocking& reduced) const {
  int64_t product = 1;
  std::vector<int64_t> list{1};
  const bool empty = std::count(shape_.begin(), shape_.end(), 0) > 0;  // then nobody asks for the counts by group
  for (int axis = static_cast<int>(shape_.size()); axis > 0; --axis) {
    if (!is_among(reduced.axes, axis)) continue;
    const auto cut = reduced.groups.find(axis);
    if (cut == reduced.groups.end()) {
      product *= length(axis);
      continue;
    }
    const int64_t n = length(axis), groups = groups_of(n, cut->second), last = n - (groups - 1) * cut->second;
    if (empty || last == cut->second) {
      product *= cut->second;
      continue;
    }
    std::vector<int64_t> longer;
    for (const int64_t n : list)
      for (int64_t g = 0; g < groups; ++g) longer.push_back(n * (g + 1 < groups ? cut->second : last));
    list = std::move(longer);
  }
  for (int64_t& n : list) n *= product;
  return list;
}

Extent Frame::count(const Blocking& reduced) const {
  Extent n = 1;
  for (int axis = 1; axis <= static_cast<int>(shape_.size()); ++axis)
    if (is_among(reduced.axes, axis)) n *= length(axis);
  return n;
}

std::vector<Extent> Frame::strides_by_group() const {
  std::vector<Extent> strides(dims_.size());
  if (short_group_.limit) strides[short_group_.group] = 1;
  return strides;
}

}  // namespace tileops::expr

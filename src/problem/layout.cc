#include "problem/layout.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "problem/rows/stages.h"

namespace tileops {
namespace {

int64_t unit_of(const View& view) {
  return view.kind == ViewKind::index ? 1 : static_cast<int64_t>(dtype_size(view.dtype));
}

}  // namespace

const char* layout_class_name(LayoutClass c) {
  switch (c) {
    case LayoutClass::contiguous: return "contiguous";
    case LayoutClass::broadcast: return "broadcast";
    case LayoutClass::tiled: return "tiled";
    default: return "strided";
  }
}

Layout make_layout(const Pass& pass) {
  std::vector<const View*> views;  // stores decide the order, first of all packed ones, whose bytes lie along one dim
  views.reserve(pass.stores.size() + pass.loads.size());
  for (const bool packed : {true, false})
    for (const View& v : pass.stores)
      if (is_packed(v.dtype) == packed) views.push_back(&v);
  for (const View& v : pass.loads) views.push_back(&v);

  Layout layout;
  const int block = static_cast<int>(pass.extents.size() - pass.row_rank);  // its first dim
  const int within = block + static_cast<int>(pass.is_of_rows() ? group_rank(pass) : 0);
  const auto part_of = [block, within](int d) { return (d >= block) + (d >= block && d >= within); };
  const Pass::ShortGroup& cut = pass.short_group;
  const auto is_cut = [&cut](int d) {
    return cut.limit && (d == static_cast<int>(cut.group) || d == static_cast<int>(cut.within));
  };
  const auto numbers_parts = [&](int d) { return pass.split_elements && d == block - 1; };
  std::vector<int> order;
  order.reserve(pass.extents.size());
  for (const Extent& n : pass.extents)
    if (n == 0) layout.numel = 0;  // the product of the others may be anything
  for (size_t d = 0; d < pass.extents.size(); ++d) {
    if (layout.numel != 0 && !numbers_parts(static_cast<int>(d))) layout.numel *= pass.extents[d];
    if (pass.extents[d] != 1 || is_cut(static_cast<int>(d)) || numbers_parts(static_cast<int>(d)))
      order.push_back(static_cast<int>(d));
  }
  const bool keeps_order = sums_blocks(pass);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    if (keeps_order || a >= block || b >= block || numbers_parts(a) || numbers_parts(b)) return a < b;
    for (const View* v : views) {
      const int64_t sa = std::llabs(v->strides[a].typical()), sb = std::llabs(v->strides[b].typical());
      if (sa == 0 || sb == 0) continue;  // a broadcast says nothing about order
      if (sa != sb) return sa > sb;
    }
    return false;
  });

  // Merge dim d into the one before it if stepping over d's whole extent is one step there.
  std::vector<int> heads;  // kept dims, by their innermost member
  std::vector<Extent> extents;
  heads.reserve(order.size());
  extents.reserve(order.size() + 1);
  for (int d : order) {
    bool merge = !heads.empty() && part_of(heads.back()) == part_of(d) && !is_cut(heads.back()) && !is_cut(d) &&
                 !numbers_parts(d);
    for (const View* v : views) {
      Extent whole;
      merge = merge && multiply(v->strides[d], pass.extents[d], &whole) && v->strides[heads.back()] == whole;
    }
    Extent merged;
    merge = merge && multiply(extents.back(), pass.extents[d], &merged);
    if (merge) {
      heads.back() = d;
      extents.back() = merged;
    } else {
      heads.push_back(d);
      extents.push_back(pass.extents[d]);
    }
  }
  for (size_t i = 0; i < heads.size(); ++i) {
    layout.row_rank += part_of(heads[i]) > 0;
    layout.group_rank += part_of(heads[i]) == 1;
    if (!cut.limit) continue;
    if (heads[i] == static_cast<int>(cut.group)) layout.short_group.group = i;
    if (heads[i] == static_cast<int>(cut.within)) layout.short_group.within = i;
  }
  layout.short_group.limit = cut.limit;
  if (heads.empty()) extents.push_back(1);
  layout.extents = std::move(extents);

  const int dims = static_cast<int>(layout.extents.size());
  bool dense = true, inner_ok = true;
  const auto add = [&](const View& v, std::vector<std::vector<Extent>>* to) {
    std::vector<Extent>& s = to->emplace_back();
    s.reserve(layout.extents.size() + 1);  // row_layout may add one
    for (int d : heads) s.push_back(v.strides[d]);
    if (s.empty()) s.push_back(0);
    const int64_t unit = unit_of(v);
    const Extent inner = s[dims - 1];
    const bool is_tensor = v.kind != ViewKind::index;
    if (layout.numel.typical() > 1 && is_tensor && inner != unit) {
      dense = false;
      if (inner != 0) {
        inner_ok = false;
        for (int d = 0; d + 1 < dims; ++d)
          if (s[d] == unit && layout.tile_dim < 0) layout.tile_dim = d;
      }
    }
  };
  layout.loads.reserve(pass.loads.size());
  layout.stores.reserve(pass.stores.size());
  for (const View& v : pass.loads) add(v, &layout.loads);
  for (const View& v : pass.stores) add(v, &layout.stores);
  if (dims == 1 && dense) layout.cls = LayoutClass::contiguous;
  else if (inner_ok) layout.cls = LayoutClass::broadcast;
  else if (layout.tile_dim >= 0) layout.cls = LayoutClass::tiled;
  else layout.cls = LayoutClass::strided;
  return layout;
}

void insert_extent(size_t at, Layout* layout) {
  const auto place = static_cast<ptrdiff_t>(at);
  layout->extents.insert(layout->extents.begin() + place, 1);
  for (auto* views : {&layout->loads, &layout->stores})
    for (std::vector<Extent>& strides : *views) strides.insert(strides.begin() + place, 0);
  layout->short_group.group += layout->short_group.group >= at;
  layout->short_group.within += layout->short_group.within >= at;
}

Layout row_layout(const Pass& pass) {
  Layout layout = make_layout(pass);
  if (layout.row_rank == layout.group_rank) {
    insert_extent(layout.extents.size(), &layout);
    ++layout.row_rank;
  }
  if (group_rank(pass) > 0 && layout.group_rank == 0) {
    insert_extent(layout.outer(), &layout);
    ++layout.row_rank;
    layout.group_rank = 1;
  }
  if (layout.outer() == 0) insert_extent(0, &layout);
  return layout;
}

Layout plain_layout(const Pass& pass) {
  Layout layout;
  layout.cls = LayoutClass::strided;
  layout.extents = pass.extents;
  layout.loads.reserve(pass.loads.size());
  layout.stores.reserve(pass.stores.size());
  for (const View& v : pass.loads) layout.loads.push_back(v.strides);
  for (const View& v : pass.stores) layout.stores.push_back(v.strides);
  return layout;
}

}  // namespace tileops

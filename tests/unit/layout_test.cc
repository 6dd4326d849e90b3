// The layout engine: how few dimensions it leaves, and that it still visits the same addresses.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "problem/layout.h"

namespace tileops {
namespace {

using Shape = std::vector<Extent>;

View Dense(const Shape& shape, const Shape& space, ViewKind kind = ViewKind::input) {
  View v;
  v.kind = kind;
  v.dtype = Dtype::f32;
  v.strides.assign(space.size(), 0);
  int64_t step = 4;
  for (size_t d = 0; d < shape.size(); ++d) {
    const size_t s = shape.size() - 1 - d, at = space.size() - 1 - d;
    if (shape[s] != 1) v.strides[at] = step;
    step *= shape[s];
  }
  return v;
}

Pass Binary(const Shape& a, const Shape& b, const Shape& y) {
  Pass pass;
  pass.extents = y;
  pass.loads = {Dense(a, y), Dense(b, y)};
  pass.stores = {Dense(y, y, ViewKind::output)};
  return pass;
}

// The reference design's table: dimensions left, and divisions to find a coordinate.
TEST(Layout, CoalescingTable) {
  const struct {
    const char* name;
    Shape a, b, y;
    size_t dims;
    LayoutClass cls;
  } rows[] = {
      {"same shape", {2, 5, 7}, {2, 5, 7}, {2, 5, 7}, 1, LayoutClass::contiguous},
      {"bias add", {2, 5, 7}, {1, 1, 7}, {2, 5, 7}, 2, LayoutClass::broadcast},
      {"scaling", {2, 5, 7}, {2, 5, 1}, {2, 5, 7}, 2, LayoutClass::broadcast},
      {"attention mask", {2, 3, 8, 8}, {1, 1, 8, 8}, {2, 3, 8, 8}, 2, LayoutClass::broadcast},
      {"interleaved", {2, 3, 8, 8}, {2, 1, 1, 8}, {2, 3, 8, 8}, 3, LayoutClass::broadcast},
      {"outer", {5, 1}, {1, 7}, {5, 7}, 2, LayoutClass::broadcast},
      {"scalar", {2, 5, 7}, {}, {2, 5, 7}, 1, LayoutClass::broadcast},
      {"one element", {1, 1}, {1}, {1, 1}, 1, LayoutClass::contiguous},
  };
  for (const auto& row : rows) {
    const Layout layout = make_layout(Binary(row.a, row.b, row.y));
    EXPECT_EQ(layout.extents.size(), row.dims) << row.name;
    EXPECT_EQ(layout.extents.size() - 1, row.dims - 1) << row.name << ": divmods";
    EXPECT_STREQ(layout_class_name(layout.cls), layout_class_name(row.cls)) << row.name;
  }
}

TEST(Layout, PermutedTheSameWayIsOneDimension) {
  Pass pass = Binary({3, 4, 5}, {3, 4, 5}, {3, 4, 5});
  for (View* v : {&pass.loads[0], &pass.loads[1], &pass.stores[0]})
    v->strides = {4, 12 * 5, 12};  // as if laid out (1, 2, 0)
  const Layout layout = make_layout(pass);
  EXPECT_EQ(layout.extents, Shape{60});
  EXPECT_EQ(layout.cls, LayoutClass::contiguous);
}

TEST(Layout, Classes) {
  Pass pass = Binary({4, 6}, {4, 6}, {4, 6});
  pass.loads[1].strides = {4, 16};  // transposed
  Layout layout = make_layout(pass);
  EXPECT_EQ(layout.cls, LayoutClass::tiled);
  EXPECT_EQ(layout.tile_dim, 0);
  pass.loads[1].strides = {48, 8};  // every second element
  EXPECT_EQ(make_layout(pass).cls, LayoutClass::strided);
  pass.loads[1].strides = {-24, -4};  // backwards
  EXPECT_EQ(make_layout(pass).cls, LayoutClass::strided);
  pass = Binary({4, 6}, {4, 6}, {4, 6});
  for (View* v : {&pass.loads[0], &pass.loads[1], &pass.stores[0]}) v->strides = {32, 4};
  layout = make_layout(pass);  // padded rows
  EXPECT_EQ(layout.extents, (Shape{4, 6}));
  EXPECT_EQ(layout.cls, LayoutClass::broadcast);
}

// A block's extents are merged and ordered among themselves, and stay behind the others.
TEST(Layout, BlocksAreNotMergedWithOtherDimensions) {
  Pass pass = Binary({2, 3, 4, 5}, {2, 3, 4, 5}, {2, 3, 4, 5});
  for (const size_t row_rank : {0, 1, 2, 4}) {
    pass.row_rank = row_rank;
    const Layout layout = make_layout(pass);
    const Shape extents = row_rank == 1 ? Shape{24, 5} : row_rank == 2 ? Shape{6, 20} : Shape{120};
    EXPECT_EQ(layout.extents, extents);
    EXPECT_EQ(layout.row_rank, row_rank == 0 ? 0u : 1u);
    for (const Shape& strides : {layout.loads[0], layout.loads[1], layout.stores[0]})
      EXPECT_EQ(strides, row_rank == 1 ? (Shape{20, 4}) : row_rank == 2 ? (Shape{80, 4}) : Shape{4});
  }
  pass = Binary({3, 4}, {3, 4}, {3, 4});
  for (View* v : {&pass.loads[0], &pass.loads[1], &pass.stores[0]}) v->strides = {4, 12};  // columns
  pass.row_rank = 1;
  Layout layout = make_layout(pass);
  EXPECT_EQ(layout.extents, (Shape{3, 4}));
  EXPECT_EQ(layout.stores[0], (Shape{4, 12}));
  EXPECT_EQ(layout.row_rank, 1u);
  pass = Binary({3, 1}, {3, 1}, {3, 1});  // blocks of one element
  pass.row_rank = 1;
  layout = make_layout(pass);
  EXPECT_EQ(layout.extents, Shape{3});
  EXPECT_EQ(layout.row_rank, 0u);
}

using Addresses = std::vector<std::vector<int64_t>>;

Addresses Visit(const Shape& extents, const std::vector<Shape>& strides) {
  Addresses all;
  int64_t n = 1;
  for (int64_t e : extents) n *= e;
  for (int64_t i = 0; i < n; ++i) {
    std::vector<int64_t> at(strides.size(), 0);
    int64_t rest = i;
    for (size_t d = extents.size(); d-- > 0;) {
      for (size_t v = 0; v < strides.size(); ++v) at[v] += rest % extents[d] * strides[v][d];
      rest /= extents[d];
    }
    all.push_back(at);
  }
  std::sort(all.begin(), all.end());
  return all;
}

// Any strides: whatever is dropped, reordered or merged, the views meet at the same addresses.
TEST(Layout, VisitsTheSameAddresses) {
  std::mt19937 random(1);
  const auto pick = [&](int64_t lo, int64_t hi) {
    return lo + static_cast<int64_t>(random() % static_cast<uint32_t>(hi - lo + 1));
  };
  for (int round = 0; round < 3000; ++round) {
    Pass pass;
    const int dims = static_cast<int>(pick(0, 5));
    for (int d = 0; d < dims; ++d) pass.extents.push_back(pick(0, 8) == 0 ? 0 : pick(1, 4));
    const int views = static_cast<int>(pick(2, 4));
    std::vector<Shape> strides;
    for (int v = 0; v < views; ++v) {
      View view = Dense(pass.extents, pass.extents, v ? ViewKind::input : ViewKind::output);
      if (pick(0, 1)) {  // a permutation of the dense strides, with a sign
        std::shuffle(view.strides.begin(), view.strides.end(), random);
        for (Extent& s : view.strides) s *= pick(0, 3) ? 1 : -1;
      } else if (pick(0, 1)) {
        for (Extent& s : view.strides) s = 4 * pick(-9, 9);
      }
      for (Extent& s : view.strides)
        if (v && pick(0, 3) == 0) s = 0;
      (v ? pass.loads : pass.stores).push_back(view);
    }
    for (const View& v : pass.loads) strides.push_back(v.strides);
    strides.push_back(pass.stores[0].strides);
    pass.row_rank = static_cast<size_t>(pick(0, dims));
    const Layout layout = make_layout(pass);
    std::vector<Shape> left = layout.loads;
    left.push_back(layout.stores[0]);
    ASSERT_GE(layout.extents.size(), 1u);
    ASSERT_LE(layout.extents.size(), std::max<size_t>(pass.extents.size(), 1));
    int64_t numel = 1;
    for (int64_t e : pass.extents) numel *= e;
    ASSERT_EQ(layout.numel, numel);
    ASSERT_EQ(Visit(layout.extents, left), Visit(pass.extents, strides)) << "round " << round;
    int64_t in_block = 1, in_block_left = 1;
    for (size_t d = pass.extents.size() - pass.row_rank; d < pass.extents.size(); ++d) in_block *= pass.extents[d];
    for (size_t d = layout.extents.size() - layout.row_rank; d < layout.extents.size(); ++d)
      in_block_left *= layout.extents[d];
    ASSERT_EQ(in_block_left, in_block) << "round " << round;
  }
}

}  // namespace
}  // namespace tileops

// Reductions and moves of the reference, on values that can be written out.
#include "reduce.h"

#include <gtest/gtest.h>

#include <cmath>

#include "move.h"

namespace rowtest {
namespace {

Tensor Counting(const Shape& shape) {
  Tensor t = Empty(Dtype::f32, shape);
  for (size_t i = 0; i < t.values.size(); ++i) t.values[i] = static_cast<Real>(i);
  return t;
}

using Values = std::vector<Real>;

TEST(Reduce, AxesStayWithOneElement) {
  const Tensor x = Counting({2, 3});
  EXPECT_EQ(Reduce("sum", x, Axes(1), Dtype::f32).values, (Values{3, 12}));
  EXPECT_EQ(Reduce("sum", x, Axes(1), Dtype::f32).shape, (Shape{2, 1}));
  EXPECT_EQ(Reduce("sum", x, Axes(2), Dtype::f32).values, (Values{3, 5, 7}));
  EXPECT_EQ(Reduce("mean", x, Axes(~0u), Dtype::f32).values, (Values{2.5}));
  EXPECT_EQ(Reduce("mean", x, Axes(~0u), Dtype::f32).shape, (Shape{1, 1}));
  EXPECT_EQ(Reduce("sum", Counting({}), Axes(1), Dtype::f32).shape, (Shape{}));
}

TEST(Reduce, LastGroupIsShort) {
  const Tensor x = Counting({1, 7});
  const Tensor means = Reduce("mean", x, Axes(1, 3), Dtype::f32);
  EXPECT_EQ(means.values, (Values{1, 4, 6}));
  EXPECT_EQ(Spread(means, x.shape, Axes(1, 3)).values, (Values{1, 1, 1, 4, 4, 4, 6}));
}

TEST(Reduce, GroupsAreRectangles) {
  const Tensor x = Counting({4, 4});
  const RowAttrs squares = Axes(3, uint64_t{2} << 32 | 3);  // 2 rows by 3 columns
  const Tensor most = Reduce("amax", x, squares, Dtype::f32);
  EXPECT_EQ(most.shape, (Shape{2, 2}));
  EXPECT_EQ(most.values, (Values{6, 7, 14, 15}));
  EXPECT_EQ(Spread(most, x.shape, squares).values[3], 7);
}

TEST(Reduce, Empty) {
  const Tensor x = Empty(Dtype::f32, {2, 0});
  EXPECT_EQ(Reduce("sum", x, Axes(1), Dtype::f32).values, (Values{0, 0}));
  EXPECT_EQ(Reduce("prod", x, Axes(1), Dtype::f32).values, (Values{1, 1}));
  EXPECT_EQ(Reduce("amax", x, Axes(1), Dtype::f32).values, (Values{-INFINITY, -INFINITY}));
  EXPECT_EQ(Reduce("amin", Empty(Dtype::i8, {1, 0}), Axes(1), Dtype::i8).values, (Values{127}));
  EXPECT_EQ(Reduce("any", x, Axes(1), Dtype::boolean).values, (Values{0, 0}));
  EXPECT_EQ(Reduce("all", x, Axes(1), Dtype::boolean).values, (Values{1, 1}));
  EXPECT_TRUE(std::isnan(Reduce("mean", x, Axes(1), Dtype::f32).values[0]));
  EXPECT_TRUE(std::isnan(Reduce("var", x, Axes(1), Dtype::f32).values[0]));
  EXPECT_EQ(Reduce("sum", x, Axes(2), Dtype::f32).shape, (Shape{1, 0}));
}

TEST(Reduce, NanAndTies) {
  const Tensor x = Of(Dtype::f32, {3, 3}, {1, NAN, 5, 2, 7, 7, -0.0L, 0, -0.0L});
  EXPECT_TRUE(std::isnan(Reduce("amax", x, Axes(1), Dtype::f32).values[0]));
  EXPECT_EQ(Reduce("argmax", x, Axes(1), Dtype::i64).values, (Values{1, 1, 0}));
  EXPECT_FALSE(std::signbit(Reduce("amax", x, Axes(1), Dtype::f32).values[2]));
  EXPECT_TRUE(std::signbit(Reduce("amin", x, Axes(1), Dtype::f32).values[2]));
  EXPECT_EQ(Reduce("all", x, Axes(1), Dtype::boolean).values, (Values{1, 1, 0}));
  EXPECT_EQ(Reduce("any", x, Axes(1), Dtype::boolean).values, (Values{1, 1, 0}));
}

TEST(Reduce, IntegersWrap) {
  const Real big = 0x1p62L;
  const Tensor x = Of(Dtype::i64, {1, 3}, {big, big, 5});
  EXPECT_EQ(Reduce("sum", x, Axes(1), Dtype::i64).values, (Values{-0x1p63L + 5}));
  EXPECT_EQ(Reduce("prod", x, Axes(1), Dtype::i64).values, (Values{0}));
}

TEST(Reduce, Variance) {
  const Tensor x = Of(Dtype::f32, {1, 4}, {1, 2, 3, 4});
  RowAttrs a = Axes(1);
  EXPECT_EQ(Reduce("var", x, a, Dtype::f32).values[0], 1.25L);
  a.correction = 1;
  EXPECT_EQ(Reduce("var", x, a, Dtype::f32).values[0], 5.0L / 3);
  a.correction = 4;
  EXPECT_EQ(Reduce("var", x, a, Dtype::f32).values[0], INFINITY);
}

TEST(Scan, Directions) {
  const Tensor x = Of(Dtype::f32, {5}, {1, 2, 3, 4, 5});
  RowAttrs a;
  EXPECT_EQ(Scan("cumsum", x, a, Dtype::f32).values, (Values{1, 3, 6, 10, 15}));
  a.exclusive = true;
  EXPECT_EQ(Scan("cumprod", x, a, Dtype::f32).values, (Values{1, 1, 2, 6, 24}));
  a.reverse = true;
  EXPECT_EQ(Scan("cumsum", x, a, Dtype::f32).values, (Values{14, 12, 9, 5, 0}));
  a.exclusive = false;
  a.group = 2;
  EXPECT_EQ(Scan("cumsum", x, a, Dtype::f32).values, (Values{3, 2, 7, 4, 5}));
  EXPECT_EQ(Scan("cummax", x, a, Dtype::f32).values, (Values{2, 2, 4, 4, 5}));
}

TEST(Move, Gather) {
  const Tensor table = Counting({4, 3});
  const Tensor rows = Gather(table, {Of(Dtype::i64, {2, 1}, {2, -1})}, 2, {2, 3});
  EXPECT_EQ(rows.values[1], 7);
  EXPECT_TRUE(std::isnan(rows.values[3]));
  EXPECT_EQ(Gather(table, {Of(Dtype::i64, {4, 1}, {0, 1, 2, 2})}, 1, {4, 1}).values, (Values{0, 4, 8, 11}));
  const Tensor cache = Counting({2, 2, 2});  // pages and places in them
  const Tensor two = Gather(cache, {Of(Dtype::i32, {1, 1, 1}, {1}), Of(Dtype::i32, {1, 1, 1}, {0})}, 6, {1, 1, 2});
  EXPECT_EQ(two.values, (Values{4, 5}));
}

TEST(Move, Scatter) {
  Tensor out = Counting({3, 2});
  ScatterInto(&out, Of(Dtype::f32, {2, 2}, {10, 11, 12, 13}), {Of(Dtype::i64, {2, 1}, {2, 7})}, 2, {2, 2});
  EXPECT_EQ(out.values, (Values{0, 1, 2, 3, 10, 11}));
}

TEST(Move, Tiled) {
  const Tensor s = Counting({130, 5}), t = Tiled(s, 128);
  EXPECT_EQ(t.shape, (Shape{2, 2, 32, 4, 4}));
  const auto at = [&](const Index& index) { return t.values[At(t.shape, index)]; };
  EXPECT_EQ(at({0, 0, 3, 2, 1}), s.values[(32 * 2 + 3) * 5 + 1]);
  EXPECT_EQ(at({1, 1, 1, 0, 0}), s.values[129 * 5 + 4]);
  EXPECT_EQ(at({1, 1, 1, 0, 1}), 0);
  EXPECT_EQ(Tiled(s, 8).shape, (Shape{17, 2, 8, 4}));
}

TEST(Move, SumTo) {
  const Tensor x = Counting({2, 3, 2});
  EXPECT_EQ(SumTo(x, {1, 2}, Dtype::f32, Sum::low_parts).values, (Values{30, 36}));
  EXPECT_EQ(SumTo(x, {2}, Dtype::f32, Sum::low_parts).shape, (Shape{2}));
  EXPECT_EQ(SumTo(x, {2, 3, 2}, Dtype::f32, Sum::low_parts).values, x.values);
}

TEST(Values, Rounding) {
  EXPECT_EQ(Rounded(Dtype::e8m0fnu, 5, TILEOPS_ROUNDING_UP), 8);
  EXPECT_EQ(Rounded(Dtype::e8m0fnu, 4, TILEOPS_ROUNDING_UP), 4);
  EXPECT_EQ(Rounded(Dtype::e8m0fnu, 7.99L, TILEOPS_ROUNDING_FLOOR), 4);
  EXPECT_EQ(Rounded(Dtype::e8m0fnu, 0, TILEOPS_ROUNDING_UP), 0x1p-127L);
  EXPECT_TRUE(std::isnan(Rounded(Dtype::e8m0fnu, INFINITY, TILEOPS_ROUNDING_UP)));
  EXPECT_EQ(InRange(Dtype::f32, 1e39L), INFINITY);
  EXPECT_EQ(InRange(Dtype::f64, 1e39L), 1e39L);
}

}  // namespace
}  // namespace rowtest

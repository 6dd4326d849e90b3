// The reference of whole texts, where today's language is enough, and its bounds.
#include "reference.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rowtest {
namespace {

const Tensor kX = Of(Dtype::f32, {2, 4}, {1, -2, 3, 0.5, 4, 0, -1, 8});

TEST(Reference, Maps) {
  const std::vector<Tensor> y = EvaluateText("(x; s = 2.0) -> silu(x) * s, where(x > 0, x, 0) ** 2, cast(x, i8) // 2",
                                             {kX});
  EXPECT_NEAR(static_cast<double>(y[0].values[0]), 2 / (1 + std::exp(-1.0)), 1e-15);
  EXPECT_EQ(y[1].values[7], 64);
  EXPECT_EQ(y[2].values[1], -1);
  EXPECT_EQ(y[2].values[3], 0);
}

TEST(Reference, ViewsAndIndices) {
  const std::vector<Tensor> y = EvaluateText(
      "(x) -> concat(chunk(x, 1, 2), -chunk(x, 0, 2)), interleave(every(x, 1, 2), every(x, 0, 2)), index(x, -1) + "
      "extent(x, -2)",
      {kX});
  EXPECT_EQ(y[0].values, (std::vector<Real>{3, 0.5, -1, 2, -1, 8, -4, 0}));
  EXPECT_EQ(y[1].values, (std::vector<Real>{-2, 1, 0.5, 3, 0, 4, 8, -1}));
  EXPECT_EQ(y[2].values[6], 4);
}

TEST(Reference, NumbersAreFloatsOfTheComputeType) {
  const std::vector<Tensor> y = EvaluateText("(x) -> x * 0.1, x == 0.1", {Of(Dtype::f32, {1}, {1})});
  EXPECT_EQ(y[0].values[0], static_cast<Real>(0.1f));
}

// Errors are absolute: a difference keeps those of what it is made of, however small it is itself; and floor of a value
// that may lie on either side of an integer may be off by 1.
TEST(Reference, Bounds) {
  const std::vector<Tensor> y = EvaluateText(
      "(x) -> exp(x), exp(x) - 2.718, floor(exp(x) - 1.7182818284590451), abs(x)", {Of(Dtype::f32, {1}, {1})});
  const Real ulp = 0x1p-22L;
  EXPECT_GT(y[0].errors[0], 0.9L * ulp);
  EXPECT_LT(y[0].errors[0], 1.1L * ulp);
  EXPECT_GT(y[1].errors[0], 0.9L * ulp);
  EXPECT_EQ(y[2].errors[0], 1);
  EXPECT_EQ(y[3].errors[0], 0);
}

TEST(Reference, InnerValuesOfNarrowResults) {
  const Tensor x = Of(Dtype::bf16, {1}, {1});
  const std::vector<Tensor> y = EvaluateText("(x) -> exp(x) * 3", {x});
  EXPECT_GT(y[0].errors[0], y[0].values[0] * 0x1p-20L);
  const std::vector<Tensor> z = EvaluateText("(x) -> cast(exp(x) * 3, f32)", {x});
  EXPECT_LT(z[0].errors[0], z[0].values[0] * 0x1p-21L);
}

}  // namespace
}  // namespace rowtest

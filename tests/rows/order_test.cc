// The reference of the order, on sums that can be written out.
#include "order.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace rowtest {
namespace {

std::vector<float> Random(size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> values;
  std::vector<float> x(n);
  for (float& v : x) v = values(random);
  return x;
}

TEST(Order, RowsAreATree) {
  const std::vector<float> x = Random(7, 1);
  const float left = (x[0] + x[1]) + (x[2] + x[3]), right = (x[4] + x[5]) + x[6];
  EXPECT_EQ(PlainSum(x), left + right);
  EXPECT_EQ(ProductOf(x), ((x[0] * x[1]) * (x[2] * x[3])) * ((x[4] * x[5]) * x[6]));
  EXPECT_EQ(PlainSum({}), 0);
  EXPECT_EQ(ProductOf({}), 1);
  EXPECT_EQ(PlainSum({3}), 3);
}

TEST(Order, ColumnsAreGroupsOf32) {
  const std::vector<float> x = Random(70, 2);
  float groups[3] = {x[0], x[32], x[64]};
  for (size_t i = 0; i < x.size(); ++i)
    if (i % 32 != 0) groups[i / 32] += x[i];
  EXPECT_EQ(PlainSum(x, Along::columns), (groups[0] + groups[1]) + groups[2]);
}

// Leaves that are padded with -0, as kernels pad them, give the same bits.
TEST(Order, PaddingChangesNothing) {
  for (size_t n : {1, 5, 31, 33, 100, 1000}) {
    std::vector<float> x = Random(n, static_cast<unsigned>(n));
    const float sum = SumOf(x), plain = PlainSum(x);
    x.resize(n * 2 + 3, -0.0f);
    EXPECT_EQ(SumOf(x), sum) << n;
    EXPECT_EQ(PlainSum(x), plain) << n;
  }
}

TEST(Order, LowPartsGiveOneUlp) {
  for (size_t n : {1, 7, 33, 1000, 4097, 50257}) {
    const std::vector<float> x = Random(n, static_cast<unsigned>(n));
    long double exact = 0;
    for (float v : x) exact += v;
    for (const Along along : {Along::rows, Along::columns}) {
      const float sum = SumOf(x, along);
      EXPECT_LE(std::fabs(sum - exact), std::nextafter(std::fabs(sum), 1e30f) - std::fabs(sum)) << n;
    }
  }
}

// TwoSum overflows inside for two finite numbers whose sum is finite.
TEST(Order, LowPartsThatOverflowAreLeftOut) {
  const float most = std::numeric_limits<float>::max();
  EXPECT_TRUE(std::isfinite(SumOf({-0x1.bffffcp+125f, most})));
  EXPECT_EQ(SumOf({most, most}), std::numeric_limits<float>::infinity());
  EXPECT_EQ(SumOf({1, std::numeric_limits<float>::infinity()}), std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(SumOf({1, NAN, 2})));
}

TEST(Order, CumulativeSumIsASumOfThePrefix) {
  const std::vector<float> x = Random(40, 3), sums = CumulativeSum(x);
  ASSERT_EQ(sums.size(), x.size());
  EXPECT_EQ(sums[0], x[0]);
  EXPECT_EQ(sums.back(), SumOf(x));
}

TEST(Order, VarianceOfLargeMeans) {
  for (const float mean : {0.0f, 1e3f, 1e5f}) {
    std::vector<float> x = Random(4096, 4);
    long double sum = 0, squares = 0;
    for (float& v : x) sum += (v += mean);
    for (float v : x) squares += (v - sum / 4096) * (v - sum / 4096);
    EXPECT_NEAR(static_cast<double>(VarianceOf(x) / (squares / 4096)), 1, 1e-7) << mean;
  }
}

}  // namespace
}  // namespace rowtest

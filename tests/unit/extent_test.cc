// Numbers that depend on open extents: their arithmetic is that of the numbers at any extents.
#include "base/extent.h"

#include <gtest/gtest.h>

#include <random>

#include "base/error.h"

namespace tileops {
namespace {

// A random product, and groups of it, beside what they are of two numbers.
TEST(Extent, IsTheNumberOfItsExtents) {
  std::mt19937_64 random(7);
  const auto below = [&](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); };
  for (int round = 0; round < 20000; ++round) {
    const int64_t extents[] = {below(5000), below(70)};
    Extent e = 1 + below(96);
    int64_t n = e;
    for (int c = 0; c < 2; ++c) {
      if (below(2) == 0) continue;
      e *= Extent::open(c);
      n *= extents[c];
    }
    const int64_t group = 1 + below(4096);
    EXPECT_EQ(e.at(extents), n) << e.text();
    EXPECT_EQ((e * 7).at(extents), 7 * n) << e.text();
    EXPECT_EQ(e.in_groups_of(group).at(extents), (n + group - 1) / group) << e.text() << " in groups of " << group;
    EXPECT_EQ((e.in_groups_of(group) * 3).at(extents), (n + group - 1) / group * 3) << e.text() << " of " << group;
    EXPECT_EQ(n % std::max<int64_t>(e.divisor(), 1), 0) << e.text();
  }
}

TEST(Extent, IsWrittenOut) {
  const Extent n = Extent::open(0);
  EXPECT_EQ((n * 12).text(), "12 * open 0");
  EXPECT_EQ((n * Extent::open(2)).text(), "open 0 * open 2");
  EXPECT_EQ(n.in_groups_of(128).text(), "ceil(open 0 / 128)");
  EXPECT_EQ((n * 12).in_groups_of(4096).text(), "ceil(3 * open 0 / 1024)");
  EXPECT_EQ((n * 12).in_groups_of(4).text(), "3 * open 0");
  EXPECT_EQ((n.in_groups_of(128) * 2).text(), "2 * ceil(open 0 / 128)");
}

TEST(Extent, IsNoNumberWhereItIsOpen) {
  const Extent n = Extent::open(1);
  EXPECT_EQ(n.open_number(), 1);
  EXPECT_EQ((n * 2).open_number(), -1);
  EXPECT_THROW((void)int64_t{n}, Error);
  EXPECT_THROW((void)(n * n * n), Error);
  EXPECT_EQ(int64_t{n * 0}, 0);
  Extent product;
  EXPECT_FALSE(multiply(n * 24, int64_t{1} << 62, &product));
  EXPECT_THROW((void)(n * 24 * (int64_t{1} << 62)), Error);
  EXPECT_FALSE(n == 4099);
  Extent merged = Extent::open(3) * n;
  merged.merge(3, 0);
  EXPECT_EQ(merged.text(), "open 0 * open 1");
}

}  // namespace
}  // namespace tileops

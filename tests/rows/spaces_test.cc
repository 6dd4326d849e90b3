// Values that have a space of their own: groups of groups, of equal and of other sizes, whole rows beside groups, and
// axes of no elements, of one, and that a value does not have.
#include <gtest/gtest.h>

#include "on_cuda.h"
#include "random_text.h"
#include "texts.h"

namespace rowtest {
namespace {

struct SpacesCase {
  const char* text;
  std::vector<Shape> shapes;
};

void PrintTo(const SpacesCase& c, std::ostream* out) { *out << c.text; }

const SpacesCase kSpaces[] = {
    // Groups of groups of one size, of which each is another axis.
    {"(y) -> { t = amax(y, group = 2); spread(spread(amax(t, group = 2), t, group = 2), y, group = 2) }", {{9}}},
    {"(y) -> { t = amax(y, group = 3); u = sum(t, group = 3); v = amin(u, group = 3); t - spread(u, t, group = 3), "
     "spread(spread(spread(v, u, group = 3), t, group = 3), y, group = 3) * y }",
     {{2, 100}}},
    {"(y) -> { t = mean(y, axis = -2, group = 4); y - spread(spread(amax(t, axis = -2, group = 2), t, axis = -2, group "
     "= "
     "2), y, axis = -2, group = 4) }",
     {{37, 5}}},
    // Of other sizes, also along one axis in one pass.
    {"(x) -> x - spread(amax(x, group = 4), x, group = 4) * spread(amin(x, group = 6), x, group = 6)", {{3, 50}}},
    {"(x) -> { s = mean(x, group = 4); sum(x * spread(s, x, group = 4) - spread(amin(x, group = 6), x, group = 6)) }",
     {{3, 50}}},
    // Whole rows beside rectangles, of which both axes have a short group.
    {"(x) -> sum(x * spread(mean(x, group = (3, 5)), x, group = (3, 5)), axis = (-2, -1))", {{2, 7, 13}}},
    {"(x) -> { s = spread(amax(x, group = (3, 5)), x, group = (3, 5)); amax(x - s), cumsum(x * s), s }", {{7, 13}}},
    {"(x) -> cumsum(x - spread(mean(x, group = 5), x, group = 5), reverse = true)", {{3, 13}}},
    // No elements: reductions have their values, and nothing is walked.
    {"(x, w) -> sum(x * w, axis = all)", {{0, 128, 64}, {64}}},
    {"(x) -> x - spread(mean(x, group = 128), x, group = 128), sum(x, axis = all)", {{0, 192}}},
    {"(x) -> sum(x, axis = (-3, -1)), amax(x, axis = (-2, -1)), cumsum(x, axis = -2)", {{2, 0, 3}}},
    {"(x) -> { m = mean(x, axis = all); x - m, m, sum(x, axis = -2) }", {{5, 0}}},
    // Axes that a value does not have.
    {"(x, s) -> chunk(x, 0, 2) * amax(s)", {{3, 8}, {}}},
    {"(a) -> { s = cast(amax(a), f32); s, a / sum(gather(s, 0)) }", {{3, 5}}},
    {"(c, b) -> spread(c, b, group = 39), var(c)", {{}, {80}}},
    {"(c) -> sum(c, group = 4), spread(mean(c, group = 3), c, group = 3), cumsum(c), amax(c, axis = all)", {{}}},
    {"(a, c) -> a + spread(amax(c, group = 3), c, group = 3), sum(c, axis = -2)", {{4, 9}, {1, 9}}},
};

class Spaces : public testing::TestWithParam<SpacesCase> {};

TEST_P(Spaces, AreKept) {
  for (const Dtype dtype : {Dtype::f32, Dtype::bf16}) {
    RandomText made{GetParam().text, {}};
    for (const Shape& shape : GetParam().shapes)
      made.operands.push_back(RandomTensor(dtype, shape, made.operands.size() + 3));
    const TextRun run(made.text, made.operands);
    const std::string what = Described(made);
    ASSERT_EQ(run.state(), State::runs) << what << ": " << run.why();
    EXPECT_EQ(WhyNotOnCuda(run), "") << what;
    const std::vector<Tensor> want = run.Expected();
    Results first;
    for (const Target& target : Targets()) {
      const Results got = run.On(target);
      if (first.empty()) ExpectClose(want, run.outputs(), first = got, what);
      exprtest::ExpectSame(run.outputs(), got, first, what + " on " + target.name);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Spaces, testing::ValuesIn(kSpaces));

// Of a tensor without elements nothing is counted, however large its other extents are.
TEST(Spaces, OfHugeEmptyTensors) {
  Tensor x = Empty(Dtype::f32, {0, INT64_MAX});
  const TextRun run("(x) -> mean(x, group = 3)", {x});
  EXPECT_EQ(run.state(), State::runs) << run.why();
}

}  // namespace
}  // namespace rowtest

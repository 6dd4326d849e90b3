// Extents that are equal by chance, to each other or to a number of the text, are no more than that; and shapes that
// are not the plan's are refused, though they have as many elements.
#include <gtest/gtest.h>

#include "texts.h"

namespace opentest {
namespace {

void ExpectAll(const Text& text, const std::vector<Extents>& all) {
  const Plan open = OpenPlan(text);
  ASSERT_NE(open, nullptr) << text.text;
  int32_t count = 0;
  size_t size = sizeof count;
  ASSERT_EQ(tileops_plan_query(open.get(), TILEOPS_PLAN_NUM_EXTENTS, &count, &size), TILEOPS_STATUS_OK);
  ASSERT_EQ(static_cast<size_t>(count), text.open) << text.text;
  for (const Extents& extents : all) ExpectBitsOfClosed(text, open.get(), extents);
}

// Two open extents, batch and sequence, and rows of 8.
std::vector<Text> TextsOfTwo() {
  const auto whole = [](const Extents& e) { return std::vector<Shape>{{e[0], e[1], 8}, {e[1], 8}, {e[0], 1, 8}}; };
  const std::vector<DLDataType> f32(3, kF32);
  return {{"(x, t, s) -> x * t + s", 2, whole, f32},
          {"(x, t, s) -> (x + t + s) * rsqrt(mean(x * x) + 1e-6)", 2, whole, f32},
          {"(x, t, s) -> sum(x * t, axis = -2) + s", 2, whole, f32},
          {"(x, t, s) -> sum(x + t + s, axis = -3) * t", 2, whole, f32},
          {"(x, t, s) -> mean(x + t + s, axis = (-3, -2))", 2, whole, f32},
          {"(x, t, s) -> store_if(x + s, t > 0)", 2, whole, f32}};
}

TEST(OpenChance, TwoExtentsThatAreEqual) {
  for (const Text& text : TextsOfTwo())
    ExpectAll(text, {{5, 5}, {5, 7}, {7, 5}, {1, 1}, {1, 6}, {6, 1}, {8, 8}, {8, 3}, {3, 8}, {0, 4}, {4, 0}, {0, 0}});
}

#ifdef TILEOPS_TESTS_ARE_SLOW
constexpr int64_t kSquare = 256;
#else
constexpr int64_t kSquare = 4096;
#endif

TEST(OpenChance, ExtentThatEqualsANumberOfTheText) {
  const auto square = [](int64_t n) { return [n](const Extents& e) { return std::vector<Shape>{{e[0], n}, {n}}; }; };
  const std::vector<DLDataType> bf16(2, kBf16);
  for (const char* text : {"(x, w) -> x * w", "(x, w) -> x * rsqrt(mean(x * x) + 1e-6) * w",
                           "(x, w) -> sum(x * w, axis = -2)", "(x, w) -> softmax(x) * w"})
    ExpectAll({text, 1, square(kSquare), bf16}, {{1}, {kSquare}, {kSquare - 1}});
  // A group's 128 elements, and as many rows.
  for (const char* text : {"(x, w) -> x / spread(amax(abs(x), group = 128) + 1, x, group = 128) * w",
                           "(x, w) -> amax(abs(x), group = 128), sum(x * w, axis = -2)"})
    ExpectAll({text, 1, square(256), bf16}, {{128}, {2}, {1}, {256}, {127}});
  ExpectAll({"(x, w) -> x / spread(amax(abs(x), group = 128) + 1, x, group = 128) * w", 1, square(128), bf16},
            {{128}, {1}, {129}});
}

// Executes at these shapes instead, and hears why not. Results stay as they were.
void ExpectRefused(const Text& text, const std::vector<std::pair<size_t, Shape>>& others, const std::string& why) {
  const Plan open = OpenPlan(text);
  ASSERT_NE(open, nullptr) << text.text;
  Call call(text, Extents(text.open, 6));
  const std::string before = call.Results();
  std::vector<Shape> shapes;
  for (const auto& [i, shape] : others) shapes.push_back(shape);
  for (size_t k = 0; k < others.size(); ++k) {
    DLTensor& t = call.inputs()[others[k].first];
    t.shape = shapes[k].data();
    t.ndim = static_cast<int32_t>(shapes[k].size());
  }
  EXPECT_EQ(call.Execute(open.get()), TILEOPS_STATUS_INVALID_ARGUMENT) << text.text;
  EXPECT_EQ(std::string(tileops_last_error()), "tileops_execute_with: " + why);
  EXPECT_TRUE(call.Results() == before) << text.text;
}

TEST(OpenChance, OtherShapesOfAsManyElementsAreRefused) {
  const std::vector<DLDataType> f32(2, kF32);
  // 6 x 6 x 8 elements in other axes.
  const Text sum{"(x, y) -> x + y", 2,
                 [](const Extents& e) { return std::vector<Shape>{{e[0], e[1], 8}, {e[0], e[1], 8}}; }, f32};
  ExpectRefused(sum, {{1, {4, 9, 8}}},
                "inputs[1]: extent 0 differs from that of inputs[0] (got 4, need 6: both are the plan's extent 0)");
  ExpectRefused(sum, {{0, {3, 12, 8}}, {1, {3, 12, 8}}},
                "outputs[0]: extent 0 differs from that of inputs[0] (got 6, need 3: both are the plan's extent 0)");
  ExpectRefused(sum, {{1, {6, 12, 4}}},
                "inputs[1]: extent 1 differs from that of inputs[0] (got 12, need 6: both are the plan's extent 1)");
  ExpectRefused(sum, {{1, {6, 6, 4}}}, "inputs[1]: shape differs from the plan (got (6, 6, 4), need (6, 6, 8))");
  ExpectRefused(sum, {{0, {36, 8}}}, "inputs[0]: shape differs from the plan (got (36, 8), need (open 0, open 1, 8))");
  // A row of its own, and one element for all: neither is what was planned.
  const Text scaled{"(x, w) -> x * w", 1, [](const Extents& e) { return std::vector<Shape>{{e[0], 128}, {128}}; }, f32};
  ExpectRefused(scaled, {{1, {1, 128}}}, "inputs[1]: shape differs from the plan (got (1, 128), need (128,))");
  ExpectRefused(scaled, {{1, {1}}}, "inputs[1]: shape differs from the plan (got (1,), need (128,))");
  // Open is not repeated, and what is planned as 1 is not open.
  const Text column{"(x, s) -> x * s", 1, [](const Extents& e) { return std::vector<Shape>{{e[0], 8}, {e[0], 1}}; },
                    f32};
  ExpectRefused(column, {{1, {1, 1}}},
                "inputs[1]: extent 0 differs from that of inputs[0] (got 1, need 6: both are the plan's extent 0)");
  const Text row{"(x, s) -> x * s", 1, [](const Extents& e) { return std::vector<Shape>{{e[0], 8}, {1, 1}}; }, f32};
  ExpectRefused(row, {{1, {6, 1}}}, "inputs[1]: shape differs from the plan (got (6, 1), need (1, 1))");
}

}  // namespace
}  // namespace opentest

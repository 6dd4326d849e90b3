// How many passes over memory a text takes, and what they move.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "tileops/tileops.h"

namespace rowtest {
namespace {

// What `read` finds in a plan. Operands and results are floats of so many bits; the second operand is of
// int64 if it is a label.
template <class Read>
auto OfPlan(const Read& read, const char* text, const std::vector<std::vector<int64_t>>& operands,
            const std::vector<std::vector<int64_t>>& results, bool with_label, uint8_t bits = 32) {
  tileops_expr* expr = nullptr;
  EXPECT_EQ(tileops_expr_parse(text, std::strlen(text), &expr), TILEOPS_STATUS_OK) << tileops_last_error();
  std::vector<tileops_tensor_desc> in, out;
  for (const auto& shape : operands)
    in.push_back({{kDLFloat, bits, 1}, static_cast<int32_t>(shape.size()), shape.data(), nullptr});
  for (const auto& shape : results)
    out.push_back({{kDLFloat, bits, 1}, static_cast<int32_t>(shape.size()), shape.data(), nullptr});
  if (with_label) in[1].dtype = {kDLInt, 64, 1};
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.device = {kDLCPU, 0};
  desc.expr = expr;
  desc.num_inputs = static_cast<int32_t>(in.size());
  desc.inputs = in.data();
  desc.num_outputs = static_cast<int32_t>(out.size());
  desc.outputs = out.data();
  tileops_plan* plan = nullptr;
  EXPECT_EQ(tileops_plan_create(nullptr, &desc, &plan), TILEOPS_STATUS_OK) << tileops_last_error();
  auto value = read(plan);
  tileops_plan_destroy(plan);
  tileops_expr_destroy(expr);
  return value;
}

// A number, of type T.
template <class T>
auto Number(tileops_plan_prop prop) {
  return [prop](const tileops_plan* plan) {
    T value = 0;
    size_t size = sizeof value;
    EXPECT_EQ(tileops_plan_query(plan, prop, &value, &size), TILEOPS_STATUS_OK);
    return value;
  };
}

// How often what is done computes a function.
auto CountOf(const char* function) {
  return [function](const tileops_plan* plan) {
    size_t size = 0, count = 0;
    tileops_plan_query(plan, TILEOPS_PLAN_SOURCE, nullptr, &size);
    std::string source(size, ' ');
    EXPECT_EQ(tileops_plan_query(plan, TILEOPS_PLAN_SOURCE, source.data(), &size), TILEOPS_STATUS_OK);
    for (size_t at = 0; (at = source.find(function, at)) != std::string::npos; ++at) ++count;
    return count;
  };
}

int PassesOf(const char* text, const std::vector<std::vector<int64_t>>& operands,
             const std::vector<std::vector<int64_t>>& results, bool with_label) {
  return OfPlan(Number<int32_t>(TILEOPS_PLAN_NUM_PASSES), text, operands, results, with_label);
}

uint64_t BytesOf(const char* text, const std::vector<std::vector<int64_t>>& operands,
                 const std::vector<std::vector<int64_t>>& results) {
  return OfPlan(Number<uint64_t>(TILEOPS_PLAN_BYTES_MOVED), text, operands, results, true);
}

TEST(Passes, OfRows) {
  EXPECT_EQ(PassesOf("(x) -> { e = exp(x - amax(x)); e / sum(e) }", {{4, 8}}, {{4, 8}}, false), 1);
  EXPECT_GT(PassesOf("(x) -> x - mean(x, axis = all)", {{70000}}, {{70000}}, false), 1);
}

// What a whole tensor comes to, beside rows of its values: the pass of the rows leaves what each of these comes to, and
// a small one reduces that. Not where the rows are made of it; and a sum only where rows are nodes of its tree.
TEST(Passes, OfWholeTensorsBesideRows) {
  const auto reads = CountOf("input 0");
  const char* const norm = "(x, w) -> { y = x * rsqrt(mean(x * x) + 1) * w; y, amax(abs(y), axis = all) }";
  EXPECT_EQ(PassesOf(norm, {{300, 256}, {256}}, {{300, 256}, {1, 1}}, false), 2);
  const char* const activation = "(g, x) -> { d = g * sigmoid(x); d, sum(d, axis = -2), amax(abs(d), axis = all) }";
  EXPECT_EQ(PassesOf(activation, {{8192, 1024}, {8192, 1024}}, {{8192, 1024}, {1, 1024}, {1, 1}}, false), 3);
  EXPECT_EQ(OfPlan(reads, activation, {{8192, 1024}, {8192, 1024}}, {{8192, 1024}, {1, 1024}, {1, 1}}, false), 1u);
  const char* const sums = "(x) -> amax(x), sum(x, axis = all)";
  EXPECT_EQ(OfPlan(reads, sums, {{300, 256}}, {{300, 1}, {1, 1}}, false), 1u);
  EXPECT_EQ(OfPlan(reads, sums, {{300, 257}}, {{300, 1}, {1, 1}}, false), 2u);
  const char* const scaled = "(x) -> { y = x / amax(x, axis = all); y, amax(y, group = 32) }";
  EXPECT_EQ(PassesOf(scaled, {{300, 256}}, {{300, 256}, {300, 8}}, false), 3);
}

// Elements that nothing of the last reduction goes into are stored where they are reduced.
TEST(Passes, StoreWhatTheyReduce) {
  const auto reads = CountOf("input 0");
  EXPECT_EQ(OfPlan(reads, "(x) -> { y = 2 * x; y, sum(y) }", {{30, 8}}, {{30, 8}, {30, 1}}, false), 1u);
  EXPECT_EQ(OfPlan(reads, "(x) -> { y = x - amax(x); y, sum(y) }", {{30, 8}}, {{30, 8}, {30, 1}}, false), 2u);
}

// What is gathered of a value that is computed is computed of what is gathered: no pass stores the value. Not where
// more elements are gathered than there are, nor where an operand could no longer be overwritten.
TEST(Passes, OfGathersFromWhatIsComputed) {
  const char capped[] = "(x, label; cap = 30) -> { s = cap * tanh(x / cap);  logsumexp(s) - gather(s, label) }";
  EXPECT_EQ(PassesOf(capped, {{6, 50}, {6, 1}}, {{6, 1}}, true), 1);
  EXPECT_EQ(OfPlan(Number<uint64_t>(TILEOPS_PLAN_WORKSPACE_BYTES), capped, {{6, 50}, {6, 1}}, {{6, 1}}, true), 0u);
  EXPECT_EQ(PassesOf("(x, label, w) -> gather(silu(x) * w, label)", {{6, 50}, {6, 1}, {50}}, {{6, 1}}, true), 1);
  EXPECT_EQ(PassesOf("(x, label) -> gather(silu(x), label, axis = -2)", {{6, 50}, {1, 50}}, {{1, 50}}, true), 1);
  EXPECT_EQ(PassesOf("(x, label) -> gather(silu(x), label)", {{6, 5}, {6, 50}}, {{6, 50}}, true), 2);
  EXPECT_EQ(PassesOf("(x, label) -> x + gather(silu(x), label)", {{6, 50}, {6, 1}}, {{6, 50}}, true), 2);
}

// Nothing is computed of a value whose shape alone is asked for.
TEST(Passes, OfWhatIsRead) {
  EXPECT_EQ(PassesOf("(x, label, y) -> y * extent(amax(x), -2)", {{4, 8}, {4, 1}, {3, 5}}, {{3, 5}}, true), 1);
  // As the gradient of a loss has it.
  EXPECT_EQ(PassesOf("(x, label, y) -> y * extent(gather(x + 1, label), -2)", {{4, 8}, {4, 1}, {3, 5}}, {{3, 5}}, true),
            1);
}

// What others gather is left by the pass that reduces what it is made of, which takes it at once besides.
TEST(Passes, OfWhatIsGathered) {
  const std::vector<int64_t> x{256, 64}, scales{256, 4}, tiles{2, 1, 32, 4, 4};
  EXPECT_EQ(PassesOf("(x) -> { s = amax(abs(x), group = 16) / 6; x / spread(s, x, group = 16), tiled(s) }", {x},
                     {x, tiles}, false),
            2);
  EXPECT_EQ(PassesOf("(x, i) -> { s = mean(x) + 1; x / s, gather(s, i, axis = -2) }", {x, {9, 1}}, {x, {9, 1}}, true),
            2);
  // It is gathered twice, the second time from what was gathered.
  EXPECT_EQ(PassesOf("(x, i) -> { s = mean(x) + 1; gather(gather(s, i, axis = -2) * 2, i, axis = -2) }", {x, {9, 1}},
                     {{9, 1}}, true),
            3);
}

// Groups of 32 are groups of 16 in each half: of other lengths, they are in no pass together.
TEST(Passes, OfGroupsInHalves) {
  EXPECT_EQ(PassesOf("(w) -> { s = amax(abs(w), group = 32) / 7; a = every(w, 0, 2); "
                     "round(a / spread(s, a, group = 16)) + 16 * round(every(w, 1, 2) / spread(s, a, group = 16)), s }",
                     {{6, 128}}, {{6, 64}, {6, 4}}, false),
            2);
}

// A norm and what takes the halves of its rows. With low parts the sum's order is another one, of whole rows.
TEST(Passes, OfHalvesOfRows) {
  const char* const text = "(x) -> { n = x * rsqrt(mean(x * x) + 1); concat(chunk(n, 1, 2), -chunk(n, 0, 2)) }";
  const auto passes = Number<int32_t>(TILEOPS_PLAN_NUM_PASSES);
  EXPECT_EQ(OfPlan(passes, text, {{6, 128}}, {{6, 128}}, false, 16), 1);
  EXPECT_EQ(OfPlan(passes, text, {{6, 96}}, {{6, 96}}, false, 16), 2);
  EXPECT_EQ(OfPlan(passes, text, {{6, 128}}, {{6, 128}}, false), 2);
}

// What is made of a reduction, and has its shape, is left as it is: also where others take what it is made of, and what
// is gathered at a place that was found.
TEST(Passes, LeaveWhatAReductionEndsIn) {
  EXPECT_EQ(OfPlan(CountOf("rsqrt("), "(x, g) -> { r = rsqrt(mean(x * x) + 1); g * r, sum(g * x * r, axis = -2) }",
                   {{16, 64}, {16, 64}}, {{16, 64}, {1, 64}}, false),
            1u);
  EXPECT_EQ(OfPlan(CountOf("rsqrt("), "(x) -> { m = mean(x); r = rsqrt(m * m + 1); r, sum((x - m) * r, axis = -2) }",
                   {{16, 64}}, {{16, 1}, {1, 64}}, false),
            1u);
  EXPECT_EQ(OfPlan(CountOf("tanh("), "(x) -> { v = tanh(x); g = gather(v, argmax(v)); g, mean(v - g, axis = -2) }",
                   {{16, 64}}, {{16, 1}, {1, 64}}, false),
            3u);  // of elements twice, of what is gathered once
}

TEST(Passes, MoveWhatTheyTouch) {
  EXPECT_EQ(BytesOf("(x, i) -> x + i", {{4, 8}, {4, 1}}, {{4, 8}}), 4u * 8 * 4 * 2 + 4 * 8);
  // Three rows of a thousand; all eight, of which some are read twice; a number of each row of a block.
  EXPECT_EQ(BytesOf("(t, i) -> gather(t, i, axis = -2)", {{1000, 8}, {3, 1}}, {{3, 8}}), 3u * 8 * 4 * 2 + 3 * 8);
  EXPECT_EQ(BytesOf("(t, i) -> gather(t, i, axis = -2)", {{8, 8}, {20, 1}}, {{20, 8}}),
            8u * 8 * 4 + 20 * 8 * 4 + 20 * 8);
  EXPECT_EQ(BytesOf("(v, i) -> scatter(v / 2, i, axis = -2), scatter(sum(v), i // 2, axis = -2)", {{3, 8}, {3, 1}},
                    {{1000, 8}, {1000, 1}}),
            3u * 8 * 4 * 2 + 3 * 8 + 3 * 4);
  // A table that is read whole besides.
  EXPECT_EQ(BytesOf("(t, i) -> gather(t, i, axis = -2), t + 1", {{1000, 8}, {3, 1}}, {{3, 8}, {1000, 8}}),
            1000u * 8 * 4 * 2 + 3 * 8 * 4 + 3 * 8);
}

// Groups along an axis that is not reduced are brought back where they are taken, also where the last one is short: its
// rows are then a pass of their own.
TEST(Passes, OfShortGroupsBesideRows) {
  const char* const text = "(x, s) -> { y = x * spread(s, x, axis = -2, group = 11); y / sum(y) }";
  EXPECT_EQ(PassesOf(text, {{22, 8}, {2, 8}}, {{22, 8}}, false), 1);
  EXPECT_EQ(PassesOf(text, {{23, 8}, {3, 8}}, {{23, 8}}, false), 2);
  EXPECT_EQ(OfPlan(Number<uint64_t>(TILEOPS_PLAN_WORKSPACE_BYTES), text, {{23, 8}, {3, 8}}, {{23, 8}}, false), 0u);
}

}  // namespace
}  // namespace rowtest

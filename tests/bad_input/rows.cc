// Texts with reductions that are refused, each with its place and message, and executes without the workspace that they
// need.
#include <gtest/gtest.h>
#include <tileops/tileops.h>

#include <cstring>
#include <string>
#include <vector>

namespace {

// clang-format off
struct RefusedRow {
  const char* text;
  int32_t offset;
  const char* message;
};
const RefusedRow kRefused[] = {
    {"(x) -> sum(x, axis = (-1, -1))", 26, "sum: the axis -1 is given twice"},
    {"(x) -> sum(x, axis = -33)", 21, "sum: axes count from the end, from -1 to -32 (got -33)"},
    {"(x) -> sum(x, axis = -1.0)", 21, "sum: axes count from the end, from -1 to -32 (got -1.0)"},
    {"(x) -> sum(x, axis = true)", 21, "sum: axes count from the end, from -1 to -32 (got true)"},
    {"(x) -> sum(x, axis = ())", 22, "expected a number (got ')')"},
    {"(x) -> sum(x, axis = (-1 -2))", 25, "expected ',' or ')' after a number (got '-')"},
    {"(x) -> sum(x, axis = (-1, all))", 26, "expected a number (got 'all')"},
    {"(x; n = -1) -> sum(x, axis = n)", 29, "sum: 'axis' must be a constant"},
    {"(x) -> mean(x, axis = (-2, -1), group = 4)", 40, "mean: 'group' has as many numbers as there are axes (got 4 for the axes (-2, -1))"},
    {"(x) -> mean(x, group = (2, 2, 2))", 30, "mean: at most 2 axes have groups"},
    {"(x) -> mean(x, group = 0)", 23, "mean: a group has 1 to 2147483647 elements (got 0)"},
    {"(x; g = 4) -> mean(x, group = g)", 30, "mean: 'group' must be a constant"},
    {"(x) -> mean(x, axis = all, group = (2, 2))", 35, "mean: there are no groups of all axes"},
    {"(x) -> mean(x, keepdims = true)", 15, "mean has no argument 'keepdims' (it has x, axis, group)"},
    {"(x) -> mean(x, -1, 4, 2)", 22, "mean takes at most 3 arguments"},
    {"(x) -> mean(x, axis = -1, axis = -2)", 26, "mean: 'axis' is given twice"},
    {"(x) -> var(x, correction = 0.5)", 27, "var: 'correction' must be an integer (got 0.5)"},
    {"(x) -> var(x, correction = -1)", 27, "var: 'correction' is out of range (got -1, need 0 to 2147483647)"},
    {"(x) -> cumsum(x, axis = (-2, -1))", 24, "cumsum goes along one axis (got (-2, -1))"},
    {"(x) -> cumsum(x, reverse = 2)", 27, "expected false or true for 'reverse' of cumsum (got '2')"},
    {"(x) -> cummax(x, exclusive = true)", 17, "cummax has no argument 'exclusive' (it has x, axis, group, reverse)"},
    {"(x, i) -> gather(x, i, i)", 10, "gather has as many axes as indices (got -1 for 2)"},
    {"(x, i) -> gather(x, i, i, axis = (-1, -2))", 38, "gather: axes ascend, in the order of their indices"},
    {"(x, i) -> gather(x)", 10, "gather takes 2 to 5 arguments (got 1)"},
    {"(x, i) -> gather(x, 0.5)", 20, "gather: an index is an integer (got a float)"},
    {"(x, i) -> gather(1, i)", 17, "gather: 't' takes a tensor (got a number)"},
    {"(x, i) -> exp(scatter(x, i))", 14, "exp: argument 1 is a scatter, which is for results alone"},
    {"(x) -> tiled(x, rows = 64)", 23, "tiled: 'rows' is 128 or 8 (got 64)"},
    {"(x) -> tiled(x) * 2", 7, "mul: argument 1 is a tiled, which is for results alone"},
    {"(x) -> x * all", 11, "'all' is a function: expected '(' after it"},
    {"(x) -> sum()", 7, "sum: 'x' is missing"},
    {"(x) -> sum(x, axes = -1)", 14, "sum has no argument 'axes' (it has x, axis, group)"},
    {"(x) -> sum(x, axis = -9223372036854775808)", 21, "sum: axes count from the end, from -1 to -32 (got -9223372036854775808)"},
    {"(x) -> sum(x, axis = 4294967296)", 21, "sum: axes count from the end, from -1 to -32 (got 4294967296)"},
    {"(x) -> sum(x, axis = (-1, -2)", 29, "expected an operator, ',' or ')' in the call of sum (got the end of the text)"},
    {"(x) -> sum(x, axis = ((-1), -2))", 22, "expected a number (got '(')"},
    {"(x) -> sum(x, group = -4)", 22, "sum: a group has 1 to 2147483647 elements (got -4)"},
    {"(x) -> sum(x, group = 2147483648)", 22, "sum: a group has 1 to 2147483647 elements (got 2147483648)"},
    {"(x) -> sum(x, group = 4294967298)", 22, "sum: a group has 1 to 2147483647 elements (got 4294967298)"},
    {"(x) -> sum(x, group = 9223372036854775808)", 22, "the integer is beyond int64"},
    {"(x) -> sum(x, group = (2147483648, 2))", 23, "sum: a group has 1 to 2147483647 elements (got 2147483648)"},
    {"(x) -> sum(x, group = (2, 0))", 26, "sum: a group has 1 to 2147483647 elements (got 0)"},
    {"(x) -> sum(x, group = 1.5)", 22, "sum: a group has 1 to 2147483647 elements (got 1.5)"},
    {"(x) -> sum(x, group = (2, 2), axis = -1)", 22, "sum: 'group' has as many numbers as there are axes (got (2, 2) for the axes -1)"},
    {"(x) -> cumsum(x, axis = all)", 24, "cumsum goes along one axis (got all)"},
    {"(x) -> var(x, correction = 2147483648)", 27, "var: 'correction' is out of range (got 2147483648, need 0 to 2147483647)"},
    {"(x; c = 1) -> var(x, correction = c)", 34, "var: 'correction' must be a constant"},
    {"(x) -> tiled(tiled(x))", 13, "tiled: argument 1 is a tiled, which is for results alone"},
    {"(x) -> tiled(x, rows = 8589934720)", 23, "tiled: 'rows' is out of range (got 8589934720, need 8 to 128)"},
    {"(x, i) -> gather(x, i, i, i, i, i)", 10, "gather takes 2 to 5 arguments (got 6)"},
    {"(x, i) -> gather(x, i, axis = all)", 30, "gather has as many axes as indices (got all for 1)"},
    {"(x, i) -> gather(scatter(x, i), i)", 17, "gather: argument 1 is a scatter, which is for results alone"},
    {"(x, i) -> { h = scatter(x, i); h, h * 2 }", 34, "mul: argument 1 is a scatter, which is for results alone"},
    {"(x, m) -> exp(store_if(x, m))", 14, "exp: argument 1 is a store_if, which is for results alone"},
    {"(x, m) -> store_if(store_if(x, m), m)", 19, "store_if: argument 1 is a store_if, which is for results alone"},
    {"(x, m) -> store_if(x)", 10, "store_if: 'm' is missing"},
    {"(x, y) -> spread(x, y, axis = all, group = 2)", 43, "spread: there are no groups of all axes"},
};
// clang-format on

TEST(RowTexts, EachHasItsPlaceAndMessage) {
  for (const RefusedRow& row : kRefused) {
    SCOPED_TRACE(row.text);
    auto* expr = reinterpret_cast<tileops_expr*>(1);
    EXPECT_EQ(TILEOPS_STATUS_INVALID_ARGUMENT, tileops_expr_parse(row.text, std::strlen(row.text), &expr));
    EXPECT_EQ(nullptr, expr);
    EXPECT_EQ(row.offset, tileops_last_error_offset());
    const std::string error = tileops_last_error(), place = "text: byte " + std::to_string(row.offset) + ": ";
    EXPECT_EQ("tileops_expr_parse: " + place + row.message, error.substr(0, error.find('\n')));
  }
}

// x / sum(x, axis = all) of f32[4, 8]; its sum lies in the workspace or within a pass, that of 70,000 in the workspace.
class Workspaces : public testing::Test {
 protected:
  void SetUp() override {
    const char* text = "(x) -> x / sum(x, axis = all)";
    ASSERT_EQ(TILEOPS_STATUS_OK, tileops_expr_parse(text, std::strlen(text), &expr_));
    in_ = {x_.data(), {kDLCPU, 0}, 1, {kDLFloat, 32, 1}, shape_, nullptr, 0};
    out_ = in_;
    out_.data = y_.data();
    ASSERT_EQ(TILEOPS_STATUS_OK, tileops_plan_create_like_expr(nullptr, expr_, ins_, 1, outs_, 1, &plan_));
    size_t size = sizeof need_;
    ASSERT_EQ(TILEOPS_STATUS_OK, tileops_plan_query(plan_, TILEOPS_PLAN_WORKSPACE_BYTES, &need_, &size));
    ASSERT_GT(need_, 0u);
    args_.num_inputs = args_.num_outputs = 1;
    args_.inputs = ins_;
    args_.outputs = outs_;
  }
  void TearDown() override {
    for (const float v : y_) ASSERT_EQ(7, v);
    tileops_plan_destroy(plan_);
    tileops_expr_destroy(expr_);
  }
  void expect(tileops_status status, const std::string& message) {
    EXPECT_EQ(TILEOPS_STATUS_INVALID_ARGUMENT, status);
    EXPECT_EQ(message, tileops_last_error());
  }

  std::vector<float> x_ = std::vector<float>(70000, 1), y_ = std::vector<float>(70000, 7);
  int64_t shape_[1] = {70000};
  DLTensor in_{}, out_{};
  const DLTensor* ins_[1] = {&in_};
  DLTensor* outs_[1] = {&out_};
  tileops_expr* expr_ = nullptr;
  tileops_plan* plan_ = nullptr;
  uint64_t need_ = 0;
  tileops_execute_args args_ = TILEOPS_EXECUTE_ARGS_INIT;
};

TEST_F(Workspaces, IsForPassesAfterEachOther) {
  int32_t passes = 0;
  size_t size = sizeof passes;
  EXPECT_EQ(TILEOPS_STATUS_OK, tileops_plan_query(plan_, TILEOPS_PLAN_NUM_PASSES, &passes, &size));
  EXPECT_GT(passes, 1);
}

TEST_F(Workspaces, IsNeeded) {
  const std::string needs = "workspace: is NULL, and the plan needs " + std::to_string(need_) +
                            " bytes (TILEOPS_PLAN_WORKSPACE_BYTES)";
  expect(tileops_execute_with(plan_, &args_), "tileops_execute_with: " + needs);
  expect(tileops_execute(plan_, ins_, 1, outs_, 1, nullptr), "tileops_execute: " + needs);
  const void* in[] = {x_.data()};
  void* out[] = {y_.data()};
  expect(tileops_execute_ptrs(plan_, in, out, nullptr), "tileops_execute_ptrs: " + needs);
}

TEST_F(Workspaces, IsLargeEnoughAndAligned) {
  std::vector<char> memory(need_ + 128);
  char* at = memory.data() + (64 - reinterpret_cast<uintptr_t>(memory.data()) % 64) % 64;
  args_.workspace = at;
  args_.workspace_bytes = need_ - 1;
  expect(tileops_execute_with(plan_, &args_), "tileops_execute_with: workspace_bytes: is too small (got " +
                                                  std::to_string(need_ - 1) + ", need " + std::to_string(need_) + ")");
  args_.workspace = at + 4;
  args_.workspace_bytes = need_;
  expect(tileops_execute_with(plan_, &args_),
         "tileops_execute_with: workspace: is not aligned (got address % 64 = 4, need 0)");
}

// In the memory of x, of y, or on the border of y: what it has to hold would be lost.
TEST_F(Workspaces, HoldsNoOperand) {
  const auto aligned = [](float* p) {
    return reinterpret_cast<char*>((reinterpret_cast<uintptr_t>(p) + 63) / 64 * 64);
  };
  args_.workspace_bytes = need_;
  args_.workspace = aligned(x_.data() + 100);
  expect(tileops_execute_with(plan_, &args_), "tileops_execute_with: workspace: overlaps inputs[0]");
  args_.workspace = aligned(y_.data() + 100);
  expect(tileops_execute_with(plan_, &args_), "tileops_execute_with: workspace: overlaps outputs[0]");
  args_.workspace = aligned(y_.data() + y_.size() - 17);
  expect(tileops_execute_with(plan_, &args_), "tileops_execute_with: workspace: overlaps outputs[0]");
}

TEST_F(Workspaces, BytesWithoutMemory) {
  args_.workspace_bytes = need_;
  expect(tileops_execute_with(plan_, &args_),
         "tileops_execute_with: workspace: is NULL (" + std::to_string(need_) + " bytes)");
}

TEST(Contexts, KeepAWorkspaceOrNot) {
  tileops_context_options options = TILEOPS_CONTEXT_OPTIONS_INIT;
  options.keep_workspace = 2;
  tileops_context* context = nullptr;
  EXPECT_EQ(TILEOPS_STATUS_INVALID_ARGUMENT, tileops_context_create(&options, &context));
  EXPECT_STREQ("tileops_context_create: options: keep_workspace is neither 0 nor 1 (got 2)", tileops_last_error());
}

}  // namespace

// How many passes over memory a text takes.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "tileops/tileops.h"

namespace rowtest {
namespace {

int PassesOf(const char* text, const std::vector<std::vector<int64_t>>& operands,
             const std::vector<std::vector<int64_t>>& results, bool with_label) {
  tileops_expr* expr = nullptr;
  EXPECT_EQ(tileops_expr_parse(text, std::strlen(text), &expr), TILEOPS_STATUS_OK) << tileops_last_error();
  std::vector<tileops_tensor_desc> in, out;
  for (const auto& shape : operands)
    in.push_back({{kDLFloat, 32, 1}, static_cast<int32_t>(shape.size()), shape.data(), nullptr});
  for (const auto& shape : results)
    out.push_back({{kDLFloat, 32, 1}, static_cast<int32_t>(shape.size()), shape.data(), nullptr});
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
  int32_t passes = 0;
  size_t size = sizeof passes;
  EXPECT_EQ(tileops_plan_query(plan, TILEOPS_PLAN_NUM_PASSES, &passes, &size), TILEOPS_STATUS_OK);
  tileops_plan_destroy(plan);
  tileops_expr_destroy(expr);
  return passes;
}

TEST(Passes, OfRows) {
  EXPECT_EQ(PassesOf("(x) -> { e = exp(x - amax(x)); e / sum(e) }", {{4, 8}}, {{4, 8}}, false), 1);
  EXPECT_GT(PassesOf("(x) -> x - mean(x, axis = all)", {{70000}}, {{70000}}, false), 1);
}

// Nothing is computed of a value whose shape alone is asked for.
TEST(Passes, OfWhatIsRead) {
  EXPECT_EQ(PassesOf("(x, label, y) -> y * extent(amax(x), -2)", {{4, 8}, {4, 1}, {3, 5}}, {{3, 5}}, true), 1);
  // As the gradient of a loss has it. What is gathered from is a pass of its own where it is computed.
  EXPECT_EQ(PassesOf("(x, label, y) -> y * extent(gather(x + 1, label), -2)", {{4, 8}, {4, 1}, {3, 5}}, {{3, 5}}, true),
            1);
  EXPECT_EQ(PassesOf("(x, label) -> gather(x + 1, label)", {{4, 8}, {4, 1}}, {{4, 1}}, true), 2);
}

}  // namespace
}  // namespace rowtest

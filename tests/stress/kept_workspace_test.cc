// The workspaces that plans keep (tileops_context_options.keep_workspace): handles of one text have one each, and what
// finds one in use is refused.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "binary_plan.h"

namespace stress {
namespace {

constexpr int64_t kElements = 1 << 17;  // its sum is of two passes
constexpr int kRounds = 150, kCallers = 2;
const char kText[] = "(a, b) -> a - mean(a, axis = all) + b";

class KeptWorkspace : public testing::Test {
 protected:
  void SetUp() override {
    tileops_context_options options = TILEOPS_CONTEXT_OPTIONS_INIT;
    options.num_threads = 1;
    options.keep_workspace = 1;
    ASSERT_EQ(tileops_context_create(&options, &context_), TILEOPS_STATUS_OK);
    ASSERT_EQ(tileops_expr_parse(kText, std::strlen(kText), &expr_), TILEOPS_STATUS_OK) << tileops_last_error();
  }
  void TearDown() override {
    tileops_expr_destroy(expr_);
    tileops_context_destroy(context_);
  }

  tileops_plan* NewHandle() {
    Operands operands(kElements);
    tileops_plan* plan = nullptr;
    EXPECT_EQ(tileops_plan_create_like_expr(context_, expr_, operands.inputs, 2, operands.outputs, 1, &plan),
              TILEOPS_STATUS_OK)
        << tileops_last_error();
    uint64_t bytes = 0;
    size_t size = sizeof bytes;
    EXPECT_EQ(tileops_plan_query(plan, TILEOPS_PLAN_WORKSPACE_BYTES, &bytes, &size), TILEOPS_STATUS_OK);
    EXPECT_GT(bytes, 0u) << "the test needs a text with a workspace";
    return plan;
  }

  struct Counts {
    std::atomic<int> ready{0}, wrong{0}, refused{0}, right{0};
  };
  // Each thread's values are all its number, so that a result is 0 but for what another one left.
  static void Run(const tileops_plan* plan, int thread, Counts* counts) {
    Operands operands(kElements);
    std::vector<float> a(kElements, static_cast<float>(1 + thread)), b(kElements, 0.0f), y(kElements);
    for (++counts->ready; counts->ready < kCallers;) std::this_thread::yield();
    for (int round = 0; round < kRounds; ++round) {
      const tileops_status status = Execute(plan, &operands, a.data(), b.data(), y.data());
      if (status == TILEOPS_STATUS_OK) ++(y[0] == 0 && y[kElements - 1] == 0 ? counts->right : counts->wrong);
      else if (std::strstr(tileops_last_error(), "workspace: ")) ++counts->refused;
    }
  }
  static void RunAll(const tileops_plan* const* plans, Counts* counts) {
    std::vector<std::thread> threads;
    for (int i = 0; i < kCallers; ++i) threads.emplace_back([=] { Run(plans[i], i, counts); });
    for (std::thread& t : threads) t.join();
  }

  tileops_context* context_ = nullptr;
  tileops_expr* expr_ = nullptr;
};

TEST_F(KeptWorkspace, IsEachHandlesOwn) {
  tileops_plan* plans[kCallers];
  for (tileops_plan*& plan : plans) plan = NewHandle();
  Counts counts;
  RunAll(plans, &counts);
  EXPECT_EQ(counts.right, kCallers * kRounds) << counts.wrong << " wrong, " << counts.refused << " refused";
  for (tileops_plan* plan : plans) tileops_plan_destroy(plan);
}

TEST_F(KeptWorkspace, IsRefusedWhileInUse) {
  tileops_plan* plan = NewHandle();
  const tileops_plan* plans[kCallers] = {plan, plan};
  Counts counts;
  RunAll(plans, &counts);
  EXPECT_EQ(counts.wrong, 0);
  EXPECT_EQ(counts.right + counts.refused, kCallers * kRounds);
  EXPECT_GT(counts.right, 0);
  // Afterwards it is free.
  Counts alone;
  alone.ready = kCallers;
  Run(plan, 0, &alone);
  EXPECT_EQ(alone.right, kRounds);
  tileops_plan_destroy(plan);
}

// Parts of one execute write to it at once, and after them whole executes do.
TEST_F(KeptWorkspace, IsSharedByPartsOfAnExecute) {
  constexpr uint32_t kParts = 4;
  tileops_plan* plan = NewHandle();
  int32_t phases = 0;
  size_t size = sizeof phases;
  ASSERT_EQ(tileops_plan_query(plan, TILEOPS_PLAN_NUM_PASSES, &phases, &size), TILEOPS_STATUS_OK);
  EXPECT_GT(phases, 1);
  Operands operands(kElements);
  std::vector<float> a(kElements), b(kElements, 0.0f), y(kElements);
  operands.a.data = a.data();
  operands.b.data = b.data();
  operands.y.data = y.data();
  tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
  args.num_inputs = 2;
  args.num_outputs = 1;
  args.inputs = operands.inputs;
  args.outputs = operands.outputs;
  for (int round = 1; round <= kRounds; ++round) {
    a.assign(a.size(), static_cast<float>(round));
    y.assign(y.size(), 1.0f);
    std::atomic<int> failed{0};
    for (int32_t phase = 0; phase < phases; ++phase) {
      std::vector<std::thread> threads;
      for (uint32_t part = 0; part < kParts; ++part)
        threads.emplace_back([&, part] {
          failed += tileops_execute_part(plan, &args, static_cast<uint32_t>(phase), part, kParts) != TILEOPS_STATUS_OK;
        });
      for (std::thread& t : threads) t.join();
    }
    ASSERT_EQ(failed.load(), 0);
    ASSERT_EQ(y, b) << "round " << round;
  }
  EXPECT_EQ(tileops_execute_with(plan, &args), TILEOPS_STATUS_OK) << tileops_last_error();
  EXPECT_EQ(y, b);
  tileops_plan_destroy(plan);
}

}  // namespace
}  // namespace stress

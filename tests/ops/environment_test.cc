// TILEOPS_CPU_ISA picks the instruction set of a context, and the option wins over it.
#include <gtest/gtest.h>
#include <tileops/tileops.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "target.h"

namespace optest {
namespace {

std::string KernelOf(tileops_context* context) {
  float x[4] = {1, 2, 3, 4}, y[4] = {};
  int64_t shape[] = {4};
  DLTensor in{x, {kDLCPU, 0}, 1, {kDLFloat, 32, 1}, shape, nullptr, 0};
  DLTensor out{y, {kDLCPU, 0}, 1, {kDLFloat, 32, 1}, shape, nullptr, 0};
  const DLTensor* ins[] = {&in};
  DLTensor* outs[] = {&out};
  tileops_plan* plan = nullptr;
  EXPECT_EQ(tileops_plan_create_like(context, TILEOPS_OP_SQRT, ins, 1, outs, 1, nullptr, 0, &plan), TILEOPS_STATUS_OK)
      << tileops_last_error();
  EXPECT_EQ(tileops_execute(plan, ins, 1, outs, 1, nullptr), TILEOPS_STATUS_OK);
  EXPECT_EQ(y[3], 2.0f);
  char name[256] = {};
  size_t size = sizeof name;
  EXPECT_EQ(tileops_plan_query(plan, TILEOPS_PLAN_KERNEL_NAME, name, &size), TILEOPS_STATUS_OK);
  tileops_plan_destroy(plan);
  return name;
}

bool EndsWith(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// Instruction sets that this build has and this CPU runs.
std::vector<std::string> UsableIsas() {
  std::vector<std::string> usable;
  for (const std::string& isa : CompiledIsas()) {
    tileops_context_options options = TILEOPS_CONTEXT_OPTIONS_INIT;
    options.cpu_isa = isa.c_str();
    tileops_context* context = nullptr;
    if (tileops_context_create(&options, &context) == TILEOPS_STATUS_OK) usable.push_back(isa);
    tileops_context_destroy(context);
  }
  return usable;
}

TEST(Environment, CpuIsa) {
  const std::vector<std::string> usable = UsableIsas();
  ASSERT_FALSE(usable.empty());
  for (const std::string& isa : usable) {
    tileops_context_options options = TILEOPS_CONTEXT_OPTIONS_INIT;
    options.cpu_isa = isa.c_str();
    tileops_context* context = nullptr;
    ASSERT_EQ(tileops_context_create(&options, &context), TILEOPS_STATUS_OK);
    EXPECT_TRUE(EndsWith(KernelOf(context), "@" + isa)) << KernelOf(context);
    tileops_context_destroy(context);

    ASSERT_EQ(setenv("TILEOPS_CPU_ISA", isa.c_str(), 1), 0);
    ASSERT_EQ(tileops_context_create(nullptr, &context), TILEOPS_STATUS_OK);
    EXPECT_TRUE(EndsWith(KernelOf(context), "@" + isa)) << KernelOf(context);
    tileops_context_destroy(context);

    options.cpu_isa = usable.front().c_str();  // an option wins over the environment
    ASSERT_EQ(tileops_context_create(&options, &context), TILEOPS_STATUS_OK);
    EXPECT_TRUE(EndsWith(KernelOf(context), "@" + usable.front())) << KernelOf(context);
    tileops_context_destroy(context);
    unsetenv("TILEOPS_CPU_ISA");
  }
}

TEST(Environment, UnknownIsaInTheEnvironmentIsIgnored) {
  ASSERT_EQ(tileops_log_set([](void*, tileops_log_level, const char*) {}, nullptr, TILEOPS_LOG_WARN),
            TILEOPS_STATUS_OK);
  setenv("TILEOPS_CPU_ISA", "no-such-isa", 1);
  tileops_context* context = nullptr;
  EXPECT_EQ(tileops_context_create(nullptr, &context), TILEOPS_STATUS_OK) << tileops_last_error();
  tileops_context_destroy(context);
  unsetenv("TILEOPS_CPU_ISA");
  tileops_log_set(nullptr, nullptr, TILEOPS_LOG_WARN);

  tileops_context_options options = TILEOPS_CONTEXT_OPTIONS_INIT;
  options.cpu_isa = "no-such-isa";
  EXPECT_EQ(tileops_context_create(&options, &context), TILEOPS_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(context, nullptr);
}

}  // namespace
}  // namespace optest

// Executes in parts, on threads of the caller: the bits of the whole, whatever the number of parts, their order and the
// threads that run them, for every text and every operator, in place as well; and no thread of the library works.
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <filesystem>
#include <numeric>
#include <thread>

#include "../common/small_stack.h"
#include "../ops/placed.h"
#include "execute.h"
#include "operator_calls.h"
#include "over.h"
#include "run.h"
#include "texts.h"

namespace rowtest {
namespace {

using optest::Placed;

// ---- Pools

using Work = std::function<void(uint32_t)>;

void InOrder(uint32_t parts, const Work& work) {
  for (uint32_t p = 0; p < parts; ++p) work(p);
}
void Backwards(uint32_t parts, const Work& work) {
  for (uint32_t p = parts; p-- > 0;) work(p);
}
// Threads that have little stack, as those of musl and fibres, and take the next part when they are free.
void OfSmallThreads(uint32_t parts, const Work& work) {
  struct Shared {
    const Work& work;
    uint32_t parts;
    std::atomic<uint32_t> next{0};
  } shared{work, parts};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
#ifndef TILEOPS_TESTS_TAKE_MORE_STACK
  pthread_attr_setstacksize(&attributes, smallstack::kMuslThread);
#endif
  std::vector<pthread_t> threads(std::min<uint32_t>(parts, 5));
  for (pthread_t& thread : threads) {
    const auto run = [](void* arg) -> void* {
      Shared& s = *static_cast<Shared*>(arg);
      for (uint32_t p; (p = s.next++) < s.parts;) s.work(p);
      return nullptr;
    };
    ASSERT_EQ(pthread_create(&thread, &attributes, run, &shared), 0);
  }
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}
#ifdef _OPENMP
void OfOpenMp(uint32_t parts, const Work& work) {
#pragma omp parallel for num_threads(4) schedule(static)
  for (uint32_t p = 0; p < parts; ++p) work(p);
}
#endif

struct NamedPool {
  const char* name;
  Pool pool;
};
const std::vector<NamedPool>& Pools() {
  static const auto* pools = new std::vector<NamedPool>{{"in order", InOrder},
                                                        {"backwards", Backwards},
#ifdef _OPENMP
                                                        {"OpenMP", OfOpenMp},
#endif
                                                        {"threads of 128 KiB", OfSmallThreads}};
  return *pools;
}

// ---- Bits

int32_t NumberOf(const tileops_plan* plan, tileops_plan_prop prop) {
  int32_t value = -1;
  size_t size = sizeof value;
  EXPECT_EQ(tileops_plan_query(plan, prop, &value, &size), TILEOPS_STATUS_OK);
  return value;
}

class PartsOf : public testing::Test {
 protected:
  void SetUp() override {
    if (Targets().front().device.device_type != kDLCPU) GTEST_SKIP() << "parts are of CPU plans";
  }
};

// More parts than there is work are among them.
constexpr uint32_t kParts[] = {1, 2, 3, 7, 1031};

void ExpectBitsOfTheWhole(const Target& target, const TextRun& run, const std::string& what,
                          const Placement& placement = {}) {
  Outcome outcome;
  const auto execute = [&](const std::function<Outcome(const tileops_plan*, const Placed&)>& call) {
    const Placed placed(target, run.inputs(), run.outputs(), placement);
    const Plan plan = MakePlan(target, run.expr(), placed.inputs(), placed.outputs(), 0, &outcome);
    EXPECT_NE(plan, nullptr) << what << ": " << outcome.why;
    if (plan) outcome = call(plan.get(), placed);
    return plan && outcome.status == TILEOPS_STATUS_OK ? placed.Read(what) : Results{};
  };
  const Results whole = execute([&](const tileops_plan* plan, const Placed& placed) {
    return Execute(target, plan, placed.inputs(), placed.outputs(), run.scalars());
  });
  if (placement.in_place >= 0 && outcome.status == TILEOPS_STATUS_INVALID_ARGUMENT) return;  // it cannot be
  ASSERT_FALSE(whole.empty()) << what << ": " << outcome.why;
  for (const NamedPool& pool : Pools())
    for (const uint32_t parts : kParts) {
      const Results got = execute([&](const tileops_plan* plan, const Placed& placed) {
        return ExecuteInParts(target, plan, placed.inputs(), placed.outputs(), run.scalars(), parts, pool.pool);
      });
      const std::string here = what + " in " + std::to_string(parts) + " parts, " + pool.name;
      ASSERT_EQ(outcome.status, TILEOPS_STATUS_OK) << here << ": " << outcome.why;
      exprtest::ExpectSame(run.outputs(), got, whole, here);
    }
}

// First, so that no other test has made the library's threads.
TEST_F(PartsOf, MakeNoThread) {
  const auto threads = [] {
    const std::filesystem::directory_iterator all("/proc/self/task");
    return std::distance(begin(all), end(all));
  };
  const int64_t shape[] = {1024, 1024};
  std::vector<float> x(1024 * 1024, 1), y(x.size());
  const DLDataType f32{kDLFloat, 32, 1};
  const tileops_tensor_desc tensor{f32, 2, shape, nullptr};
  const TextRun run("(x) -> softmax(x)", {RandomTensor(Dtype::f32, {4, 8}, 1)});
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.device = {kDLCPU, 0};
  desc.expr = run.expr();
  desc.num_inputs = desc.num_outputs = 1;
  desc.inputs = desc.outputs = &tensor;
  tileops_plan* plan = nullptr;
  ASSERT_EQ(tileops_plan_create(nullptr, &desc, &plan), TILEOPS_STATUS_OK) << tileops_last_error();
  const void* const inputs[] = {x.data()};
  void* const outputs[] = {y.data()};
  tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
  args.num_inputs = args.num_outputs = 1;
  args.input_ptrs = inputs;
  args.output_ptrs = outputs;
  const auto before = threads();
  for (uint32_t part = 0; part < 16; ++part)
    EXPECT_EQ(tileops_execute_part(plan, &args, 0, part, 16), TILEOPS_STATUS_OK) << tileops_last_error();
  EXPECT_EQ(threads(), before);
  EXPECT_EQ(y.front(), 1.0f / 1024);
  EXPECT_EQ(y.back(), 1.0f / 1024);
  tileops_plan_destroy(plan);
}

TEST_F(PartsOf, NamedTexts) {
  size_t ran = 0;
  for (const Target& target : Targets())
    for (const RowText& text : RowTexts()) {
      const TextRun run(text.text, RandomOperands(text, 1), text.scalars, ScatteredInto(text));
      if (run.state() != State::runs) continue;
      ExpectBitsOfTheWhole(target, run, text.name + " on " + target.name);
      if (AreAlike(run, 0, 0))
        ExpectBitsOfTheWhole(target, run, text.name + " in place on " + target.name, {{}, {}, 0});
      ++ran;
    }
  EXPECT_GT(ran, 100u);
}

// Enough of them that the library would have threads of its own.
TEST_F(PartsOf, LargeOnes) {
  const Target& target = Targets().front();
  const std::pair<const char*, int> texts[] = {{"(x) -> softmax(x)", 1},
                                               {"(x) -> sum(x, axis = -2)", 1},
                                               {"(x, g) -> g * x, sum(g * x, axis = -2), sum(g, axis = -2)", 2},
                                               {"(x) -> x - mean(x, axis = -2)", 1},
                                               {"(x) -> cumsum(x, axis = -2)", 1},
                                               {"(x, y) -> exp(x) * sin(y) + x", 2},
                                               {"(x) -> sum(x, axis = all)", 1},
                                               {"(x) -> cast(x, e2m1fn)", 1}};
  for (const auto& [text, operands] : texts)
    for (const Shape& shape : {Shape{517, 1000}, Shape{4, 150000}, Shape{60000, 2}}) {
      std::vector<Tensor> in;
      for (int i = 0; i < operands; ++i) in.push_back(RandomTensor(Dtype::f32, shape, static_cast<uint64_t>(i + 1)));
      const TextRun run(text, in);
      ASSERT_EQ(run.state(), State::runs) << text << ": " << run.why();
      ExpectBitsOfTheWhole(target, run, text);
    }
}

TEST_F(PartsOf, Operators) {
  size_t made = 0;
  for (const optest::OpRow& row : optest::OpRows())
    for (const optest::Dt dtype : {optest::Dt::kF32, optest::Dt::kBF16, optest::Dt::kI64}) {
      if (!row.Accepts(dtype)) continue;
      const optest::Call call = CallOf(row, dtype);
      if (call.outputs.empty()) continue;
      for (const Layout layout : {Layout::kDense, Layout::kStrided}) {
        const std::string what = row.name + " of " + optest::Info(dtype).name;
        const auto execute = [&](uint32_t parts, const Pool& pool) {
          const Target& target = Targets().front();
          const Placed placed(target, call.inputs, call.outputs, optest::All(layout, layout));
          tileops_plan* made_plan = nullptr;
          tileops_plan_create_like(target.context, tileops_op_from_name(row.name.c_str()), placed.inputs().data(),
                                   placed.inputs().size(), placed.outputs().data(), placed.outputs().size(), nullptr, 0,
                                   &made_plan);
          const Plan plan(made_plan);
          if (!plan) return Results{};
          const Outcome outcome = parts ? ExecuteInParts(target, plan.get(), placed.inputs(), placed.outputs(), {},
                                                         parts, pool)
                                        : Execute(target, plan.get(), placed.inputs(), placed.outputs(), {});
          EXPECT_EQ(outcome.status, TILEOPS_STATUS_OK) << what << ": " << outcome.why;
          return placed.Read(what);
        };
        const Results whole = execute(0, {});
        if (whole.empty()) continue;
        ++made;
        for (const uint32_t parts : kParts) exprtest::ExpectSame(call.outputs, execute(parts, Backwards), whole, what);
      }
    }
  EXPECT_GT(made, 300u);
}

// ---- Numbers of parts, and workspaces that plans keep

TEST_F(PartsOf, AsManyAsAreWorthIt) {
  const Target& target = Targets().front();
  const auto parts = [&](const char* text, const Shape& shape) {
    const TextRun run(text, {RandomTensor(Dtype::f32, shape, 1)});
    const Placed placed(target, run.inputs(), run.outputs(), {});
    Outcome outcome;
    const Plan plan = MakePlan(target, run.expr(), placed.inputs(), placed.outputs(), 0, &outcome);
    return plan ? NumberOf(plan.get(), TILEOPS_PLAN_NUM_PARTS) : -1;
  };
  for (const char* text : {"(x) -> exp(x) + x", "(x) -> softmax(x)", "(x) -> sum(x, axis = -2)"}) {
    EXPECT_EQ(parts(text, {1, 4096}), 1) << text;
    EXPECT_EQ(parts(text, {15, 4096}), 1) << text;
    EXPECT_GE(parts(text, {64, 4096}), 4) << text;
    EXPECT_LE(parts(text, {64, 4096}), 8) << text;
    EXPECT_EQ(parts(text, {0, 4096}), 1) << text;
  }
}

TEST_F(PartsOf, ShareTheWorkspaceThatAPlanKeeps) {
  tileops_context_options options = TILEOPS_CONTEXT_OPTIONS_INIT;
  options.keep_workspace = 1;
  Target target = Targets().front();
  ASSERT_EQ(tileops_context_create(&options, &target.context), TILEOPS_STATUS_OK);
  const TextRun run("(x) -> x / sum(x) / sum(x, axis = -2)", {RandomTensor(Dtype::f32, {517, 1000}, 1, 2)});
  const Placed placed(target, run.inputs(), run.outputs(), {});
  Outcome outcome;
  const Plan plan = MakePlan(target, run.expr(), placed.inputs(), placed.outputs(), 0, &outcome);
  ASSERT_NE(plan, nullptr) << outcome.why;
  ASSERT_GT(WorkspaceBytes(plan.get()), 0u);
  tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
  args.num_inputs = args.num_outputs = 1;
  args.inputs = placed.inputs().data();
  args.outputs = placed.outputs().data();
  const uint32_t phases = static_cast<uint32_t>(NumberOf(plan.get(), TILEOPS_PLAN_NUM_PASSES));
  for (uint32_t phase = 0; phase < phases; ++phase)
    OfSmallThreads(8, [&](uint32_t part) {
      EXPECT_EQ(tileops_execute_part(plan.get(), &args, phase, part, 8), TILEOPS_STATUS_OK) << tileops_last_error();
    });
  const Results inParts = placed.Read("in parts");
  EXPECT_EQ(tileops_execute_with(plan.get(), &args), TILEOPS_STATUS_OK) << tileops_last_error();
  exprtest::ExpectSame(run.outputs(), inParts, placed.Read("whole"), "a kept workspace");
  tileops_context_destroy(target.context);
}

}  // namespace
}  // namespace rowtest

// No call takes more of its thread's stack than tileops.h says, so that threads may have small ones: of parsing,
// planning, executing and differentiating each named text, of each operator, and of texts as deeply nested as texts may
// be.
#include <gtest/gtest.h>

#include <functional>

#include "../common/small_stack.h"
#include "../ops/placed.h"
#include "execute.h"
#include "expr/parse/named.h"
#include "operator_calls.h"
#include "run.h"
#include "texts.h"

namespace rowtest {
namespace {

constexpr size_t kMost = size_t{64} << 10;

class StackOf : public testing::Test {
 protected:
  void SetUp() override {
#ifdef TILEOPS_TESTS_TAKE_MORE_STACK
    GTEST_SKIP() << "built without optimisation or with sanitizers, which take more of the stack";
#endif
    if (Targets().front().device.device_type != kDLCPU)
      GTEST_SKIP() << "the driver and the compiler take of the stack what they need (tileops.h, THREADS 11)";
  }
  // Nothing fails that has not failed elsewhere: a call that is refused shows the way of an error.
  void Expect(const std::string& what, const std::function<void()>& call) {
    const size_t taken = smallstack::TakenBy(&stack_, call);
    EXPECT_LE(taken, kMost) << what;
    EXPECT_GT(taken, 0u) << what << ": no thread";
    most_ = std::max(most_, taken);
  }
  void TearDown() override { RecordProperty("most_bytes", static_cast<int>(most_)); }

  void ExpectOperators(const Target& target);

  // Of what a plan can be asked.
  void ExpectQueries(const std::string& what, const tileops_plan* plan) {
    Expect(what + ": query", [&] {
      for (int prop = TILEOPS_PLAN_BYTES_MOVED; prop <= TILEOPS_PLAN_NUM_PARTS; ++prop) {
        char text[256];
        size_t size = sizeof text;
        tileops_plan_query(plan, static_cast<tileops_plan_prop>(prop), text, &size);
      }
    });
  }

 private:
  smallstack::Stack stack_{size_t{512} << 10};  // so that too much is a failed test, and no crash
  size_t most_ = 0;
};

using Placed = optest::Placed;

tileops_tensor_desc DescOf(const DLTensor* t) {
  return t ? tileops_tensor_desc{t->dtype, t->ndim, t->shape, t->strides} : tileops_tensor_desc{};
}

TEST_F(StackOf, NamedTexts) {
  const Target& target = Targets().front();
  for (const RowText& text : RowTexts()) {
    const TextRun run(text.text, RandomOperands(text, 1), text.scalars, ScatteredInto(text));
    if (run.state() != State::runs) continue;
    const Placed placed(target, run.inputs(), run.outputs(), {});
    tileops_expr *expr = nullptr, *gradient = nullptr;
    Expect(text.name + ": parse", [&] { tileops_expr_parse(text.text.data(), text.text.size(), &expr); });
    Expect(text.name + ": infer", [&] {
      tileops_tensor_desc in[TILEOPS_MAX_EXPR_INPUTS];
      tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
      for (const DLTensor* t : placed.inputs()) in[desc.num_inputs++] = DescOf(t);
      desc.inputs = in;
      desc.expr = expr;
      desc.device = target.device;
      DLDataType dtype;
      int32_t ndim;
      int64_t shape[TILEOPS_MAX_NDIM];
      tileops_plan_infer(&desc, 0, &dtype, &ndim, shape);
    });
    Plan plan;
    Outcome outcome;
    Expect(text.name + ": plan",
           [&] { plan = MakePlan(target, expr, placed.inputs(), placed.outputs(), 0, &outcome); });
    ASSERT_NE(plan, nullptr) << text.name << ": " << outcome.why;
    ExpectQueries(text.name, plan.get());
    for (const Target& isa : Targets()) {
      plan = MakePlan(isa, expr, placed.inputs(), placed.outputs(), 0, &outcome);
      Expect(text.name + ": execute on " + isa.name,
             [&] { outcome = Execute(isa, plan.get(), placed.inputs(), placed.outputs(), run.scalars()); });
      EXPECT_EQ(outcome.status, TILEOPS_STATUS_OK) << text.name << ": " << outcome.why;
    }
    const int32_t first = 0;
    Expect(text.name + ": gradient", [&] { tileops_expr_gradient(expr, &first, 1, &gradient); });
    tileops_expr_destroy(gradient);
    tileops_expr_destroy(expr);
  }
}

// As many threads as there are: the caller takes a part of the work.
TEST_F(StackOf, LargeRows) {
  const Target& target = Targets().front();
  for (const char* text : {"(x) -> softmax(x)", "(x) -> x - mean(x, axis = -2)", "(x) -> cumsum(x)",
                           "(x) -> exp(x) * sin(x)", "(x) -> sum(x, axis = all)"}) {
    for (const Shape& shape : {Shape{512, 1000}, Shape{4, 200000}}) {
      const TextRun run(text, {RandomTensor(Dtype::f32, shape, 1)});
      if (run.state() != State::runs) continue;
      const Placed placed(target, run.inputs(), run.outputs(), {});
      Outcome outcome;
      const Plan plan = MakePlan(target, run.expr(), placed.inputs(), placed.outputs(), 0, &outcome);
      ASSERT_NE(plan, nullptr) << text << ": " << outcome.why;
      Expect(text, [&] { outcome = Execute(target, plan.get(), placed.inputs(), placed.outputs(), {}); });
      EXPECT_EQ(outcome.status, TILEOPS_STATUS_OK) << text << ": " << outcome.why;
    }
  }
}

TEST_F(StackOf, Operators) {
  for (const Target& target : Targets()) ExpectOperators(target);
}

void StackOf::ExpectOperators(const Target& target) {
  size_t made = 0;
  for (const optest::OpRow& row : optest::OpRows()) {
    for (const optest::Dt dtype : {optest::Dt::kF32, optest::Dt::kBF16, optest::Dt::kF64, optest::Dt::kI64}) {
      if (!row.Accepts(dtype)) continue;
      const optest::Call call = CallOf(row, dtype);
      for (const Layout layout : {Layout::kDense, Layout::kStrided, Layout::kReversed}) {
        if (call.outputs.empty()) continue;
        const Placed placed(target, call.inputs, call.outputs, optest::All(layout, layout));
        tileops_plan* plan = nullptr;
        const std::string what = row.name + " of " + optest::Info(dtype).name + " on " + target.name;
        Expect(what + ": plan", [&] {
          tileops_plan_create_like(target.context, tileops_op_from_name(row.name.c_str()), placed.inputs().data(),
                                   placed.inputs().size(), placed.outputs().data(), placed.outputs().size(), nullptr, 0,
                                   &plan);
        });
        if (!plan) continue;
        ++made;
        Expect(what + ": execute", [&] {
          tileops_execute(plan, placed.inputs().data(), placed.inputs().size(), placed.outputs().data(),
                          placed.outputs().size(), nullptr);
        });
        tileops_plan_destroy(plan);
      }
    }
  }
  EXPECT_GT(made, 400u);
}

std::string Nested(const std::string& open, const std::string& close, int depth) {
  std::string text = "(x) -> ";
  for (int i = 0; i < depth; ++i) text += open;
  text += "x";
  for (int i = 0; i < depth; ++i) text += close;
  return text;
}

TEST_F(StackOf, NestedTexts) {
  const Target& target = Targets().front();
  const std::pair<const char*, const char*> kinds[] = {{"exp(", ")"},
                                                       {"(", ")"},
                                                       {"-", ""},
                                                       {"(x + ", ")"},
                                                       {"x ** (", ")"},
                                                       {"~(", ")"},
                                                       {"where(x > 0, x, ", ")"},
                                                       {"softmax(", ")"},
                                                       {"sum(x, axis = ", ")"},
                                                       {"(x < ", ")"},
                                                       {"(x & ", ")"}};
  for (const auto& [open, close] : kinds) {
    for (const int depth : {20, 60, 95, 200, 5000}) {
      const std::string text = Nested(open, close, depth), what = text.substr(0, 60) + " " + std::to_string(depth);
      tileops_expr *expr = nullptr, *gradient = nullptr;
      Expect(what + ": parse", [&] { tileops_expr_parse(text.data(), text.size(), &expr); });
      if (!expr) continue;
      const int32_t first = 0;
      Expect(what + ": gradient", [&] { tileops_expr_gradient(expr, &first, 1, &gradient); });
      for (tileops_expr* e : {expr, gradient}) {
        if (!e) continue;
        const TextRun run(e, {RandomTensor(Dtype::f32, {2, 8}, 1), RandomTensor(Dtype::f32, {2, 8}, 1)});
        if (run.state() != State::runs) continue;
        const Placed placed(target, run.inputs(), run.outputs(), {});
        Plan plan;
        Outcome outcome;
        Expect(what + ": plan",
               [&] { plan = MakePlan(target, run.expr(), placed.inputs(), placed.outputs(), 0, &outcome); });
        if (!plan) continue;
        Expect(what + ": execute",
               [&] { outcome = Execute(target, plan.get(), placed.inputs(), placed.outputs(), {}); });
      }
    }
  }
}

// Not counted, but done: by a thread that has little more than that.
TEST_F(StackOf, ThreadsOf128KiB) {
  const Target& target = Targets().front();
  smallstack::Stack stack(smallstack::kMuslThread);
  size_t ran = 0;
  for (const RowText& text : RowTexts()) {
    const TextRun run(text.text, RandomOperands(text, 1), text.scalars, ScatteredInto(text));
    if (run.state() != State::runs) continue;
    const Placed placed(target, run.inputs(), run.outputs(), {});
    Outcome outcome{TILEOPS_STATUS_INTERNAL, "no thread"};
    stack.Run([&] {
      tileops_expr* expr = nullptr;
      tileops_expr_parse(text.text.data(), text.text.size(), &expr);
      const Plan plan = MakePlan(target, expr, placed.inputs(), placed.outputs(), TILEOPS_PLAN_NO_CACHE, &outcome);
      if (plan) outcome = Execute(target, plan.get(), placed.inputs(), placed.outputs(), run.scalars());
      tileops_expr_destroy(expr);
    });
    EXPECT_EQ(outcome.status, TILEOPS_STATUS_OK) << text.name << ": " << outcome.why;
    ++ran;
  }
  EXPECT_GT(ran, 100u);
}

}  // namespace
}  // namespace rowtest

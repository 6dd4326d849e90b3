// Open extents: one plan for any of them, with the bits of a plan for each. Every text and random ones, each axis that
// may be open, extents that rise and fall; and what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>

#include "../ops/placed.h"
#include "execute.h"
#include "open_plan.h"
#include "random_text.h"
#include "run.h"
#include "texts.h"

namespace rowtest {
namespace {

using optest::Placed;

// What a text is called on where these axes have so many elements.
using Make = std::function<std::vector<Tensor>(int64_t extent)>;

struct TriedOpen {
  size_t plans = 0, executes = 0;
  std::map<std::string, size_t> refused;  // by what the library says
};

// One open plan against a plan for each of the extents.
void ExpectBitsOfClosedPlans(const Target& target, const std::string& text,
                             const std::map<std::string, tileops::expr::Number>& scalars, const Make& make,
                             const OpenAxes& axes, const std::vector<int64_t>& extents, const std::string& what,
                             TriedOpen* tried) {
  Plan open;
  for (const int64_t extent : extents) {
    const TextRun run(text, make(extent), scalars);
    if (run.state() != State::runs) continue;
    const std::string here = what + " at " + std::to_string(extent);
    Outcome outcome;
    const Placed placed(target, run.inputs(), run.outputs(), {});
    if (!open) {
      open = OpenPlan(target, run, placed, axes, 0, &outcome);
      if (!open) {
        ASSERT_TRUE(outcome.status == TILEOPS_STATUS_UNSUPPORTED || outcome.status == TILEOPS_STATUS_INVALID_ARGUMENT)
            << here << ": " << outcome.why;
        ++tried->refused[outcome.why.substr(0, outcome.why.find('\n'))];
        return;
      }
      ++tried->plans;
    }
    outcome = Execute(target, open.get(), placed.inputs(), placed.outputs(), run.scalars());
    ASSERT_EQ(outcome.status, TILEOPS_STATUS_OK) << here << ": " << outcome.why;
    const Results got = placed.Read(here), want = run.On(target, {}, TILEOPS_PLAN_NO_CACHE);
    ASSERT_FALSE(want.empty()) << here;
    exprtest::ExpectSame(run.outputs(), got, want, here);
    if (testing::Test::HasFailure()) return;
    ++tried->executes;
  }
}

// In parts, which a machine with many cores runs side by side: on a GPU each way is compiled.
class OpenPlans : public testing::TestWithParam<size_t> {
 protected:
  static constexpr size_t kParts = 16;
  bool IsOfPart(size_t i) const { return i % kParts == GetParam(); }
  void Report(const TriedOpen& tried) {
    std::cout << tried.plans << " open plans, " << tried.executes << " executes; refused:\n";
    for (const auto& [why, count] : tried.refused) std::cout << "  " << count << " " << why << "\n";
  }
};
INSTANTIATE_TEST_SUITE_P(Parts, OpenPlans, testing::Range<size_t>(0, 16));

// Extents that rise and fall; of CUDA in every way of rows.
std::vector<int64_t> RisesAndFalls(const Target& target) {
  std::vector<int64_t> extents = {7, 131, 3, 1, 0, 64, 65, 131};
  if (target.device.device_type != kDLCPU) extents.insert(extents.end(), {700, 5000, 132});
  return extents;
}

TEST_P(OpenPlans, NamedTextsHaveTheBitsOfClosedOnes) {
  TriedOpen tried;
  const Target& target = Targets().front();
  size_t number = 0;
  for (const RowText& text : RowTexts()) {
    if (!IsOfPart(number++) || !ScatteredInto(text).empty()) continue;
    const std::vector<Tensor> usual = RandomOperands(text, 1);
    if (usual.empty()) continue;
    const std::vector<Shape> shapes = ShapesOf(usual);
    for (size_t axis = 0; axis < shapes[0].size(); ++axis) {
      const OpenAxes axes = AlikeAxes(shapes, 0, axis);
      if (axes[0].empty()) continue;
      const Make make = [&](int64_t extent) {
        RowText resized = text;
        const std::vector<Shape> at = ShapesAt(shapes, axes, extent);
        for (size_t i = 0; i < at.size(); ++i) resized.operands[i].shape = at[i];
        return RandomOperands(resized, static_cast<uint64_t>(extent) + 1);
      };
      const std::string what = text.name + ", axis " + std::to_string(axis);
      std::vector<int64_t> extents = RisesAndFalls(target);
      // The order along another axis is that of columns, which shows where no low parts come along (docs/numerics.md).
      if (text.name == "logsumexp_axes" && axis + 1 == shapes[0].size()) {
        extents.erase(std::remove(extents.begin(), extents.end(), 1), extents.end());
        std::cout << what << ": not at 1, where a closed plan has the order of rows\n";
      }
      ExpectBitsOfClosedPlans(target, text.text, text.scalars, make, axes, extents, what, &tried);
      if (HasFailure()) return;
    }
  }
  Report(tried);
  EXPECT_GT(tried.plans, 5u);
}

TEST_P(OpenPlans, RandomTextsHaveTheBitsOfClosedOnes) {
  const bool is_long = std::getenv("TILEOPS_TEST_LONG") != nullptr;
  TriedOpen tried;
  const Target& target = Targets().front();
  for (uint64_t seed = 1; seed <= (is_long ? 2000 : 120); ++seed) {
    if (!IsOfPart(seed)) continue;
    const RandomText made = MakeRandomText(seed);
    if (made.operands.empty()) continue;
    const std::vector<Shape> shapes = ShapesOf(made.operands);
    for (size_t axis = 0; axis < shapes[0].size(); ++axis) {
      const OpenAxes axes = AlikeAxes(shapes, 0, axis);
      if (axes[0].empty()) continue;
      const Make make = [&](int64_t extent) {
        const std::vector<Shape> at = ShapesAt(shapes, axes, extent);
        std::vector<Tensor> operands;
        for (size_t i = 0; i < at.size(); ++i)
          operands.push_back(
              RandomTensor(made.operands[i].dtype, at[i], seed + static_cast<uint64_t>(extent) * 31 + i));
        return operands;
      };
      ExpectBitsOfClosedPlans(target, made.text, {}, make, axes, {5, 70, 1, 0, 33, 300}, Described(made), &tried);
      if (HasFailure()) return;
    }
  }
  Report(tried);
  EXPECT_GT(tried.plans, 0u);
}

// Lengths that many threads share, from a plan that knows none of them.
TEST(OpenExtents, OfLongReductionsHaveTheBitsOfClosedPlans) {
  TriedOpen tried;
  const auto try_all = [&](const char* text, const Shape& shape, int axis, Dtype dtype = Dtype::f32) {
    const Make make = [&](int64_t extent) {
      return std::vector<Tensor>{RandomTensor(dtype, ShapesAt({shape}, {{axis}}, extent)[0], 3)};
    };
    ExpectBitsOfClosedPlans(Targets().front(), text, {}, make, {{axis}}, {1, 70001, 0, 4096, 4097, 131072, 5}, text,
                            &tried);
  };
  for (const char* text : {"(x) -> sum(x * x, axis = all)", "(x) -> mean(x, axis = all), amax(x, axis = all)",
                           "(x) -> { e = exp(x - amax(x)); e / sum(e) }", "(x) -> sum(x > 0, axis = all)"}) {
    try_all(text, {1}, 0);
    try_all(text, {3, 1}, 1);
    try_all(text, {1, 2}, 0);
  }
  try_all("(x) -> sum(x, axis = -2), amax(x, axis = -2), logsumexp(x, axis = -2)", {1, 3}, 0);
  try_all("(x) -> sum(x, axis = -2), amin(x, axis = -2)", {1, 40}, 0);
  // Numbers of 64 bits, each of whose parts is left as two: high and low parts of floats, sums of halves of integers.
  for (const char* text : {"(x) -> sum(x, axis = all), mean(x, axis = all)", "(x) -> mean(x), x - mean(x)"})
    for (const Dtype dtype : {Dtype::f64, Dtype::i64}) try_all(text, {2, 1}, 1, dtype);
  try_all("(x) -> var(x, axis = all), prod(x * 0.5, axis = all)", {1}, 0, Dtype::f64);
  EXPECT_EQ(tried.plans, 19u);
}

// ---- What is refused

struct NormCall {
  std::vector<int64_t> x{4, 8}, w{8}, y{4, 8};
  std::vector<float> memory = std::vector<float>(4096);
  DLTensor in[2], out;

  const DLTensor* inputs[2] = {&in[0], &in[1]};
  DLTensor* outputs[1] = {&out};

  static DLTensor Of(std::vector<int64_t>& shape, float* data) {
    return {data, {kDLCPU, 0}, static_cast<int32_t>(shape.size()), {kDLFloat, 32, 1}, shape.data(), nullptr, 0};
  }
  std::string Execute(const tileops_plan* plan, const std::function<void(tileops_execute_args*)>& change = {}) {
    in[0] = Of(x, memory.data());
    in[1] = Of(w, memory.data() + 1024);
    out = Of(y, memory.data() + 2048);
    tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
    args.inputs = inputs;
    args.num_inputs = 2;
    args.outputs = outputs;
    args.num_outputs = 1;
    if (change) change(&args);
    return tileops_execute_with(plan, &args) == TILEOPS_STATUS_OK ? "" : tileops_last_error();
  }
};

// (x, w) -> rms_norm(x, w) of (open, 8), or another text whose result has that shape, or the one given.
Plan NormPlan(int64_t open, tileops_status* status = nullptr, const std::string& text = "(x, w) -> rms_norm(x, w)",
              const tileops_tensor_desc* result = nullptr) {
  const TextRun run(text, {RandomTensor(Dtype::f32, {4, 8}, 1), RandomTensor(Dtype::f32, {8}, 2)});
  const int64_t shape[] = {open, 8}, w[] = {8};
  const DLDataType f32{kDLFloat, 32, 1};
  const tileops_tensor_desc in[] = {{f32, 2, shape, nullptr}, {f32, 1, w, nullptr}};
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.device = {kDLCPU, 0};
  desc.expr = run.expr();
  desc.num_inputs = 2;
  desc.inputs = in;
  desc.outputs = result ? result : in;
  desc.num_outputs = 1;
  tileops_plan* plan = nullptr;
  const tileops_status got = tileops_plan_create(nullptr, &desc, &plan);
  if (status) *status = got;
  return Plan(plan);
}

TEST(OpenExtents, SayWhatTheyAre) {
  const Plan plan = NormPlan(TILEOPS_UP_TO(1000));
  ASSERT_NE(plan, nullptr) << tileops_last_error();
  int32_t input = -1, axis = -1, ndim = 0;
  int64_t most = 0, shape[TILEOPS_MAX_NDIM];
  EXPECT_EQ(tileops_plan_extent(plan.get(), 0, &input, &axis, &most), TILEOPS_STATUS_OK);
  EXPECT_EQ(input, 0);
  EXPECT_EQ(axis, 0);
  EXPECT_EQ(most, 1000);
  EXPECT_EQ(tileops_plan_extent(plan.get(), 1, nullptr, nullptr, nullptr), TILEOPS_STATUS_INVALID_ARGUMENT);
  const int64_t seven = 7, many = 1001;
  tileops_plan_facts facts = TILEOPS_PLAN_FACTS_INIT;
  EXPECT_EQ(tileops_plan_at(plan.get(), &seven, 1, &facts), TILEOPS_STATUS_OK);
  EXPECT_EQ(facts.bytes_moved, 4u * (7 * 8 * 2 + 8));
  EXPECT_EQ(facts.phases, 1u);
  EXPECT_EQ(facts.parts, 1u);
  EXPECT_EQ(facts.workspace_bytes, 0u);
  EXPECT_EQ(tileops_plan_at(plan.get(), &many, 1, &facts), TILEOPS_STATUS_INVALID_ARGUMENT);
  EXPECT_STREQ(tileops_last_error(), "tileops_plan_at: extents[0]: is too large (got 1001, need at most 1000)");
  DLDataType dtype;
  EXPECT_EQ(tileops_plan_result(plan.get(), &seven, 1, 0, &dtype, &ndim, shape), TILEOPS_STATUS_OK);
  EXPECT_EQ(ndim, 2);
  EXPECT_EQ(shape[0], 7);
  EXPECT_EQ(shape[1], 8);
}

TEST(OpenExtents, RefuseOtherTensors) {
  const Plan plan = NormPlan(TILEOPS_UP_TO(100));
  ASSERT_NE(plan, nullptr) << tileops_last_error();
  const std::string f = "tileops_execute_with: ";
  NormCall call;
  EXPECT_EQ(call.Execute(plan.get()), "");
  call.y = {3, 8};
  EXPECT_EQ(call.Execute(plan.get()),
            f + "outputs[0]: extent 0 differs from that of inputs[0] (got 3, need 4: both are the plan's extent 0)");
  call.y = {4, 8};
  call.x = {101, 8};
  EXPECT_EQ(call.Execute(plan.get()), f + "inputs[0]: extent 0 is out of range (got 101, need 0 to 100)");
  call.x = {4, 7};
  EXPECT_EQ(call.Execute(plan.get()), f + "inputs[0]: shape differs from the plan (got (4, 7), need (4, 8))");
  call.x = {4, 8};
  const int64_t five = 5, four = 4;
  const auto with = [](const int64_t* extents, uint32_t count) {
    return [extents, count](tileops_execute_args* args) { args->extents = extents, args->num_extents = count; };
  };
  EXPECT_EQ(call.Execute(plan.get(), with(&four, 1)), "");
  EXPECT_EQ(call.Execute(plan.get(), with(&five, 1)),
            f + "inputs[0]: extent 0 differs from extents[0] (got 4, need 5)");
  EXPECT_EQ(call.Execute(plan.get(), with(&four, 2)), f + "num_extents: differs from the plan (got 2, need 1)");
  EXPECT_EQ(call.Execute(plan.get(), with(nullptr, 1)), f + "extents: is NULL (num_extents is 1)");
  const void* in[] = {call.memory.data(), call.memory.data() + 1024};
  void* out[] = {call.memory.data() + 2048};
  const auto addresses = [&](const int64_t* extents) {
    return [&, extents](tileops_execute_args* args) {
      args->inputs = nullptr, args->outputs = nullptr;
      args->input_ptrs = in, args->output_ptrs = out;
      args->extents = extents, args->num_extents = extents ? 1 : 0;
    };
  };
  EXPECT_EQ(call.Execute(plan.get(), addresses(&four)), "");
  EXPECT_EQ(call.Execute(plan.get(), addresses(nullptr)), f + "extents: is NULL (the plan has 1)");
}

TEST(OpenExtents, RefuseOtherShapes) {
  tileops_status status;
  EXPECT_EQ(NormPlan(-2, &status), nullptr);
  EXPECT_EQ(status, TILEOPS_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(std::string(tileops_last_error()),
            "tileops_plan_create: inputs[0]: shape[0] is negative (got -2; TILEOPS_OPEN is -1)");
  EXPECT_EQ(NormPlan(TILEOPS_UP_TO(0), &status), nullptr);
  EXPECT_EQ(status, TILEOPS_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(
      std::string(tileops_last_error()),
      "tileops_plan_create: inputs[0]: shape[0] is negative (got -9223372036854775808, which is TILEOPS_UP_TO(0), of "
      "which at least 1 is needed)");
  EXPECT_EQ(NormPlan(TILEOPS_OPEN, &status, "(x[2 * m, n], w[n]) -> x * w"), nullptr);
  EXPECT_EQ(status, TILEOPS_STATUS_UNSUPPORTED);
  EXPECT_EQ(std::string(tileops_last_error()),
            "tileops_plan_create: inputs[0]: extent 0 is open, and this text needs its number");
}

// Tokens of any number into a cache of a fixed length: an execute writes where it says, and nowhere else.
TEST(OpenExtents, ScatterAnyNumberOfTokens) {
  const char text[] = "(v, slot) -> scatter(v, slot, axis = -2)";
  tileops_expr* expr = nullptr;
  ASSERT_EQ(tileops_expr_parse(text, sizeof text - 1, &expr), TILEOPS_STATUS_OK);
  const int64_t values[] = {TILEOPS_OPEN, 4}, slots[] = {TILEOPS_OPEN, 1}, cache[] = {10, 4};
  const DLDataType f32{kDLFloat, 32, 1}, i64{kDLInt, 64, 1};
  const tileops_tensor_desc in[] = {{f32, 2, values, nullptr}, {i64, 2, slots, nullptr}}, out{f32, 2, cache, nullptr};
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.expr = expr;
  desc.num_inputs = 2;
  desc.num_outputs = 1;
  desc.inputs = in;
  desc.outputs = &out;
  tileops_plan* made = nullptr;
  const tileops_status status = tileops_plan_create(nullptr, &desc, &made);
  tileops_expr_destroy(expr);
  const Plan plan(made);
  ASSERT_EQ(status, TILEOPS_STATUS_OK) << tileops_last_error();
  const std::vector<int64_t> to = {7, 2, -1, 9, 0, 1, 3, 4, 5, 6};
  std::vector<float> v(40), y(40);
  for (size_t i = 0; i < v.size(); ++i) v[i] = static_cast<float>(i + 1);
  for (const int64_t tokens : {3, 10, 0, 1, 7}) {
    y.assign(40, -1);
    const void* inputs[] = {v.data(), to.data()};
    void* outputs[] = {y.data()};
    tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
    args.num_inputs = 2;
    args.num_outputs = 1;
    args.input_ptrs = inputs;
    args.output_ptrs = outputs;
    args.extents = &tokens;
    args.num_extents = 1;
    ASSERT_EQ(tileops_execute_with(plan.get(), &args), TILEOPS_STATUS_OK) << tileops_last_error();
    std::vector<float> want(40, -1);
    for (size_t t = 0; t < static_cast<size_t>(tokens); ++t)
      for (size_t d = 0; to[t] >= 0 && d < 4; ++d) want[static_cast<size_t>(to[t]) * 4 + d] = v[t * 4 + d];
    EXPECT_EQ(y, want) << tokens << " tokens";
  }
}

// As a plan of no rows does.
TEST(OpenExtents, RefuseThePlaceOfTheLargestOfNone) {
  const int64_t shape[] = {1, 8};
  const tileops_tensor_desc result{{kDLInt, 64, 1}, 2, shape, nullptr};
  const Plan plan = NormPlan(TILEOPS_OPEN, nullptr, "(x, w) -> argmax(x * w, axis = -2)", &result);
  ASSERT_NE(plan, nullptr) << tileops_last_error();
  NormCall call;
  const auto of_result = [&](tileops_execute_args*) { call.out.dtype = result.dtype; };
  call.y = {1, 8};
  EXPECT_EQ(call.Execute(plan.get(), of_result), "");
  call.x = {0, 8};
  EXPECT_EQ(
      call.Execute(plan.get(), of_result),
      "tileops_execute_with: inputs[0]: extent 0 is 0, and the place of the largest or smallest of no elements is "
      "asked for");
}

}  // namespace
}  // namespace rowtest

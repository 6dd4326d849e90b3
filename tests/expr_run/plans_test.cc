// Plans of expressions: scalars of an execute, the plan cache, threads, instruction sets.
#include <cmath>
#include <cstring>
#include <thread>

#include "program.h"

namespace exprtest {
namespace {

// y = x * s + t, in f32, on n elements.
class Plan {
 public:
  Plan(tileops_context* context, const std::string& text, std::vector<float> x, uint32_t flags = 0)
      : expr_(text), x_(std::move(x)), n_(static_cast<int64_t>(x_.size())) {
    const tileops_tensor_desc t{Info(Dt::kF32).dl, 1, &n_, nullptr};
    tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
    desc.expr = expr_.get();
    desc.num_inputs = desc.num_outputs = 1;
    desc.inputs = desc.outputs = &t;
    desc.flags = flags;
    EXPECT_EQ(tileops_plan_create(context, &desc, &plan_), TILEOPS_STATUS_OK) << tileops_last_error();
  }
  Plan(const Plan&) = delete;
  ~Plan() { tileops_plan_destroy(plan_); }

  tileops_status Execute(const std::vector<tileops_number>& scalars, std::vector<float>* y) const {
    y->resize(x_.size());
    int64_t shape[] = {n_};
    DLTensor in{const_cast<float*>(x_.data()), {kDLCPU, 0}, 1, Info(Dt::kF32).dl, shape, nullptr, 0}, out = in;
    out.data = y->data();
    const DLTensor* ins[] = {&in};
    DLTensor* outs[] = {&out};
    tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
    args.inputs = ins;
    args.outputs = outs;
    return Execute(scalars, args);
  }
  // The same by addresses alone.
  tileops_status ExecuteAt(const std::vector<tileops_number>& scalars, std::vector<float>* y) const {
    y->resize(x_.size());
    const void* ins[] = {x_.data()};
    void* outs[] = {y->data()};
    tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
    args.input_ptrs = ins;
    args.output_ptrs = outs;
    return Execute(scalars, args);
  }
  tileops_plan* get() const { return plan_; }

 private:
  // Operands are in `args`.
  tileops_status Execute(const std::vector<tileops_number>& scalars, tileops_execute_args args) const {
    args.num_inputs = args.num_outputs = 1;
    args.scalars = scalars.data();
    args.num_scalars = static_cast<uint32_t>(scalars.size());
    return tileops_execute_with(plan_, &args);
  }

  Expr expr_;
  std::vector<float> x_;
  int64_t n_;
  tileops_plan* plan_ = nullptr;
};

tileops_context* Context() {
  tileops_context* context = nullptr;
  EXPECT_EQ(tileops_context_create(nullptr, &context), TILEOPS_STATUS_OK);
  return context;
}

tileops_cache_stats Stats(tileops_context* context) {
  tileops_cache_stats stats = TILEOPS_CACHE_STATS_INIT;
  EXPECT_EQ(tileops_cache_stats_get(context, &stats), TILEOPS_STATUS_OK);
  return stats;
}

TEST(Scalars, ValuesOfEachExecute) {
  tileops_context* context = Context();
  const Plan plan(context, "(x; s = 2.0, t = 3) -> x * s + t", {0, 1, 2});
  const uint64_t plans = Stats(context).plan_entries, misses = Stats(context).plan_misses;
  std::vector<float> y;
  const auto expect = [&](const std::vector<tileops_number>& scalars, double s, double t) {
    ASSERT_EQ(plan.Execute(scalars, &y), TILEOPS_STATUS_OK) << tileops_last_error();
    for (int i = 0; i < 3; ++i) EXPECT_EQ(y[static_cast<size_t>(i)], static_cast<float>(i * s + t));
    std::vector<float> at;
    ASSERT_EQ(plan.ExecuteAt(scalars, &at), TILEOPS_STATUS_OK) << tileops_last_error();
    EXPECT_EQ(at, y);
  };
  const tileops_number usual{};  // of kind DEFAULT
  expect({}, 2, 3);
  expect({usual}, 2, 3);
  expect({usual, usual}, 2, 3);
  expect({tileops_number_f64(0.5)}, 0.5, 3);
  expect({usual, tileops_number_i64(-7)}, 2, -7);
  expect({tileops_number_i64(4), tileops_number_f64(5)}, 4, 5);  // of the other kind, where it is exact
  for (int i = 0; i < 1000; ++i) expect({tileops_number_f64(i * 0.25), tileops_number_i64(i)}, i * 0.25, i);
  expect({}, 2, 3);
  EXPECT_EQ(Stats(context).plan_entries, plans);
  EXPECT_EQ(Stats(context).plan_misses, misses);
  // NaN and infinity are floats like others.
  ASSERT_EQ(plan.Execute({tileops_number_f64(HUGE_VAL)}, &y), TILEOPS_STATUS_OK);
  EXPECT_TRUE(std::isnan(y[0]) && std::isinf(y[1]));
  tileops_context_destroy(context);
}

// A number for which the attribute would select a body of its own (squares) selects none as a scalar: its bits are
// those of the operator with a 0-d operand, which differ.
TEST(Scalars, TakeTheGeneralForm) {
  struct Row {
    const char *op, *attr, *text;
    std::vector<double> values;
  };
  const Row rows[] = {{"pow", "exponent", "(a; s = 7.0) -> pow(a, exponent = s)", {-2, -1, -0.5, 0.5, 2, 3}},
                      {"lerp", "weight", "(a, b; s = 7.0) -> lerp(a, b, weight = s)", {0, 0.5, 1}}};
  size_t differ = 0;
  for (const Row& row : rows)
    for (const Dt t : {Dt::kF32, Dt::kF64, Dt::kBF16, Dt::kF16})
      for (const double value : row.values)
        for (const Target& target : Targets()) {
          SCOPED_TRACE(std::string(row.text) + " of " + Info(t).name);
          Call call;
          call.row = &RowOf(row.op);
          for (size_t i = 0; i + 1 < call.row->inputs.size(); ++i)
            call.inputs.push_back(Random(t, {500}, 7 + i, -9, 9));
          call.outputs = {Values(t, {500}, {0})};
          const Expr expr{std::string(row.text)};
          const Job job{expr.get(), call.inputs, call.outputs, {tileops_number_f64(value)}, 0};
          Call attribute = call;
          attribute.attrs = {Attr(row.attr, value)};
          call.inputs.push_back(Values(IsNarrow(t) ? Dt::kF32 : t, {}, {value}));
          const Results want = optest::Execute(target, call, Placement{});
          ASSERT_FALSE(want.empty());
          ExpectSame(job.outputs, RunJob(target, job), want, "on " + target.name);
          differ += optest::Execute(target, attribute, Placement{}) != want;
        }
  EXPECT_GT(differ, 0u);
}

// AdamW: what changes from step to step is computed in f64 before it is used.
TEST(Scalars, OfAdamW) {
  const std::string text =
      "(p, g, m, v; lr = 1e-3, b1 = 0.9, b2 = 0.999, eps = 1e-8, wd = 0.01, t = 1) -> { n = lerp(m, g, 1 - b1);\n"
      "q = v * b2 + g * g * (1 - b2); p * (1 - lr * wd) - lr / (1 - b1 ** t) * n / (sqrt(q / (1 - b2 ** t)) + eps), n, "
      "q }";
  Array p = Random(Dt::kF64, {100}, 1), g = Random(Dt::kF64, {100}, 2), m = Random(Dt::kF64, {100}, 3, -0.1, 0.1),
        v = Random(Dt::kF64, {100}, 4, 0, 0.1);
  for (int64_t t = 1; t <= 5; ++t) {
    const double lr = 1e-3 / static_cast<double>(t), b1 = 0.9, b2 = 0.999, eps = 1e-8, wd = 0.01;
    const Results r = RunText(text, {p, g, m, v}, {tileops_number_f64(lr), {}, {}, {}, {}, tileops_number_i64(t)});
    ASSERT_EQ(r.size(), 3u);
    for (size_t i = 0; i < 100; ++i) {
      const auto value = [&](const Array& a) { return Decode(Dt::kF64, a.bits[i]).d; };
      const double n = value(m) + (1 - b1) * (value(g) - value(m)), q = value(v) * b2 + value(g) * value(g) * (1 - b2);
      const double tt = static_cast<double>(t);
      const double want = value(p) * (1 - lr * wd) -
                          lr / (1 - std::pow(b1, tt)) * n / (std::sqrt(q / (1 - std::pow(b2, tt))) + eps);
      EXPECT_NEAR(Decode(Dt::kF64, r[0][i]).d, want, 1e-13 * std::fabs(want));
      EXPECT_NEAR(Decode(Dt::kF64, r[1][i]).d, n, 1e-14);
      EXPECT_NEAR(Decode(Dt::kF64, r[2][i]).d, q, 1e-14);
    }
    p.bits = r[0], m.bits = r[1], v.bits = r[2];
  }
}

TEST(Scalars, Errors) {
  tileops_context* context = Context();
  std::vector<float> y;
  const auto expect = [&](const Plan& plan, const std::vector<tileops_number>& scalars, const std::string& message) {
    y.assign(3, 77);
    EXPECT_EQ(plan.Execute(scalars, &y), TILEOPS_STATUS_INVALID_ARGUMENT);
    EXPECT_EQ("tileops_execute_with: " + message, tileops_last_error());
    EXPECT_EQ(y, std::vector<float>(3, 77));
  };
  const Plan plan(context, "(x; s = 2.0, t = 3) -> x * s + t", {0, 1, 2});
  expect(plan, {{}, tileops_number_f64(0.5)}, "scalars[1]: 't' must be an integer (got 0.5)");
  expect(plan, {{}, tileops_number_f64(NAN)}, "scalars[1]: 't' must be an integer (got nan)");
  expect(plan, {{}, tileops_number_f64(1e300)}, "scalars[1]: 't' must be an integer (got 1e+300)");
  expect(plan, {tileops_number_bool(1)}, "scalars[0]: 's' takes no bool (need a float or an integer)");
  tileops_number odd = tileops_number_i64(1);
  odd.kind = 9;
  expect(plan, {odd}, "scalars[0]: 's' has an unknown kind (got 9, need a float or an integer)");
  expect(plan, {{}, {}, {}}, "num_scalars: the expression has fewer (got 3, need at most 2)");
  expect(plan, std::vector<tileops_number>(33), "num_scalars: is too large (got 33, need at most 32)");
  const Plan none(context, "(x) -> x * 2", {0, 1, 2});
  expect(none, {tileops_number_f64(1)}, "num_scalars: the expression has fewer (got 1, need at most 0)");
  const Plan ranged(context, "(x; n = 1) -> where(cast(x, i8) + n < 9, x, 0)", {0, 1, 2});
  expect(ranged, {tileops_number_i64(128)}, "scalars[0]: 'n' is out of range for int8 (got 128)");
  const Plan made(context, "(x; n = 1) -> where(cast(x, u8) + n * 100 < 9, x, 0)", {0, 1, 2});
  expect(made, {tileops_number_i64(3)}, "scalars: what they give is out of range for uint8 (got 300)");
  expect(made, {tileops_number_i64(-1)}, "scalars: what they give is out of range for uint8 (got -100)");
  const Plan p(context, "(x; p = 0.5) -> where(dropout_mask(x, p), x, 0)", {0, 1, 2});
  expect(p, {tileops_number_f64(1.5)}, "scalars[0]: 'p' is out of range for 'p' (got 1.5, need 0 to 1)");
  expect(p, {tileops_number_f64(NAN)}, "scalars[0]: 'p' is out of range for 'p' (got nan, need 0 to 1)");
  tileops_context_destroy(context);
}

// Scalars that no result needs are looked at all the same.
TEST(Scalars, ThatNothingNeeds) {
  const Plan plan(nullptr, "(x; s = 1, t = 2) -> x", {1, 2});
  std::vector<float> y;
  EXPECT_EQ(plan.Execute({tileops_number_i64(9)}, &y), TILEOPS_STATUS_OK) << tileops_last_error();
  EXPECT_EQ(y, (std::vector<float>{1, 2}));
  EXPECT_EQ(plan.Execute({tileops_number_f64(0.5)}, &y), TILEOPS_STATUS_INVALID_ARGUMENT);
}

TEST(Scalars, OfSixteenThreadsOnOnePlan) {
  const Plan small(nullptr, "(x; s = 2.0, t = 3) -> x * (1 + s) + t", std::vector<float>(50, 1)),
      large(nullptr, "(x; s = 2.0, t = 3) -> x * (1 + s) + t", std::vector<float>(100000, 1));
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i)
    threads.emplace_back([&, i] {
      std::vector<float> y;
      for (int round = 0; round < 200; ++round) {
        const Plan& plan = round % 50 ? small : large;
        const float want = static_cast<float>(1 + i + round + 1000 * i);
        if (plan.Execute({tileops_number_i64(i + round), tileops_number_i64(1000 * i)}, &y) != TILEOPS_STATUS_OK)
          ADD_FAILURE() << tileops_last_error();
        for (const float v : y)
          if (v != want) return void(ADD_FAILURE() << v << " instead of " << want);
      }
    });
  for (std::thread& t : threads) t.join();
}

TEST(Cache, EqualCanonicalTextsShareAPlan) {
  tileops_context* context = Context();
  const Plan a(context, "(x; s = 2.0) -> silu(x) * s + (1 + 2)", {0, 1});
  const auto before = Stats(context);
  EXPECT_EQ(before.plan_misses, 1u);
  const Plan b(context, "(x; s = 2.0) -> { t = silu(x); # the same\n t * s + 3 }", {0, 1});
  EXPECT_EQ(Stats(context).plan_hits, before.plan_hits + 1);
  EXPECT_EQ(Stats(context).plan_entries, 1u);
  const Plan other(context, "(x; s = 2.0) -> silu(x) * s + 4", {0, 1});
  const Plan usual(context, "(x; s = 2.5) -> silu(x) * s + 3", {0, 1});
  const Plan exact(context, "(x; s = 2.0) -> silu(x) * s + 3", {0, 1}, TILEOPS_PLAN_REPRODUCIBLE);
  EXPECT_EQ(Stats(context).plan_entries, 4u);
  const Plan unseen(context, "(x; s = 2.0) -> silu(x) * s + 5", {0, 1}, TILEOPS_PLAN_NO_CACHE);
  const Plan again(context, "(x; s = 2.0) -> silu(x) * s + (1 + 2)", {0, 1}, TILEOPS_PLAN_NO_CACHE);
  EXPECT_EQ(Stats(context).plan_entries, 4u);
  EXPECT_EQ(Stats(context).plan_hits, before.plan_hits + 1);
  std::vector<float> y, z;
  for (const Plan* plan : {&a, &b, &exact, &again}) {
    EXPECT_EQ(plan->Execute({tileops_number_f64(3)}, &y), TILEOPS_STATUS_OK);
    EXPECT_EQ(y[0], 3);
  }
  tileops_context_destroy(context);
}

// Plans outlive expressions and contexts.
TEST(Lifetime, PlansOutliveWhatTheyAreMadeOf) {
  tileops_context* context = Context();
  auto plan = std::make_unique<Plan>(context, "(x; s = 2.0) -> x * s", std::vector<float>{1, 2});
  tileops_plan* kept = plan->get();
  ASSERT_EQ(tileops_plan_retain(kept), TILEOPS_STATUS_OK);
  plan.reset();
  tileops_context_destroy(context);
  float x[] = {1, 2}, y[] = {0, 0};
  const void* ins[] = {x};
  void* outs[] = {y};
  ASSERT_EQ(tileops_execute_ptrs(kept, ins, outs, nullptr), TILEOPS_STATUS_OK);
  EXPECT_TRUE(y[0] == 2 && y[1] == 4);
  tileops_plan_destroy(kept);
  // References of an expression.
  const Expr expr("(x) -> x + 1");
  ASSERT_EQ(tileops_expr_retain(expr.get()), TILEOPS_STATUS_OK);
  tileops_expr_destroy(expr.get());
  EXPECT_EQ(expr.text(), "(x) -> x + 1");
}

// The same bits with every instruction set, in every layout, by threads or without.
TEST(Isa, SameBits) {
  if (Targets().size() < 2) GTEST_SKIP() << "one instruction set";
  ProgramOptions options;
  options.shapes = {{37}, {5, 70}, {1030}, {3, 400}, {40000}};
  options.dtypes = {Dt::kF32, Dt::kBF16, Dt::kF16, Dt::kF64, Dt::kE4M3, Dt::kI32, Dt::kBool};
  options.cast_dtypes = {Dt::kF32, Dt::kBF16, Dt::kF16, Dt::kE5M2, Dt::kI8};
  options.outputs = {Dt::kF32, Dt::kBF16, Dt::kF16, Dt::kF64, Dt::kE4M3};
  options.special_values = true;
  const uint64_t count = Long() ? 10000 : 250;
  for (uint64_t seed = 1; seed <= count && !HasFailure(); ++seed) {
    const Program p = RandomProgram(8000000 + seed, options);
    if (p.results.empty()) continue;
    SCOPED_TRACE(p.Text());
    const Expr expr(p.Text());
    Job job = p.ToJob(expr.get());
    job.flags = seed % 2 ? TILEOPS_PLAN_REPRODUCIBLE : 0;
    const Results want = RunJob(Targets().back(), job, {});
    for (const Target& target : Targets()) ExpectSame(job.outputs, RunJob(target, job, p.Place()), want, target.name);
  }
}

}  // namespace
}  // namespace exprtest

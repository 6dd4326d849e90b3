// Gradients, planned and executed: against differences of values in MPFR, at ties, and what they refuse.
#include <cmath>

#include "call_text.h"
#include "range.h"

namespace exprtest {
namespace {

// Which nodes are made of operand `i`.
std::vector<bool> MadeOf(const Program& p, size_t i) {
  std::vector<bool> made(p.nodes.size());
  for (size_t n = 0; n < p.nodes.size(); ++n) {
    made[n] = p.nodes[n].operand == static_cast<int>(i);
    for (const Argument& a : p.nodes[n].arguments)
      if (a.of == Argument::Of::node && made[static_cast<size_t>(a.node)]) made[n] = true;
  }
  return made;
}

// A result at one element, and how far it may be from the exact one. NaN where it is not known.
struct Sample {
  long double value, error;
};

// Each of these nodes at an element, where operand `i` is `x` there.
std::vector<Sample> SamplesAt(Program p, const std::vector<int>& nodes, size_t i, size_t element, double x) {
  p.operands[i].bits[element] = Encode(Num::Float(x), p.operands[i].dtype);
  Ranges ranges(p);
  std::vector<Sample> samples;
  for (const int node : nodes) {
    const Range r = ranges.Of(node, static_cast<int64_t>(element));
    if (r.any || r.nan || r.integer) samples.push_back({NAN, NAN});
    else samples.push_back({(r.exact_lo + r.exact_hi) / 2, (r.exact_hi - r.exact_lo) / 2});
  }
  return samples;
}

// Central differences of fourth order with two steps. Each result's are taken by themselves: added up before, small
// results would be lost in large ones. False where the two differ, near a kink, or where what the results may be off is
// more than the gradient may be: a change that their digits do not show is no slope of 0.
bool Slope(const Program& p, size_t i, size_t element, const std::vector<double>& weights, double* slope) {
  const double x = Decode(p.operands[i].dtype, p.operands[i].bits[element]).d;
  const std::vector<bool> made = MadeOf(p, i);
  std::vector<int> nodes;
  std::vector<double> own_weights;
  for (size_t k = 0; k < p.results.size(); ++k) {
    if (!made[static_cast<size_t>(p.results[k])]) continue;
    nodes.push_back(p.results[k]);
    own_weights.push_back(weights[k]);
  }
  const auto with = [&](double h) {
    const auto at = [&](double offset) { return SamplesAt(p, nodes, i, element, x + offset * h); };
    const std::vector<Sample> right = at(1), left = at(-1), far_right = at(2), far_left = at(-2);
    Sample sum{0, 0};
    for (size_t k = 0; k < nodes.size(); ++k) {
      const long double w = own_weights[k];
      sum.value += w * (8 * (right[k].value - left[k].value) - (far_right[k].value - far_left[k].value)) / (12 * h);
      sum.error += std::fabs(w) * (8 * (right[k].error + left[k].error) + far_right[k].error + far_left[k].error) /
                   (12 * h);
    }
    return sum;
  };
  const double step = std::ldexp(1.0, std::ilogb(std::fmax(std::fabs(x), 0x1p-10)) - 10);
  const Sample near = with(step), wide = with(4 * step);
  *slope = static_cast<double>(near.value);
  const double may_be_off = 1e-6 * std::fmax(1, std::fabs(*slope));
  return std::isfinite(*slope) && std::fabs(near.value - wide.value) <= may_be_off && near.error <= may_be_off;
}

struct Tally {
  int checked = 0, skipped = 0;
};

// The gradient of all results, weighted, with respect to each operand of a program of f64 and one shape.
void ExpectSlopes(const Program& p, Tally* tally) {
  const Expr expr(p.Text());
  ASSERT_TRUE(expr.get());
  const size_t n = p.operands[0].bits.size();
  std::vector<double> weights;
  for (size_t k = 0; k < p.results.size(); ++k) weights.push_back(0.75 - 0.5 * static_cast<double>(k));
  for (size_t i = 0; i < p.operands.size(); ++i) {
    if (!IsFloat(p.operands[i].dtype)) continue;
    const int32_t wrt = static_cast<int32_t>(i);
    tileops_expr* made = nullptr;
    const tileops_status status = tileops_expr_gradient(expr.get(), &wrt, 1, &made);
    ASSERT_EQ(status, TILEOPS_STATUS_OK) << p.Text() << "\n" << tileops_last_error();
    const Expr gradient(made);
    Job job;
    job.expr = gradient.get();
    job.inputs = p.operands;
    job.scalars = p.ToJob(nullptr).scalars;
    for (const double w : weights) job.inputs.push_back(Values(Dt::kF64, p.operands[0].shape, {w}));
    ASSERT_TRUE(InferOutputs(&job, 1)) << gradient.text();
    EXPECT_EQ(Info(job.outputs[0].dtype).name, std::string(Info(p.operands[i].dtype).name));
    const Results got = RunJob(Targets().front(), job);
    ASSERT_EQ(got.size(), 1u) << gradient.text();
    for (size_t e = 0; e < n; ++e) {
      double want;
      if (!Slope(p, i, e, weights, &want)) {
        ++tally->skipped;
        continue;
      }
      ++tally->checked;
      const double value = Decode(Dt::kF64, got[0][e]).d;
      EXPECT_LE(std::fabs(value - want), 1e-6 * std::fmax(1, std::fabs(want)))
          << "operand " << i << " at " << Decode(Dt::kF64, p.operands[i].bits[e]).d << ": got " << value << ", want "
          << want << "\n"
          << p.Text() << "\n"
          << gradient.text();
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST(GradientRun, EveryFunctionAlone) {
  Tally tally;
  int functions = 0;
  for (const OpRow& row : MapRows()) {
    if (!row.floats || row.BoolResult()) continue;
    ++functions;
    for (const Variant& variant : VariantsOf(row, Dt::kF64)) {
      Program p;
      Node node;
      node.row = &row;
      node.attrs = variant.attrs;
      for (size_t k = 0; k < row.inputs.size(); ++k) {
        const bool given = k < variant.given.size() ? variant.given[k] : !row.inputs[k].optional;
        Argument a;
        if (given) {
          Node operand;
          operand.operand = static_cast<int>(p.operands.size());
          operand.dtype = row.inputs[k].fixed.empty() ? Dt::kF64 : row.inputs[k].fixed[0];
          // The last operand of masked_fill is 0-d, and its gradient a sum.
          operand.shape = row.rule == "masked_fill" && k == 2 ? Shape{} : Shape{23};
          a.of = Argument::Of::node;
          a.node = operand.operand;
          p.nodes.push_back(operand);
          const double lo = std::fmax(row.lo, -6), hi = std::fmin(row.hi, 6);
          p.operands.push_back(Random(operand.dtype, operand.shape, 77 + k, operand.dtype == Dt::kBool ? 0 : lo, hi));
        }
        node.arguments.push_back(a);
      }
      if (row.rule == "masked_fill" && p.operands.size() == 3) continue;
      if (NumberOr(variant.attrs, "decimals", 0) > 4) continue;  // steps that differences go over
      node.dtype = node.compute = Dt::kF64;
      node.shape = {23};
      p.nodes.push_back(node);
      p.results = {static_cast<int>(p.nodes.size()) - 1};
      p.result_dtypes = {Dt::kF64};
      const Tally before = tally;
      ExpectSlopes(p, &tally);
      if (HasFailure()) return;
      const bool flat = row.name == "sign" || row.name == "floor_divide" || row.name == "floor" || row.name == "ceil" ||
                        row.name == "trunc" || row.name == "round" || NumberOr(node.attrs, "exponent", 1) == 0 ||
                        std::isinf(NumberOr(node.attrs, "value", 0)) || NumberOr(node.attrs, "rounding", 0) != 0;
      EXPECT_TRUE(flat || tally.checked - before.checked > tally.skipped - before.skipped) << p.Text();
    }
  }
  EXPECT_GT(functions, 45);
  EXPECT_LT(tally.skipped, tally.checked / 4) << tally.checked;
}

TEST(GradientRun, RandomChains) {
  ProgramOptions options;
  options.shapes = {{11}};
  options.dtypes = {Dt::kF64};
  options.broadcast = false;
  options.lo = -2;
  options.hi = 2;
  options.most_nodes = 8;
  options.names = {"add",        "sub",       "mul",       "fma",         "lerp",       "maximum",  "minimum",
                   "exp",        "sin",       "cos",       "erf",         "expm1",      "exp2",     "abs",
                   "neg",        "relu",      "gelu",      "silu",        "sigmoid",    "tanh",     "leaky_relu",
                   "elu",        "selu",      "hardswish", "hardsigmoid", "hardtanh",   "softplus", "logsigmoid",
                   "mish",       "where",     "clamp",     "gt",          "le",         "isfinite", "log1p",
                   "sqrt",       "rsqrt",     "div",       "pow",         "reciprocal", "log2",     "atan",
                   "sinh",       "cosh",      "asinh",     "sinc",        "erfc",       "softsign", "celu",
                   "tanhshrink", "logaddexp", "hypot"};
  Tally tally;
  const int chains = Long() ? 2000 : 60;
  int done = 0;
  for (uint64_t seed = 1; done < chains && !HasFailure(); ++seed) {
    const Program p = RandomProgram(9000000 + seed, options);
    bool tied = false;  // bounds that are one value: a tie everywhere
    for (const Node& n : p.nodes)
      tied = tied || (n.row && n.row->name == "clamp" && n.arguments[1].node >= 0 &&
                      n.arguments[1].node == n.arguments[2].node);
    bool floats = !tied && !p.results.empty() && p.nodes.size() > p.operands.size() + 3;
    for (const int r : p.results) floats = floats && p.nodes[static_cast<size_t>(r)].dtype == Dt::kF64;
    if (!floats) continue;
    ++done;
    SCOPED_TRACE("seed " + std::to_string(seed));
    ExpectSlopes(p, &tally);
  }
  EXPECT_GT(tally.checked, chains * 5);
  EXPECT_LT(tally.skipped, tally.checked) << tally.checked;
}

Node OperandNode(int operand) {
  Node node;
  node.operand = operand;
  node.dtype = Dt::kF64;
  node.shape = {11};
  return node;
}

Node CallNode(const char* name, const std::vector<int>& nodes) {
  Node node;
  node.row = &RowOf(name);
  node.dtype = node.compute = Dt::kF64;
  node.shape = {11};
  for (const int n : nodes) {
    Argument a;
    a.of = Argument::Of::node;
    a.node = n;
    node.arguments.push_back(a);
  }
  return node;
}

// Differences are looked at where results have the digits for them: of a small result beside a large one, not of their
// sum, which does not change.
TEST(GradientRun, SmallResultsBesideLargeOnes) {
  Program p;
  p.operands = {Random(Dt::kF64, {11}, 1, -2, 2), Random(Dt::kF64, {11}, 2, 1e12, 2e12)};
  p.nodes = {OperandNode(0), OperandNode(1), CallNode("hardswish", {0}), CallNode("mul", {1, 1}),
             CallNode("add", {2, 3})};
  p.results = {2, 3};
  p.result_dtypes = {Dt::kF64, Dt::kF64};
  Tally beside;
  ExpectSlopes(p, &beside);
  EXPECT_EQ(beside.skipped, 0);
  p.results = {4};
  p.result_dtypes = {Dt::kF64};
  Tally sum;
  ExpectSlopes(p, &sum);
  EXPECT_EQ(sum.skipped, 11);  // by the small one's operand
  EXPECT_EQ(sum.checked, 11);
}

TEST(GradientRun, TiesAsTheTableSays) {
  const struct {
    const char* text;
    double x, want;
  } rows[] = {{"abs(x)", 0, 0},          {"relu(x)", 0, 0},
              {"clamp(x, 0, 1)", 0, 1},  {"clamp(x, 0, 1)", 1, 1},
              {"maximum(x, 2)", 2, 0.5}, {"minimum(x, 2)", 2, 0.5},
              {"maximum(x, x)", 3, 1},   {"hardtanh(x)", 1, 0},
              {"hardtanh(x)", -1, 0},    {"hardsigmoid(x)", 3, 0},
              {"hardsigmoid(x)", -3, 0}, {"leaky_relu(x)", 0, 0.01},
              {"elu(x)", 0, 1},          {"where(x > 0, x * 2, 0)", 0, 0},
              {"sign(x) + x", 0, 1},     {"floor(x) + x", 2, 1},
              {"x ** 2", 0, 0},          {"gelu(x)", 0, 0.5},
              {"silu(x)", 0, 0.5}};
  for (const auto& row : rows)
    for (const Dt t : {Dt::kF32, Dt::kF64, Dt::kF32}) {
      const Expr expr(std::string("(x) -> ") + row.text);
      const Expr gradient(Gradient(expr, {0}));
      Job job{gradient.get(), {Values(t, {5}, {row.x}), Values(t, {5}, {1})}, {}, {}, 0};
      ASSERT_TRUE(InferOutputs(&job, 1));
      const Results got = RunJob(Targets().front(), job);
      ASSERT_EQ(got.size(), 1u);
      const double want = Decode(t, Encode(Num::Float(row.want), t)).d;
      EXPECT_EQ(Decode(t, got[0][3]).d, want) << row.text << "\n" << gradient.text();
    }
}

// Casts hand on what they get, unrounded; the gradient is of its operand's dtype.
TEST(GradientRun, DtypesOfGradients) {
  const Expr expr("(x, y) -> cast(x * y, bf16)");
  const Expr gradient(Gradient(expr, {0, 1}));
  const Array x = Values(Dt::kBF16, {4}, {1, 2, 3, 4}), y = Values(Dt::kF32, {4}, {1.0001, 2, 3, 4}),
              g = Values(Dt::kF32, {4}, {1.00001});
  Job job{gradient.get(), {x, y, g}, {}, {}, 0};
  ASSERT_TRUE(InferOutputs(&job, 2));
  EXPECT_EQ(std::string(Info(job.outputs[0].dtype).name), "bfloat16");
  EXPECT_EQ(std::string(Info(job.outputs[1].dtype).name), "float32");
  job.outputs[0].dtype = Dt::kF32;
  const Results got = RunJob(Targets().front(), job);
  ASSERT_EQ(got.size(), 2u);
  for (size_t i = 0; i < 4; ++i) {
    const float cotangent = 1.00001f;
    EXPECT_EQ(Decode(Dt::kF32, got[0][i]).d, cotangent * static_cast<float>(Decode(Dt::kF32, y.bits[i]).d));
    EXPECT_EQ(Decode(Dt::kF32, got[1][i]).d, cotangent * static_cast<float>(Decode(Dt::kBF16, x.bits[i]).d));
  }
}

// RoPE backward and a packed gate, parts of an operand joined.
TEST(GradientRun, OfPartsAndJoinedResults) {
  const Expr rope(
      "(x, c, s) -> { a = chunk(x, 0, 2); b = chunk(x, 1, 2); concat(fma(a, c, -(b * s)), fma(b, c, a * s)) }");
  const Expr back(Gradient(rope, {0}));
  const Array x = Random(Dt::kF64, {3, 8}, 1), c = Random(Dt::kF64, {4}, 2), s = Random(Dt::kF64, {4}, 3),
              g = Random(Dt::kF64, {3, 8}, 4);
  Job job{back.get(), {x, c, s, g}, {}, {}, 0};
  ASSERT_TRUE(InferOutputs(&job, 1));
  const Results got = RunJob(Targets().front(), job);
  ASSERT_EQ(got.size(), 1u);
  const auto value = [](const Array& a, size_t i) { return Decode(Dt::kF64, a.bits[i]).d; };
  for (size_t row = 0; row < 3; ++row)
    for (size_t i = 0; i < 4; ++i) {
      const double ga = value(g, row * 8 + i), gb = value(g, row * 8 + 4 + i);
      EXPECT_NEAR(Decode(Dt::kF64, got[0][row * 8 + i]).d, ga * value(c, i) + gb * value(s, i), 1e-14);
      EXPECT_NEAR(Decode(Dt::kF64, got[0][row * 8 + 4 + i]).d, gb * value(c, i) - ga * value(s, i), 1e-14);
    }
  const Expr gate("(x) -> silu(every(x, 0, 2)) * every(x, 1, 2)");
  const Expr gate_back(Gradient(gate, {0}));
  const Array half = Random(Dt::kF64, {3, 4}, 5);
  Job gated{gate_back.get(), {x, half}, {}, {}, 0};
  ASSERT_TRUE(InferOutputs(&gated, 1));
  const Results r = RunJob(Targets().front(), gated);
  ASSERT_EQ(r.size(), 1u);
  for (size_t row = 0; row < 3; ++row)
    for (size_t i = 0; i < 4; ++i) {
      const double a = value(x, row * 8 + 2 * i), b = value(x, row * 8 + 2 * i + 1), w = value(half, row * 4 + i);
      const double sigmoid = 1 / (1 + std::exp(-a));
      EXPECT_NEAR(Decode(Dt::kF64, r[0][row * 8 + 2 * i]).d, w * b * (sigmoid + a * sigmoid * (1 - sigmoid)), 1e-14);
      EXPECT_NEAR(Decode(Dt::kF64, r[0][row * 8 + 2 * i + 1]).d, w * a * sigmoid, 1e-14);
    }
}

// A sum that is none, of a number, for a 0-d operand.
TEST(GradientRun, OfANumber) {
  for (const Dt t : {Dt::kF32, Dt::kF64, Dt::kBF16}) {
    const Results r = RunText("(x; s = 2) -> sum_to(1.5, x), sum_to(s, x)", {Values(t, {}, {3})});
    ASSERT_EQ(r.size(), 2u);
    EXPECT_EQ(Decode(t, r[0][0]).d, 1.5);
    EXPECT_EQ(Decode(t, r[1][0]).d, 2);
  }
}

std::string InferError(const Expr& expr, const std::vector<tileops_tensor_desc>& in) {
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.expr = expr.get();
  desc.num_inputs = static_cast<int32_t>(in.size());
  desc.inputs = in.data();
  DLDataType dtype;
  int32_t ndim;
  int64_t shape[TILEOPS_MAX_NDIM];
  return tileops_plan_infer(&desc, 0, &dtype, &ndim, shape) ? tileops_last_error() : "";
}

// Integers have no gradient, even one of 0: not known before dtypes are.
TEST(GradientRun, OfIntegersIsRefused) {
  const int64_t shape[] = {4};
  for (const char* text : {"(x, i) -> x * i", "(x, i) -> x + i // 2", "(x, i) -> where(i > 0, x, 0)",
                           "(x, i) -> concat(x * chunk(i, 0, 2), chunk(i, 1, 2))"})
    for (const Dt t : {Dt::kI32, Dt::kU8, Dt::kBool}) {
      const bool parts = std::string(text).find("chunk") != std::string::npos;
      const int64_t half[] = {2};
      const DLDataType f32 = Info(Dt::kF32).dl;
      const Expr gradient(Gradient(Expr(text), {1}));
      const std::string error = InferError(
          gradient,
          {{f32, 1, parts ? half : shape, nullptr}, {Info(t).dl, 1, shape, nullptr}, {f32, 1, shape, nullptr}});
      EXPECT_NE(
          error.find(std::string("sum_to: operand 'i' is of ") + Info(t).name + ", and only floats have gradients"),
          std::string::npos)
          << text << "\n"
          << error;
      // The other operand's is there.
      if (!parts && t != Dt::kBool) {
        const Expr other(Gradient(Expr(text), {0}));
        EXPECT_EQ(
            InferError(other, {{f32, 1, shape, nullptr}, {Info(t).dl, 1, shape, nullptr}, {f32, 1, shape, nullptr}}),
            "");
      }
    }
}

TEST(GradientRun, OfABroadcastOperand) {
  const Expr expr("(x, w) -> x * w");
  const Expr gradient(Gradient(expr, {0, 1}));
  const int64_t whole[] = {2, 3}, row[] = {3};
  const DLDataType f32 = Info(Dt::kF32).dl;
  const tileops_tensor_desc in[] = {{f32, 2, whole, nullptr}, {f32, 1, row, nullptr}, {f32, 2, whole, nullptr}};
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.expr = gradient.get();
  desc.num_inputs = 3;
  desc.inputs = in;
  DLDataType dtype;
  int32_t ndim;
  int64_t shape[TILEOPS_MAX_NDIM];
  ASSERT_EQ(tileops_plan_infer(&desc, 1, &dtype, &ndim, shape), TILEOPS_STATUS_OK) << tileops_last_error();
  EXPECT_EQ(ndim, 1);
  EXPECT_EQ(shape[0], 3);
}

}  // namespace
}  // namespace exprtest

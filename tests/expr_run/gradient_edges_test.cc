// Derivatives against formulas in long double, in ulp, over the whole range of their operands: zeros, subnormals, the
// ends where a function is flat or straight, infinities; with incoming gradients that are tiny, huge and 0.
#include <cmath>

#include "expression.h"

namespace exprtest {
namespace {

using Real = long double;

Real Sigmoid(Real x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }
Real Density(Real x) { return std::exp(-x * x / 2) * 0.398942280401432677939946L; }
Real OfGelu(Real x) { return std::isinf(x) ? x > 0 : std::erfc(-x * 0.707106781186547524400844L) / 2 + x * Density(x); }
Real OfGeluTanh(Real x) {
  if (std::fabs(x) > 1e3L) return x > 0;
  const Real w = 1.595769121605730711759784L * (x + 0.044715L * x * x * x);
  const Real slope = 1.595769121605730711759784L * (1 + 3 * 0.044715L * x * x);
  return Sigmoid(w) + x * Sigmoid(w) * Sigmoid(-w) * slope;
}
Real OfSilu(Real x) { return std::isinf(x) ? x > 0 : Sigmoid(x) + x * Sigmoid(x) * Sigmoid(-x); }
Real OfTanh(Real x) { return 4 * Sigmoid(2 * x) * Sigmoid(-2 * x); }
Real OfMish(Real x) {
  if (std::fabs(x) > 1e4L) return x > 0;
  const Real s = x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
  return std::tanh(s) + x * OfTanh(s) * Sigmoid(x);
}
Real OfPower(Real x, Real b) { return b * std::pow(x, b - 1); }

struct Row {
  const char* body;
  Real (*value)(Real);  // inf or NaN: the result is not looked at
  Real (*slope)(Real);
  double ulp;  // where an exponent is a square or a cube of x, or a slope crosses 0, many
};

#define F(e) []([[maybe_unused]] Real x) -> Real { return e; }
const Row kRows[] = {
    {"exp(x)", F(std::exp(x)), F(std::exp(x)), 2},
    {"exp2(x)", F(std::exp2(x)), F(std::exp2(x) * 0.693147180559945309417232L), 3},
    {"expm1(x)", F(std::expm1(x)), F(std::exp(x)), 2},
    {"log(x)", F(std::log(x)), F(1 / x), 1},
    {"log2(x)", F(std::log2(x)), F(1.442695040888963407359925L / x), 2},
    {"log1p(x)", F(std::log1p(x)), F(1 / (1 + x)), 2},
    {"sqrt(x)", F(std::sqrt(x)), F(0.5L / std::sqrt(x)), 2},
    {"rsqrt(x)", F(1 / std::sqrt(x)), F(-0.5L / std::sqrt(x) / x), 3},
    {"reciprocal(x)", F(1 / x), F(-1 / x / x), 2},
    {"1 / x", F(1 / x), F(-1 / x / x), 3},
    {"x / 3", F(x / 3), F(1 / 3.0L), 1},
    {"x ** -0.5", F(std::pow(x, -0.5L)), F(OfPower(x, -0.5L)), 4},
    {"x ** -1", F(1 / x), F(-1 / x / x), 4},
    {"x ** -3", F(std::pow(x, -3.0L)), F(OfPower(x, -3)), 5},
    {"x ** 0.375", F(std::pow(x, 0.375L)), F(OfPower(x, 0.375L)), 4},
    {"x ** 2", F(x * x), F(2 * x), 1},
    {"x ** 3", F(x * x * x), F(3 * x * x), 3},
    {"x ** 1.5", F(std::pow(x, 1.5L)), F(OfPower(x, 1.5L)), 4},
    {"2.0 ** x", F(std::exp2(x)), F(std::exp2(x) * 0.693147180559945309417232L), 4},
    {"sin(x)", F(std::sin(x)), F(std::cos(x)), 2},
    {"cos(x)", F(std::cos(x)), F(-std::sin(x)), 2},
    {"erf(x)", F(std::erf(x)), F(std::exp(-x * x) * 1.128379167095512573896159L), 400},
    {"log10(x)", F(std::log10(x)), F(0.434294481903251827651129L / x), 2},
    {"tan(x)", F(std::tan(x)), F(1 + std::tan(x) * std::tan(x)), 4},
    {"asin(x)", F(std::asin(x)), F(1 / std::sqrt((1 - x) * (1 + x))), 4},
    {"acos(x)", F(std::acos(x)), F(-1 / std::sqrt((1 - x) * (1 + x))), 4},
    {"atan(x)", F(std::atan(x)), F(1 / (1 + x * x)), 3},
    {"sinh(x)", F(std::sinh(x)), F(std::cosh(x)), 2},
    {"cosh(x)", F(std::cosh(x)), F(std::sinh(x)), 2},
    {"asinh(x)", F(std::asinh(x)), F(1 / std::sqrt(1 + x * x)), 3},
    {"acosh(x)", F(std::acosh(x)), F(1 / std::sqrt(x - 1) / std::sqrt(x + 1)), 5},
    {"atanh(x)", F(std::atanh(x)), F(1 / ((1 - x) * (1 + x))), 4},
    {"cbrt(x)", F(std::cbrt(x)), F(1 / (3 * std::cbrt(x) * std::cbrt(x))), 4},
    {"abs(x)", F(std::fabs(x)), F((x > 0) - (x < 0)), 1},
    {"x * x", F(x * x), F(2 * x), 1},
    {"sigmoid(x)", F(Sigmoid(x)), F(Sigmoid(x) * Sigmoid(-x)), 4},
    {"tanh(x)", F(std::tanh(x)), F(OfTanh(x)), 6},
    {"silu(x)", F(x * Sigmoid(x)), F(OfSilu(x)), 32},
    {"gelu(x)", F(x), F(OfGelu(x)), 200},
    {"gelu(x, tanh)", F(x), F(OfGeluTanh(x)), 200},
    {"mish(x)", F(x), F(OfMish(x)), 32},
    {"softplus(x)", F(x), F(x > 20 ? 1 : Sigmoid(x)), 3},
    {"logsigmoid(x)", F(x), F(Sigmoid(-x)), 3},
    {"relu(x)", F(x), F(x > 0), 0},
    {"leaky_relu(x, 0.25)", F(x), F(x > 0 ? 1 : 0.25L), 1},
    {"elu(x)", F(x), F(x > 0 ? 1 : std::exp(x)), 2},
    {"selu(x)", F(x), F(1.050700987355480493419335L * (x > 0 ? 1 : 1.673263242354377284817043L * std::exp(x))), 3},
    {"hardswish(x)", F(x),
     F(x <= -3 ? 0
       : x < 3 ? x / 3 + 0.5L
               : 1),
     8},
    {"hardsigmoid(x)", F(x), F(x > -3 && x < 3 ? 1 / 6.0L : 0), 1},
    {"hardtanh(x)", F(x), F(x > -1 && x < 1), 0},
    {"clamp(x, -1, 1)", F(x), F(x >= -1 && x <= 1), 0},
    {"nan_to_num(x)", F(x), F(!std::isinf(x)), 0},
    {"maximum(x, 0.5)", F(x), F(x == 0.5L ? 0.5L : x > 0.5L), 0},
    {"floor(x)", F(x), F(0), 0},
    {"x // 2", F(x), F(0), 0},
};
#undef F

std::vector<double> Grid(Dt t) {
  const bool f32 = t == Dt::kF32;
  const double tiny = f32 ? 0x1p-149 : 0x1p-1074, normal = f32 ? 0x1p-126 : 0x1p-1022;
  const double huge = f32 ? 3.4028234663852886e38 : 1.7976931348623157e308;
  std::vector<double> grid = {0,   tiny, 3 * tiny, normal - tiny, normal, 3 * normal,
                              0.5, 1,    3,        huge / 3,      huge,   HUGE_VAL};
  for (double x = 1e-4; x < 2000; x *= 1.37) grid.push_back(x);
  for (double x = f32 ? 1e-36 : 1e-300; x < (f32 ? 1e38 : 1e300); x *= f32 ? 173 : 1.7e13) grid.push_back(x);
  for (size_t i = grid.size(); i-- > 0;) grid.push_back(-grid[i]);
  return grid;
}

TEST(GradientEdges, InUlp) {
  for (const Row& row : kRows)
    for (const Dt t : {Dt::kF32, Dt::kF64}) {
      const Expr gradient(Gradient(Expr(std::string("(x) -> ") + row.body), {0}));
      const std::vector<double> grid = Grid(t), incoming = {1, -3, 1e-20, 1e20, 0};
      std::vector<double> xs, gs;
      for (const double x : grid)
        for (const double g : incoming) xs.push_back(x), gs.push_back(g);
      const int64_t n = static_cast<int64_t>(xs.size());
      const Array x = Values(t, {n}, xs), g = Values(t, {n}, gs);
      Job job{gradient.get(), {x, g}, {}, {}, 0};
      ASSERT_TRUE(InferOutputs(&job, 1));
      const Results got = RunJob(Targets().front(), job);
      ASSERT_EQ(got.size(), 1u);
      for (size_t i = 0; i < xs.size(); ++i) {
        const Real at = Decode(t, x.bits[i]).d, in = Decode(t, g.bits[i]).d;
        const Real value = row.value(at), slope = row.slope(at);
        const double rounded = Decode(t, Encode(Num::Float(static_cast<double>(value)), t)).d;
        if (std::isnan(slope) || std::isnan(value) || (std::isinf(rounded) && !std::isinf(at)) ||
            (std::isinf(slope) && in == 0))
          continue;
        const double is = Decode(t, got[0][i]).d;
        const Real want = in * slope;
        const double want_rounded = Decode(t, Encode(Num::Float(static_cast<double>(want)), t)).d;
        if (is == want_rounded) continue;
        const int least = t == Dt::kF32 ? -149 : -1074, digits = t == Dt::kF32 ? 23 : 52;
        const Real unit = std::ldexp(1.0L, want == 0 ? least : std::max(least, std::ilogb(want) - digits));
        // A slope that is a product of subnormals has no more digits than they have, whatever comes in.
        const Real slack = std::ldexp(std::fmax(std::fabs(in), 1.0L), least + 12);
        const Real off = std::fabs(is - want);
        EXPECT_TRUE(off <= row.ulp * unit || off <= slack || (std::isinf(is) && std::isinf(want_rounded)))
            << row.body << " at " << static_cast<double>(at) << ", incoming " << static_cast<double>(in) << ": got "
            << is << ", want " << static_cast<double>(want) << "\n"
            << gradient.text();
      }
    }
}

// Gradients of functions of two operands. Not looked at: where the function itself, or what g becomes on the way, is
// beyond the dtype or has lost digits.
TEST(GradientEdges, OfTwoOperandsInUlp) {
  using Function = Real (*)(Real, Real);
  const struct {
    const char* text;
    int operand;
    Function value, slope;
    std::vector<Function> parts;  // of which g is multiplied with one after the other
    double ulp;
  } rows[] = {
#define F(e) []([[maybe_unused]] Real a, [[maybe_unused]] Real b) -> Real { return e; }
      {"(a, b) -> a * b", 0, F(a * b), F(b), {}, 1},
      {"(a, b) -> a / b", 0, F(a / b), F(1 / b), {}, 1},
      {"(a, b) -> a / b", 1, F(a / b), F(-a / b / b), {F(1 / b)}, 3},
      // b - 1 is rounded, which tells far out.
      {"(a, b) -> abs(a) ** b",
       0,
       F(std::pow(std::fabs(a), b)),
       F((a > 0 ? 1 : -1) * OfPower(std::fabs(a), b)),
       {F(std::pow(std::fabs(a), b < 0 ? b : b - 1)), F(b < 0 ? 1 / a : 1)},
       400},
      {"(a, b) -> abs(a) ** b",
       1,
       F(std::pow(std::fabs(a), b)),
       F(a == 0 ? 0 : std::pow(std::fabs(a), b) * std::log(std::fabs(a))),
       {F(std::pow(std::fabs(a), b) * std::log(std::fabs(a)))},
       8},
#undef F
  };
  for (const auto& row : rows)
    for (const Dt t : {Dt::kF32, Dt::kF64}) {
      const Expr gradient(Gradient(Expr(row.text), {row.operand}));
      const std::vector<double> grid = Grid(t), incoming = {1, -3, 1e-20, 1e10, 0};
      std::vector<double> as, bs, gs;
      for (size_t i = 0; i < grid.size(); i += 3)
        for (size_t j = 0; j < grid.size(); j += 2)
          for (const double g : incoming) as.push_back(grid[i]), bs.push_back(grid[j]), gs.push_back(g);
      const int64_t n = static_cast<int64_t>(as.size());
      const Array a = Values(t, {n}, as), b = Values(t, {n}, bs), g = Values(t, {n}, gs);
      Job job{gradient.get(), {a, b, g}, {}, {}, 0};
      ASSERT_TRUE(InferOutputs(&job, 1));
      const Results got = RunJob(Targets().front(), job);
      ASSERT_EQ(got.size(), 1u);
      const Real most = t == Dt::kF32 ? 0x1p127L : 0x1p1023L, least = t == Dt::kF32 ? 0x1p-126L : 0x1p-1022L;
      const auto regular = [&](Real v) { return std::fabs(v) < most && std::fabs(v) >= least; };
      int looked_at = 0;
      for (size_t i = 0; i < as.size(); ++i) {
        const Real x = Decode(t, a.bits[i]).d, y = Decode(t, b.bits[i]).d, in = Decode(t, g.bits[i]).d;
        const Real want = in * row.slope(x, y);
        bool known = regular(row.value(x, y)) && (in == 0 ? std::isfinite(want) : regular(want));
        Real product = in;
        for (const Function part : row.parts) {
          product *= part(x, y);
          known = known && regular(part(x, y)) && (in == 0 || regular(product));
        }
        if (!known) continue;
        ++looked_at;
        const double is = Decode(t, got[0][i]).d;
        const Real unit = std::ldexp(1.0L, want == 0 ? 0 : std::ilogb(want) - (t == Dt::kF32 ? 23 : 52));
        EXPECT_TRUE(want == 0 ? is == 0 : std::fabs(is - want) <= row.ulp * unit)
            << row.text << ", operand " << row.operand << " at " << static_cast<double>(x) << ", "
            << static_cast<double>(y) << ", incoming " << static_cast<double>(in) << ": got " << is << ", want "
            << static_cast<double>(want) << "\n"
            << gradient.text();
      }
      EXPECT_GT(looked_at, n / 20) << row.text;
    }
}

// Roots have an infinite slope at 0, where they pass 0: of either zero, whatever comes in, and in their gradients'
// gradients.
TEST(GradientEdges, RootsPassZeroAtZero) {
  for (const char* body : {"sqrt(x)", "x ** 0.5", "x ** 0.25", "x ** e", "abs(x) ** 0.5", "sqrt(x * x)"})
    for (const Dt t : {Dt::kF32, Dt::kF64, Dt::kBF16}) {
      const Expr text(std::string("(x, e) -> ") + body), gradient(Gradient(text, {0})),
          second(Gradient(gradient, {0, 2}));
      const Array x = Values(t, {4}, {0, -0.0, 0, 4}), e = Values(t, {4}, {0.5, 0.5, 0.5, 0.5});
      const Array g = Values(t, {4}, {1, -3, 0, 1});
      Job job{gradient.get(), {x, e, g}, {}, {}, 0}, again{second.get(), {x, e, g, g}, {}, {}, 0};
      ASSERT_TRUE(InferOutputs(&job, 1) && InferOutputs(&again, 2));
      const Results got = RunJob(Targets().front(), job), more = RunJob(Targets().front(), again);
      ASSERT_EQ(got.size(), 1u);
      ASSERT_EQ(more.size(), 2u);
      for (size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(Decode(t, got[0][i]).d, 0) << body << ", element " << i << "\n" << gradient.text();
        for (const auto& y : more)
          EXPECT_EQ(Decode(t, y[i]).d, 0) << body << ", element " << i << "\n" << second.text();
      }
      EXPECT_NE(Decode(t, got[0][3]).d, 0) << body;
    }
}

// Where no gradient arrives there are zeros, of whatever the operand holds.
TEST(GradientEdges, ZerosWhereNothingArrives) {
  for (const Dt t : {Dt::kF32, Dt::kF64, Dt::kBF16}) {
    const Expr expr("(x, y) -> floor(x) + 0 // y, y"), gradient(Gradient(expr, {0, 1}));
    const Array x = Values(t, {2, 3}, {1.5, NAN, HUGE_VAL}), g = Values(t, {2, 3}, {1, NAN, 2});
    Job job{gradient.get(), {x, x, g, g}, {}, {}, 0};
    ASSERT_TRUE(InferOutputs(&job, 2));
    EXPECT_EQ(job.outputs[0].dtype, t);
    EXPECT_EQ(job.outputs[0].shape, x.shape);
    const Results got = RunJob(Targets().front(), job);
    ASSERT_EQ(got.size(), 2u);
    for (size_t i = 0; i < 6; ++i) {
      EXPECT_EQ(got[0][i], 0u);
      EXPECT_TRUE(SameBits(t, got[1][i], g.bits[i]));
    }
  }
}

// A dropout that keeps nothing: what is not selected must be finite for the gradient to be 0.
TEST(GradientEdges, OfDropoutThatKeepsNothing) {
  tileops_expr* named = nullptr;
  ASSERT_EQ(tileops_expr_named("bias_gelu_dropout_residual", &named), TILEOPS_STATUS_OK);
  const Expr expr(named), gradient(Gradient(expr, {0, 1}));
  const Array x = Values(Dt::kF32, {4}, {-1, 0, 1, 2}), g = Values(Dt::kF32, {4}, {1, 2, 3, 4});
  const std::vector<tileops_number> scalars = {tileops_number_f64(1), tileops_number_i64(3), tileops_number_i64(0)};
  Job forward{expr.get(), {x, x, g}, {}, scalars, 0};
  ASSERT_TRUE(InferOutputs(&forward, 2));
  EXPECT_EQ(RunJob(Targets().front(), forward)[0], g.bits);
  Job back{gradient.get(), {x, x, g, g, g}, {}, scalars, 0};
  ASSERT_TRUE(InferOutputs(&back, 2));
  for (const auto& result : RunJob(Targets().front(), back))
    for (const uint64_t bits : result) EXPECT_EQ(Decode(Dt::kF32, bits).d, 0);
}

}  // namespace
}  // namespace exprtest

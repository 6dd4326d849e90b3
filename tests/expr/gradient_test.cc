// Gradients: against differences in f64 on the host, at ties, and where functions are flat.
#include "expr/gradient/gradient.h"

#include <cmath>
#include <limits>

#include "expr/infer/infer.h"
#include "expr_test.h"
#include "host_values.h"
#include "problem/request.h"

namespace tileops::expr {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

// d(first result)/d(operand) by the gradient expression.
double slope(const Graph& graph, int operand, std::vector<double> at) {
  const auto g = gradient(graph, {operand});
  at.push_back(1.0);
  return values(*g, at)[0];
}

double difference(const Graph& graph, int operand, std::vector<double> at) {
  const size_t i = static_cast<size_t>(operand);
  const double x = at[i], h = 1e-3 * std::min(1.0, std::fabs(x));
  const auto f = [&](double v) { return at[i] = v, values(graph, at)[0]; };
  // Differences of fourth order.
  return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h);
}

void expect_slopes(const char* text, const std::vector<double>& at) {
  const auto graph = parse(text);
  for (size_t i = 0; i < graph->operands.size(); ++i) {
    if (graph->operands[i].name == "cond") continue;
    const double want = difference(*graph, static_cast<int>(i), at), got = slope(*graph, static_cast<int>(i), at);
    EXPECT_NEAR(got, want, 1e-9 * std::max(1.0, std::fabs(want))) << text << " at " << at[0] << ", operand " << i;
  }
}

TEST(Gradient, EveryFunctionHasOne) {
  int with = 0;
  for (const Function& f : function_table()) {
    const bool row = f.kind == Kind::reduce || f.kind == Kind::scan || f.kind == Kind::spread;
    if (f.kind != Kind::map && f.kind != Kind::cast && !row) continue;
    EXPECT_TRUE(has_derivatives(f)) << f.name;
    ++with;
  }
  EXPECT_GT(with, 50);
}

TEST(Gradient, OfOneOperandAgainstDifferences) {
  const char* all[] = {"exp(x)",
                       "sin(x)",
                       "cos(x)",
                       "erf(x)",
                       "expm1(x)",
                       "exp2(x)",
                       "abs(x)",
                       "-x",
                       "sigmoid(x)",
                       "tanh(x)",
                       "relu(x)",
                       "gelu(x)",
                       "gelu(x, tanh)",
                       "silu(x)",
                       "leaky_relu(x)",
                       "leaky_relu(x, 0.3)",
                       "elu(x)",
                       "elu(x, 0.7)",
                       "selu(x)",
                       "hardswish(x)",
                       "hardsigmoid(x)",
                       "hardtanh(x)",
                       "hardtanh(x, -0.5, 2)",
                       "softplus(x)",
                       "softplus(x, 3, 5)",
                       "logsigmoid(x)",
                       "mish(x)",
                       "atan(x)",
                       "sinh(x)",
                       "cosh(x)",
                       "asinh(x)",
                       "cbrt(x)",
                       "sinc(x)",
                       "sinc(x / 64)",
                       "erfc(x)",
                       "lgamma(x)",
                       "tan(x / 5)",
                       "asin(x / 7)",
                       "acos(x / 7)",
                       "atanh(x / 7)",
                       "erfinv(x / 7)",
                       "softsign(x)",
                       "celu(x)",
                       "celu(x, 1.7)",
                       "tanhshrink(x)",
                       "hypot(x, 1.3)",
                       "atan2(x, -0.4)",
                       "atan2(0.7, x)",
                       "fmod(x, 0.83)",
                       "fmod(5.0, x)",
                       "copysign(x * x, x)",
                       "logaddexp(x, 0.3)",
                       "threshold(x, 0.4, 7)",
                       "hardshrink(x)",
                       "softshrink(x)",
                       "relu6(x)",
                       "square(x)",
                       "frac(x)",
                       "reciprocal(x)",
                       "x ** 2",
                       "x ** 3",
                       "x ** -1",
                       "x ** 1",
                       "x ** 0 + x",
                       "x ** 4.0",
                       "x * x",
                       "x / 3",
                       "3 / x",
                       "x % 0.83",
                       "5.0 % x",
                       "x // 0.33 * x",
                       "floor(x) * x",
                       "clamp(x, -1, 1)",
                       "clamp(x, max = 0.4)",
                       "nan_to_num(x)",
                       "maximum(x, 0.4)",
                       "minimum(x, 0.4)",
                       "where(x > 0.3, x * 2, x * x)",
                       "masked_fill(x * 2, x < 0.3, 7)",
                       "add(x, x * x, 0.5)",
                       "sub(x, x * x)",
                       "sub(x, x * x, 2)",
                       "lerp(x, 3.0)",
                       "lerp(1.0, x * x, 0.3)",
                       "fma(x, x, x)",
                       "div(x, 0.73, rounding = trunc) * x",
                       "div(x, 0.73, rounding = floor) * x",
                       "round(x) * x",
                       "trunc(x) * x",
                       "ceil(x) * x",
                       "sign(x) * x",
                       "exp(-x * x) * sin(3 * x) / (1 + x * x)",
                       "{ s = x * sigmoid(1.702 * x); s * s + s }"};
  for (const char* body : all)
    for (const double x : {-6.3, -2.17, -0.71, -0.13, 0.29, 0.71, 1.9, 4.4})
      expect_slopes((std::string("(x) -> ") + body).c_str(), {x});
  for (const char* body : {"log(x)", "sqrt(x)", "rsqrt(x)", "log1p(x)", "log2(x)", "log10(x)", "acosh(x + 1)",
                           "xlogy(x, x + 1)", "x ** 0.5", "x ** 1.7", "x ** -0.5", "2.5 ** x"})
    for (const double x : {0.071, 0.6, 1.9, 17.3}) expect_slopes((std::string("(x) -> ") + body).c_str(), {x});
}

TEST(Gradient, OfSeveralOperandsAgainstDifferences) {
  const char* all[] = {"(a, b, c) -> a + b * c",
                       "(a, b, c) -> a / b - c",
                       "(a, b, c) -> abs(a) ** b + c",
                       "(a, b, c) -> a % b + c * (c // a)",
                       "(a, b, c) -> lerp(a, b, c)",
                       "(a, b, c) -> clamp(a, b, c) + clamp(c, a, b)",
                       "(a, b, c) -> fma(a, b, c)",
                       "(a, b, c) -> maximum(a, b) * minimum(b, c)",
                       "(a, b, c) -> atan2(a, b) * hypot(b, c)",
                       "(a, b, c) -> fmod(a, b) + logaddexp(b, c) + copysign(a, c)",
                       "(a, b, cond) -> where(cond, a * b, a / b)",
                       "(a, cond, c) -> masked_fill(a * c, cond, c)",
                       "(a, b, c) -> silu(a) * b + c"};
  const std::vector<double> points[] = {{0.31, 1.3, 0.57}, {1.9, 0.45, 1.7}, {-0.8, 2.2, 0.25}, {2.4, -1.1, 0.6}};
  for (const char* text : all)
    for (const auto& at : points) expect_slopes(text, at);
}

struct Tie {
  const char* text;
  double x;
  double want;
};

// Those of roots at 0 are of the library's own: infinite there.
TEST(Gradient, TiesAsInPyTorch) {
  const Tie rows[] = {
      {"(x) -> abs(x)", 0, 0},          {"(x) -> relu(x)", 0, 0},
      {"(x) -> clamp(x, 0, 1)", 0, 1},  {"(x) -> clamp(x, 0, 1)", 1, 1},
      {"(x) -> maximum(x, 2)", 2, 0.5}, {"(x) -> minimum(x, 2)", 2, 0.5},
      {"(x) -> hardtanh(x)", 1, 0},     {"(x) -> hardtanh(x)", -1, 0},
      {"(x) -> hardsigmoid(x)", 3, 0},  {"(x) -> hardswish(x)", 3, 1},
      {"(x) -> hardswish(x)", -3, 0},   {"(x) -> leaky_relu(x)", 0, 0.01},
      {"(x) -> elu(x)", 0, 1},          {"(x) -> floor(x) + x", 2, 1},
      {"(x) -> sign(x) + x", 0, 1},     {"(x) -> x ** 0.5", 0, 0},
      {"(x) -> x ** 2", 0, 0},          {"(x) -> x ** 0 + x", 0, 1},
      {"(x) -> 0.0 ** x", 0, 0},        {"(x) -> sqrt(x)", 0, 0},
      {"(x) -> gelu(x)", 0, 0.5},       {"(x) -> gelu(x, tanh)", 0, 0.5},
      {"(x) -> silu(x)", 0, 0.5},       {"(x) -> mish(x)", 0, 0.6},
      {"(x) -> cbrt(x)", 0, 0},         {"(x) -> hypot(x, 0)", 0, 0},
      {"(x) -> sinc(x)", 0, 0},         {"(x) -> logaddexp(x, x)", 2, 1},
      {"(x) -> maximum(x, x)", 3, 1},   {"(x) -> softplus(x)", 20, 1 / (1 + std::exp(-20.0))},
  };
  for (const Tie& row : rows) {
    const double got = slope(*parse(row.text), 0, {row.x});
    EXPECT_TRUE(got == row.want || std::fabs(got - row.want) < 1e-15) << row.text << " " << got;
  }
}

// No NaN where a function is flat or straight.
TEST(Gradient, FarOut) {
  const Tie rows[] = {{"sigmoid(x)", 0, 0},   {"tanh(x)", 0, 0},
                      {"gelu(x)", 0, 1},      {"gelu(x, tanh)", 0, 1},
                      {"silu(x)", 0, 1},      {"relu(x)", 0, 1},
                      {"softplus(x)", 0, 1},  {"mish(x)", 0, 1},
                      {"elu(x)", 0, 1},       {"selu(x)", 0, 1.0507009873554805},
                      {"hardswish(x)", 0, 1}, {"hardsigmoid(x)", 0, 0},
                      {"hardtanh(x)", 0, 0},  {"leaky_relu(x, 0)", 0, 1}};
  for (const Tie& row : rows) {
    const auto graph = parse(std::string("(x) -> ") + row.text);
    for (const double x : {900.0, 1e10, 1e200, kInf}) {
      EXPECT_EQ(slope(*graph, 0, {x}), row.want) << row.text << " at " << x;
      EXPECT_EQ(slope(*graph, 0, {-x}), 0) << row.text << " at " << -x;
    }
  }
  // In tails that go to 0, as accurate relative to what is left there as near 0.
  for (const char* body : {"sigmoid(x)", "gelu(x)", "gelu(x, tanh)", "silu(x)", "softplus(x)", "mish(x)"}) {
    const auto graph = parse(std::string("(x) -> ") + body);
    for (const double x : {-30.0, -17.0, -9.0}) {
      const double want = difference(*graph, 0, {x}), got = slope(*graph, 0, {x});
      EXPECT_TRUE(got == want || std::fabs(got / want - 1) < 1e-5) << body << " at " << x << " " << got << " " << want;
    }
  }
  // 4 e^-60, which 1 - tanh(x)^2 has no digit of.
  EXPECT_NEAR(slope(*parse("(x) -> tanh(x)"), 0, {30}) / (4 * std::exp(-60.0)), 1, 1e-14);
  EXPECT_NEAR(slope(*parse("(x) -> sigmoid(x)"), 0, {60}) / std::exp(-60.0), 1, 1e-14);
  for (const char* text : {"(x) -> clamp(x, 0, 1)", "(x) -> x * 2 + abs(x)"})
    EXPECT_FALSE(std::isnan(slope(*parse(text), 0, {-kInf}))) << text;
}

// A gradient's gradient, and its own.
TEST(Gradient, TwiceAndThrice) {
  for (const char* body : {"silu(x)",      "gelu(x)",         "gelu(x, tanh)",  "tanh(x)",         "sigmoid(x)",
                           "x ** 3",       "mish(x)",         "exp(x) * x",     "logsigmoid(x)",   "softplus(x)",
                           "erf(x)",       "elu(x)",          "selu(x)",        "1 / (2 + x * x)", "reciprocal(x + 4)",
                           "rsqrt(x + 4)", "(x + 4) ** -0.5", "(x + 4) ** 1.7", "2.5 ** x",        "log2(x + 4)"}) {
    const auto first = gradient(*parse(std::string("(x) -> ") + body), {0});
    const auto second = gradient(*first, {0}), third = gradient(*second, {0});
    for (const double x : {-2.3, -1.3, -0.3, 0.4, 2.1}) {
      const double two = difference(*first, 0, {x, 1.0}), three = difference(*second, 0, {x, 1.0, 1.0});
      EXPECT_NEAR(values(*second, {x, 1.0, 1.0})[0], two, 1e-8 * std::max(1.0, std::fabs(two))) << body << " " << x;
      EXPECT_NEAR(values(*third, {x, 1.0, 1.0, 1.0})[0], three, 1e-8 * std::max(1.0, std::fabs(three)))
          << body << " " << x;
    }
  }
  // Where one formula takes over from another, and where what is not taken is infinite.
  const auto second = [](const char* text, double x) {
    const auto first = gradient(*parse(text), {0});
    return values(*gradient(*first, {0}), {x, 1.0, 1.0})[0];
  };
  for (const double x : {0.0, 5e-324, -5e-324, 1e-300, 1e-20, 1e-10, -1e-6})
    EXPECT_NEAR(second("(x) -> gelu(x)", x), 0.7978845608028654, 1e-11) << x;
  for (const double x : {-1.0, -0.9999999999, -1.0000000001})  // (2 - x^2) phi(x)
    EXPECT_NEAR(second("(x) -> gelu(x)", x), 0.24197072451914337, 1e-10) << x;
  for (const char* text :
       {"(x) -> elu(x)", "(x) -> selu(x)", "(x) -> gelu(x)", "(x) -> gelu(x, tanh)", "(x) -> silu(x)", "(x) -> mish(x)",
        "(x) -> softplus(x)", "(x) -> logsigmoid(x)", "(x) -> sigmoid(x)"})
    for (const double x : {800.0, 1e10, 1e200}) EXPECT_EQ(second(text, x), 0) << text << " " << x;
}

// An incoming 0 stays one wherever the derivative is a number, and beside a branch that is not taken.
TEST(Gradient, OfNothingIsNothing) {
  const struct {
    const char* text;
    double x;
  } rows[] = {{"rsqrt(x)", 1e-300},
              {"x ** -0.5", 1e-300},
              {"reciprocal(x)", 1e-300},
              {"1 / x", 1e-300},
              {"x ** -1", 1e-300},
              {"x ** -3", 1e-100},
              {"x ** 1.5", 1e200},
              {"elu(x)", 1e5},
              {"gelu(x)", kInf},
              {"where(x > 0, log(where(x > 0, x, 1)), 0)", 0},
              {"where(x > 0, log(where(x > 0, x, 1)), 0)", -1}};
  for (const auto& row : rows) {
    const auto g = gradient(*parse(std::string("(x) -> ") + row.text), {0});
    EXPECT_EQ(values(*g, {row.x, 0.0})[0], 0) << g->text;
  }
  // One `where` is not enough: its gradient is 0 there, and 0 / 0 is none.
  EXPECT_TRUE(std::isnan(slope(*parse("(x) -> where(x > 0, log(x), 0)"), 0, {0})));
}

TensorSpec floats(std::vector<int64_t> shape, Dtype dtype = Dtype::f32) {
  TensorSpec t;
  read_tensor({dtype_to_dl(dtype), static_cast<int32_t>(shape.size()), shape.data(), nullptr}, "spec", &t);
  return t;
}

// A gradient has its operand's shape and dtype, also where that was broadcast.
TEST(Gradient, Inference) {
  const auto g = gradient(*parse("(x, w) -> x * w"), {0, 1});
  const auto right = infer(g, {floats({2, 3}, Dtype::bf16), floats({2, 3}), floats({2, 3})});
  EXPECT_EQ(right.results[0].dtype, Dtype::bf16);
  EXPECT_EQ(right.results[1].dtype, Dtype::f32);
  const auto summed = infer(g, {floats({2, 3}), floats({3}), floats({2, 3})});
  EXPECT_EQ(summed.results[1].ndim, 1);
  EXPECT_EQ(summed.results[1].shape[0], 3);
}

}  // namespace
}  // namespace tileops::expr

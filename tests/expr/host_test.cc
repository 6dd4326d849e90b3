// Numbers on the host: in f64, i64 or bool, by the operators' own bodies.
#include "expr/nodes/host.h"

#include <cmath>

#include "expr_test.h"

namespace tileops::expr {
namespace {

// The values that the results of an expression of numbers have.
std::vector<Number> results_of(const char* text, std::vector<Number> scalars, const int64_t* extents = nullptr) {
  const auto graph = parse(text);
  const std::vector<Number> values = host_values(*graph, scalars, extents);
  std::vector<Number> results;
  for (const Result& r : graph->results) {
    EXPECT_TRUE(graph->nodes[static_cast<size_t>(r.node)].on_host) << text;
    EXPECT_EQ(graph->nodes[static_cast<size_t>(r.node)].host_type, values[static_cast<size_t>(r.node)].type) << text;
    results.push_back(values[static_cast<size_t>(r.node)]);
  }
  return results;
}

TEST(Host, ScalarsAtExecute) {
  const char* text = "(; b1 = 0.9, t = 1, n = 7) -> 1 - b1 ** t, t + n, n / t, n // 2, n % -4, t < n, ~n, b1 * n, "
                     "where(t < 3, n, b1), (t < n) & (n < t), maximum(n, b1), n ** 2, cos(n)";
  const double b1 = 0.9375;
  const auto got = results_of(text, {Number::of(b1), Number::of(int64_t{3}), Number::of(int64_t{9})});
  const Number want[] = {Number::of(1 - b1 * b1 * b1),
                         Number::of(int64_t{12}),
                         Number::of(3.0),
                         Number::of(int64_t{4}),
                         Number::of(int64_t{-3}),
                         Number::of(true),
                         Number::of(int64_t{-10}),
                         Number::of(b1 * 9),
                         Number::of(b1),
                         Number::of(false),
                         Number::of(9.0),
                         Number::of(int64_t{81}),
                         Number::of(std::cos(9.0))};
  ASSERT_EQ(got.size(), std::size(want));
  for (size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i].text(), want[i].text()) << i;
}

// Integers wrap and divide as the operators do; nothing traps.
TEST(Host, Integers) {
  const auto least = Number::of(INT64_MIN);
  const auto got = results_of("(; a = 0, z = 0) -> a // -1, a // z, a % z, -a, a - 1, a / z, a * a, abs(a), a // 3",
                              {least, Number::of(int64_t{0})});
  const char* want[] = {"-9223372036854775808", "0",    "0", "-9223372036854775808",
                        "9223372036854775807",  "-inf", "0", "-9223372036854775808",
                        "-3074457345618258603"};
  ASSERT_EQ(got.size(), std::size(want));
  for (size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i].text(), want[i]) << i;
}

// The type of a result is known before the values are.
TEST(Host, TypesDoNotDependOnValues) {
  const char* text =
      "(; a = 1, s = 0.5) -> add(a, a, alpha = s), leaky_relu(s, a), a ** s, lerp(s, a, s), add(a, 1, a)";
  for (const double s : {2.0, 0.5, HUGE_VAL, -0.0}) results_of(text, {Number::of(int64_t{3}), Number::of(s)});
  EXPECT_EQ(results_of(text, {Number::of(int64_t{3}), Number::of(2.0)})[0].text(), "9.0");
  EXPECT_EQ(canonical("(x) -> x + add(1, 2, alpha = 3)"), "(x) -> x + 7");
  EXPECT_EQ(canonical("(x) -> x + add(1, 2, alpha = inf)"), "(x) -> x + inf");
  EXPECT_EQ(canonical("(x) -> x + add(1, 2, alpha = 1e300)"), "(x) -> x + 2e+300");
  EXPECT_EQ(canonical("(x) -> x + clamp(300, max = inf) + clamp(-3, min = -5)"), "(x) -> x + 300.0 + -3");
}

TEST(Host, Extents) {
  const auto graph = parse("(x) -> x / extent(x, -1)");
  std::vector<int64_t> extents(graph->nodes.size());
  size_t at = 0;
  while (!graph->nodes[at].is(Kind::extent)) ++at;
  extents[at] = 48;
  EXPECT_EQ(host_values(*graph, {}, extents.data())[at].text(), "48");
}

double number(const char* text) { return results_of(text, {Number::of(0.7), Number::of(int64_t{2})})[0].as_f64(); }

TEST(Host, FunctionsAreThoseOfF64) {
  const double x = 0.7;
  const struct {
    const char* text;
    double want;
  } rows[] = {
      {"(; x = 0.5, n = 1) -> exp(x)", std::exp(x)},
      {"(; x = 0.5, n = 1) -> log(x)", std::log(x)},
      {"(; x = 0.5, n = 1) -> sin(x)", std::sin(x)},
      {"(; x = 0.5, n = 1) -> sin(x * 1e10)", std::sin(x * 1e10)},
      {"(; x = 0.5, n = 1) -> erf(x)", std::erf(x)},
      {"(; x = 0.5, n = 1) -> tanh(x)", std::tanh(x)},
      {"(; x = 0.5, n = 1) -> sqrt(n)", std::sqrt(2.0)},
      {"(; x = 0.5, n = 1) -> x ** n", x * x},
      {"(; x = 0.5, n = 1) -> n ** x", std::pow(2.0, x)},
      {"(; x = 0.5, n = 1) -> exp2(x)", std::exp2(x)},
      {"(; x = 0.5, n = 1) -> log2(x)", std::log2(x)},
      {"(; x = 0.5, n = 1) -> fma(x, x, n)", std::fma(x, x, 2.0)},
      {"(; x = 0.5, n = 1) -> sigmoid(x)", 1 / (1 + std::exp(-x))},
      {"(; x = 0.5, n = 1) -> silu(x)", x / (1 + std::exp(-x))},
      {"(; x = 0.5, n = 1) -> gelu(x)", 0.5 * x * std::erfc(-x / std::sqrt(2.0))},
      {"(; x = 0.5, n = 1) -> softplus(x, 2)", std::log1p(std::exp(2 * x)) / 2},
      {"(; x = 0.5, n = 1) -> leaky_relu(-x, n)", -1.4},
      {"(; x = 0.5, n = 1) -> add(x, n, alpha = x)", x + x * 2},
      {"(; x = 0.5, n = 1) -> lerp(x, n, x)", x + x * (2 - x)},
      {"(; x = 0.5, n = 1) -> clamp(n, max = x)", x},
      {"(; x = 0.5, n = 1) -> masked_fill(x, n < x, 3)", x},
      {"(; x = 0.5, n = 1) -> div(-x, n, rounding = floor)", -1},
      {"(; x = 0.5, n = 1) -> isnan(x - inf) + 0", 0},
  };
  for (const auto& row : rows) {
    const double got = number(row.text);
    EXPECT_NEAR(got, row.want, 4e-16 * std::max(1.0, std::fabs(row.want))) << row.text;
  }
}

// Every function of single elements takes numbers of each type or says why not.
TEST(Host, EveryFunctionOfElements) {
  int computed = 0;
  for (const Function& f : function_table()) {
    if (f.kind != Kind::map) continue;
    for (const Number& x : {Number::of(true), Number::of(int64_t{-3}), Number::of(0.75)}) {
      SCOPED_TRACE(f.name + (" of " + x.text()));
      Node node;
      node.function = &f;
      std::vector<Number> values{x, Number::of(true)};
      for (const OperandSpec& slot : f.slots()) node.arguments.push_back({slot.fixed.empty() ? 0 : 1, -1});
      const HostCall call = host_call(node, values.data());
      try {
        const HostTypes types = host_types(call);
        EXPECT_EQ(evaluate(call).type, types.result);
        ++computed;
      } catch (const Error& e) {
        EXPECT_EQ(e.status, TILEOPS_STATUS_INVALID_ARGUMENT) << e.message;
        EXPECT_NE(e.message.find(" take "), std::string::npos) << e.message;
      }
    }
  }
  EXPECT_GT(computed, 100);
}

}  // namespace
}  // namespace tileops::expr

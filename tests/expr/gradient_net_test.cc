// Gradients of random texts, and theirs, to the third: of several results, of names that clash with those that
// gradients take. Each is an expression whose text is read back as it is, or is refused for its size; values are
// differences.
#include <cmath>
#include <cstring>
#include <random>

#include "expr/gradient/gradient.h"
#include "expr_test.h"
#include "host_values.h"
#include "tileops/tileops.h"

namespace tileops::expr {
namespace {

class RandomText {
 public:
  explicit RandomText(uint64_t seed) : random_(seed) {}

  // Not always one that parses: two results may have one name.
  std::string make() {
    std::string operands, body, results;
    for (int n = 1 + below(3); n > 0; --n) operands += (operands.empty() ? "" : ", ") + bind();
    if (below(3) == 0) operands += "; " + bind() + " = 0.75";
    for (int n = below(6); n > 0; --n) {
      const std::string value = call();  // of names that are bound already
      body += bind() + " = " + value + "; ";
    }
    for (int n = 1 + below(3); n > 0; --n) results += (results.empty() ? "" : ", ") + (below(2) ? any() : call());
    return "(" + operands + ") -> { " + body + results + " }";
  }

  int below(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }

 private:
  std::string bind() {
    static const char* const kNames[] = {"x",         "y0",          "y1",      "t0",       "t1", "grad_x",
                                         "grad_y0",   "grad_y1",     "grad_t0", "grad_x_2", "h",  "grad_h",
                                         "grad_y0_2", "grad_grad_x", "y2",      "t2"};
    for (;;) {
      const std::string name = kNames[below(16)];
      if (std::find(bound_.begin(), bound_.end(), name) != bound_.end()) continue;
      bound_.push_back(name);
      return name;
    }
  }

  std::string any() { return bound_[static_cast<size_t>(below(static_cast<int>(bound_.size())))]; }

  std::string call() {
    static const char* const kCalls[] = {"a + b",
                                         "a - 2 * b",
                                         "a * b",
                                         "a / (2 + b * b)",
                                         "fma(a, b, a)",
                                         "sin(a)",
                                         "tanh(a)",
                                         "sigmoid(a)",
                                         "gelu(a)",
                                         "gelu(a, tanh)",
                                         "silu(a)",
                                         "exp(tanh(a))",
                                         "a ** 2",
                                         "a ** 3",
                                         "logsigmoid(a)",
                                         "softplus(a)",
                                         "erf(a)",
                                         "mish(a)",
                                         "rsqrt(2 + a * a)",
                                         "elu(a)",
                                         "lerp(a, b, 0.3)",
                                         "sub(a, b, 0.5)",
                                         "log1p(a * a)",
                                         "maximum(a, b)",
                                         "where(a < b, a, b * b)",
                                         "clamp(a, -1, 1)",
                                         "floor(a)",
                                         "(2 + a * a) ** -0.5",
                                         "(2 + a * a) ** tanh(b)",
                                         "a % 0.7",
                                         "selu(a)"};
    std::string text;
    for (const char* c = kCalls[below(31)]; *c; ++c) {
      const bool alone = !std::isalnum(c[1]) && (text.empty() || !std::isalnum(text.back()));
      text += alone && (*c == 'a' || *c == 'b') ? any() : std::string(1, *c);
    }
    return text;
  }

  std::mt19937_64 random_;
  std::vector<std::string> bound_;
};

// Through the C API: the canonical text, or "" where it is refused for its size.
std::string gradient_text(const std::string& text, const std::vector<int>& operands) {
  tileops_expr *expr = nullptr, *made = nullptr;
  EXPECT_EQ(tileops_expr_parse(text.c_str(), text.size(), &expr), TILEOPS_STATUS_OK) << tileops_last_error();
  const std::vector<int32_t> wanted(operands.begin(), operands.end());
  std::string got;
  if (tileops_expr_gradient(expr, wanted.data(), wanted.size(), &made) == TILEOPS_STATUS_OK) {
    size_t size = 0;
    tileops_expr_text(made, nullptr, &size);
    got.resize(size);
    tileops_expr_text(made, got.data(), &size);
    got.pop_back();
  } else {
    EXPECT_NE(std::strstr(tileops_last_error(), " at most "), nullptr) << text << "\n" << tileops_last_error();
  }
  tileops_expr_destroy(made);
  tileops_expr_destroy(expr);
  return got;
}

// The results, each times a weight.
double weighted(const Graph& graph, const std::vector<double>& at) {
  const std::vector<double> all = values(graph, at);
  double sum = 0;
  for (size_t k = 0; k < all.size(); ++k) sum += (0.75 - 0.5 * static_cast<double>(k)) * all[k];
  return sum;
}

// False near a kink, where differences of two widths are not one.
bool slope(const Graph& graph, std::vector<double> at, size_t i, double* slope) {
  const double x = at[i];
  const auto with = [&](double h) {
    const auto f = [&](double v) { return at[i] = v, weighted(graph, at); };
    return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h);
  };
  const double wide = with(4e-3);
  *slope = with(1e-3);
  return std::fabs(*slope) < 1e4 && std::fabs(*slope - wide) <= 1e-6 * std::fmax(1, std::fabs(*slope));
}

TEST(GradientNet, RandomTextsToTheThird) {
  int parsed = 0, gradients = 0, compared = 0, refused = 0;
  for (uint64_t seed = 1; seed <= 600 && !testing::Test::HasFailure(); ++seed) {
    RandomText random(seed);
    const std::string text = random.make();
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + text);
    if (canonical(text)[0] == '!') continue;
    ++parsed;
    auto graph = parse(text);
    std::vector<double> at;
    for (size_t i = 0; i < graph->operands.size(); ++i) at.push_back(random.below(2000) * 1e-3 - 1.0003);
    for (int order = 1; order <= 3; ++order) {
      const size_t operand = static_cast<size_t>(random.below(static_cast<int>(graph->operands.size())));
      std::vector<int> wanted = {static_cast<int>(operand)};
      for (int i = 0; i < static_cast<int>(graph->operands.size()); ++i)
        if (static_cast<size_t>(i) != operand && random.below(3) == 0 && wanted.size() < 3) wanted.push_back(i);
      const std::string made = gradient_text(graph->text, wanted);
      if (made.empty()) {
        ++refused;
        break;
      }
      const auto next = gradient(*graph, wanted);
      EXPECT_EQ(next->text, made);
      expect_round_trip(*next);
      if (testing::Test::HasFailure()) break;
      ++gradients;
      double want;
      const bool smooth = slope(*graph, at, operand, &want);
      for (size_t k = 0; k < graph->results.size(); ++k) at.push_back(0.75 - 0.5 * static_cast<double>(k));
      if (smooth) {
        ++compared;
        EXPECT_NEAR(values(*next, at)[0], want, 1e-6 * std::fmax(1, std::fabs(want))) << graph->text << "\n" << made;
      }
      graph = next;
    }
  }
  EXPECT_GT(parsed, 400);
  EXPECT_GT(gradients, 2 * parsed);
  EXPECT_GT(compared, gradients * 3 / 5);
  EXPECT_LT(refused, parsed / 4);
}

}  // namespace
}  // namespace tileops::expr

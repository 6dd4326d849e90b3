// Gradients as texts: what they say, their names, zeros, and what is refused.
#include "expr/gradient/gradient.h"
#include "expr_test.h"

namespace tileops::expr {
namespace {

std::string gradient_text(const char* text, const std::vector<int>& operands) {
  try {
    const auto g = gradient(*parse(text), operands);
    expect_round_trip(*g);
    return g->text;
  } catch (const Error& e) {
    return "! " + e.message;
  }
}

TEST(Gradient, AsText) {
  EXPECT_EQ(gradient_text("(x, y) -> x * y", {0, 1}),
            "(x, y, grad_y0) -> { grad_x = sum_to(grad_y0 * y, x); grad_y = sum_to(grad_y0 * x, y); grad_x, grad_y }");
  EXPECT_EQ(
      gradient_text("(x, w = 1; s = 2) -> { h = x * s; h + w, h }", {0}),
      "(x, w = 1, grad_y0, grad_h; s = 2) -> { grad_x = sum_to((grad_h + sum_to(grad_y0, x * s)) * s, x); grad_x }");
  // Only what an operand needs is there; the forward pass is shared.
  EXPECT_EQ(gradient_text("(x, y) -> exp(x) * sqrt(y)", {0}),
            "(x, y, grad_y0) -> { grad_x = sum_to(grad_y0 * sqrt(y) * exp(x), x); grad_x }");
  // A constant exponent has a row of its own.
  EXPECT_EQ(gradient_text("(x) -> x ** 3", {0}),
            "(x, grad_y0) -> { grad_x = sum_to(grad_y0 * (3 * x ** 2), x); grad_x }");
  EXPECT_EQ(gradient_text("(x) -> x ** -0.5", {0}),
            "(x, grad_y0) -> { grad_x = sum_to(grad_y0 * x ** -0.5 / x * -0.5, x); grad_x }");
  // Casts hand on what they get, unrounded; conditions and indices hand on nothing.
  EXPECT_EQ(gradient_text("(x) -> cast(where(index(x, -1) < 3, x, 0), bf16)", {0}),
            "(x, grad_y0) -> { grad_x = sum_to(where(index(x, -1) < 3, grad_y0, 0), x); grad_x }");
  // Parts of an operand, and parts of a result.
  EXPECT_EQ(gradient_text("(x) -> chunk(x, 0, 2) * chunk(x, 1, 2)", {0}),
            "(x, grad_y0) -> { t0 = chunk(x, 1, 2); t1 = chunk(x, 0, 2); grad_x = concat(sum_to(grad_y0 * t0, t1), "
            "sum_to(grad_y0 * t1, t0)); grad_x }");
  EXPECT_EQ(gradient_text("(x) -> exp(every(x, 1, 2))", {0}),
            "(x, grad_y0) -> { t0 = every(x, 1, 2); grad_x = interleave(0.0, sum_to(grad_y0 * exp(t0), t0)); grad_x }");
  EXPECT_EQ(
      gradient_text("(x) -> exp(x), chunk(x, 0, 2)", {0}),
      "(x, grad_y0, grad_y1) -> { t0 = grad_y0 * exp(x); t1 = chunk(x, 0, 2); grad_x = concat(sum_to(chunk(t0, 0, "
      "2), t1) + sum_to(grad_y1, t1), sum_to(chunk(t0, 1, 2), chunk(x, 1, 2))); grad_x }");
  EXPECT_EQ(gradient_text("(x, y) -> interleave(x, x * y)", {1}),
            "(x, y, grad_y0) -> { grad_y = sum_to(every(grad_y0, 1, 2) * x, y); grad_y }");
}

TEST(Gradient, Errors) {
  EXPECT_EQ(gradient_text("(x) -> x", {1}), "! operands[0]: the expression has no such operand (got 1, need 0 to 0)");
  EXPECT_EQ(gradient_text("(x) -> x", {0, 0}), "! operands[1]: is given twice (got 0)");
  EXPECT_EQ(gradient_text("(x) -> x", {}), "! num_operands: is 0 (need at least 1)");
}

// What goes wrong is at no place of a text: neither of the forward one nor of a derivative's.
TEST(Gradient, ErrorsHaveNoPlace) {
  const auto graph = parse("(x, y) -> x * y ** x + gelu(x, tanh)");
  const auto g = gradient(*graph, {0});
  for (const Node& node : g->nodes) {
    EXPECT_EQ(node.offset, -1);
    for (const Argument& a : node.arguments) EXPECT_EQ(a.offset, -1);
  }
}

std::string repeated(int n, const std::string& part, const std::string& between) {
  std::string s;
  for (int i = 0; i < n; ++i) s += (i ? between : "") + part + std::to_string(i);
  return s;
}

// What a gradient has no room for is an error that says so, wherever on the way it is found.
TEST(Gradient, Limits) {
  const std::string names = repeated(32, "a", ", ");
  EXPECT_EQ(gradient_text(("(" + names + ") -> a0 * a1").c_str(), {0}),
            "! gradient: it has an operand for each operand and each result (32 and 1), and may have at most 32");
  std::vector<int> all(17);
  for (int i = 0; i < 17; ++i) all[static_cast<size_t>(i)] = i;
  EXPECT_EQ(gradient_text(("(" + repeated(17, "a", ", ") + ") -> a0").c_str(), all),
            "! num_operands: an expression has at most 16 results (got 17)");
  for (int depth :
       {20, 60, 241, 256}) {  // from some depth on more nodes than it may have, at first left, then on the way
    std::string text = "(x) -> { a = gelu(x, tanh); ";
    for (int i = 1; i < depth; ++i)
      text += "a" + std::to_string(i) + " = gelu(a" + (i > 1 ? std::to_string(i - 1) : "") + ", tanh); ";
    const std::string got = gradient_text((text + "a" + std::to_string(depth - 1) + " }").c_str(), {0});
    EXPECT_EQ(got.find("! an expression has at most ") == 0, depth > 10) << got;
  }
}

// Names are free ones, so that a gradient of any gradient is one.
TEST(Gradient, Names) {
  EXPECT_EQ(gradient_text("(x) -> x", {0}), "(x, grad_x) -> { grad_x_2 = sum_to(grad_x, x); grad_x_2 }");
  EXPECT_EQ(gradient_text("(p, q) -> p * q, p", {0, 1}), "(p, q, grad_y0, grad_p) -> { grad_p_2 = sum_to(grad_p + "
                                                         "sum_to(grad_y0 * q, p), p); grad_q = sum_to(grad_y0 * p, q); "
                                                         "grad_p_2, grad_q }");
  EXPECT_EQ(gradient_text("(x, grad_y0) -> x * grad_y0", {0}),
            "(x, grad_y0, grad_y0_2) -> { grad_x = sum_to(grad_y0_2 * grad_y0, x); grad_x }");
  EXPECT_EQ(gradient_text("(x, grad_y0; grad_y0_2 = 1.5, grad_x = 1) -> x * grad_y0 + grad_x", {0}),
            "(x, grad_y0, grad_y0_3; grad_y0_2 = 1.5, grad_x = 1) -> { grad_x_2 = sum_to(grad_y0_3 * grad_y0, x); "
            "grad_x_2 }");
  EXPECT_EQ(gradient_text("(x, grad_y1) -> gelu(x, tanh), x * grad_y1", {0}).substr(0, 32),
            "(x, grad_y1, grad_y0, grad_y1_2)");
  // A result's name may be an operand's of the gradient that comes next.
  auto graph = parse("(x) -> exp(x) * x");
  for (const char* operands : {"x grad_y0", "x grad_y0 grad_grad_x", "x grad_y0 grad_grad_x grad_grad_x_2"}) {
    graph = gradient(*graph, {0});
    expect_round_trip(*graph);
    std::string names;
    for (const Operand& o : graph->operands) names += (names.empty() ? "" : " ") + o.name;
    EXPECT_EQ(names, operands);
    EXPECT_EQ(graph->results[0].name, "grad_x");
  }
}

// An operand that no gradient reaches gets zeros, also beside others.
TEST(Gradient, Zeros) {
  EXPECT_EQ(gradient_text("(x, y) -> x", {1, 0}),
            "(x, y, grad_x) -> { grad_y = sum_to(where(true, 0.0, y), y); grad_x_2 = sum_to(grad_x, x); grad_y, "
            "grad_x_2 }");
  for (const char* body :
       {"floor(x)", "x // 2", "sign(x) * 2", "isnan(x)", "x < 1", "where(x > 0, 1, 2)", "index(x, -1)",
        "dropout_mask(x, 0.5, 1, 0)", "extent(x, -1)", "2", "x ** 0", "chunk(x, 0, 2) // 2"})
    EXPECT_EQ(gradient_text((std::string("(x) -> ") + body).c_str(), {0}),
              "(x, grad_y0) -> { grad_x = sum_to(where(true, 0.0, x), x); grad_x }")
        << body;
}

}  // namespace
}  // namespace tileops::expr

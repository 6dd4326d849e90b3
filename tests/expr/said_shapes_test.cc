// Shapes that a text says: what they mean, how they are written, and what is told of operands that have others.
#include "expr/gradient/gradient.h"
#include "expr/infer/infer.h"
#include "expr_test.h"
#include "problem/request.h"

namespace tileops::expr {
namespace {

using Shape = std::vector<int64_t>;

// What is said of float32 operands of these shapes: "" if they are taken, else the first line of the message.
std::string refusal(std::string_view text, const std::vector<Shape>& shapes) {
  std::vector<TensorSpec> operands;
  for (const Shape& shape : shapes) {
    TensorSpec t;
    read_tensor({dtype_to_dl(Dtype::f32), static_cast<int32_t>(shape.size()), shape.data(), nullptr}, "operand", &t);
    operands.push_back(t);
  }
  try {
    infer(parse(text), operands);
    return "";
  } catch (const Error& e) {
    return e.message.substr(0, e.message.find('\n'));
  }
}

TEST(SaidShapes, AreWrittenAndReadAgain) {
  for (const char* text : {
           "(x[.., n], w[n] = 1; eps = 1e-06) -> x * rsqrt(mean(x * x) + eps) * w",
           "(x[..b, n], label[..b, 1]) -> x + label",
           "(x[], y[3], z[..1], u[.., _, 2 * n], v[n / 128]) -> x + y + z + u + v",
           "(x, y) -> { h[..b, n] = x + y; h * 2, h }",
           "(x) -> { t0[..b, n] = silu(x); t0 * 2 }",
           "(x[..b, n]) -> { t0[m, k] = x; x + 1 }",
           "(x, y) -> { t0[m, n] = x + y; t1[k, _] = t0; t0 * 2 }",
       }) {
    expect_round_trip(*parse(text));
    EXPECT_EQ(canonical(text).find("! "), std::string::npos) << canonical(text);
  }
  const auto same = [](const char* a, const char* b) { EXPECT_EQ(canonical(a), canonical(b)); };
  same("(x[..]) -> x + 1", "(x) -> x + 1");
  same("(x[ .. b , 2*n ]) -> x", "(x[..b, 2 * n]) -> x");
  same("(x, w) -> { a[.., n] = x; b[n] = w; a * b }", "(x[.., n], w[n]) -> x * w");
  same("(x[.., n]) -> { a[.., n] = x; a * 2 }", "(x[.., n]) -> x * 2");
  // What no result needs is not looked at, and what only that has bound is not known.
  same("(x, y[n / 2]) -> { h[n] = x * 2; y }", "(x, y[_]) -> y");
}

TEST(SaidShapes, OfWhatIsGiven) {
  const char* loss = "(x[..b, n], label[..b, 1]) -> x + label";
  EXPECT_EQ(refusal(loss, {{8, 10}, {8, 1}}), "");
  EXPECT_EQ(refusal(loss, {{2, 8, 10}, {2, 8, 1}}), "");
  EXPECT_EQ(refusal(loss, {{10}, {1}}), "");
  EXPECT_EQ(refusal(loss, {{8, 10}, {8}}), "text: byte 12: label: extent -1 is 8, the text says 1: label[..b, 1]");
  EXPECT_EQ(
      refusal(loss, {{8, 10}, {1, 8, 1}}),
      "text: byte 12: label: its leading extents are (1, 8), the text says (8): label[..b, 1], where b is (8) of x");
  EXPECT_EQ(refusal(loss, {{8, 10}, {}}),
            "text: byte 12: label: has 0 dimensions, the text says at least 1: label[..b, 1]");
  const char* norm = "(x[.., n], w[n] = 1) -> x * w";
  EXPECT_EQ(refusal(norm, {{4, 6}, {6}}), "");
  EXPECT_EQ(refusal(norm, {{4, 6}}), "");
  EXPECT_EQ(refusal(norm, {{4, 6}, {1}}), "text: byte 11: w: extent -1 is 1, the text says 6: w[n], where n is 6 of x");
  EXPECT_EQ(refusal(norm, {{4, 6}, {1, 6}}), "text: byte 11: w: has 2 dimensions, the text says 1: w[n]");
  EXPECT_EQ(refusal("(x[2 * n], c[n]) -> chunk(x, 0, 2) * c", {{7}, {3}}),
            "text: byte 1: x: extent -1 is 7, the text says a multiple of 2: x[2 * n]");
  EXPECT_EQ(refusal("(c[n], x[2 * n]) -> chunk(x, 0, 2) * c", {{3}, {8}}),
            "text: byte 7: x: extent -1 is 8, the text says 6: x[2 * n], where n is 3 of c");
  EXPECT_EQ(refusal("(x, s[..1]) -> x * s", {{4, 6}, {1, 1}}), "");
  EXPECT_EQ(refusal("(x, s[..1]) -> x * s", {{4, 6}, {}}), "");
  EXPECT_EQ(refusal("(x, s[..1]) -> x * s", {{4, 6}, {4, 1}}),
            "text: byte 4: s: its leading extents are (4, 1), the text says 1 each: s[..1]");
  // Groups are rounded up, wherever the extent stands.
  const char* scaled = "(s[.., n / 4], x[.., n]) -> x * spread(s, x, group = 4)";
  EXPECT_EQ(refusal(scaled, {{2, 3}, {2, 10}}), "");
  EXPECT_EQ(refusal(scaled, {{2, 2}, {2, 10}}),
            "text: byte 1: s: extent -1 is 2, the text says 3: s[.., n / 4], where n is 10 of x");
}

TEST(SaidShapes, OfComputedValues) {
  EXPECT_EQ(refusal("(x, y) -> { h[n, n] = x + y; h }", {{3, 1}, {3}}), "");
  EXPECT_EQ(refusal("(x, y) -> { h[n, n] = x + y; h }", {{3, 1}, {4}}),
            "text: byte 12: h: extent -1 is 4, the text says 3: h[n, n], where n is 3 of h");
  EXPECT_EQ(refusal("(x, y) -> { a[..b] = x; c[..b] = y; a * c }", {{4, 1}, {4}}),
            "text: byte 24: y: its leading extents are (4), the text says (4, 1): y[..b], where b is (4, 1) of x");
}

// Calls say what the called text says, of operands and of values.
TEST(SaidShapes, OfCalls) {
  EXPECT_EQ(refusal("(x, label) -> cross_entropy(x, label)", {{8, 10}, {8}}),
            "text: byte 31: label: extent -1 is 8, the text says 1: label[..b, 1]");
  EXPECT_EQ(refusal("(x, y) -> mse(x * 2, y - 1)", {{4, 1}, {4}}),
            "text: byte 21: target of mse: its leading extents are (4), the text says (4, 1): target of mse[..b], "
            "where b is (4, 1) of x of mse");
  EXPECT_EQ(canonical("(x, w, u) -> rms_norm(rms_norm(x, w), u)"),
            canonical("(x[.., n], w[n], u[n_2]) -> { h[.., n_2] = x * rsqrt(mean(1.0 * x * x) + 1e-6) * w;"
                      " h * rsqrt(mean(1.0 * h * h) + 1e-6) * u }"));
  // Two calls of one operand have one name for its extent.
  EXPECT_EQ(canonical("(x, w, u) -> rms_norm(x, w) + rms_norm(x, u)"),
            canonical("(x[.., n], w[n], u[n]) -> x * rsqrt(mean(1.0 * x * x) + 1e-6) * w + x * rsqrt(mean(1.0 * x * x) "
                      "+ 1e-6) * u"));
}

TEST(SaidShapes, NamesAreNumbers) {
  EXPECT_EQ(canonical("(x[m, n]) -> sum(x) / n + m"), "(x[m, n]) -> sum(x) / extent(x, -1) + extent(x, -2)");
  EXPECT_EQ(canonical("(x[.., 2 * n]) -> x * n"), "(x[.., 2 * n]) -> x * (extent(x, -1) // 2)");
  // Of an operand that is always there, and not of a part.
  EXPECT_EQ(canonical("(w[n] = 1, x[.., 2 * n], y[.., n]) -> w * n"),
            "(w[n] = 1, x[.., 2 * n], y[.., n]) -> w * extent(y, -1)");
  EXPECT_EQ(canonical("(x[n], n) -> x + n"), "(x[n], n) -> x + n");  // values hide them
  EXPECT_EQ(canonical("(x) -> { h[.., n] = x * 2; sum(h) / n }"),
            "(x) -> { t0[.., n] = x * 2; sum(t0) / extent(t0, -1) }");
}

TEST(SaidShapes, OfGradients) {
  const auto graph = gradient(*parse("(x[.., n], w[n]) -> x * w"), {1});
  EXPECT_EQ(graph->text.substr(0, 26), "(x[.., n], w[n], grad_y0) ");
  expect_round_trip(*graph);
}

}  // namespace
}  // namespace tileops::expr

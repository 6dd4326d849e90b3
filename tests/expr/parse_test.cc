// Texts that are right: what they mean, as their canonical text says it.
#include <locale.h>

#include "expr_test.h"

namespace tileops::expr {
namespace {

struct Case {
  const char *text, *canonical;
};

void expect_all(const Case* cases, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    SCOPED_TRACE(cases[i].text);
    EXPECT_EQ(canonical(cases[i].text), cases[i].canonical);
    if (cases[i].canonical[0] != '!') expect_round_trip(*parse(cases[i].text));
  }
}

// Those of the language's description.
TEST(Parse, DescribedTexts) {
  const Case cases[] = {
      {"(g, u, r) -> silu(g) * u + r", "(g, u, r) -> silu(g) * u + r"},
      {"(x, b, r; p = 0.1, seed = 0, offset = 0) -> { h = gelu(x + b); k = dropout_mask(h, p, seed, offset);\n"
       "   where(k, h / (1 - p), 0) + r, k }",
       "(x, b, r; p = 0.1, seed = 0, offset = 0) -> { t0 = gelu(x + b); k = dropout_mask(t0, p = p, seed = seed, "
       "offset = offset); where(k, t0 / (1 - p), 0) + r, k }"},
      {"(p, g, m, v; lr = 1e-3, b1 = 0.9, b2 = 0.999, eps = 1e-8, wd = 0.01, t = 1) -> { n = lerp(m, g, 1 - b1);\n"
       "   q = v * b2 + g * g * (1 - b2); p * (1 - lr * wd) - lr / (1 - b1 ** t) * n / (sqrt(q / (1 - b2 ** t)) + "
       "eps), n, q }",
       "(p, g, m, v; lr = 0.001, b1 = 0.9, b2 = 0.999, eps = 1e-08, wd = 0.01, t = 1) -> { n = lerp(m, g, weight = 1 "
       "- b1); q = v * b2 + g * g * (1 - b2); p * (1 - lr * wd) - lr / (1 - b1 ** t) * n / (sqrt(q / (1 - b2 ** t)) "
       "+ eps), n, q }"},
      {"(x; alpha = 1.702, limit = 7.0) -> { g = minimum(every(x, 0, 2), limit); u = clamp(every(x, 1, 2), -limit, "
       "limit);\n   g * sigmoid(alpha * g) * (u + 1) }",
       "(x; alpha = 1.702, limit = 7.0) -> { t0 = minimum(every(x, 0, 2), limit); t0 * sigmoid(alpha * t0) * "
       "(clamp(every(x, 1, 2), min = -limit, max = limit) + 1) }"},
      {"(x, cos, sin) -> { a = chunk(x, 0, 2); b = chunk(x, 1, 2); concat(fma(a, cos, -(b * sin)), fma(b, cos, a * "
       "sin)) }",
       "(x, cos, sin) -> { t0 = chunk(x, 0, 2); t1 = chunk(x, 1, 2); concat(fma(t0, cos, -(t1 * sin)), fma(t1, cos, "
       "t0 * sin)) }"},
      {"(x, r, w = 1; eps = 1e-6) -> { h = x + r;  h * rsqrt(mean(h * h) + eps) * w,  h }",
       "(x, r, w = 1; eps = 1e-06) -> { h = x + r; h * rsqrt(mean(h * h) + eps) * w, h }"},
      {"(x) -> { a = amax(abs(x), group = 128);  s = cast(where(a == 0, 1, a / 448), f32);\n"
       "   cast(x / spread(s, x, group = 128), e4m3fn),  s }",
       "(x) -> { t0 = amax(abs(x), group = 128); s = cast(where(t0 == 0, 1, t0 / 448), f32); cast(x / spread(s, x, "
       "group = 128), e4m3fn), s }"},
      {"(x, mask = 0; scale = 1.0, past = 0) -> { v = where(index(x, -1) <= index(x, -2) + past, x * scale + mask, "
       "-inf);\n   m = detach(amax(v)); e = exp(v - where(m == -inf, 0, m)); s = sum(e); e / where(s == 0, 1, s) }",
       "(x, mask = 0; scale = 1.0, past = 0) -> { t0 = where(index(x, -1) <= index(x, -2) + past, x * scale + mask, "
       "-inf); t1 = detach(amax(t0)); t2 = exp(t0 - where(t1 == -inf, 0, t1)); t3 = sum(t2); t2 / where(t3 == 0, 1, "
       "t3) }"},
      {"(x, label; ignore = -100) -> where(label == ignore, 0, logsumexp(x) - gather(x, label))",
       "(x, label; ignore = -100) -> where(label == ignore, 0, logsumexp(x) - gather(x, label))"},
      {"(x) -> { s = cast(amax(abs(x), group = 32) / 448, e8m0fnu, rounding = up);\n"
       "   cast(x / spread(s, x, group = 32), e4m3fn), s }",
       "(x) -> { s = cast(amax(abs(x), group = 32) / 448, e8m0fnu, rounding = up); cast(x / spread(s, x, group = 32), "
       "e4m3fn), s }"},
      // Their pointwise parts.
      {"(x, m, mask = 0; scale = 1.0, past = 0) -> { v = where(index(x, -1) <= index(x, -2) + past, x * scale + mask, "
       "-inf); exp(v - where(m == -inf, 0, m)) }",
       "(x, m, mask = 0; scale = 1.0, past = 0) -> exp(where(index(x, -1) <= index(x, -2) + past, x * scale + mask, "
       "-inf) - where(m == -inf, 0, m))"},
      {"(x, a) -> { s = cast(a / 448, e8m0fnu, rounding = up); cast(x / s, e4m3fn), s }",
       "(x, a) -> { s = cast(a / 448, e8m0fnu, rounding = up); cast(x / s, e4m3fn), s }"},
      {"(x, a) -> { s = where(a == 0, 1, a / 448);  cast(x / s, e4m3fn),  s }",
       "(x, a) -> { s = where(a == 0, 1, a / 448); cast(x / s, e4m3fn), s }"},
  };
  expect_all(cases, std::size(cases));
}

TEST(Parse, Precedence) {
  const Case cases[] = {
      {"(a, b, c) -> a + b * c", "(a, b, c) -> a + b * c"},
      {"(a, b, c) -> (a + b) * c", "(a, b, c) -> (a + b) * c"},
      {"(a, b, c) -> a - b - c", "(a, b, c) -> a - b - c"},
      {"(a, b, c) -> a - (b - c)", "(a, b, c) -> a - (b - c)"},
      {"(a, b, c) -> a / b // c % a", "(a, b, c) -> a / b // c % a"},
      {"(a, b, c) -> a / (b / c)", "(a, b, c) -> a / (b / c)"},
      {"(a, b, c) -> a ** b ** c", "(a, b, c) -> a ** b ** c"},
      {"(a, b, c) -> (a ** b) ** c", "(a, b, c) -> (a ** b) ** c"},
      {"(a, b) -> -a ** b", "(a, b) -> -a ** b"},
      {"(a, b) -> (-a) ** b", "(a, b) -> (-a) ** b"},
      {"(a, b) -> a ** -b", "(a, b) -> a ** -b"},
      {"(a, b) -> a * -b", "(a, b) -> a * -b"},
      {"(a, b) -> -a * b", "(a, b) -> -a * b"},
      {"(a, b) -> -(a * b)", "(a, b) -> -(a * b)"},
      {"(a) -> --a", "(a) -> --a"},
      {"(a) -> ~-a", "(a) -> ~-a"},
      {"(a) -> -2 ** a", "(a) -> -2 ** a"},
      {"(a) -> (-2) ** a", "(a) -> (-2) ** a"},
      {"(a) -> a ** 2", "(a) -> a ** 2"},
      {"(a) -> a ** 2.0", "(a) -> a ** 2.0"},
      {"(a) -> pow(a, 2)", "(a) -> a ** 2"},
      {"(a) -> pow(a, exponent = 2)", "(a) -> a ** 2"},
      {"(a) -> a ** -0.5", "(a) -> a ** -0.5"},
      {"(a, b, c) -> a + b < b * c", "(a, b, c) -> a + b < b * c"},
      {"(a, b, c) -> (a < b) == c", "(a, b, c) -> (a < b) == c"},
      {"(a, b, c) -> a & b & c", "(a, b, c) -> (a & b) & c"},
      {"(a, b, c) -> a & (b | ~c)", "(a, b, c) -> a & (b | ~c)"},
      {"(a, b) -> (a < b) & -b", "(a, b) -> (a < b) & -b"},
      {"(a, b) -> (a + b) | (a - b)", "(a, b) -> (a + b) | (a - b)"},
      {"(a, b) -> where(a < b, a, b)", "(a, b) -> where(a < b, a, b)"},
      {"(a, b) -> bitwise_xor(a, b)", "(a, b) -> bitwise_xor(a, b)"},
      {"(a, b) -> add(a, b)", "(a, b) -> a + b"},
      {"(a, b) -> add(a, b, 2)", "(a, b) -> add(a, b, alpha = 2)"},
      {"(a, b) -> add(b = a, a = b)", "(a, b) -> b + a"},
  };
  expect_all(cases, std::size(cases));
}

TEST(Parse, SameStepsAreOneNode) {
  const Case cases[] = {
      {"(x) -> (x + 1) * (x + 1)", "(x) -> { t0 = x + 1; t0 * t0 }"},
      {"(x) -> { a = exp(x); b = exp(x); dead = log(x); a - b }", "(x) -> { t0 = exp(x); t0 - t0 }"},
      {"(x) -> { h = x + 1; h, (h), x }", "(x) -> { h = x + 1; h, (h), x }"},
      {"(x) -> { h = x; h }", "(x) -> { h = x; h }"},
      {"(x) -> { h = 1.0; h, x }", "(x) -> { h = 1.0; h, x }"},
      {"(t0) -> (t0 + 1) * (t0 + 1)", "(t0) -> { t1 = t0 + 1; t1 * t1 }"},
      {"(x) -> { t0 = exp(x); t0 + 1, t0 }", "(x) -> { t0 = exp(x); t0 + 1, t0 }"},
      {"(x) -> { y0 = exp(x); y0 }", "(x) -> exp(x)"},
      {"(y0) -> y0", "(y0) -> y0"},
      {"(y0) -> y0 * 2", "(y0) -> y0 * 2"},
      {"(x) -> x * 2 + x * 2.0", "(x) -> x * 2 + x * 2.0"},  // a float literal takes integers to floats
      {"(x) -> gelu(x, none) + gelu(x, approximate = none)", "(x) -> { t0 = gelu(x); t0 + t0 }"},
      {"(x, y) -> x", "(x, y) -> x"},
      {"() -> 1", "() -> 1"},
      {"(; a = 1) -> a", "(; a = 1) -> a"},
  };
  expect_all(cases, std::size(cases));
}

// Nothing that changes a bit: x + 0 is not x where x is -0, x * 0 is not 0 where it is NaN.
TEST(Parse, FoldsConstantsAndNothingElse) {
  const Case cases[] = {
      {"(x) -> x + 0", "(x) -> x + 0"},
      {"(x) -> x * 0 + x * 1", "(x) -> x * 0 + x * 1"},
      {"(x) -> x - x", "(x) -> x - x"},
      {"(x) -> --x", "(x) -> --x"},
      {"(x, y) -> x * y + 1", "(x, y) -> x * y + 1"},
      {"(x) -> x + 1 + 2", "(x) -> x + 1 + 2"},
      {"(x) -> x + (1 + 2)", "(x) -> x + 3"},
      {"(x) -> x * (1 / 3)", "(x) -> x * 0.3333333333333333"},
      {"(x) -> x * (7 // 2) * (7 % -4) * (2 ** 10)", "(x) -> x * 3 * -1 * 1024"},
      {"(x) -> x + 2 ** 0.5", "(x) -> x + 1.4142135623730951"},
      {"(x) -> x + -0.0", "(x) -> x + -0.0"},
      {"(x) -> x + (inf - inf)", "(x) -> x + nan"},
      {"(x) -> x * (1 < 2)", "(x) -> x * true"},
      {"(x) -> where(x > 0, ~5, 1 & 3)", "(x) -> where(x > 0, -6, 1)"},
      {"(x) -> where(1 < 2, 3, 4) * x", "(x) -> 3 * x"},
      {"(x) -> maximum(1, 2.5) * x", "(x) -> 2.5 * x"},
      {"(x) -> clamp(9, 0, 6) * clamp(-1.5, max = 2) * x", "(x) -> -9.0 * x"},
      {"(x) -> lerp(1.0, 3.0) + lerp(1.0, 3, 0.25) + x", "(x) -> 3.5 + x"},
      {"(x) -> round(2.675, 2) + round(2.5) + x", "(x) -> 4.67 + x"},
      {"(x) -> fma(2.0, 3, 4) + exp2(3) + log2(8) + x", "(x) -> 21.0 + x"},
      {"(x) -> nan_to_num(nan, 7) + add(1, 2, alpha = 10) + x", "(x) -> 28.0 + x"},
      {"(x; s = 2) -> x + (s + 1)", "(x; s = 2) -> x + (s + 1)"},
      {"(x; s = 2) -> s * 2 + x", "(x; s = 2) -> s * 2 + x"},
  };
  expect_all(cases, std::size(cases));
}

// Numbers stand in for operands as attributes, so that the body is the operator's for them.
TEST(Parse, NumbersInSlots) {
  const Case cases[] = {
      {"(x, y) -> clamp(x, -1, 1) + clamp(x, y)", "(x, y) -> clamp(x, min = -1, max = 1) + clamp(x, y)"},
      {"(x, y) -> clamp(x, max = y) + clamp(x, max = 6)", "(x, y) -> clamp(x, max = y) + clamp(x, max = 6)"},
      {"(x, y) -> clamp(x, 0, y)", "(x, y) -> clamp(x, min = 0, max = y)"},
      {"(x, y) -> lerp(x, y) + lerp(x, y, 0.5)", "(x, y) -> { t0 = lerp(x, y); t0 + t0 }"},
      {"(x, y) -> lerp(x, y, x)", "(x, y) -> lerp(x, y, x)"},
      {"(x) -> masked_fill(x, x < 0, -inf)", "(x) -> masked_fill(x, x < 0, value = -inf)"},
      {"(x, m) -> masked_fill(x, m, true)", "(x, m) -> masked_fill(x, m, value = 1)"},
      {"(x, m) -> masked_fill(x, m, value = 1 > 2)", "(x, m) -> masked_fill(x, m, value = 0)"},
      {"(x; a = 2) -> x ** a + add(x, x, alpha = a * 0.5)", "(x; a = 2) -> x ** a + add(x, x, alpha = a * 0.5)"},
      {"(x) -> leaky_relu(x, 1) + leaky_relu(x, 0.01)", "(x) -> leaky_relu(x, negative_slope = 1) + leaky_relu(x)"},
      {"(x) -> nan_to_num(x, 0.0, posinf = 1e30)", "(x) -> nan_to_num(x, posinf = 1e+30)"},
      {"(x) -> div(x, 3, floor) + div(x, 3, rounding = trunc)",
       "(x) -> div(x, 3, rounding = floor) + div(x, 3, rounding = trunc)"},
      {"(x) -> cast(x, bfloat16) + cast(x, bf16)", "(x) -> { t0 = cast(x, bf16); t0 + t0 }"},
      {"(x) -> cast(x, e5m2, fp8_overflow = saturate)", "(x) -> cast(x, e5m2, fp8_overflow = saturate)"},
      {"(x, y) -> cast(x, y)", "(x, y) -> cast(x, y)"},
      {"(x, f16) -> cast(x, f16) + cast(x, float16)", "(x, f16) -> cast(x, f16) + cast(x, float16)"},
      {"(x) -> x / extent(x, -1)", "(x) -> x / extent(x, -1)"},
      {"(x) -> dropout_mask(x)", "(x) -> dropout_mask(x)"},
      {"(x; s = 1) -> dropout_mask(x, 0.25, s + 1)", "(x; s = 1) -> dropout_mask(x, p = 0.25, seed = s + 1)"},
      {"(x, y) -> concat(x, y, x), interleave(x, y)", "(x, y) -> concat(x, y, x), interleave(x, y)"},
  };
  expect_all(cases, std::size(cases));
}

TEST(Parse, SpaceAndNumbers) {
  const Case cases[] = {
      {"(x)->x", "(x) -> x"},
      {"\n ( x\t) # operands\r\n -> # results\n x#\n", "(x) -> x"},
      {"(x) -> { h = x + 1; h; }", "(x) -> { h = x + 1; h }"},
      {"(x) -> 1e3 * 1E-3 * 1.5e+2 * 0.5 * 0 * x", "(x) -> 0.0 * x"},
      {"(x) -> 1e3 + x", "(x) -> 1000.0 + x"},
      {"(x) -> 0.1 + x", "(x) -> 0.1 + x"},
      {"(x) -> 5e-324 + x", "(x) -> 5e-324 + x"},
      {"(x) -> 1.7976931348623157e308 + x", "(x) -> 1.7976931348623157e+308 + x"},
      {"(x) -> 9223372036854775807 + x", "(x) -> 9223372036854775807 + x"},
      {"(x) -> -9223372036854775808 + x", "(x) -> -9223372036854775808 + x"},
      {"(x = -9223372036854775808; s = -inf, t = nan) -> x * s * t",
       "(x = -9223372036854775808; s = -inf, t = nan) -> x * s * t"},
      {"(x = true, y = -1.50) -> where(x, y, nan)", "(x = true, y = -1.5) -> where(x, y, nan)"},
      {"(silu, exp) -> silu(silu) + exp(exp)", "(silu, exp) -> silu(silu) + exp(exp)"},  // names of their own
  };
  expect_all(cases, std::size(cases));
}

// What is too small for float64 is 0; what is too large is wrong (tests/bad_input/wrong_texts.h).
TEST(Parse, TinyNumbers) {
  const char* const zeros[] = {"1e-400",
                               "2e-324",
                               "0.1e-9223372036854775807",
                               "1e-9223372036854775808",
                               "123.456e-99999999999999999999",
                               "0.0e-400",
                               "0e999999999999999999999"};
  for (const std::string zero : zeros) {
    EXPECT_EQ(canonical("(x; s = " + zero + ") -> x * s"), "(x; s = 0.0) -> x * s");
    EXPECT_EQ(canonical("(x) -> x * -" + zero), "(x) -> x * -0.0");
  }
  EXPECT_EQ(canonical("(x) -> x * 0." + std::string(400, '0') + "1"), "(x) -> x * 0.0");
  EXPECT_EQ(canonical("(x) -> x * 0." + std::string(400, '0') + "1e401"), "(x) -> x * 1.0");
  EXPECT_EQ(canonical("(x) -> x * 1" + std::string(400, '0') + "e-400"), "(x) -> x * 1.0");
  EXPECT_EQ(canonical("(x) -> x * 3e-324"), "(x) -> x * 5e-324");
  EXPECT_EQ(canonical("(x) -> x * 1" + std::string(400, '0') + "e-10"),
            "! text: byte 11: the number is beyond float64");
}

TEST(Parse, Counts) {
  const auto g = parse("(x, y, z = 1; s = 1) -> { h = x * (s + 1); exp(h + 2), h }");
  const Counts c = count(*g);
  EXPECT_EQ(c.operands, 3);
  EXPECT_EQ(c.min_operands, 2);
  EXPECT_EQ(c.scalars, 1);
  EXPECT_EQ(c.results, 2);
  EXPECT_EQ(c.nodes, 3);
  EXPECT_EQ(c.host_nodes, 1);
  EXPECT_EQ(c.constants, 2);
  EXPECT_EQ(g->results[0].name, "y0");
  EXPECT_EQ(g->results[1].name, "h");
  EXPECT_TRUE(g->operands[2].optional);
  EXPECT_TRUE(g->operands[2].value.is(1));
}

// Run by itself with LC_ALL of a locale that writes 0,5.
TEST(Locale, NumbersAreReadAndWrittenWithAPoint) {
  if (!setlocale(LC_ALL, "") || std::string(localeconv()->decimal_point) != ",")
    GTEST_SKIP() << "skipped: this machine has no locale with a decimal comma";
  EXPECT_EQ(canonical("(x; s = 0.5) -> x * 1.25 + s"), "(x; s = 0.5) -> x * 1.25 + s");
  EXPECT_EQ(canonical("(x) -> dropout_mask(x, 1.5)"),
            "! text: byte 23: dropout_mask: 'p' is out of range (got 1.5, need 0 to 1)");
  setlocale(LC_ALL, "C");
}

}  // namespace
}  // namespace tileops::expr

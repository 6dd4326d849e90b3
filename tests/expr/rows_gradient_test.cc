// Gradients of rows as texts: each function's, where sums stand, and that they have gradients again.
#include "expr/gradient/gradient.h"
#include "inferred.h"

namespace tileops::expr {
namespace {

// What grad_x is, of the first operand.
std::string slope(const std::string& text) {
  try {
    const auto g = gradient(*parse(text), {0});
    expect_round_trip(*g);
    return g->text.substr(g->text.find("->") + 3);
  } catch (const Error& e) {
    return "! " + e.message;
  }
}

struct SlopeText {
  const char *text, *gradient;
};

TEST(RowsGradient, OfEachFunction) {
  const SlopeText cases[] = {
      {"(x) -> sum(x)", "{ grad_x = sum_to(spread(grad_y0, x), x); grad_x }"},
      {"(x) -> sum(x, axis = (-2, -1))", "{ grad_x = sum_to(spread(grad_y0, x), x); grad_x }"},
      {"(x) -> sum(x, group = (2, 8))", "{ grad_x = sum_to(spread(grad_y0, x, group = (2, 8)), x); grad_x }"},
      {"(x) -> mean(x)", "{ grad_x = sum_to(spread(grad_y0 / extent(x, -1), x), x); grad_x }"},
      {"(x) -> mean(x, axis = all)", "{ grad_x = sum_to(spread(grad_y0 / extent(x, all), x), x); grad_x }"},
      {"(x) -> mean(x, axis = -2, group = 4)",
       "{ grad_x = sum_to(spread(grad_y0 / minimum(extent(x, -2) - index(mean(x, axis = -2, group = "
       "4), -2) * 4, 4), x, axis = -2, group = 4), x); grad_x }"},
      {"(x) -> mean(x, group = (2, 4))",
       "{ t0 = mean(x, group = (2, 4)); grad_x = sum_to(spread(grad_y0 / (minimum(extent(x, -2) - "
       "index(t0, -2) * 2, 2) * minimum(extent(x, -1) - index(t0, -1) * 4, 4)), x, group = (2, 4)), "
       "x); grad_x }"},
      {"(x) -> amax(x)", "{ t0 = (x == spread(amax(x), x)) | isnan(x); grad_x = sum_to(where(t0, spread(grad_y0 / "
                         "sum(t0), x), 0), x); grad_x }"},
      {"(x) -> amin(x, axis = -2)", "{ t0 = (x == spread(amin(x, axis = -2), x)) | isnan(x); grad_x = sum_to(where(t0, "
                                    "spread(grad_y0 / sum(t0, axis = -2), x), 0), x); grad_x }"},
      {"(x) -> amax(x, group = 4)",
       "{ t0 = (x == spread(amax(x, group = 4), x, group = 4)) | isnan(x); grad_x = sum_to(where(t0, "
       "spread(grad_y0 / sum(t0, group = 4), x, group = 4), 0), x); grad_x }"},
      {"(x) -> prod(x)", "{ t0 = x == 0; t1 = spread(sum(t0), x) - t0; t2 = where(t0, 1, x); t3 = spread(prod(t2), x) "
                         "/ t2; t4 = where(t0, x, 0); "
                         "grad_x = sum_to(spread(grad_y0, x) * where(t1 == 0, t3, where(t1 == 1, nan_to_num(t3) * "
                         "(spread(sum(t4), x) - t4), 0)), x); grad_x }"},
      {"(x) -> var(x, correction = 1)",
       "{ grad_x = sum_to(spread(2 * grad_y0 / maximum(extent(x, -1) - 1, 0), x) * (x - "
       "spread(mean(x), x)), x); grad_x }"},
      {"(x) -> cumsum(x)", "{ grad_x = sum_to(cumsum(grad_y0, reverse = true), x); grad_x }"},
      {"(x) -> cumsum(x, axis = -2, reverse = true)", "{ grad_x = sum_to(cumsum(grad_y0, axis = -2), x); grad_x }"},
      {"(x) -> cumsum(x, group = 4, exclusive = true)",
       "{ grad_x = sum_to(cumsum(grad_y0, group = 4, reverse = true, exclusive = true), x); grad_x }"},
      {"(x) -> cumsum(x, reverse = true, exclusive = true)",
       "{ grad_x = sum_to(cumsum(grad_y0, exclusive = true), x); grad_x }"},
      {"(s, x) -> spread(s, x)", "{ grad_s = sum_to(sum_to(grad_y0, s), s); grad_s }"},
      {"(s, x) -> spread(s, x, group = 4)", "{ grad_s = sum_to(sum_to(sum(grad_y0, group = 4), s), s); grad_s }"},
      {"(x, y) -> sum_to(x, y)", "{ grad_x = sum_to(spread(grad_y0, x), x); grad_x }"},
      {"(t, i) -> gather(t, i)",
       "{ t0 = cast(i, i64); grad_t = sum_to(masked_fill(spread(grad_y0, sum(grad_y0)), index(t, -1) != i, value = 0) "
       "+ where(((t0 < 0) | (t0 >= extent(t, -1))) & (grad_y0 != 0), nan, 0), t); grad_t }"},
      {"(t, i, j) -> gather(t, i, j, axis = (-3, -1))",
       "{ t0 = cast(i, i64); t1 = cast(j, i64); grad_t = sum_to(masked_fill(spread(grad_y0, sum(grad_y0, axis = (-3, "
       "-1))), (index(t, -3) != i) | (index(t, -1) != j), value = 0) + where(((((t0 < 0) | (t0 >= extent(t, -3))) | "
       "(t1 < 0)) | (t1 >= extent(t, -1))) & (grad_y0 != 0), nan, 0), t); grad_t }"},
      {"(x) -> detach(x) * x", "{ grad_x = sum_to(grad_y0 * detach(x), x); grad_x }"},
      {"(x) -> argmax(x) * any(x > 0) * x", "{ grad_x = sum_to(grad_y0 * (argmax(x) * any(x > 0)), x); grad_x }"},
      {"(x, i) -> scatter(x, i)", "! scatter: has no derivative"},
      {"(x, i) -> scatter_add(x, i)", "! scatter_add: has no derivative"},
      {"(x, i) -> x * x, scatter_add(x > 0, i)", "{ t0 = grad_y0 * x; grad_x = sum_to(t0 + t0, x); grad_x }"},
      {"(x, m) -> store_if(x * 2, m)", "{ grad_x = sum_to(where(m, grad_y0, 0) * 2, x); grad_x }"},
      {"(x, m) -> store_if(x * 2, x > m), x",
       "{ grad_x_2 = sum_to(grad_x + where(x > m, grad_y0, 0) * 2, x); grad_x_2 }"},
      {"(x) -> tiled(x)", "! tiled: has no derivative"},
      {"(x, y) -> x, tiled(y)", "{ grad_x_2 = sum_to(grad_x, x); grad_x_2 }"},
  };
  for (const SlopeText& c : cases) EXPECT_EQ(slope(c.text), c.gradient) << c.text;
}

// Few values are computed from few: the sum comes before them. Values of several shapes are summed before they are
// added.
TEST(RowsGradient, WhereSumsStand) {
  const SlopeText cases[] = {
      {"(x; eps = 1e-6) -> x * rsqrt(mean(x * x) + eps)",
       "{ t0 = x * x; t1 = mean(t0) + eps; t2 = rsqrt(t1); t3 = spread(sum_to(grad_y0 * x, t2) * (-0.5 "
       "* t2) / t1 / extent(t0, -1), t0) * x; grad_x = sum_to(grad_y0 * t2 + t3 + t3, x); grad_x }"},
      {"(x) -> { m = detach(amax(x)); e = exp(x - m); e / sum(e) }",
       "{ t0 = exp(x - detach(amax(x))); t1 = sum(t0); t2 = grad_y0 / t1; grad_x = sum_to((t2 + "
       "spread(sum_to(-t2 * (t0 / t1), t1), t0)) * t0, x); grad_x }"},
      {"(b, x) -> x * b, exp(b)", "{ grad_b = sum_to(grad_y1 * exp(b) + sum_to(grad_y0 * x, b), b); grad_b }"},
      {"(b, x) -> x * b + x * exp(b)", "{ t0 = grad_y0 * x; grad_b = sum_to(t0 * exp(b) + t0, b); grad_b }"},
      {"(x) -> { q = amax(abs(x), group = 4); x / spread(q, x, group = 4) }",
       "{ t0 = abs(x); t1 = amax(t0, group = 4); t2 = spread(t1, x, group = 4); t3 = grad_y0 / t2; t4 "
       "= (t0 == spread(t1, t0, group = 4)) | isnan(t0); grad_x = sum_to(t3 + where(t4, "
       "spread(sum_to(sum(-t3 * (x / t2), group = 4), t1) / sum(t4, group = 4), t0, group = 4), 0) * "
       "sign(x), x); grad_x }"},
      {"(x) -> sum(cast(x, i8))", "{ grad_x = sum_to(spread(grad_y0, cast(x, i8)), x); grad_x }"},
      {"(x) -> { a = cast(x, i8); a * sum(a) }",
       "{ t0 = cast(x, i8); t1 = sum(t0); grad_x = sum_to(grad_y0 * t1 + spread(sum_to(grad_y0 * t0, "
       "t1), t0), x); grad_x }"},
  };
  for (const SlopeText& c : cases) EXPECT_EQ(slope(c.text), c.gradient) << c.text;
}

// Parsed, inferred, and differentiated again.
TEST(RowsGradient, AreClosed) {
  const struct {
    const char *text, *operands;
  } rows[] = {
      {"(x, w = 1; eps = 1e-6) -> x * rsqrt(mean(x * x) + eps) * w", "bf16(6,128) f32(128)"},
      {"(x, w = 1, b = 0; eps = 1e-5) -> { d = x - mean(x); d * rsqrt(mean(d * d) + eps) * w + b }",
       "bf16(6,128) bf16(128) f32(1)"},
      {"(x) -> { m = detach(amax(x)); e = exp(x - m); e / sum(e) }", "bf16(6,1000)"},
      {"(x) -> logsumexp(x)", "f32(6,100)"},
      {"(x) -> logsumexp(x, axis = -2, group = 4)", "f32(6,100)"},
      {"(x, label; ignore = -100) -> where(label == ignore, 0, logsumexp(x) - gather(x, label))",
       "f32(6,100) i64(6,1)"},
      {"(x) -> mean(x * x, axis = all)", "f32(3,4,5)"},
      {"(x) -> prod(x) + var(x, correction = 1) + amax(x) - amin(x, axis = all)", "f64(3,4,5)"},
      {"(x) -> mean(x, axis = (-3, -1), group = (2, 4))", "f32(5,3,10)"},
      {"(x) -> cumsum(x, group = 3) * cumsum(x, axis = -2, exclusive = true)", "f32(4,7)"},
      {"(x) -> cumprod(x, group = 3) * cumprod(x, axis = -2, reverse = true)", "f32(4,7)"},
      {"(x, s) -> x * spread(s, x, group = 4)", "f32(4,7) f32(2)"},
      {"(x, w) -> concat(x * w, mean(x) * x)", "f32(4,7) f32(7)"},
      {"(t, i) -> gather(t, i, axis = -2)", "f32(9,7) i32(5,1,1)"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.text);
    auto graph = parse(row.text);
    std::string operands = row.operands;
    for (int order = 0; order < 2; ++order) {
      const std::string results = inferred(graph->text, operands);
      ASSERT_NE(results[0], '!') << results;
      const size_t count = graph->operands.size();
      graph = gradient(*graph, std::vector<int>{0});
      expect_round_trip(*graph);
      ASSERT_EQ(graph->operands.size(), count + 1 + (results.find(' ') != std::string::npos)) << graph->text;
      operands += " " + results;
      EXPECT_EQ(inferred(graph->text, operands),
                std::string(row.operands).substr(0, std::string(row.operands).find(' ')));
    }
  }
  // An index of several elements along the axis would have to add some up.
  const auto g = gradient(*parse("(t, i) -> gather(t, i)"), {0});
  EXPECT_EQ(
      inferred(g->text, "f32(9) i32(5) f32(5)"),
      "! text: byte 75: gather: it has a gradient where its index has 1 element along axis -1 (got 5); what several "
      "take from one place is not added up");
}

}  // namespace
}  // namespace tileops::expr

// Gradients of texts with rows: the text that tileops_expr_gradient gives beside difference quotients of the reference,
// and what executes give beside that text's reference.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "not_yet.h"
#include "texts.h"

namespace rowtest {
namespace {

struct Case {
  const char* name;
  const char* text;
  std::vector<Shape> shapes;
  std::vector<int32_t> with_respect_to;
  double mean = 0;  // of operands
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

const Case kCases[] = {
    {"rms_norm", NamedText("rms_norm"), {{3, 7}, {7}}, {0, 1}},
    {"layer_norm", NamedText("layer_norm"), {{3, 7}, {7}, {7}}, {0, 1, 2}},
    {"softmax", NamedText("softmax"), {{3, 7}}, {0}},
    {"softmax_sink", NamedText("softmax_sink"), {{3, 2, 7}, {3, 1, 1}}, {0, 1}},
    {"logsumexp", NamedText("logsumexp"), {{3, 7}}, {0}},
    {"log_softmax", NamedText("log_softmax"), {{3, 7}}, {0}},
    {"l2_norm", NamedText("l2_norm"), {{3, 7}}, {0}},
    {"sums", "(x, y) -> sum(x * y, axis = -2), mean(x + y, axis = all), sum(x, group = 3)", {{3, 7}, {3, 1}}, {0, 1}},
    {"prod", "(x) -> prod(x), prod(x, axis = -2)", {{3, 5}}, {0}, 1},
    {"var", "(x) -> var(x), var(x, correction = 1, axis = -2)", {{4, 5}}, {0}},
    {"amax", "(x) -> amax(x) * 2, amin(x, axis = -2), amax(x, group = 3)", {{3, 7}}, {0}},
    {"cumsum", "(x) -> cumsum(x), cumsum(x, reverse = true), cumsum(x, axis = -2, exclusive = true)", {{3, 7}}, {0}},
    {"cumprod",
     "(x) -> cumprod(x), cumprod(x, reverse = true, axis = -2), cumprod(x, exclusive = true, group = 3), cumprod(x, "
     "reverse = true, exclusive = true)",
     {{3, 7}},
     {0}},
    {"cummax",
     "(x) -> cummax(x), cummax(x, reverse = true), cummin(x, axis = -2), cummin(x, reverse = true, group = 3)",
     {{3, 7}},
     {0}},
    {"cummax_of_groups",
     "(x, y) -> cummax(x, group = 4) * y, cummin(x, group = 2, axis = -2) + y",
     {{5, 11}, {5, 1}},
     {0, 1}},
    {"spread", "(x) -> { s = amax(abs(x), group = 3); x / spread(s, x, group = 3) }", {{3, 7}}, {0}},
    {"group_norm", NamedText("group_norm"), {{2, 3, 4}, {2, 3, 1}, {2, 3, 1}}, {0, 1, 2}},
    {"groups_of_groups",
     "(x) -> amax(mean(x, group = 2), group = 2), mean(amax(x, group = 3), group = 2)",
     {{3, 9}},
     {0}},
    {"groups_brought_back_twice",
     "(x) -> { t = mean(x * x, group = 2); u = mean(t, group = 2); x * spread(spread(u, t, "
     "group = 2), x, group = 2) }",
     {{2, 11}},
     {0}},
    {"rows_beside_rectangles",
     "(x) -> { s = mean(x, group = (2, 3)); sum((x - spread(s, x, group = (2, 3))) * x, axis = "
     "(-2, -1)) }",
     {{2, 5, 7}},
     {0}},
    {"parts_of_two_kinds", "(x) -> chunk(x, 1, 2) * every(x, 0, 2), every(x, 2, 3)", {{2, 12}}, {0}},
    {"parts_of_a_norm",
     "(x) -> { n = x * rsqrt(mean(x * x) + 1); a = chunk(n, 0, 2); b = chunk(n, 1, 2); concat(a - b, b "
     "* a) }",
     {{3, 8}},
     {0}},
    {"stored_if", "(x, m) -> store_if(x * x, m > 0), store_if(sum(x), sum(m) > 0)", {{3, 7}, {3, 7}}, {0}},
    {"rows_stored_if",
     "(x, m) -> { n = x * rsqrt(mean(x * x) + 1); store_if(n, m > 0), store_if(n * x, index(x, -2) < 2) }",
     {{3, 7}, {3, 1}},
     {0}},
    {"many_parts", "(x) -> chunk(x, 3, 32) * chunk(x, 30, 32)", {{2, 64}}, {0}},
};

std::vector<Tensor> OperandsOf(const Case& c) {
  std::vector<Tensor> operands;
  for (const Shape& shape : c.shapes) operands.push_back(RandomTensor(Dtype::f32, shape, operands.size() + 11, c.mean));
  return operands;
}

// Sum of all results times what comes in for them.
Real Weighted(const std::vector<Tensor>& results, const std::vector<Tensor>& incoming) {
  Real sum = 0;
  for (size_t k = 0; k < results.size(); ++k)
    for (size_t i = 0; i < results[k].values.size(); ++i) sum += results[k].values[i] * incoming[k].values[i];
  return sum;
}

class Gradients : public testing::TestWithParam<Case> {};

TEST_P(Gradients, AreDifferenceQuotients) {
  const Case& c = GetParam();
  std::string why;
  tileops_expr* gradient = GradientOf(c.text, c.with_respect_to, &why);
  const bool listed = NotYet().count(std::string("gradient_of_") + c.name) > 0;
  if (!gradient) {
    EXPECT_TRUE(listed) << c.text << "\n" << why;
    return;
  }
  const std::vector<Tensor> operands = OperandsOf(c);
  const tileops::expr::Inference inference = InferText(c.text, operands);
  std::vector<Tensor> all = operands, incoming;
  for (const tileops::TensorSpec& r : inference.results)
    incoming.push_back(RandomTensor(Dtype::f32, Shape(r.shape, r.shape + r.ndim), incoming.size() + 31));
  all.insert(all.end(), incoming.begin(), incoming.end());
  const TextRun run(gradient, all);
  const std::vector<Tensor> got = run.Expected();
  ASSERT_EQ(got.size(), c.with_respect_to.size());
  std::ostringstream wrong;
  for (size_t k = 0; k < got.size(); ++k) {
    const size_t operand = static_cast<size_t>(c.with_respect_to[k]);
    ASSERT_EQ(got[k].shape, operands[operand].shape) << c.text;
    for (size_t i = 0; i < got[k].values.size(); ++i) {
      const Real h = 1e-6L;
      Real ends[2];
      for (const int end : {0, 1}) {
        std::vector<Tensor> moved = operands;
        moved[operand].values[i] += end ? h : -h;
        ends[end] = Weighted(Evaluate(inference, moved), incoming);
      }
      const Real want = (ends[1] - ends[0]) / (2 * h);
      if (std::fabs(got[k].values[i] - want) <= 1e-7L * (1 + std::fabs(want)) || wrong.tellp() > 0) continue;
      wrong << "operand " << operand << ", element " << i << ": is " << got[k].values[i] << ", quotient " << want;
    }
  }
  EXPECT_EQ(!wrong.str().empty(), listed) << c.text << "\n" << run.text() << "\n  " << wrong.str();
  if (!wrong.str().empty()) return;
  if (!Runs(run, std::string("gradient_") + c.name)) return;
  for (const Target& target : Targets()) {
    const Results bits = run.On(target);
    ASSERT_FALSE(bits.empty()) << run.text();
    ExpectClose(got, run.outputs(), bits, run.text() + "\n  " + target.name);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Gradients, testing::ValuesIn(kCases),
                         [](const testing::TestParamInfo<Case>& info) { return std::string(info.param.name); });

// At ties an extreme's gradient is split evenly and that of a scan goes to the last one, with zeros a product's is that
// of the others.
TEST(GradientEdges, TiesAndZeros) {
  struct Edge {
    const char* text;
    std::vector<Real> x, want;
  };
  const Edge edges[] = {
      {"(x) -> amax(x)", {3, 1, 3, 2}, {0.5, 0, 0.5, 0}},
      {"(x) -> prod(x)", {0, 2, 3, 4}, {24, 0, 0, 0}},
      {"(x) -> prod(x)", {0, 2, 0, 4}, {0, 0, 0, 0}},
      {"(x) -> cumprod(x)", {2, 0, 3, 0}, {1, 8, 0, 0}},
      {"(x) -> cumprod(x, reverse = true)", {0, 3, 0, 2}, {0, 0, 8, 1}},
      {"(x) -> cumprod(x, exclusive = true)", {2, 0, 3, 0}, {1, 8, 0, 0}},
      {"(x) -> cummax(x)", {3, 1, 3, 2}, {2, 0, 2, 0}},
      {"(x) -> cummax(x, reverse = true)", {3, 1, 3, 2}, {1, 0, 2, 1}},
      {"(x) -> cummin(x, group = 2)", {3, 1, 3, 3}, {1, 1, 1, 1}},
      {"(x) -> cummin(x, reverse = true, group = 3)", {3, 1, 2, -1}, {0, 2, 1, 1}},
      {"(x) -> { m = detach(amax(x)); e = exp(x - where(m == -inf, 0, m)); s = sum(e); e / where(s == 0, 1, s) }",
       {-INFINITY, -INFINITY, -INFINITY, -INFINITY},
       {0, 0, 0, 0}},
  };
  for (const Edge& e : edges) {
    std::string why;
    tileops_expr* gradient = GradientOf(e.text, {0}, &why);
    const bool listed = NotYet().count(Here()) > 0;
    EXPECT_TRUE(gradient || listed) << e.text << "\n" << why;
    if (!gradient || listed) continue;
    const Tensor x = Of(Dtype::f32, {1, 4}, e.x);
    const tileops::TensorSpec result = InferText(e.text, {x}).results[0];
    Tensor ones = Empty(Dtype::f32, Shape(result.shape, result.shape + result.ndim));
    for (Real& v : ones.values) v = 1;
    const TextRun run(gradient, {x, ones});
    EXPECT_EQ(run.Expected()[0].values, e.want) << run.text();
    if (run.state() != State::runs) continue;
    const Comparison c = Compare(run.Expected()[0], run.outputs()[0].dtype, run.On(Targets().front()).at(0));
    EXPECT_EQ(c.wrong, 0u) << run.text() << "\n  " << c.first_wrong;
  }
}

// An index of 8 bits beside an axis of 300: as that of 64 bits, also outside.
TEST(GradientEdges, OfGathersByFewBits) {
  const Tensor t = RandomTensor(Dtype::f32, {4, 300}, 1), g = RandomTensor(Dtype::f32, {4, 1}, 2);
  for (const Dtype dtype : {Dtype::u8, Dtype::i8, Dtype::i64}) {
    const bool has_signs = dtype != Dtype::u8;
    std::string why;
    const TextRun run(GradientOf("(t, i) -> gather(t, i)", {0}, &why),
                      {t, Of(dtype, {4, 1}, {0, 100, has_signs ? -1.0L : 5, 3}), g});
    ASSERT_EQ(run.state(), State::runs) << run.why();
    const Results got = run.On(Targets().front());
    ASSERT_FALSE(got.empty());
    const int64_t at[] = {0, 100, 5, 3};
    for (size_t i = 0; i < 1200; ++i) {
      const Real is = Decode(Dtype::f32, got[0][i]);
      if (has_signs && i / 300 == 2) EXPECT_TRUE(std::isnan(is)) << "element " << i;
      else EXPECT_EQ(is, static_cast<int64_t>(i % 300) == at[i / 300] ? g.values[i / 300] : 0) << "element " << i;
    }
  }
}

}  // namespace
}  // namespace rowtest

// Every text of texts.def: its results' dtypes and shapes, its values beside the reference on two seeds, and the same
// bits with each instruction set.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "base/error.h"
#include "expr/parse/parser.h"
#include "not_yet.h"
#include "texts.h"

namespace rowtest {
namespace {

std::unique_ptr<TextRun> RunOf(const RowText& text, uint64_t seed) {
  return std::make_unique<TextRun>(text.text, RandomOperands(text, seed), text.scalars, ScatteredInto(text));
}

class Texts : public testing::TestWithParam<RowText> {};

// Does the language have it? Whether it runs is asked below.
TEST_P(Texts, Results) {
  const RowText& text = GetParam();
  tileops::expr::Inference inference;
  try {
    inference = InferText(text.text, RandomOperands(text, 1));
  } catch (const tileops::Error&) {
    return;
  }
  ASSERT_EQ(inference.results.size(), text.results.size());
  const std::shared_ptr<const tileops::expr::Graph> graph = tileops::expr::parse(text.text);
  for (size_t k = 0; k < text.results.size(); ++k) {
    const tileops::TensorSpec& spec = inference.results[k];
    EXPECT_EQ(graph->results[k].name, text.results[k].name);
    EXPECT_EQ(tileops::dtype_label(spec.dtype), text.results[k].label) << "result " << k;
    EXPECT_EQ(Shape(spec.shape, spec.shape + spec.ndim), text.results[k].shape) << "result " << k;
  }
}

// The bounds of the reference say something: but for a few elements, where a cast or a step may fall either way, they
// are 0.01 ulp of the largest value for results of 16 bits (0.51 once rounded), and some ulp for wider ones.
TEST_P(Texts, Bounds) {
  const RowText& text = GetParam();
  const std::vector<Tensor> operands = RandomOperands(text, 1);
  std::vector<Tensor> want;
  try {
    const tileops::expr::Inference inference = InferText(text.text, operands);
    std::vector<tileops::expr::Number> scalars;
    for (const tileops::expr::Scalar& s : inference.graph->scalars)
      scalars.push_back(text.scalars.count(s.name) ? text.scalars.at(s.name) : s.value);
    want = Evaluate(inference, operands, scalars, ScatteredInto(text));
  } catch (const tileops::Error&) {
    return;
  }
  for (size_t k = 0; k < want.size(); ++k) {
    const Tensor& r = want[k];
    if (!tileops::is_float(r.dtype) || tileops::is_fp8(r.dtype)) continue;
    const Real most = tileops::is_narrow_float(r.dtype) ? 0.01L : 64;
    Real largest = 0;
    for (Real v : r.values) largest = std::isfinite(v) ? std::max(largest, std::fabs(v)) : largest;
    const size_t loose = static_cast<size_t>(std::count_if(
        r.errors.begin(), r.errors.end(), [&](Real e) { return !(e <= most * UlpOf(r.dtype, largest)); }));
    EXPECT_LE(loose, 1 + r.values.size() / 50) << text.text << "\n  result " << k;
  }
}

TEST_P(Texts, Values) {
  const RowText& text = GetParam();
  for (const uint64_t seed : {1, 2}) {
    const std::unique_ptr<TextRun> run = RunOf(text, seed);
    if (!Runs(*run, text.name)) return;
    const std::string what = text.name + ", seed " + std::to_string(seed) + ": " + text.text;
    Results first;
    for (const Target& target : Targets()) {
      const Results got = run->On(target);
      ASSERT_FALSE(got.empty()) << what;
      if (first.empty()) ExpectClose(run->Expected(), run->outputs(), first = got, what);
      exprtest::ExpectSame(run->outputs(), got, first, what + "\n  " + target.name);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Texts, testing::ValuesIn(RowTexts()),
                         [](const testing::TestParamInfo<RowText>& info) { return info.param.name; });

TEST(TextsAsAWhole, AreAllHere) {
  std::set<std::string> names, without;
  for (const RowText& text : RowTexts()) {
    names.insert(text.name);
    if (NotYet().count(text.name)) without.insert(text.name);
  }
  EXPECT_EQ(names.size(), RowTexts().size());
  EXPECT_GE(names.size(), 160u);
  std::cout << without.size() << " of " << names.size() << " texts are not yet there";
  for (const std::string& name : without) std::cout << ' ' << name;
  std::cout << '\n';
}

}  // namespace
}  // namespace rowtest

// Where a named expression's value is a number its gradient is one as well, and a masked logit gives none where one far
// below the others does not: logits of -inf, rows of zeros and constant rows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "not_yet.h"
#include "texts.h"

namespace rowtest {
namespace {

constexpr size_t kColumn = 3;  // which logit of the first row is masked

bool IsWideFloat(Dtype dtype) { return tileops::is_float(dtype) && tileops::dtype_to_dl(dtype).bits >= 16; }

Dtype DtypeOf(const optest::Array& array) {
  Dtype dtype = Dtype::f32;
  tileops::dtype_from_dl(optest::Info(array.dtype).dl, &dtype);
  return dtype;
}

std::vector<Real> ValuesOf(const optest::Array& output, const std::vector<uint64_t>& bits) {
  std::vector<Real> values;
  for (const uint64_t b : bits) values.push_back(Decode(DtypeOf(output), b));
  return values;
}

bool AreFinite(const TextRun& run, const Results& got) {
  for (size_t k = 0; k < got.size(); ++k)
    for (Real v : ValuesOf(run.outputs()[k], got[k]))
      if (!std::isfinite(v)) return false;
  return true;
}

// Those that are absent are there, too: with them a gradient knows its own operands by their places.
std::vector<Tensor> Completed(const std::string& text, std::vector<Tensor> operands) {
  const auto graph = tileops::expr::parse(text);
  for (size_t k = operands.size(); k < graph->operands.size(); ++k)
    operands.push_back(Of(Dtype::f32, {1}, {static_cast<Real>(graph->operands[k].value.as_f64())}));
  return operands;
}

// Why there is no gradient with respect to all floats of 16 bits and more, or "".
std::string ExpectFiniteGradient(const std::string& text, const std::vector<Tensor>& operands, const TextRun& forward,
                                 const std::string& what, const std::string& apart = "") {
  std::vector<int32_t> wanted;
  for (size_t k = 0; k < operands.size(); ++k)
    if (IsWideFloat(operands[k].dtype) && tileops::expr::parse(text)->operands[k].name != apart)
      wanted.push_back(static_cast<int32_t>(k));
  std::string why;
  tileops_expr* gradient = GradientOf(text, wanted, &why);
  if (!gradient) return why;
  std::vector<Tensor> all = operands;
  for (const optest::Array& y : forward.outputs())
    all.push_back(RandomTensor(IsWideFloat(DtypeOf(y)) ? DtypeOf(y) : Dtype::f32, y.shape, all.size() + 31));
  const TextRun run(gradient, all, forward.scalars());
  if (run.state() != State::runs) return run.why();
  const Results got = run.On(Targets().front());
  for (size_t k = 0; k < got.size(); ++k) {
    const std::vector<Real> values = ValuesOf(run.outputs()[k], got[k]);
    const auto wrong = std::find_if(values.begin(), values.end(), [](Real v) { return !std::isfinite(v); });
    if (wrong == values.end()) continue;
    ADD_FAILURE() << what << "\n  gradient with respect to operand " << wanted[k] << ": element "
                  << wrong - values.begin() << " is " << *wrong << "\n  " << run.text();
  }
  return "";
}

// Texts of logits with one that is masked, in the first row.
struct Masked {
  const char *name, *operand;  // "both": all that are floats
  std::map<std::string, tileops::expr::Number> scalars = {};
  const char* apart = "";  // an operand whose own gradient is not asked for
};

const Masked kMasked[] = {
    {"softmax", "x"},
    {"softmax_columns", "x"},
    {"softmax_temperature", "x", {}, "t"},  // 0 times the masked logit, as everywhere: -(g / t) * (x / t)
    {"softmax_masked", "x"},
    {"softmax_masked", "mask"},
    {"softmax_causal", "x"},
    {"softmax_window", "x"},
    {"softmax_sink", "x"},
    {"softmax_sink", "sink"},
    {"softmax_softcap", "x"},
    {"log_softmax", "x"},
    {"logsumexp", "x"},
    {"cross_entropy", "x"},
    {"cross_entropy_smooth", "x"},
    {"cross_entropy_smooth", "x", {{"smooth", tileops::expr::Number::of(0.0)}}},
    {"cross_entropy_mean", "x"},
    {"cross_entropy_weighted", "x"},
    {"cross_entropy_with_gradient", "x"},
    {"nll_loss", "x"},
    {"token_logprob", "x"},
    {"entropy", "x"},
    {"kl_div", "x"},
    {"kl_logits", "x"},
    {"kl_logits", "target"},
    {"kl_logits", "both"},
    {"bce_logits", "x"},
    {"router_top1", "x"},
    {"router_top2", "x"},
    {"log_softmax_backward", "y"},
    {"cross_entropy_backward", "x"},
    {"cross_entropy_backward", "x", {{"smooth", tileops::expr::Number::of(0.1)}}},
};

void PrintTo(const Masked& m, std::ostream* out) { *out << m.name << ", " << m.operand; }

// `label`: the class of each row, or -1 for what the operands hold.
std::vector<Tensor> OperandsOf(const Masked& m, const RowText& text, Real logit, Real label) {
  std::vector<Tensor> operands = RandomOperands(text, 1);
  for (size_t k = 0; k < operands.size(); ++k) {
    const std::string& name = text.operands[k].name;
    if (name == m.operand || (std::string(m.operand) == "both" && operands[k].is_float()))
      operands[k].values[std::min(kColumn, operands[k].values.size() - 1)] = logit;
    if (name == "label" && label >= 0) std::fill(operands[k].values.begin(), operands[k].values.end(), label);
    // Half of the targets are certain.
    for (size_t i = 0; name == "target" && std::string(m.name) == "bce_logits" && i < operands[k].values.size(); ++i)
      if (i < 128) operands[k].values[i] = static_cast<Real>(i % 2 == 0);
  }
  return Completed(text.text, operands);
}

class FiniteMasked : public testing::TestWithParam<Masked> {};

TEST_P(FiniteMasked, AsWithALogitFarBelow) {
  const Masked& m = GetParam();
  const RowText& text = RowTextOf(m.name);
  for (const Real label : {-1.0L, static_cast<Real>(kColumn), kColumn + 1.0L}) {
    std::ostringstream what;
    what << text.text << "\n  " << m.operand << " masked, label " << label;
    const TextRun far(text.text, OperandsOf(m, text, Rounded(Dtype::bf16, -1e5L), label), m.scalars);
    const std::vector<Tensor> operands = OperandsOf(m, text, -kInf, label);
    const TextRun masked(text.text, operands, m.scalars);
    ASSERT_EQ(masked.state(), State::runs) << masked.why();
    const Results got = masked.On(Targets().front()), beside = far.On(Targets().front());
    ASSERT_FALSE(got.empty() || beside.empty());
    for (size_t k = 0; k < got.size(); ++k) {
      const std::vector<Real> values = ValuesOf(masked.outputs()[k], got[k]),
                              others = ValuesOf(far.outputs()[k], beside[k]);
      for (size_t i = 0; i < values.size(); ++i)
        EXPECT_FALSE(std::isnan(values[i]) && std::isfinite(others[i]))
            << what.str() << "\n  result " << k << ", element " << i << " is NaN, with -1e5 " << others[i];
    }
    if (!AreFinite(masked, got)) continue;
    EXPECT_EQ(ExpectFiniteGradient(text.text, operands, masked, what.str(), m.apart), "") << text.text;
  }
}

INSTANTIATE_TEST_SUITE_P(All, FiniteMasked, testing::ValuesIn(kMasked), [](const testing::TestParamInfo<Masked>& info) {
  return std::string(info.param.name) + "_" + info.param.operand + "_" + std::to_string(info.index);
});

// Each float operand in turn, or all of them, are 0, or one number, everywhere. Of results that are quantised the true
// gradient, which is divided by a scale of almost 0, is beyond float32.
TEST(Finite, GradientsOfZerosAndConstantRows) {
  std::vector<std::string> without;
  size_t tried = 0;
  for (const RowText& text : RowTexts()) {
    const std::vector<Tensor> random = Completed(text.text, RandomOperands(text, 3));
    const TextRun plain(text.text, random, text.scalars, ScatteredInto(text));
    ASSERT_EQ(plain.state(), State::runs) << plain.why();
    bool quantised = !ScatteredInto(text).empty();
    for (const optest::Array& y : plain.outputs())
      quantised |= y.dtype != optest::Dt::kI64 && y.dtype != optest::Dt::kI32 && !IsWideFloat(DtypeOf(y)) &&
                   optest::Info(y.dtype).size == 1;
    for (size_t k = 0; k <= random.size() && !quantised; ++k) {
      if (k < random.size() && !IsWideFloat(random[k].dtype)) continue;
      for (const Real value : {0.0L, -0.75L}) {
        std::vector<Tensor> operands = random;
        for (size_t i = 0; i < operands.size(); ++i)
          if (IsWideFloat(operands[i].dtype) && (i == k || k == random.size()))
            std::fill(operands[i].values.begin(), operands[i].values.end(), value);
        const TextRun run(text.text, operands, text.scalars);
        const Results got = run.On(Targets().front());
        ASSERT_FALSE(got.empty());
        if (!AreFinite(run, got)) continue;
        std::ostringstream what;
        what << text.name << " with operand " << k << " of " << value << ": " << text.text;
        const std::string why = ExpectFiniteGradient(text.text, operands, run, what.str());
        if (why.empty()) {
          ++tried;
          continue;
        }
        without.push_back(text.name + ": " + why);
        break;
      }
    }
  }
  EXPECT_GE(tried, 400u) << testing::PrintToString(without);
}

// PyTorch refuses one value for each channel; here the variance that is kept shrinks.
TEST(Finite, KeptVarianceOfOneValue) {
  const auto column = [](Real a, Real b) { return Of(Dtype::f32, {2, 1}, {a, b}); };
  const TextRun run(NamedText("batch_norm_training"),
                    {Of(Dtype::f32, {1, 2, 1}, {3, -5}), column(0, 0), column(1, 2), column(1, 1), column(0, 0.5)});
  ASSERT_EQ(run.state(), State::runs) << run.why();
  const Results got = run.On(Targets().front());
  ASSERT_EQ(got.size(), 3u);
  EXPECT_EQ(ValuesOf(run.outputs()[0], got[0]), (std::vector<Real>{0, 0.5}));
  for (const Real kept : ValuesOf(run.outputs()[2], got[2])) EXPECT_TRUE(kept > 0.8L && kept < 1.9L) << kept;
}

// Two experts are two, and a masked one is the last to be taken.
TEST(Finite, RoutersGiveDistinctExperts) {
  const Real none = -kInf;
  const Tensor x = Of(Dtype::f32, {7, 4}, {1, none, none, none, none, none, none, 1, none, none,  none, none, 2,   2, 2,
                                           2, NAN,  1,    2,    3,    3,    none, 2, none, -3e38, none, 0,    none});
  const TextRun run(NamedText("router_top2"), {x});
  ASSERT_EQ(run.state(), State::runs) << run.why();
  const Results got = run.On(Targets().front());
  ASSERT_FALSE(got.empty());
  const std::vector<Real> weights = ValuesOf(run.outputs()[0], got[0]), experts = ValuesOf(run.outputs()[1], got[1]);
  EXPECT_EQ(experts, (std::vector<Real>{0, 1, 3, 0, 0, 1, 0, 1, 0, 3, 0, 2, 2, 0}));
  for (const size_t row : {0, 1}) EXPECT_EQ(weights[2 * row], 1) << "row " << row;
  for (const size_t row : {0, 1}) EXPECT_EQ(weights[2 * row + 1], 0) << "row " << row;
}

// As many experts as there are: each once, whatever their scores are.
TEST(Finite, RoutersTakeEachExpertOnce) {
  const Real none = -kInf;
  const std::vector<Real> rows[] = {{1, 2, 2, none, none, NAN, 0, -3e38},
                                    {0, 0, 0, 0, 0, 0, 0, 0},
                                    {none, none, none, none, none, none, none, none},
                                    {NAN, NAN, 1, 2, NAN, none, 3e38, 5}};
  for (const int64_t k : {4, 8})
    for (const std::vector<Real>& row : rows) {
      const Tensor x = Of(Dtype::f32, {1, k}, {row.begin(), row.begin() + k});
      const TextRun run(NamedText(k == 4 ? "router_top4" : "router_top8"), {x});
      ASSERT_EQ(run.state(), State::runs) << run.why();
      const Results got = run.On(Targets().front());
      ASSERT_FALSE(got.empty());
      std::vector<Real> experts = ValuesOf(run.outputs()[1], got[1]);
      std::sort(experts.begin(), experts.end());
      for (int64_t i = 0; i < k; ++i) EXPECT_EQ(experts[static_cast<size_t>(i)], i);
    }
}

// Squares beyond float32 and below it.
TEST(Finite, ScaledNormsDoNotOverflow) {
  const Tensor x = Of(Dtype::f32, {5, 2}, {3e30, 4e30, 3e-30, 4e-30, 0, 0, 3, 4, -kInf, 1});
  const TextRun run("(x) -> vector_norm_scaled(x), l2_norm_scaled(x, eps = 0)", {x});
  ASSERT_EQ(run.state(), State::runs) << run.why();
  const Results got = run.On(Targets().front());
  ASSERT_FALSE(got.empty());
  const std::vector<Real> norms = ValuesOf(run.outputs()[0], got[0]), rows = ValuesOf(run.outputs()[1], got[1]);
  const Real want[] = {5e30L, 5e-30L, 0, 5, kInf};
  for (size_t i = 0; i < 5; ++i) {
    const bool exact = want[i] == kInf || want[i] == 0;
    EXPECT_NEAR(static_cast<double>(exact ? norms[i] == want[i] : norms[i] / want[i]), 1, 1e-6) << i;
  }
  for (const size_t i : {0, 1, 3}) {
    EXPECT_NEAR(static_cast<double>(rows[2 * i]), 0.6, 1e-6) << i;
    EXPECT_NEAR(static_cast<double>(rows[2 * i + 1]), 0.8, 1e-6) << i;
  }
}

}  // namespace
}  // namespace rowtest

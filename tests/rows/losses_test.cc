// Losses, likelihoods and what else is made of logits depend on differences of these alone: at offsets of 0 to 1e8 they
// are compared with their definitions in long double, and so are their gradients.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <sstream>

#include "run.h"
#include "texts.h"

namespace rowtest {
namespace {

using Reals = std::vector<Real>;
constexpr size_t kSamples = 5, kClasses = 7;
constexpr int64_t kIgnored = -100;

// One sample's logits: without its largest one, as probabilities, and the logarithm of the sum.
struct LogitRow {
  explicit LogitRow(const Real* x) : most(*std::max_element(x, x + kClasses)) {
    Real sum = 0;
    for (size_t c = 0; c < kClasses; ++c) sum += std::exp(x[c] - most);
    log_sum = std::log(sum);
    for (size_t c = 0; c < kClasses; ++c) {
      less.push_back(x[c] - most);
      p.push_back(std::exp(less[c] - log_sum));
    }
  }
  Real Loss(size_t label) const { return log_sum - less[label]; }

  Real most, log_sum;
  Reals less, p;
};

// What a definition has: operands by the names that the texts give them.
struct Given {
  Reals x, target, weight, grad;
  std::vector<int64_t> label;
  bool IsIgnored(size_t row) const { return label[row] == kIgnored; }
  size_t Label(size_t row) const { return static_cast<size_t>(label[row]); }
  LogitRow At(size_t row) const { return LogitRow(&x[row * kClasses]); }
  LogitRow TargetAt(size_t row) const { return LogitRow(&target[row * kClasses]); }
};

Reals EachRow(const std::function<Real(size_t)>& of) {
  Reals y;
  for (size_t r = 0; r < kSamples; ++r) y.push_back(of(r));
  return y;
}
Reals EachElement(const std::function<Real(size_t, size_t)>& of) {
  Reals y;
  for (size_t i = 0; i < kSamples * kClasses; ++i) y.push_back(of(i / kClasses, i % kClasses));
  return y;
}

Real LossOf(const Given& g, size_t row) { return g.IsIgnored(row) ? 0 : g.At(row).Loss(g.Label(row)); }
Real Smoothed(const Given& g, size_t row) {
  Real all = 0;
  for (size_t c = 0; c < kClasses && !g.IsIgnored(row); ++c) all += g.At(row).Loss(c) / kClasses;
  return 0.9L * LossOf(g, row) + 0.1L * all;
}
Real Slope(const Given& g, size_t row, size_t column) {
  return g.IsIgnored(row) ? 0 : g.At(row).p[column] - (g.Label(row) == column);
}
// Of the rows that count, the mean of the losses by weights.
Real MeanLoss(const Given& g, const std::function<Real(size_t)>& weight) {
  Real sum = 0, by = 0;
  for (size_t r = 0; r < kSamples; ++r) {
    if (g.IsIgnored(r)) continue;
    sum += weight(g.Label(r)) * LossOf(g, r);
    by += weight(g.Label(r));
  }
  return sum / by;
}
Real Entropy(const LogitRow& row) {
  Real sum = 0;
  for (size_t c = 0; c < kClasses; ++c) sum += row.p[c] * row.Loss(c);
  return sum;
}
Real Divergence(const LogitRow& x, const LogitRow& target) {
  Real sum = 0;
  for (size_t c = 0; c < kClasses; ++c) sum += target.p[c] * (x.Loss(c) - target.Loss(c));
  return sum;
}

struct Loss {
  const char* name;
  std::vector<std::string> operands;
  std::function<std::vector<Reals>(const Given&)> of;
};

void PrintTo(const Loss& loss, std::ostream* out) { *out << loss.name; }

#define EACH_ROW(e) [](const Given& g) { return std::vector<Reals>{EachRow([&](size_t r) -> Real { return e; })}; }
#define EACH_ELEMENT(e) \
  [](const Given& g) { return std::vector<Reals>{EachElement([&](size_t r, size_t c) -> Real { return e; })}; }
const Loss kLosses[] = {
    {"softmax", {"x"}, EACH_ELEMENT(g.At(r).p[c])},
    {"log_softmax", {"x"}, EACH_ELEMENT(-g.At(r).Loss(c))},
    {"logsumexp", {"x"}, EACH_ROW(g.At(r).most + g.At(r).log_sum)},
    {"cross_entropy", {"x", "label"}, EACH_ROW(LossOf(g, r))},
    {"cross_entropy_smooth", {"x", "label"}, EACH_ROW(Smoothed(g, r))},
    {"cross_entropy_mean",
     {"x", "label"},
     [](const Given& g) { return std::vector<Reals>{{MeanLoss(g, [](size_t) { return 1.0L; })}}; }},
    {"cross_entropy_weighted",
     {"x", "label", "weight"},
     [](const Given& g) { return std::vector<Reals>{{MeanLoss(g, [&](size_t c) { return g.weight[c]; })}}; }},
    {"cross_entropy_with_gradient",
     {"x", "label"},
     [](const Given& g) {
       return std::vector<Reals>{EachRow([&](size_t r) { return LossOf(g, r); }),
                                 EachElement([&](size_t r, size_t c) { return Slope(g, r, c); })};
     }},
    {"cross_entropy_backward", {"grad", "x", "label"}, EACH_ELEMENT(g.grad[r] * Slope(g, r, c))},
    {"token_logprob", {"x", "label"}, EACH_ROW(-LossOf(g, r))},
    {"entropy", {"x"}, EACH_ROW(Entropy(g.At(r)))},
    {"kl_logits", {"x", "target"}, EACH_ROW(Divergence(g.At(r), g.TargetAt(r)))},
};
#undef EACH_ROW
#undef EACH_ELEMENT

// Logits around an offset, whose differences the dtype has.
Tensor Logits(Dtype dtype, Real offset, uint64_t seed) {
  const double spread = std::max(2.0, static_cast<double>(UlpOf(dtype, offset)));
  Tensor x = RandomTensor(dtype, {kSamples, kClasses}, seed, 0, spread);
  x.values[1] = x.values[0] - 16;  // e^-16 beside 1
  for (Real& v : x.values) v = Rounded(dtype, offset + v);
  return x;
}

std::vector<Tensor> OperandsOf(const Loss& loss, Dtype dtype, Real offset) {
  std::vector<Tensor> operands;
  for (const std::string& name : loss.operands) {
    if (name == "label") operands.push_back(Of(Dtype::i64, {kSamples, 1}, {0, 1, kIgnored, 6, 2}));
    else if (name == "weight") operands.push_back(Of(dtype, {kClasses}, {0.5, 1, 2, 0.25, 1, 1, 3}));
    else if (name == "grad") operands.push_back(RandomTensor(dtype, {kSamples, 1}, 5));
    else operands.push_back(Logits(dtype, name == "x" ? offset : -offset, name == "x" ? 1 : 2));
  }
  // Of token_logprob no row is ignored.
  if (std::string(loss.name) == "token_logprob") operands[1].values[2] = 3;
  return operands;
}

Given GivenBy(const Loss& loss, const std::vector<Tensor>& operands) {
  Given g;
  for (size_t k = 0; k < operands.size(); ++k) {
    const std::string& name = loss.operands[k];
    const Reals& values = operands[k].values;
    if (name == "label") g.label.assign(values.begin(), values.end());
    else (name == "x" ? g.x : name == "target" ? g.target : name == "weight" ? g.weight : g.grad) = values;
  }
  return g;
}

// The largest magnitude that a result is made of, beside itself.
Real TermsOf(const Given& g) {
  Real most = 2;
  for (const Reals* all : {&g.x, &g.target})
    for (size_t r = 0; r < kSamples && !all->empty(); ++r)
      for (Real v : LogitRow(&(*all)[r * kClasses]).less) most = std::max(most, std::fabs(v));
  return most;
}

// 8 roundings of the largest term, and the one of the result.
void ExpectNear(const Results& got, const std::vector<optest::Array>& outputs, const std::vector<Reals>& want,
                Real terms, const std::string& what) {
  ASSERT_EQ(got.size(), want.size()) << what;
  for (size_t k = 0; k < want.size(); ++k) {
    Dtype dtype = Dtype::f32;
    tileops::dtype_from_dl(optest::Info(outputs[k].dtype).dl, &dtype);
    ASSERT_EQ(got[k].size(), want[k].size()) << what << ", result " << k;
    // Where results of 16 bits alone are reached values inside are within 2^-20 (docs/expressions.md, "Rounding").
    const Real unit = dtype == Dtype::f64 ? 0x1p-53L : dtype == Dtype::f32 ? 0x1p-24L : 0x1p-20L;
    for (size_t i = 0; i < want[k].size(); ++i) {
      const Real is = Decode(dtype, got[k][i]), bound = 8 * unit * (terms + std::fabs(want[k][i]));
      EXPECT_LE(std::fabs(is - want[k][i]), bound + UlpOf(dtype, want[k][i]) / 2)
          << what << ", result " << k << ", element " << i << ": is " << is << ", want " << want[k][i];
    }
  }
}

constexpr Real kOffsets[] = {0, 1e2L, -1e4L, 1e4L, 1e6L, -1e8L, 1e8L};

class Losses : public testing::TestWithParam<Loss> {};

TEST_P(Losses, AtEveryOffset) {
  const Loss& loss = GetParam();
  for (const Dtype dtype : {Dtype::f32, Dtype::bf16, Dtype::f64})
    for (const Real offset : kOffsets) {
      const std::vector<Tensor> operands = OperandsOf(loss, dtype, offset);
      const Given given = GivenBy(loss, operands);
      const TextRun run(NamedText(loss.name), operands);
      ASSERT_EQ(run.state(), State::runs) << run.why();
      std::ostringstream what;
      what << loss.name << " of " << tileops::dtype_name(dtype) << " at " << offset;
      ExpectNear(run.On(Targets().front()), run.outputs(), loss.of(given), TermsOf(given), what.str());
    }
}

// Difference quotients of the definition, which are good to 1e-9.
TEST_P(Losses, GradientsAtEveryOffset) {
  const Loss& loss = GetParam();
  for (const Real offset : kOffsets) {
    std::vector<Tensor> operands = OperandsOf(loss, Dtype::f32, offset);
    std::vector<int32_t> wanted;
    for (size_t k = 0; k < operands.size(); ++k)
      if (operands[k].is_float() && loss.operands[k] != "weight") wanted.push_back(static_cast<int32_t>(k));
    const TextRun forward(NamedText(loss.name), operands);
    std::string why;
    tileops_expr* gradient = GradientOf(NamedText(loss.name), wanted, &why);
    ASSERT_NE(gradient, nullptr) << why;
    std::vector<Tensor> all = operands, incoming;
    for (const optest::Array& y : forward.outputs())
      incoming.push_back(RandomTensor(Dtype::f32, y.shape, incoming.size() + 31));
    all.insert(all.end(), incoming.begin(), incoming.end());
    const TextRun run(gradient, all);
    ASSERT_EQ(run.state(), State::runs) << run.why();
    const auto weighted = [&] {
      const std::vector<Reals> y = loss.of(GivenBy(loss, operands));
      Real sum = 0;
      for (size_t k = 0; k < y.size(); ++k)
        for (size_t i = 0; i < y[k].size(); ++i) sum += y[k][i] * incoming[k].values[i];
      return sum;
    };
    std::vector<Reals> want;
    for (const int32_t k : wanted) {
      want.emplace_back();
      for (Real& v : operands[static_cast<size_t>(k)].values) {
        const Real at = v, h = 0x1p-16L;
        v = at + h;
        const Real more = weighted();
        v = at - h;
        want.back().push_back((more - weighted()) / (2 * h));
        v = at;
      }
    }
    std::ostringstream what;
    what << "gradient of " << loss.name << " at " << offset << ": " << run.text();
    ExpectNear(run.On(Targets().front()), run.outputs(), want, 4 * TermsOf(GivenBy(loss, operands)), what.str());
  }
}

// A label that is neither a class nor ignored gives NaN in its row, in the gradient as well, and nothing in others.
TEST(LossesOfALabelOutside, AreNaN) {
  for (const char* name : {"cross_entropy", "cross_entropy_smooth", "cross_entropy_with_gradient", "token_logprob",
                           "nll_loss", "cross_entropy_backward"}) {
    std::vector<Tensor> operands{Logits(Dtype::f32, 0, 1), Of(Dtype::i64, {kSamples, 1}, {0, 7, 1, -1, 2})};
    const bool ignores = std::string(name) != "token_logprob", backward = std::string(name) == "cross_entropy_backward";
    if (ignores) operands[1].values[2] = kIgnored;
    if (backward) operands.insert(operands.begin(), RandomTensor(Dtype::f32, {kSamples, 1}, 5));
    const TextRun run(NamedText(name), operands);
    ASSERT_EQ(run.state(), State::runs) << run.why();
    std::vector<Results> all{run.On(Targets().front())};
    if (!backward) {
      std::string why;
      for (const optest::Array& y : run.outputs()) operands.push_back(RandomTensor(Dtype::f32, y.shape, 31));
      const TextRun gradient(GradientOf(NamedText(name), {0}, &why), operands);
      ASSERT_EQ(gradient.state(), State::runs) << gradient.why();
      all.push_back(gradient.On(Targets().front()));
    }
    for (const Results& results : all)
      for (const std::vector<uint64_t>& y : results)
        for (size_t i = 0; i < y.size(); ++i) {
          const size_t row = i / (y.size() / kSamples);
          EXPECT_EQ(std::isnan(Decode(Dtype::f32, y[i])), row == 1 || row == 3)
              << name << (&results == &all[0] ? "" : ", gradient") << ", element " << i;
        }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Losses, testing::ValuesIn(kLosses),
                         [](const testing::TestParamInfo<Loss>& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace rowtest

// Rows of special values, and operands without elements.
#include <gtest/gtest.h>

#include <cmath>

#include "not_yet.h"
#include "texts.h"

namespace rowtest {
namespace {

constexpr size_t kLength = 70;

// Eleven rows that broke implementations elsewhere.
Tensor SpecialRows() {
  const Tensor base = RandomTensor(Dtype::f32, {11, kLength}, 3);
  Tensor x = base;
  for (size_t i = 0; i < x.values.size(); ++i) {
    const size_t row = i / kLength, column = i % kLength;
    Real& v = x.values[i];
    switch (row) {
      case 0: v = -INFINITY; break;
      case 1: v = column == 33 ? NAN : v; break;
      case 2: v = column == 69 ? INFINITY : v; break;
      case 3: v = 0.7L; break;
      case 4: v *= 1e20L; break;
      case 5: v *= 1e-40L; break;
      case 6: v = 1e4L + v * 1e-3L; break;
      case 7: v = 0; break;
      case 8: v = column < 5 ? v : -INFINITY; break;
      case 9: v *= 1e-22L; break;
      default: v = column % 2 ? 3e38L : -3e38L; break;
    }
    v = Rounded(Dtype::f32, v);
  }
  return x;
}

TEST(Special, Rows) {
  const char* const texts[] = {
      "(x) -> sum(x), mean(x), amax(x), amin(x), prod(x), any(x), all(x), argmax(x), argmin(x), var(x)",
      NamedText("softmax"),
      "(x) -> { m = detach(amax(x)); e = exp(x - where(m == -inf, 0, m)); s = sum(e); e / where(s == 0, 1, s) }",
      NamedText("log_softmax"),
      NamedText("logsumexp"),
      "(x; eps = 1e-6) -> x * rsqrt(mean(x * x) + eps)",
      "(x; eps = 1e-5) -> { d = x - mean(x); d * rsqrt(mean(d * d) + eps) }",
      NamedText("l2_norm"),
      "(x) -> { s = cast(maximum(amax(abs(x), group = 32), 1e-10) / 448, f32); cast(x / spread(s, x, group = 32), "
      "e4m3fn), s }",
      NamedText("mxfp8"),
      "(x) -> cummax(x), cummin(x), cumsum(x)",
  };
  size_t index = 0;
  for (const char* text : texts) {
    const TextRun run(text, {SpecialRows()});
    if (!Runs(run, Here(index++))) continue;
    const std::vector<Tensor> want = run.Expected();
    for (const Target& target : Targets()) {
      const Results got = run.On(target);
      ASSERT_FALSE(got.empty()) << text;
      ASSERT_EQ(got.size(), want.size());
      for (size_t k = 0; k < got.size(); ++k) {
        const Comparison c = Compare(want[k], run.outputs()[k].dtype, got[k]);
        EXPECT_EQ(c.wrong, 0u) << text << "\n  result " << k << " on " << target.name << ": " << c.first_wrong;
      }
    }
  }
}

// Scales of 448 * 2^k and beside them: e8m0 rounds up from just above a power of two and not at it.
TEST(Special, ScalesBesidePowersOfTwo) {
  Tensor x = Empty(Dtype::f32, {60, 32});
  for (size_t row = 0; row < 60; ++row) {
    const Real power = std::ldexp(448.0L, static_cast<int>(row / 3) * 4 - 40);
    const float at = static_cast<float>(power);
    const float values[] = {std::nextafter(at, 0.0f), at, std::nextafter(at, 1e38f)};
    for (size_t i = 0; i < 32; ++i) x.values[row * 32 + i] = i == row % 32 ? values[row % 3] : values[row % 3] / 3;
    for (size_t i = 0; i < 32; ++i) x.values[row * 32 + i] = Rounded(Dtype::f32, x.values[row * 32 + i]);
  }
  const TextRun run(RowTextOf("mxfp8").text, {x});
  if (!Runs(run, Here())) return;
  for (const Target& target : Targets()) {
    const Results got = run.On(target);
    ASSERT_FALSE(got.empty());
    for (size_t row = 0; row < 60; ++row) {
      const int code = static_cast<int>(row / 3) * 4 - 40 + 127 + (row % 3 == 2);
      EXPECT_EQ(got[1][row], static_cast<uint64_t>(code)) << "row " << row << " on " << target.name;
    }
    ExpectClose(run.Expected(), run.outputs(), got, "mxfp8 beside powers of two");
  }
}

// A reduction along an axis of one element is none, and has the bits of one that takes groups of one.
TEST(Special, OneElement) {
  const Real values[] = {0.0L, -0.0L, 1.5L, -3, INFINITY, -INFINITY, NAN, 0.375L, 100};
  const char* const texts[] = {"sum(x#)",      "mean(x#)",    "exp(mean(x#))",     "tanh(1.0 * amax(x#))",
                               "amin(x#)",     "prod(x#)",    "any(x#)",           "all(x#)",
                               "argmax(x#)",   "argmin(-x#)", "var(x#)",           "var(x#, correction = 1)",
                               "cumsum(x#)",   "cummax(x#)",  "cumprod(x#)",       "x - mean(x#)",
                               "mean(x#) - x", "sum(x#) * x", "argmax(x * x#) + x"};
  const TextRun gathered("(x) -> { v = silu(x); gather(v, argmax(v)), v, gather(x, argmin(x)), x }",
                         {RandomTensor(Dtype::bf16, {9, 1}, 5)});
  if (Runs(gathered, Here()))
    for (const Target& target : Targets()) {
      const Results got = gathered.On(target);
      ASSERT_EQ(got.size(), 4u);
      exprtest::ExpectSame(gathered.outputs(), {got[0], got[0], got[2], got[2]}, {got[1], got[1], got[3], got[3]},
                           "a gather of the only element");
    }
  for (const Dtype dtype : {Dtype::f32, Dtype::f64, Dtype::bf16, Dtype::f16, Dtype::i8, Dtype::i64}) {
    Tensor x = Empty(dtype, {9, 1});
    for (size_t i = 0; i < 9; ++i)
      x.values[i] = dtype == Dtype::i8 || dtype == Dtype::i64 ? static_cast<Real>(i) - 4 : values[i];
    for (const char* text : texts) {
      std::string one = text, group = text;
      one.erase(one.find('#'), 1);
      group.replace(group.find('#'), 1, ", group = 1");
      const TextRun run("(x) -> " + one + ", " + group, {x});
      if (!Runs(run, Here())) continue;
      for (const Target& target : Targets()) {
        const Results got = run.On(target);
        ASSERT_EQ(got.size(), 2u) << text;
        exprtest::ExpectSame({run.outputs()[0]}, {got[0]}, {got[1]}, std::string(text) + " on " + target.name);
      }
    }
  }
}

TEST(Special, Empty) {
  struct Case {
    const char* text;
    Shape shape;
  };
  const Case cases[] = {
      {"(x) -> sum(x), prod(x), any(x), all(x), mean(x), var(x), amax(x), amin(x), logsumexp(x)", {2, 0}},
      {"(x) -> sum(x, axis = all), prod(x, axis = all), amax(x, axis = all)", {0, 3}},
      {"(x) -> sum(x), amax(x, axis = -1), sum(x, axis = -2)", {0, 5}},
      {"(x) -> x * rsqrt(mean(x * x) + 1e-6)", {0, 128}},
      {"(x) -> x * rsqrt(mean(x * x) + 1e-6)", {3, 0}},
      {"(x) -> { e = exp(x - detach(amax(x))); e / sum(e) }", {0, 7}},
      {"(x) -> cumsum(x), cumsum(x, axis = -2)", {2, 0}},
      {"(x) -> amax(x, group = 32), sum(x, group = 32)", {2, 0}},
  };
  for (const Case& c : cases) {
    for (const Dtype dtype : {Dtype::f32, Dtype::i8}) {
      if (dtype == Dtype::i8 && std::string(c.text).find("logsumexp") != std::string::npos) continue;
      const TextRun run(c.text, {Empty(dtype, c.shape)});
      if (!Runs(run, Here(static_cast<size_t>(&c - cases)))) continue;
      const Results got = run.On(Targets().front());
      ASSERT_EQ(got.size(), run.outputs().size()) << c.text;
      ExpectClose(run.Expected(), run.outputs(), got, c.text);
    }
  }
}

}  // namespace
}  // namespace rowtest

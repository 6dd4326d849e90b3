// Results in the memory of operands, of random texts and of some that were wrong: what is taken has the bits that it
// has apart, one result at a time and several at once. What the text does not allow is refused, in the rule's words.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <random>

#include "on_cuda.h"
#include "over.h"
#include "random_text.h"
#include "texts.h"

namespace rowtest {
namespace {

constexpr char kRule[] = "cannot be written in its place";

// Tries all pairs of a result and an operand, then some combinations of those that are taken.
class Trial {
 public:
  Trial(const TextRun& run, const std::string& what, uint64_t seed)
      : run_(run), what_(what), random_(seed), apart_(run.On(Targets().front())) {}

  // The pairs that are taken: result and operand.
  std::vector<std::pair<size_t, size_t>> Run() {
    const size_t results = run_.outputs().size();
    if (apart_.size() != results) return {};
    std::vector<std::vector<int>> choices(results, {-1});
    std::vector<std::pair<size_t, size_t>> taken;
    for (size_t k = 0; k < results; ++k)
      for (size_t i = 0; i < run_.inputs().size(); ++i) {
        std::vector<int> over(results, -1);
        over[k] = static_cast<int>(i);
        if (!AreAlike(run_, k, i) || !IsTaken(over)) continue;
        choices[k].push_back(over[k]);
        taken.push_back({k, i});
      }
    for (int turn = 0; turn < 2 && taken.size() > 1; ++turn) {
      std::vector<int> over(results, -1);
      for (size_t k = 0; k < results; ++k) {
        const int i = choices[k][random_() % choices[k].size()];
        if (std::count(over.begin(), over.end(), i) == 0) over[k] = i;
      }
      if (results - static_cast<size_t>(std::count(over.begin(), over.end(), -1)) < 2) continue;
      EXPECT_TRUE(IsTaken(over)) << what_ << Text(over) << ": refused, though each is taken";
    }
    return taken;
  }

 private:
  static std::string Text(const std::vector<int>& over) {
    std::string text = "\n  over operands (-1: none)";
    for (const int i : over) text += " " + std::to_string(i);
    return text;
  }

  bool IsTaken(const std::vector<int>& over) {
    const Over call(run_, Targets().front(), over);
    if (call.outcome().status == TILEOPS_STATUS_OK) {
      exprtest::ExpectSame(run_.outputs(), call.Read(), apart_, what_ + Text(over));
      return true;
    }
    EXPECT_EQ(call.outcome().status, TILEOPS_STATUS_INVALID_ARGUMENT) << what_ << Text(over);
    EXPECT_NE(call.outcome().why.find(kRule), std::string::npos) << what_ << Text(over) << call.outcome().why;
    for (const int i : over) {
      if (i < 0) continue;
      EXPECT_EQ(call.OfOperand(static_cast<size_t>(i)), run_.inputs()[static_cast<size_t>(i)].bits)
          << what_ << Text(over) << ": was refused, and written";
    }
    return false;
  }

  const TextRun& run_;
  const std::string what_;
  std::mt19937_64 random_;
  const Results apart_;
};

TEST(InPlaceRandom, Texts) {
  const uint64_t count = exprtest::Long() ? 6000 : 600;
  size_t pairs = 0;
  for (uint64_t seed = 1; seed <= count; ++seed) {
    const RandomText made = MakeRandomTextInPlace(seed);
    const TextRun run(made.text, made.operands);
    if (run.state() == State::not_yet) continue;  // Random.Texts counts them
    std::string what = "seed " + std::to_string(seed) + ": " + made.text + " of";
    for (const Tensor& t : made.operands) {
      what += " (";
      for (const int64_t n : t.shape) what += std::to_string(n) + ",";
      what += ")";
    }
    const testing::ScopedTrace trace(__FILE__, __LINE__, what);
    ASSERT_EQ(run.state(), State::runs) << run.why();
    EXPECT_EQ(WhyNotOnCuda(run), "");
    pairs += Trial(run, what, seed).Run().size();
    if (HasFailure() && !exprtest::Long()) return;
  }
  std::cout << pairs << " pairs were taken\n";
  EXPECT_GT(pairs, count) << "too few pairs say nothing";
}

struct Tried {
  const char *text, *operands;
  std::vector<std::pair<size_t, size_t>> taken;  // all of them: result, operand
};

const Tried kTried[] = {
    // Elements of other rows, behind a reduction or a scan.
    {"(a, i) -> a - mean(gather(a, i, axis = -2))", "a f32 700x300, i i64 700x1", {{0, 0}}},
    {"(x) -> cumsum(gather(x, extent(x, -1) - 1 - index(x, -1)))", "x f32 40x4100", {{0, 0}}},
    {"(x) -> concat(cumsum(every(x, 0, 2)), chunk(x, 0, 2))", "x f32 4096", {{0, 0}}},
    {"(x) -> concat(chunk(x, 0, 2) - mean(every(x, 1, 2), axis = -2), chunk(x, 1, 2))", "x f32 300x64", {{0, 0}}},
    {"(x) -> sum(gather(x, argmin(x) % 4, axis = -2)), x * 2", "x f32 5000x33", {{1, 0}}},
    {"(x, i) -> { l = logsumexp(x); l - sum(gather(x, i)), exp(x - l) }", "x f32 300x1000, i i64 300x1", {{1, 0}}},
    // Blocks and groups of one element.
    {"(a, c) -> a, cumsum(c, axis = -2)", "a f32 1x4, c f32 1x4", {{0, 0}, {0, 1}, {1, 0}, {1, 1}}},
    {"(a, c) -> a, cumsum(c, group = 1)", "a f32 3x4, c f32 3x4", {{0, 0}, {0, 1}, {1, 0}, {1, 1}}},
    {"(a, c) -> a, cummax(c, reverse = true)", "a f32 9x1, c f32 9x1", {{0, 0}, {0, 1}, {1, 0}, {1, 1}}},
    {"(x, s) -> { g = amax(x, group = 32); x / spread(g, x, group = 32), g, s * sum(x) }",
     "x f32 70x32, s f32 70x1",
     {{0, 0}, {1, 1}, {2, 1}}},
    // Results that are stored later, and what is read for these.
    {"(a, b) -> a * b, -b, cumsum(a, group = 5) + a - spread(sum(a), a, group = 100)",
     "a f32 24, b f32 1",
     {{0, 0}, {1, 1}, {2, 0}}},
    {"(x, w) -> { y = x - mean(x); y * w, w + sum(y * y, axis = -2) }", "x f32 90x50, w f32 1x50", {{0, 0}, {1, 1}}},
    // A norm and its rotation.
    {"(x) -> { n = x * rsqrt(mean(x * x) + 1); concat(chunk(n, 1, 2), -chunk(n, 0, 2)) }", "x bf16 300x128", {{0, 0}}},
    {"(x) -> x - gather(x, argmax(x))", "x f32 30x40", {}},
};

TEST(InPlaceRandom, TextsThatWereWrong) {
  for (const Tried& c : kTried) {
    RowText text = ReadRowText(c.operands);
    text.domains["i"] = {true, false, 0, 299};
    const TextRun run(c.text, RandomOperands(text, 3));
    ASSERT_EQ(run.state(), State::runs) << c.text << ": " << run.why();
    EXPECT_EQ(Trial(run, c.text, 1).Run(), c.taken) << c.text;
  }
}

}  // namespace
}  // namespace rowtest

// Random texts beside the reference, on every instruction set with the same bits, in random layouts.
#include <gtest/gtest.h>

#include <iostream>
#include <random>

#include "not_yet.h"
#include "on_cuda.h"
#include "random_text.h"

namespace rowtest {
namespace {

TEST(Random, Texts) {
  const uint64_t count = exprtest::Long() ? 4000 : 500;
  size_t without = 0;
  for (uint64_t seed = 1; seed <= count; ++seed) {
    const RandomText made = MakeRandomText(seed);
    const TextRun run(made.text, made.operands);
    if (run.state() == State::not_yet) {
      ++without;
      std::cout << "not yet there: seed " << seed << ": " << made.text << ": " << run.why() << "\n";
      continue;
    }
    ASSERT_EQ(run.state(), State::runs) << "seed " << seed << ": " << run.why();
    EXPECT_EQ(WhyNotOnCuda(run), "") << "seed " << seed << ": " << made.text;
    std::mt19937_64 random(seed);
    const auto layout = [&] { return optest::AllLayouts()[random() % optest::AllLayouts().size()]; };
    const std::vector<Tensor> want = run.Expected();
    Results first;
    for (const Target& target : Targets()) {
      const std::string what = "seed " + std::to_string(seed) + " on " + target.name + ": " + made.text;
      const Results got = run.On(target, first.empty() ? Placement{} : optest::All(layout(), layout()));
      ASSERT_EQ(got.size(), want.size()) << what;
      if (first.empty()) {
        first = got;
        for (size_t k = 0; k < got.size(); ++k) {
          const Comparison c = Compare(want[k], run.outputs()[k].dtype, got[k]);
          EXPECT_EQ(c.wrong, 0u) << what << "\n  result " << k << ": " << c.first_wrong;
        }
      }
      exprtest::ExpectSame(run.outputs(), got, first, what);
    }
  }
  std::cout << without << " of " << count << " random texts are not yet there\n";
  EXPECT_EQ(without > 0, NotYet().count(Here()) > 0) << "not_yet.def is wrong about " << Here();
}

}  // namespace
}  // namespace rowtest

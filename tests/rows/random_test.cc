// Random texts beside the reference, on every instruction set with the same bits, in random layouts.
#include <gtest/gtest.h>

#include <iostream>
#include <random>

#include "not_yet.h"
#include "on_cuda.h"
#include "random_text.h"
#include "texts.h"

namespace rowtest {
namespace {

// How many texts; on a device, where each is compiled, a tenth.
uint64_t Several(uint64_t many, uint64_t usual) {
  const uint64_t count = exprtest::Long() ? many : usual;
  return Targets().front().device.device_type == kDLCPU ? count : count / 10;
}

TEST(Random, Texts) {
  const uint64_t count = Several(20000, 3000);
  size_t without = 0;
  for (uint64_t seed = 1; seed <= count; ++seed) {
    const RandomText made = MakeRandomText(seed);
    const TextRun run(made.text, made.operands);
    if (run.state() == State::not_yet) {
      ++without;
      std::cout << "not yet there: seed " << seed << ": " << Described(made) << ": " << run.why() << "\n";
      continue;
    }
    ASSERT_EQ(run.state(), State::runs) << "seed " << seed << ": " << Described(made) << ": " << run.why();
    EXPECT_EQ(WhyNotOnCuda(run), "") << "seed " << seed << ": " << Described(made);
    std::mt19937_64 random(seed);
    const auto layout = [&] { return optest::AllLayouts()[random() % optest::AllLayouts().size()]; };
    const std::vector<Tensor> want = run.Expected();
    Results first;
    for (const Target& target : Targets()) {
      const std::string what = "seed " + std::to_string(seed) + " on " + target.name + ": " + Described(made);
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

// The gradient of a text is a text, which has to run wherever the text does.
TEST(Random, Gradients) {
  const uint64_t count = Several(4000, 600);
  size_t none = 0;
  for (uint64_t seed = 1; seed <= count; ++seed) {
    RandomText made = MakeRandomText(seed + 1000000);
    const TextRun run(made.text, made.operands);
    ASSERT_EQ(run.state(), State::runs) << Described(made) << ": " << run.why();
    const int32_t x = 0;
    tileops_expr* gradient = nullptr;
    if (tileops_expr_gradient(run.expr(), &x, 1, &gradient) != TILEOPS_STATUS_OK) {
      // Of values of 4 bits there is none.
      EXPECT_TRUE(std::string(tileops_last_error()).find("has no derivative") != std::string::npos)
          << Described(made) << ": " << tileops_last_error();
      ++none;
      continue;
    }
    std::vector<Tensor> operands = made.operands;
    for (const Tensor& y : run.Expected()) operands.push_back(RandomTensor(y.dtype, y.shape, seed + operands.size()));
    const TextRun back(gradient, operands);
    const std::string what = "seed " + std::to_string(seed) + ": " + Described(made) + "\n  " + back.text();
    ASSERT_EQ(back.state(), State::runs) << what << ": " << back.why();
    EXPECT_EQ(WhyNotOnCuda(back), "") << what;
    const std::vector<Tensor> want = back.Expected();
    Results first;
    for (const Target& target : Targets()) {
      const Results got = back.On(target);
      if (first.empty()) ExpectClose(want, back.outputs(), first = got, what, 10);  // which is the extreme
      exprtest::ExpectSame(back.outputs(), got, first, what);
    }
  }
  std::cout << none << " of " << count << " random texts have no gradient\n";
  EXPECT_LT(none, count / 2);
}

}  // namespace
}  // namespace rowtest

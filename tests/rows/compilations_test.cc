// How many kernels CUDA compiles for a text whose number of rows changes from call to call: what a kernel is compiled
// for (cuda/spec) is a few kinds of rows, and no number of them. And that what texts say for the sake of integers is no
// step of floats. Needs no GPU.
#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <set>

#include "base/error.h"
#include "cuda/select/choose.h"
#include "of_batch.h"
#include "problem/layout.h"

namespace rowtest {
namespace {

constexpr size_t kMostOfPass = 4;

// The most kernels of one pass of the text, over all batches; 0: it has no plan. Passes that are of other batches alone
// are apart.
size_t KernelsOf(const RowText& text) {
  std::map<std::pair<size_t, size_t>, std::set<std::string>> specs;  // by number of passes, and which one of them
  for (const int64_t batch : Batches()) {
    const auto problem = ProblemOfBatch(text, batch, DLDevice{kDLCUDA, 0});
    if (!problem) continue;
    for (size_t i = 0; i < problem->passes.size(); ++i) {
      try {
        const auto choice = tileops::cuda::choose_pass(*problem, i, tileops::make_layout(problem->passes[i]),
                                                       {90, tileops::cuda::UseTables::yes, {}});
        specs[{problem->passes.size(), i}].insert(choice.kernel.text);
      } catch (const tileops::Error&) {
      }
    }
  }
  size_t most = 0;
  for (const auto& [pass, texts] : specs) most = std::max(most, texts.size());
  return most;
}

// Those whose kernels have a number of rows among what they are compiled for: where the rows are what is reduced. A
// kernel for open lengths would leave none of them.
const std::map<std::string, size_t> kMore = {
#include "compilations.def"
};

TEST(Compilations, AreFewWhateverTheNumberOfRows) {
  size_t counted = 0;
  for (const RowText& text : RowTexts()) {
    if (!text.named || text.operands.empty()) continue;
    const size_t kernels = KernelsOf(text);
    counted += kernels > 0;
    const auto more = kMore.find(text.name);
    EXPECT_LE(kernels, more == kMore.end() ? kMostOfPass : more->second)
        << text.name << " has a pass of so many kernels over " << Batches().size() << " numbers of rows";
    if (more != kMore.end()) {
      EXPECT_GT(kernels, kMostOfPass) << text.name << " need no longer be named here";
    }
  }
  EXPECT_GT(counted, 120u);
}

std::string WithoutOnes(std::string text) {
  for (const std::string one : {"1.0 * ", " * 1.0"})
    for (size_t at = 0; (at = text.find(one, at)) != std::string::npos;) {
      const char before = text[at - 1], after = text[at + one.size()];
      const bool is_longer = one[0] == '1' ? std::isdigit(before) || before == '.' : std::isdigit(after) != 0;
      if (is_longer) at += one.size();
      else text.erase(at, one.size());
    }
  return text;
}

// The kernels of a text's passes, one after the other.
std::string KernelTexts(const RowText& text) {
  const auto problem = ProblemOfBatch(text, 64, DLDevice{kDLCUDA, 0});
  std::string all;
  for (size_t i = 0; problem && i < problem->passes.size(); ++i) {
    try {
      const auto layout = tileops::make_layout(problem->passes[i]);
      all += tileops::cuda::choose_pass(*problem, i, layout, {90, tileops::cuda::UseTables::yes, {}}).kernel.text;
    } catch (const tileops::Error& e) {
      all += e.message;
    }
  }
  return all;
}

TEST(Compilations, AreWithoutOnesOfFloats) {
  size_t counted = 0;
  for (const RowText& text : RowTexts()) {
    RowText without = text;
    without.text = WithoutOnes(text.text);
    if (!text.named || text.text.find("1.0 * ") == std::string::npos) continue;
    const std::string kernels = KernelTexts(text);
    EXPECT_TRUE(kernels == KernelTexts(without)) << text.name;
    counted += !kernels.empty();
  }
  EXPECT_GT(counted, 60u);
}

// A number beside an operand is rounded to its dtype, beside 1.0 * x it is not: that one stays. And so does one of
// float8, which is cast to its own dtype in another way.
TEST(Compilations, KeepOnesThatMeanSomething) {
  for (const char* text : {"(x) -> 1.0 * x == 0.1", "(x) -> chunk(1.0 * x, 0, 2) > 0.1"}) {
    const RowText with{"", text, false, {{"x", "bf16", {4, 8}}}, {}, {}, {}};
    RowText without = with;
    without.text = WithoutOnes(text);
    EXPECT_FALSE(KernelTexts(with) == KernelTexts(without)) << text;
  }
  const RowText scaled{"", "(x) -> cast(1.0 * x, e5m2)", false, {{"x", "e5m2", {4, 8}}}, {}, {}, {}};
  RowText plain = scaled;
  plain.text = WithoutOnes(scaled.text);
  EXPECT_FALSE(KernelTexts(scaled) == KernelTexts(plain));
}

}  // namespace
}  // namespace rowtest

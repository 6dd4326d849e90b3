// How many kernels CUDA compiles for a text whose number of rows changes from call to call: what a kernel is compiled
// for (cuda/spec) is a few kinds of rows, and no number of them. Needs no GPU.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace rowtest

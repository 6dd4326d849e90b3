// Which plans need a workspace is what docs/api.md says by kind, and does not come and go with the number of rows
// beyond that: a program may make its workspace when it makes its plans.
#include <gtest/gtest.h>

#include <set>

#include "of_batch.h"

namespace rowtest {
namespace {

constexpr DLDevice kCpu{kDLCPU, 0};

RowText Text(const std::string& text, const std::string& operands) {
  RowText t = ReadRowText(operands);
  t.text = text;
  return t;
}

size_t Needs(const RowText& text, int64_t batch) {
  const auto problem = ProblemOfBatch(text, batch, kCpu);
  EXPECT_TRUE(problem.has_value()) << text.text << " of " << batch;
  return problem ? problem->workspace_bytes : 0;
}

// Named texts that need one for some number of rows, by the kind that api.md has: what they reduce is all of a tensor,
// or sums over the rows, or one axis behind another one. All others never need one.
const std::set<std::string> kSometimes = {
#include "workspaces.def"
};

TEST(Workspaces, AreOfTheKindsThatAreSaid) {
  for (const RowText& text : RowTexts()) {
    if (!text.named || text.operands.empty()) continue;
    size_t most = 0;
    for (const int64_t batch : Batches())
      if (const auto problem = ProblemOfBatch(text, batch, kCpu)) most = std::max(most, problem->workspace_bytes);
    EXPECT_EQ(most > 0, kSometimes.count(text.name) > 0)
        << text.name << " needs " << most << " bytes at most: " << text.text;
  }
}

// Rows along the last axis need one where there are few very long ones, and never else: at most 16 of at least 65,536
// elements, which threads share.
TEST(Workspaces, OfRowsAreForFewVeryLongOnes) {
  for (const char* text : {"(x) -> { e = exp(x - amax(x)); e / sum(e) }", "(x) -> x * rsqrt(mean(x * x) + 1e-6)",
                           "(x) -> x - logsumexp(x)", "(x) -> amax(x), amin(x)"}) {
    for (const auto& [columns, many] :
         {std::pair{"65535", false}, {"65536", true}, {"128256", true}, {"4096", false}}) {
      const RowText rows = Text(text, std::string("x f32 6x") + columns);
      for (const int64_t batch : {1, 2, 4, 15, 16, 17, 32, 64, 500})
        EXPECT_EQ(Needs(rows, batch) > 0, many && batch <= 16) << text << " of " << batch << " x " << columns;
    }
  }
  // What comes one after the other, and what is looked for, is never shared.
  for (const char* text : {"(x) -> cumsum(x)", "(x) -> argmax(x)", "(x) -> cummax(x)"})
    for (const int64_t batch : {1, 4, 64}) EXPECT_EQ(Needs(Text(text, "x f32 6x128256"), batch), 0u) << text << batch;
}

}  // namespace
}  // namespace rowtest

// The ways to cut rows that callers and tileops_tune ask for.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "cuda/jit/nvrtc.h"
#include "cuda/jit/source.h"
#include "cuda/select/choose.h"
#include "cuda/tuning_candidates.h"
#include "problem/layout.h"
#include "requests.h"

namespace tileops::cuda {
namespace {

const char kSoftmax[] = "(x) -> { e = exp(x - amax(x)); e / sum(e) }";
const char kColumns[] = "(x) -> sum(x, axis = -2)";

Problem OfRows(const char* text, int64_t rows, int64_t columns, Dtype dtype = Dtype::bf16) {
  return requests::ProblemOf(text, {{dtype, {rows, columns}}});
}

Choice Chosen(const Problem& problem, const LaunchHint& hint, int arch = 90) {
  return choose_pass(problem, 0, make_layout(problem.passes[0]), {arch, UseTables::yes, hint});
}

std::string Refusal(const Problem& problem, const LaunchHint& hint, int arch = 90) {
  try {
    Chosen(problem, hint, arch);
  } catch (const Error& e) {
    return e.message;
  }
  return "accepted";
}

// Each comes to what it asks for. Of each strategy every third one is compiled.
void ExpectCandidates(const Problem& problem, const std::set<tileops_strategy>& strategies, bool compile) {
  const std::vector<LaunchHint> list = tuning_candidates(problem, 90);
  ASSERT_GT(list.size(), 2u);
  EXPECT_EQ(list[0].strategy, TILEOPS_STRATEGY_AUTO);
  std::set<tileops_strategy> seen;
  std::map<tileops_strategy, int> count;
  for (const LaunchHint& hint : list) {
    if (hint.strategy == TILEOPS_STRATEGY_AUTO) continue;
    seen.insert(hint.strategy);
    const Choice c = Chosen(problem, hint);
    EXPECT_EQ(c.strategy(), hint.strategy);
    if (hint.threads) {
      EXPECT_EQ(c.spec.traversal.threads, hint.threads);
    }
    EXPECT_EQ(c.num_per_thread(), hint.num_per_thread);
    if (!compile || count[hint.strategy]++ % 3 != 0 || !Nvrtc::get().available()) continue;
    EXPECT_FALSE(Nvrtc::get().compile(full_source(c.kernel), c.kernel.name, 90).image.empty()) << c.kernel.text;
  }
  EXPECT_EQ(seen, strategies);
}

TEST(RowStrategies, Candidates) {
  ExpectCandidates(OfRows(kSoftmax, 16384, 128), {TILEOPS_STRATEGY_REGISTER_COPY}, false);
  ExpectCandidates(OfRows(kSoftmax, 16384, 4096), {TILEOPS_STRATEGY_REGISTER_COPY}, false);
  ExpectCandidates(OfRows(kSoftmax, 1024, 32768),
                   {TILEOPS_STRATEGY_REGISTER_COPY, TILEOPS_STRATEGY_CLUSTER, TILEOPS_STRATEGY_REREAD}, true);
  ExpectCandidates(OfRows(kSoftmax, 200, 1 << 21), {TILEOPS_STRATEGY_REREAD}, false);
  ExpectCandidates(OfRows(kColumns, 1000, 4096), {TILEOPS_STRATEGY_REGISTER_COPY}, true);
  if (!Nvrtc::get().available()) GTEST_SKIP() << "compiled: nothing, " << Nvrtc::get().failure();
}

TEST(RowStrategies, AreTaken) {
  const auto cut = [](const Choice& c) {
    return std::to_string(c.strategy()) + " " + std::to_string(c.spec.traversal.threads) + "x" +
           std::to_string(c.num_per_thread()) + " of " + std::to_string(c.spec.traversal.row.cluster);
  };
  const Problem usual = OfRows(kSoftmax, 16384, 4096), short_rows = OfRows(kSoftmax, 65536, 128);
  EXPECT_EQ(cut(Chosen(usual, {})), "3 128x32 of 1");
  EXPECT_EQ(cut(Chosen(usual, {TILEOPS_STRATEGY_REGISTER_COPY, 0, 8})), "3 512x8 of 1");
  EXPECT_EQ(cut(Chosen(usual, {TILEOPS_STRATEGY_REGISTER_COPY, 256, 16})), "3 256x16 of 1");
  EXPECT_EQ(cut(Chosen(usual, {TILEOPS_STRATEGY_REREAD, 256, 0})), "6 256x32 of 1");
  EXPECT_EQ(cut(Chosen(usual, {TILEOPS_STRATEGY_CLUSTER, 128, 8})), "7 128x8 of 4");
  EXPECT_EQ(cut(Chosen(short_rows, {TILEOPS_STRATEGY_REGISTER_COPY, 512, 8})), "3 512x8 of 1");
  EXPECT_EQ(Chosen(short_rows, {TILEOPS_STRATEGY_REGISTER_COPY, 512, 8}).spec.traversal.row.lanes, 16);
}

TEST(RowStrategies, AreRefusedByName) {
  const auto says = [](const std::string& message, const char* argument) {
    EXPECT_EQ(message.rfind(argument, 0), 0u) << message;
  };
  const Problem usual = OfRows(kSoftmax, 16384, 4096);
  says(Refusal(usual, {TILEOPS_STRATEGY_TILE, 0, 0}), "strategy: ");
  says(Refusal(usual, {TILEOPS_STRATEGY_DIRECT, 0, 0}), "strategy: ");
  says(Refusal(usual, {TILEOPS_STRATEGY_REGISTER_COPY, 0, 4}), "num_per_thread: ");    // half a pack
  says(Refusal(usual, {TILEOPS_STRATEGY_REGISTER_COPY, 0, 128}), "num_per_thread: ");  // more than registers hold
  says(Refusal(usual, {TILEOPS_STRATEGY_REGISTER_COPY, 512, 16}), "threads: ");        // 256 have the row
  says(Refusal(usual, {TILEOPS_STRATEGY_CLUSTER, 256, 24}), "num_per_thread: ");       // no power of two
  says(Refusal(usual, {TILEOPS_STRATEGY_CLUSTER, 1024, 128}), "num_per_thread: ");     // more than shared memory holds
  says(Refusal(usual, {TILEOPS_STRATEGY_CLUSTER, 0, 0}, 80), "strategy: ");
  says(Refusal(OfRows(kSoftmax, 200, 1 << 20), {TILEOPS_STRATEGY_REGISTER_COPY, 0, 0}), "strategy: ");
  says(Refusal(OfRows(kSoftmax, 200, 1 << 20), {TILEOPS_STRATEGY_REGISTER_COPY, 0, 32}), "strategy: ");
  const Problem columns = OfRows(kColumns, 1000, 4096), odd = OfRows(kColumns, 1000, 4095);
  says(Refusal(columns, {TILEOPS_STRATEGY_REREAD, 0, 0}), "strategy: ");
  says(Refusal(odd, {TILEOPS_STRATEGY_REGISTER_COPY, 0, 16}), "num_per_thread: ");
  EXPECT_EQ(Refusal(odd, {TILEOPS_STRATEGY_REGISTER_COPY, 128, 8}), "accepted");
  const Problem scan = OfRows("(x) -> cumsum(x)", 64, 4096);
  says(Refusal(scan, {TILEOPS_STRATEGY_CLUSTER, 0, 0}), "strategy: ");
}

// All of a tensor is reduced by many thread blocks, whatever its extents: by groups or by parts.
TEST(RowStrategies, ShareFewLongBlocks) {
  for (const auto& [rows, columns] : {std::pair{16384, 4096}, {1 << 20, 64}, {1 << 20, 100}, {8192, 50257}}) {
    const Problem p = OfRows("(x) -> sum(x, axis = all)", rows, columns, Dtype::f32);
    ASSERT_EQ(p.passes.size(), 2u) << columns;
    const Choice c = Chosen(p, {});
    EXPECT_GE(c.launch.blocks, 4096u) << columns;
    EXPECT_EQ(c.spec.traversal.vec, columns % 4 == 0 || c.spec.traversal.row.split_elements ? 4 : 1) << columns;
  }
}

// A strategy of rows is the first pass's: what it leaves to the next ones is of other rows.
TEST(RowStrategies, AreOfTheFirstPass) {
  const Problem p = requests::ProblemOf("(x) -> x - mean(x, axis = all)", {{Dtype::f32, {1 << 22}}});
  ASSERT_GT(p.passes.size(), 1u);
  for (size_t i = 0; i < p.passes.size(); ++i)
    EXPECT_NO_THROW(
        choose_pass(p, i, make_layout(p.passes[i]), {90, UseTables::yes, {TILEOPS_STRATEGY_REGISTER_COPY, 0, 8}}));
}

}  // namespace
}  // namespace tileops::cuda

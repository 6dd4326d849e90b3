// Plans with open extents on many threads at once, each at extents of its own, several plans in turns.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "texts.h"

namespace opentest {
namespace {

constexpr int kThreads = 8;

struct Executed {
  int64_t rows;
  std::string want;
};

// By tensors and by addresses.
void ExecuteInTurns(const std::vector<Text>& texts, const std::vector<Plan>& plans,
                    const std::vector<std::vector<Executed>>& known, int thread, std::atomic<int>* wrong) {
  for (size_t round = 0; round < 12; ++round)
    for (size_t t = 0; t < texts.size(); ++t) {
      const Executed& e = known[t][(round * 5 + static_cast<size_t>(thread) * 3 + t) % known[t].size()];
      Call call(texts[t], {e.rows});
      const tileops_status status = round % 2 ? call.Execute(plans[t].get()) : call.ExecuteAt(plans[t].get());
      *wrong += status != TILEOPS_STATUS_OK || call.Results() != e.want;
    }
}

TEST(OpenThreads, PlansAtDifferentExtentsDoNotMeet) {
  std::vector<Text> texts;
  for (const Text& text : TextsOfRows(64))
    if (text.text.find("mean") != std::string::npos || text.text.find("silu") != std::string::npos)
      texts.push_back(text);
  ASSERT_GE(texts.size(), 4u);
  tileops_context_options options = TILEOPS_CONTEXT_OPTIONS_INIT;
  options.num_threads = 2;
  tileops_context* context = nullptr;
  ASSERT_EQ(tileops_context_create(&options, &context), TILEOPS_STATUS_OK);
  std::vector<Plan> plans;
  std::vector<std::vector<Executed>> known;
  for (const Text& text : texts) {
    plans.push_back(OpenPlan(text, context));
    ASSERT_NE(plans.back(), nullptr);
    known.emplace_back();
    for (const int64_t rows : {1, 3, 0, 130, 1000, 7, 1100, 64}) {
      Call call(text, {rows});
      ASSERT_EQ(call.Execute(ClosedPlan(text, {rows}).get()), TILEOPS_STATUS_OK) << tileops_last_error();
      known.back().push_back({rows, call.Results()});
    }
  }
  std::atomic<int> ready{0}, wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&, i] {
      for (++ready; ready < kThreads;) std::this_thread::yield();
      ExecuteInTurns(texts, plans, known, i, &wrong);
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong.load(), 0);
  tileops_context_destroy(context);
}

}  // namespace
}  // namespace opentest

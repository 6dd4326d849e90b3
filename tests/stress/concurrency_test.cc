// What the header promises about threads.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <string>
#include <thread>

#include "binary_plan.h"

namespace stress {
namespace {

constexpr int kThreads = 8;

// Starts the threads together and joins them.
template <class Body>
void InThreads(const Body& body) {
  std::atomic<int> ready{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      for (++ready; ready < kThreads;) std::this_thread::yield();
      body(i);
    });
  }
  for (std::thread& t : threads) t.join();
}

tileops_context* Context(int num_threads, uint32_t capacity = 0) {
  tileops_context_options options = TILEOPS_CONTEXT_OPTIONS_INIT;
  options.num_threads = num_threads;
  options.plan_capacity = capacity;
  tileops_context* context = nullptr;
  EXPECT_EQ(tileops_context_create(&options, &context), TILEOPS_STATUS_OK);
  return context;
}

void FillAndCheck(const tileops_plan* plan, int64_t n, int thread, int rounds) {
  Operands operands(n);
  const size_t size = static_cast<size_t>(n);
  std::vector<float> a(size), b(size), y(size);
  for (int round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < size; ++i) {
      a[i] = static_cast<float>(i % 1000) + static_cast<float>(thread);
      b[i] = static_cast<float>(round);
      y[i] = -1;
    }
    ASSERT_EQ(Execute(plan, &operands, a.data(), b.data(), y.data()), TILEOPS_STATUS_OK) << tileops_last_error();
    for (size_t i = 0; i < size; ++i) ASSERT_EQ(y[i], a[i] + b[i]) << i;
  }
}

TEST(Concurrency, ManyThreadsOnePlan) {
  tileops_context* context = Context(4);
  for (int64_t n : {int64_t{100}, int64_t{100000}}) {  // one thread each; several each
    Operands operands(n);
    tileops_plan* plan = nullptr;
    ASSERT_EQ(Plan(context, TILEOPS_OP_ADD, &operands, &plan), TILEOPS_STATUS_OK);
    InThreads([&](int i) { FillAndCheck(plan, n, i, n > 1000 ? 5 : 200); });
    tileops_plan_destroy(plan);
  }
  tileops_context_destroy(context);
}

TEST(Concurrency, CreatingAndDestroyingTheSamePlans) {
  tileops_context* context = Context(2, 8);  // fewer than there are plans: constant eviction
  InThreads([&](int thread) {
    for (int round = 0; round < 200; ++round) {
      const int64_t n = 1 + (round * 7 + thread) % 24;
      Operands operands(n);
      tileops_plan* plan = nullptr;
      ASSERT_EQ(Plan(context, TILEOPS_OP_ADD, &operands, &plan), TILEOPS_STATUS_OK) << tileops_last_error();
      ASSERT_EQ(tileops_plan_retain(plan), TILEOPS_STATUS_OK);
      tileops_plan_destroy(plan);
      FillAndCheck(plan, n, thread, 1);
      tileops_plan_destroy(plan);
      if (round % 50 == 0) {
        ASSERT_EQ(tileops_cache_clear(context, TILEOPS_CACHE_PLANS), TILEOPS_STATUS_OK);
      }
    }
  });
  tileops_cache_stats stats = TILEOPS_CACHE_STATS_INIT;
  ASSERT_EQ(tileops_cache_stats_get(context, &stats), TILEOPS_STATUS_OK);
  EXPECT_EQ(stats.plan_hits + stats.plan_misses, uint64_t{kThreads} * 200);
  EXPECT_LE(stats.plan_entries, 8u);
  tileops_context_destroy(context);
}

TEST(Concurrency, ContextsDieBeforeTheirPlans) {
  InThreads([&](int thread) {
    for (int round = 0; round < 20; ++round) {
      tileops_context* context = Context(1 + round % 3);
      const int64_t n = round % 2 ? 70000 : 64;
      Operands operands(n);
      tileops_plan* plan = nullptr;
      ASSERT_EQ(Plan(context, TILEOPS_OP_ADD, &operands, &plan), TILEOPS_STATUS_OK);
      tileops_context_destroy(context);
      FillAndCheck(plan, n, thread, 1);
      tileops_plan_destroy(plan);
    }
  });
}

TEST(Concurrency, DefaultContextFromEveryThread) {
  InThreads([&](int thread) {
    Operands operands(37);
    tileops_plan* plan = nullptr;
    ASSERT_EQ(Plan(nullptr, TILEOPS_OP_ADD, &operands, &plan), TILEOPS_STATUS_OK);
    FillAndCheck(plan, 37, thread, 10);
    tileops_plan_destroy(plan);
  });
}

TEST(Concurrency, ErrorsBelongToTheirThread) {
  InThreads([&](int thread) {
    for (int round = 0; round < 200; ++round) {
      tileops_context_options options = TILEOPS_CONTEXT_OPTIONS_INIT;
      options.num_threads = -1 - thread;
      tileops_context* context = nullptr;
      ASSERT_EQ(tileops_context_create(&options, &context), TILEOPS_STATUS_INVALID_ARGUMENT);
      const std::string want = "(got " + std::to_string(-1 - thread) + ")";
      ASSERT_NE(std::string(tileops_last_error()).find(want), std::string::npos) << tileops_last_error();
      std::this_thread::yield();
      ASSERT_NE(std::string(tileops_last_error()).find(want), std::string::npos);
    }
  });
  std::string fresh = "x";
  std::thread([&] { fresh = tileops_last_error(); }).join();
  EXPECT_EQ(fresh, "");
}

TEST(Concurrency, LogFromEveryThread) {
  static std::atomic<int> lines{0};
  lines = 0;
  ASSERT_EQ(tileops_log_set(
                [](void* user, tileops_log_level, const char* text) {
                  ++*static_cast<std::atomic<int>*>(user);
                  EXPECT_GT(std::strlen(text), 0u);
                },
                &lines, TILEOPS_LOG_INFO),
            TILEOPS_STATUS_OK);
  InThreads([&](int thread) {
    for (int round = 0; round < 20; ++round) {
      tileops_context* context = Context(1);
      Operands operands(1 + thread);
      tileops_plan* plan = nullptr;
      ASSERT_EQ(Plan(context, TILEOPS_OP_MUL, &operands, &plan), TILEOPS_STATUS_OK);
      tileops_plan_destroy(plan);
      tileops_context_destroy(context);
      if (thread == 0)  // replaced while others log
        tileops_log_set([](void* user, tileops_log_level, const char*) { ++*static_cast<std::atomic<int>*>(user); },
                        &lines, TILEOPS_LOG_INFO);
    }
  });
  tileops_log_set(nullptr, nullptr, TILEOPS_LOG_WARN);
  EXPECT_GE(lines.load(), kThreads * 20);
}

TEST(Concurrency, DescribingFromEveryThread) {
  InThreads([&](int) {
    for (size_t i = 0; i < tileops_op_count(); ++i) {
      tileops_op_info info = TILEOPS_OP_INFO_INIT;
      ASSERT_EQ(tileops_op_describe(tileops_op_at(i), &info), TILEOPS_STATUS_OK);
      ASSERT_EQ(tileops_op_from_name(info.name), info.op);
    }
  });
}

}  // namespace
}  // namespace stress

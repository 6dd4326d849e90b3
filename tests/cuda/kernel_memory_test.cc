// Who waits for whom where several threads ask for the same new kernel.
#include "cuda/jit/kernel_memory.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

namespace tileops::cuda {
namespace {

TEST(KernelMemory, OneThreadMakesIt) {
  KernelMemory<int> memory;
  std::atomic<int> made{0}, found{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&] {
      bool was_there;
      EXPECT_EQ(memory.get("k", true, &was_there,
                           [&] {
                             std::this_thread::sleep_for(std::chrono::milliseconds(50));
                             return ++made;
                           }),
                1);
      found += was_there;
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(made, 1);
  EXPECT_EQ(found, 7);
}

// A plan with TILEOPS_PLAN_NO_JIT is looking in the cache and will fail: one without the flag
// compiles.
TEST(KernelMemory, TheFailureOfAFlaggedPlanIsItsOwn) {
  KernelMemory<int> memory;
  std::promise<void> inside, go_on;
  std::thread flagged([&] {
    bool found;
    EXPECT_THROW(memory.get("k", false, &found,
                            [&]() -> int {
                              inside.set_value();
                              go_on.get_future().wait();
                              throw std::runtime_error("NO_JIT is set");
                            }),
                 std::runtime_error);
  });
  inside.get_future().wait();
  std::thread release([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    go_on.set_value();
  });
  bool found = true;
  EXPECT_NO_THROW(EXPECT_EQ(memory.get("k", true, &found, [] { return 7; }), 7));
  EXPECT_FALSE(found);
  flagged.join();
  release.join();
  EXPECT_EQ(memory.get("k", false, &found, []() -> int { throw std::runtime_error("asked again"); }), 7);
  EXPECT_TRUE(found);
}

// And the flagged one does not wait until another has compiled.
TEST(KernelMemory, AFlaggedPlanWaitsForNoCompilation) {
  KernelMemory<int> memory;
  std::promise<void> inside, go_on;
  std::thread compiling([&] {
    bool found;
    EXPECT_EQ(memory.get("k", true, &found,
                         [&] {
                           inside.set_value();
                           go_on.get_future().wait();
                           return 7;
                         }),
              7);
  });
  inside.get_future().wait();
  bool found;
  EXPECT_THROW(memory.get("k", false, &found, []() -> int { throw std::runtime_error("NO_JIT is set"); }),
               std::runtime_error);
  go_on.set_value();
  compiling.join();
}

// What failed is tried again by the next who asks.
TEST(KernelMemory, AFailureIsNotKept) {
  KernelMemory<int> memory;
  bool found;
  EXPECT_THROW(memory.get("k", true, &found, []() -> int { throw std::runtime_error("x"); }), std::runtime_error);
  EXPECT_EQ(memory.get("k", true, &found, [] { return 3; }), 3);
}

}  // namespace
}  // namespace tileops::cuda

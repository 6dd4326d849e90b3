// The plan cache: order, capacity, one preparation for many callers, failures forgotten.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "plan/plan_cache.h"

namespace tileops {
namespace {

// The cache never looks into a plan: any address will do.
PlanPtr Fake() {
  auto owner = std::make_shared<int>(0);
  const Plan* address = reinterpret_cast<const Plan*>(owner.get());
  return PlanPtr(owner, address);
}

// Asks for a key; says whether it had to be made.
bool Made(PlanCache* cache, const std::string& key) {
  bool made = false;
  cache->get(key, [&] {
    made = true;
    return Fake();
  });
  return made;
}

TEST(PlanCache, KeepsTheMostRecentlyUsed) {
  PlanCache cache(3);
  EXPECT_TRUE(Made(&cache, "a"));
  EXPECT_TRUE(Made(&cache, "b"));
  EXPECT_TRUE(Made(&cache, "c"));
  EXPECT_FALSE(Made(&cache, "a"));  // now b is the oldest
  EXPECT_TRUE(Made(&cache, "d"));
  EXPECT_FALSE(Made(&cache, "a"));
  EXPECT_FALSE(Made(&cache, "c"));
  EXPECT_FALSE(Made(&cache, "d"));
  EXPECT_TRUE(Made(&cache, "b"));  // which throws out a
  EXPECT_TRUE(Made(&cache, "a"));
  const PlanCache::Stats s = cache.stats();
  EXPECT_EQ(s.entries, 3u);
  EXPECT_EQ(s.misses, 6u);
  EXPECT_EQ(s.hits, 4u);
  EXPECT_EQ(s.evictions, 3u);
}

TEST(PlanCache, SameObjectOnAHit) {
  PlanCache cache(8);
  const PlanPtr first = cache.get("k", Fake);
  EXPECT_EQ(cache.get("k", Fake), first);
  cache.clear();
  EXPECT_NE(cache.get("k", Fake), first);
  EXPECT_EQ(cache.stats().entries, 1u);
}

TEST(PlanCache, CapacityIsABound) {
  for (size_t capacity : {size_t{1}, size_t{7}, size_t{256}, size_t{1000}}) {
    PlanCache cache(capacity);
    for (int i = 0; i < 5000; ++i) Made(&cache, "key " + std::to_string(i));
    const PlanCache::Stats s = cache.stats();
    // Shards round up to whole entries.
    EXPECT_LE(s.entries, capacity + 16) << capacity;
    EXPECT_GE(s.entries, capacity / 2) << capacity;
    EXPECT_EQ(s.entries + s.evictions, 5000u) << capacity;
  }
  PlanCache none(0);
  EXPECT_TRUE(Made(&none, "a"));
  EXPECT_TRUE(Made(&none, "a"));
  EXPECT_EQ(none.stats().entries, 0u);
}

TEST(PlanCache, OnePreparationForManyThreads) {
  PlanCache cache(64);
  std::atomic<int> makes{0}, ready{0};
  std::vector<PlanPtr> got(8);
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      for (++ready; ready < 8;) std::this_thread::yield();
      got[static_cast<size_t>(i)] = cache.get("k", [&] {
        ++makes;
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        return Fake();
      });
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(makes, 1);
  for (const PlanPtr& p : got) EXPECT_EQ(p, got[0]);
}

// Waiting is for one's own plan only.
TEST(PlanCache, OtherPlansDoNotWait) {
  PlanCache cache(8);
  std::atomic<bool> inside{false}, release{false};
  std::thread slow([&] {
    cache.get("slow", [&] {
      inside = true;
      while (!release) std::this_thread::yield();
      return Fake();
    });
  });
  while (!inside) std::this_thread::yield();
  EXPECT_TRUE(Made(&cache, "fast"));
  EXPECT_FALSE(Made(&cache, "fast"));
  release = true;
  slow.join();
}

TEST(PlanCache, FailureReachesEveryWaiterAndIsNotKept) {
  PlanCache cache(8);
  std::atomic<int> ready{0}, failures{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (++ready; ready < 8;) std::this_thread::yield();
      try {
        cache.get("k", [&]() -> PlanPtr {
          std::this_thread::sleep_for(std::chrono::milliseconds(20));
          throw std::runtime_error("no");
        });
      } catch (const std::runtime_error&) {
        ++failures;
      }
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(failures, 8);
  EXPECT_EQ(cache.stats().entries, 0u);
  EXPECT_TRUE(Made(&cache, "k"));
  EXPECT_FALSE(Made(&cache, "k"));
}

TEST(PlanCache, ChurnFromManyThreads) {
  PlanCache cache(16);
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 8; ++i) {
    threads.emplace_back([&cache, i] {
      unsigned state = i + 1;
      for (int n = 0; n < 2000; ++n) {
        state = state * 1664525 + 1013904223;
        const std::string key = std::to_string(state >> 26);
        try {
          const PlanPtr p = cache.get(key, [&]() -> PlanPtr {
            if ((state >> 20) % 16 == 0) throw std::runtime_error("sometimes");
            return Fake();
          });
          EXPECT_NE(p, nullptr);
        } catch (const std::runtime_error&) {
        }
        if (n % 500 == 0) cache.clear();
      }
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_LE(cache.stats().entries, 16u);
}

}  // namespace
}  // namespace tileops

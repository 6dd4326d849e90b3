#include "plan/plan_cache.h"

namespace tileops {
namespace {

// One shard keeps exact LRU order for small capacities; many keep threads apart for large ones.
constexpr size_t kShards = 16, kShardedFrom = 256;

}  // namespace

PlanCache::PlanCache(size_t capacity)
    : capacity_(capacity),
      per_shard_(capacity >= kShardedFrom ? (capacity + kShards - 1) / kShards : capacity),
      shards_(capacity >= kShardedFrom ? kShards : 1) {}

PlanPtr PlanCache::get(const std::string& key, const std::function<PlanPtr()>& make) {
  if (capacity_ == 0) {
    misses_.fetch_add(1, std::memory_order_relaxed);
    return make();
  }
  Shard& shard = shards_[std::hash<std::string>{}(key) % shards_.size()];
  std::promise<PlanPtr> promise;
  {
    std::unique_lock<std::mutex> lock(shard.mutex);
    if (const auto it = shard.entries.find(key); it != shard.entries.end()) {
      hits_.fetch_add(1, std::memory_order_relaxed);
      shard.order.splice(shard.order.begin(), shard.order, it->second.place);
      const std::shared_future<PlanPtr> plan = it->second.plan;
      lock.unlock();
      return plan.get();
    }
    misses_.fetch_add(1, std::memory_order_relaxed);
    shard.order.push_front(key);
    try {
      shard.entries.emplace(key, Entry{promise.get_future().share(), shard.order.begin()});
    } catch (...) {
      shard.order.pop_front();
      throw;
    }
    if (shard.entries.size() > per_shard_) {
      shard.entries.erase(shard.order.back());
      shard.order.pop_back();
      evictions_.fetch_add(1, std::memory_order_relaxed);
    }
  }
  try {
    PlanPtr plan = make();
    promise.set_value(plan);
    return plan;
  } catch (...) {
    {
      std::lock_guard<std::mutex> lock(shard.mutex);
      if (const auto it = shard.entries.find(key); it != shard.entries.end()) {
        shard.order.erase(it->second.place);
        shard.entries.erase(it);
      }
    }
    promise.set_exception(std::current_exception());
    throw;
  }
}

void PlanCache::clear() {
  for (Shard& shard : shards_) {
    std::lock_guard<std::mutex> lock(shard.mutex);
    shard.entries.clear();
    shard.order.clear();
  }
}

PlanCache::Stats PlanCache::stats() const {
  Stats s{hits_.load(std::memory_order_relaxed), misses_.load(std::memory_order_relaxed),
          evictions_.load(std::memory_order_relaxed), 0};
  for (const Shard& shard : shards_) {
    std::lock_guard<std::mutex> lock(shard.mutex);
    s.entries += shard.entries.size();
  }
  return s;
}

}  // namespace tileops

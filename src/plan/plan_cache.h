// Plans of a context by request, sharded, least recently used out first. Of several callers that
// ask for the same new plan one prepares it and the others wait for that preparation only.
#pragma once

#include <atomic>
#include <functional>
#include <future>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace tileops {

class Plan;
using PlanPtr = std::shared_ptr<const Plan>;

class PlanCache {
 public:
  struct Stats {
    uint64_t hits, misses, evictions, entries;
  };

  explicit PlanCache(size_t capacity);  // 0: keeps nothing

  // The plan of that key; made by `make` on a miss. What make throws reaches every waiter, and is
  // not kept.
  PlanPtr get(const std::string& key, const std::function<PlanPtr()>& make);
  void clear();
  Stats stats() const;

 private:
  struct Entry {
    std::shared_future<PlanPtr> plan;
    std::list<std::string>::iterator place;
  };
  struct Shard {
    mutable std::mutex mutex;
    std::unordered_map<std::string, Entry> entries;
    std::list<std::string> order;  // most recently used first
  };

  size_t capacity_, per_shard_;
  std::vector<Shard> shards_;
  std::atomic<uint64_t> hits_{0}, misses_{0}, evictions_{0};
};

}  // namespace tileops

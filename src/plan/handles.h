// Memory of handles. A slot is never given back to the system, so that a handle used after it was
// destroyed is found out by its mark instead of reading freed memory; freed slots are reused oldest
// first, which keeps that true for as long as possible.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

namespace tileops {

template <class Handle>
class HandlePool {
 public:
  Handle* take() {
    std::lock_guard<std::mutex> lock(mutex_);
    if (free_.size() < kReuseFrom) {
      slots_.emplace_back();
      free_.reserve_one(slots_.size());
      return &slots_.back();
    }
    return free_.pop();
  }
  // The caller has emptied it.
  void give(Handle* handle) noexcept {
    std::lock_guard<std::mutex> lock(mutex_);
    free_.push(handle);
  }

 private:
  static constexpr size_t kReuseFrom = 64;

  // A ring with room for every slot, so that giving back cannot fail.
  struct Ring {
    std::vector<Handle*> items;
    size_t head = 0, count = 0;
    size_t size() const { return count; }
    void reserve_one(size_t slots) {
      if (items.size() >= slots) return;
      std::vector<Handle*> larger(slots * 2 + kReuseFrom);
      for (size_t i = 0; i < count; ++i) larger[i] = items[(head + i) % items.size()];
      items.swap(larger);
      head = 0;
    }
    void push(Handle* h) { items[(head + count++) % items.size()] = h; }
    Handle* pop() {
      Handle* h = items[head];
      head = (head + 1) % items.size();
      --count;
      return h;
    }
  };

  std::mutex mutex_;
  std::deque<Handle> slots_;
  Ring free_;
};

}  // namespace tileops

// What was loaded already, and what is being loaded now. Of threads that ask for the same new thing one makes
// it and the others wait for that one only.
#pragma once

#include <exception>
#include <future>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

namespace tileops::cuda {

template <class T>
class KernelMemory {
 public:
  // `found` says whether it was there or another thread made it. Who may compile and who may not
  // (TILEOPS_PLAN_NO_JIT) do not wait for each other: the one's failure is none of the other's, and the
  // other's compilation none that the one would wait for. Of two that are made so the first is kept.
  template <class Make>
  T get(const std::string& key, bool may_compile, bool* found, Make&& make) {
    std::promise<T> promise;
    std::shared_future<T> other;
    const std::string work = (may_compile ? "compile " : "look ") + key;
    *found = true;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      if (const auto it = known_.find(key); it != known_.end()) return it->second;
      const auto [it, is_new] = in_work_.try_emplace(work);
      if (is_new) it->second = promise.get_future().share();
      else other = it->second;
    }
    if (other.valid()) return other.get();
    *found = false;
    try {
      T made = make();
      {
        std::lock_guard<std::mutex> lock(mutex_);
        made = known_.try_emplace(key, std::move(made)).first->second;
        in_work_.erase(work);
      }
      promise.set_value(made);
      return made;
    } catch (...) {
      {
        std::lock_guard<std::mutex> lock(mutex_);
        in_work_.erase(work);
      }
      promise.set_exception(std::current_exception());
      throw;
    }
  }

  bool knows(const std::string& key) {
    std::lock_guard<std::mutex> lock(mutex_);
    return known_.count(key) != 0;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, T> known_;
  std::unordered_map<std::string, std::shared_future<T>> in_work_;
};

}  // namespace tileops::cuda

// The workspace that a handle of a plan keeps (tileops_context_options.keep_workspace). Handles of equal requests share
// a plan, but not what it writes to.
#pragma once

#include <atomic>
#include <cstddef>

#include "plan/backend.h"

namespace tileops {

class KeptWorkspace {
 public:
  // Throws Error(OUT_OF_MEMORY).
  KeptWorkspace(Backend& backend, DLDevice device, size_t bytes)
      : backend_(backend), device_(device), memory_(backend.allocate(device, bytes)) {}
  ~KeptWorkspace() { backend_.release(device_, memory_); }
  KeptWorkspace(const KeptWorkspace&) = delete;
  KeptWorkspace& operator=(const KeptWorkspace&) = delete;

  enum class By { execute, part };

  // While an execute is in the library, which no other one of the handle may be then; or a part of one, beside which
  // other parts may be.
  class Use {
   public:
    Use(KeptWorkspace* of, By by);  // throws Error where it is in use
    ~Use() { of_->users_.fetch_sub(count_, std::memory_order_release); }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    void* memory() const { return of_->memory_; }

   private:
    KeptWorkspace* of_;
    int count_;  // in users_
  };

 private:
  Backend& backend_;
  DLDevice device_;
  void* memory_;
  std::atomic<int> users_{0};  // parts that are in the library; kAlone: an execute is
  static constexpr int kAlone = -1;
};

}  // namespace tileops

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

  // While an execute is in the library, which no other one of the handle may be then.
  class Use {
   public:
    explicit Use(KeptWorkspace* of);  // throws Error where it is in use
    ~Use() { of_->in_use_.clear(std::memory_order_release); }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    void* memory() const { return of_->memory_; }

   private:
    KeptWorkspace* of_;
  };

 private:
  Backend& backend_;
  DLDevice device_;
  void* memory_;
  std::atomic_flag in_use_ = ATOMIC_FLAG_INIT;
};

}  // namespace tileops

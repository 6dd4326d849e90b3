// Tables of all results of an operator of one narrow operand or of pairs of 8-bit ones, made on the
// device by the operator's exact kernel. They change nothing but the speed.
#pragma once

#include <atomic>

#include "cuda/driver/device.h"
#include "cuda/jit/state.h"
#include "cuda/select/choose.h"
#include "problem/problem.h"

namespace tileops::cuda {

// How many tables a device may have. Tables that are being made count, so that there are never
// more.
class TableBudget {
 public:
  static constexpr int kMost = 256;  // of 128 KiB at most, of 16-bit gates 512 and the factors
  bool take() {
    int n = made_.load();
    while (n < kMost)
      if (made_.compare_exchange_weak(n, n + 1)) return true;
    return false;
  }
  void give_back() { made_.fetch_sub(1); }
  bool warn_now() { return !warned_.exchange(true); }

 private:
  std::atomic<int> made_{0};
  std::atomic<bool> warned_{false};
};

// The kernel that fills the table of a pass.
Choice choose_filler(const Problem& problem, const Pass& pass, int arch);

// Device address of the table of a pass, made if it is not known yet; 0 if the device has too many
// already (they are never freed, as captured graphs may read them). Call under CurrentContext.
CUdeviceptr result_table(Device& device, const Problem& problem, const Pass& pass, CudaState& state);

}  // namespace tileops::cuda

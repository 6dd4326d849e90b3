// The ceiling of a row: a kernel that moves the same bytes in the same accesses and computes nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "cuda/device.h"

namespace tileops::bench {

// Reads `in` arrays and writes `out` arrays; numbers are bytes of each a thread takes. 256 threads.
class CopyKernel {
 public:
  CopyKernel(cuda::Device& device, const std::vector<int>& in, const std::vector<int>& out);
  // `threads` threads altogether.
  void launch(const std::vector<void*>& arrays, int64_t threads, void* stream) const;

 private:
  cuda::CUfunction function_ = nullptr;
};

}  // namespace tileops::bench

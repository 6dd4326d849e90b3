// The ceiling of a row: kernels that move the same bytes and compute nothing, in several cuts, of which bench/gpu/measure.py
// takes the fastest; and the floor of a call: the launch of such a kernel with everything prepared.
#pragma once

#include <cstdint>
#include <vector>

#include "cuda/driver/device.h"

namespace tileops::bench {

// How a copy is cut. Accesses are of at most 16 bytes; where a thread has several to an array they stand side by side, or
// (striped) a block's width apart, so that each access of a warp is one run of memory.
struct CopyCut {
  int elements;  // of the result, a thread
  int block;     // threads
  bool striped;
};

// Reads and writes arrays; the numbers are bytes of each for an element of the result.
class CopyKernel {
 public:
  // Throws Error where a thread's share of an array is neither a power of two up to 16 bytes nor a multiple of 16.
  CopyKernel(cuda::Device& device, const std::vector<int>& in, const std::vector<int>& out, const CopyCut& cut);

 private:
  friend class CopyLaunch;
  cuda::CUfunction function_ = nullptr;
  size_t arrays_;
  CopyCut cut_;
  bool chained_;  // programmatic stream serialization, as the library launches
};

// One launch, prepared: run() calls the driver and nothing else. A remainder of less than a thread's elements is left out.
class CopyLaunch {
 public:
  static constexpr size_t kMostArrays = 8;
  // Arrays in the order in, out.
  CopyLaunch(const CopyKernel& kernel, void* const* arrays, int64_t elements, void* stream);
  CopyLaunch(const CopyLaunch&) = delete;
  CopyLaunch& operator=(const CopyLaunch&) = delete;

  cuda::CUresult run() const { return launch_(&config_, function_, parameters_, nullptr); }

 private:
  decltype(cuda::Driver::launch) launch_;
  cuda::CUfunction function_;
  uint64_t threads_;
  void* arrays_[kMostArrays];
  mutable void* parameters_[kMostArrays + 1];
  cuda::CUlaunchAttribute attribute_{};
  cuda::CUlaunchConfig config_{};
};

}  // namespace tileops::bench

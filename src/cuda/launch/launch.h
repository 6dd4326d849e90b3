// A kernel with everything that a launch needs but the operands' addresses.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cuda/driver/device.h"
#include "cuda/select/choose.h"
#include "plan/context.h"

namespace tileops::cuda {

struct Launch {
  KernelSpec spec;
  CUfunction function = nullptr;
  std::string origin;  // of the kernel
  std::vector<ViewSource> views;
  std::vector<uint64_t> words;     // the argument block; addresses of constants are in it already
  std::vector<UploadPtr> uploads;  // what addresses of constants in `words` point to
  uint32_t blocks = 0, threads = 0, shared_bytes = 0;
  LaunchHint hint;  // strategy, and the most threads and elements of one

  // Loads the kernel, compiling it if need be, and uploads the problem's constants. Call under
  // CurrentContext. Throws Error.
  Launch(const Problem& problem, Choice choice, Device& device, const ContextOptions& options);

  // Addresses by slot of the problem; a bit in `host_inputs` marks a 0-d input in host memory. The
  // device's context must be current. No allocation, lock, or driver call but the launch, and one
  // that asks for a capture where there are uploads.
  void run(bool chained, const void* const* inputs, void* const* outputs, CUstream stream, uint32_t host_inputs) const;
};

}  // namespace tileops::cuda

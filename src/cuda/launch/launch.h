// A kernel with everything that a launch needs but the operands' addresses.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cuda/driver/device.h"
#include "cuda/jit/state.h"
#include "cuda/select/choose.h"
#include "plan/backend.h"

namespace tileops::cuda {

struct Launch {
  Kernel kernel;
  CUfunction function = nullptr;
  std::string origin;  // the kernel's
  std::vector<ViewSource> views;
  std::vector<uint64_t> words;  // the argument block; addresses of constants are in it already
  std::vector<NumberSource> numbers;
  std::vector<UploadPtr> uploads;  // what addresses of constants in `words` point to
  uint32_t blocks = 0, threads = 0, shared_bytes = 0;
  LaunchHint hint;  // strategy, and the most threads and elements of one

  // Loads the kernel, compiling it if need be, and uploads the problem's constants. `table`: address of the table of
  // results that the kernel asks for. Call under CurrentContext. Throws Error.
  Launch(const Problem& problem, const Choice& choice, CUdeviceptr table, Device& device, CudaState& state);

  // The device's context must be current. No allocation, lock, or driver call but the launch, and one
  // that asks for a capture where there are uploads.
  void run(bool chained, const Execution& execution) const;

 private:
  void run_with(uint64_t* block, bool chained, const Execution& execution) const;
};

// Bytes that a launch may pass to a kernel, by the device's architecture and the versions of driver and compiler
// (12010: CUDA 12.1; 0: there is no compiler).
int most_argument_bytes(int arch, int driver_version, int compiler_version);
// Throws Error(UNSUPPORTED), with the figures, if so many words are more.
void require_arguments_fit(const KernelSpec& spec, size_t words, int arch);

}  // namespace tileops::cuda

// A kernel with everything that a launch needs but the operands' addresses.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cuda/driver/device.h"
#include "cuda/jit/kernel_cache.h"
#include "cuda/jit/state.h"
#include "cuda/select/choose.h"
#include "plan/backend.h"

namespace tileops::cuda {

struct Launch {
  Kernel kernel;
  CUfunction function = nullptr;
  std::string origin;              // the kernel's
  Arguments arguments;             // addresses of constants are in its words already
  std::vector<UploadPtr> uploads;  // what these addresses point to
  Grid grid;
  Grid::Size size{0, 0};  // where the grid is not open
  std::optional<ListSpec> list;
  uint32_t shared_bytes = 0;
  LaunchHint hint;  // strategy, and the most threads and elements of one

  // Loads the kernel, compiling it if need be, and uploads the problem's constants. `loaded`: the kernel, if that is
  // done already. `table`: address of the table of results that the kernel asks for. Call under CurrentContext. Throws
  // Error.
  Launch(const Problem& problem, const Choice& choice, LoadedKernel loaded, CUdeviceptr table, Device& device,
         CudaState& state);

  // The device's context must be current. No allocation, lock, or driver call but the launch, and one
  // that asks for a capture where there are uploads.
  // `temporaries`: where those of an open plan begin in the workspace, by slot.
  void run(bool chained, const Execution& execution, const int64_t* temporaries = nullptr) const;
  // Likewise all items of a list, as many launches as parameters have room for. `temporaries`: the sizes of open ones.
  void run_list(bool chained, const Execution* items, size_t count, const std::vector<Extent>& temporaries) const;

 private:
  void run_with(uint64_t* block, bool chained, const Execution& execution, const int64_t* temporaries) const;
  // Sets what comes with an execute in a block that has the words of the plan: numbers; and all else.
  void set_numbers(const AttrValue* values, uint64_t* block) const;
  void complete(const Execution& execution, const int64_t* temporaries, uint64_t positions, uint64_t* block) const;
  void start(const Grid::Size& launched, void* stream, bool chained, uint64_t* block) const;
};

// Bytes that a launch may pass to a kernel, by the device's architecture and the versions of driver and compiler
// (12010: CUDA 12.1; 0: there is no compiler).
int most_argument_bytes(int arch, int driver_version, int compiler_version);
int most_argument_bytes(int arch);  // with the driver and the compiler that are there
// Throws Error(UNSUPPORTED), with the figures, if so many words are more.
void require_arguments_fit(const KernelSpec& spec, size_t words, int arch);

}  // namespace tileops::cuda

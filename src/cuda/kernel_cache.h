// From a spec to a loaded kernel: memory, the pack that is installed with the library, disk, NVRTC.
#pragma once

#include <string>

#include "core/context.h"
#include "cuda/device.h"
#include "cuda/spec.h"

namespace tileops::cuda {

struct LoadedKernel {
  CUfunction function = nullptr;
  const char* origin = "";  // "memory", "pack", "disk" or "compiled"
};

// Of several threads that ask for the same new kernel one makes it and the others wait for that
// kernel only. Loaded kernels are kept as long as the process. Call under CurrentContext; may be
// called while a stream is being captured. Throws Error(COMPILE, NO_DEVICE, DEVICE).
LoadedKernel load_kernel(Device& device, const KernelSpec& spec, const ContextOptions& options,
                         bool may_compile);

// Where the pack of an architecture is looked for: beside the library.
std::string pack_path(int arch);

}  // namespace tileops::cuda

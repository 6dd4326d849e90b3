// From a kernel's text to a loaded kernel: memory, the pack that is installed with the library, disk, NVRTC.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cuda/driver/device.h"
#include "cuda/jit/nvrtc.h"
#include "cuda/jit/state.h"
#include "cuda/spec/kernel.h"

namespace tileops::cuda {

struct LoadedKernel {
  CUfunction function = nullptr;
  const char* origin = "";  // "memory", "pack", "disk" or "compiled"
};

// If several threads ask for the same new one, one of them makes it and the others wait for that
// kernel only. Loaded kernels are kept as long as the process. Call under CurrentContext; may be called while a stream
// is being captured. Throws Error(COMPILE, NO_DEVICE, DEVICE).
LoadedKernel load_kernel(Device& device, const Kernel& kernel, CudaState& state, bool may_compile);

// Loads those that are not known yet, several at a time on threads of its own, since each may take a second to compile:
// a plan has one for each pass and way. Without a function are those that are left to load_kernel: that are known, or
// failed.
std::vector<LoadedKernel> load_side_by_side(Device& device, const std::vector<const Kernel*>& kernels,
                                            CudaState& state);

// Where the pack of an architecture is looked for: beside the library, or the program that it is linked into.
// "" where that file is not known.
std::string pack_path(int arch);
std::string file_of_code(const void* code);

// The machine code of a kernel in the packs of these folders or, behind them, of the library's own; empty: none has it.
std::string_view image_in_packs(const Kernel& kernel, int device, const std::vector<std::string>& dirs);

// Architectures whose packs serve a device, its own first.
std::vector<int> pack_archs(int device);

// Entries on disk are of a compiler's build. Without a compiler those of the builds that wrote to this folder
// are looked for, the latest first; the folder keeps a list of them.
std::vector<std::string> builds_to_look_for(const Nvrtc& nvrtc, cache::DiskStore& disk);
void remember_build(const std::string& build, cache::DiskStore* disk);

}  // namespace tileops::cuda

// A problem prepared for a CUDA device: for each pass a loaded kernel and its argument block.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/backend.h"
#include "cuda/choose.h"
#include "cuda/device.h"

namespace tileops::cuda {

class CudaExecutable : public Executable {
 public:
  // Compiles and loads what is not known yet. Throws Error.
  CudaExecutable(const Problem& problem, Device& device, const ContextOptions& options);

  void run(const void* const* inputs, void* const* outputs, void* stream,
           uint32_t host_inputs) const override;
  std::string kernel_name() const override;
  std::string strategy() const override;
  std::string layout() const override;
  std::string cache_origin() const override;
  std::string source() const override;
  Ctype compute_type() const override;

 private:
  struct Pass {
    KernelSpec spec;
    LayoutClass layout;
    CUfunction function = nullptr;
    std::string origin;
    std::vector<ViewSource> views;
    std::vector<uint64_t> words;  // addresses of constants are in it already
    uint32_t blocks = 0, threads = 0;
  };
  void launch(const Pass& pass, const void* const* inputs, void* const* outputs, CUstream stream,
              uint32_t host_inputs) const;

  Device& device_;
  std::vector<Pass> passes_;
};

}  // namespace tileops::cuda

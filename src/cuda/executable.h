// A problem prepared for a CUDA device: a launch for each pass.
#pragma once

#include <string>
#include <vector>

#include "core/backend.h"
#include "core/layout.h"
#include "cuda/launch.h"

namespace tileops::cuda {

class CudaExecutable : public Executable {
 public:
  // Compiles and loads what is not known yet. Throws Error.
  CudaExecutable(const Problem& problem, Device& device, const ContextOptions& options);

  void run(const void* const* inputs, void* const* outputs, void* stream,
           uint32_t host_inputs) const override;
  std::string kernel_name() const override;
  std::string strategy() const override;
  std::string layout() const override { return layout_class_name(layout_); }
  std::string cache_origin() const override;
  std::string source() const override;
  Ctype compute_type() const override { return ctype_; }

 private:
  Device& device_;
  Ctype ctype_;
  LayoutClass layout_ = LayoutClass::contiguous;
  std::vector<Launch> launches_;
};

}  // namespace tileops::cuda

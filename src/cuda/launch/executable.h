// A problem prepared for a CUDA device: a launch for each pass.
#pragma once

#include <string>
#include <vector>

#include "cuda/launch/launch.h"
#include "cuda/select/choose.h"
#include "plan/backend.h"
#include "problem/layout.h"

namespace tileops::cuda {

// Does what tuning found before count, where the problem leaves the choice to the library?
enum class TuningResults { used, ignored };

// Of a pass of a problem.
struct ChosenPass {
  size_t pass;
  Layout layout;
  Choice choice;
};

class CudaExecutable : public Executable {
 public:
  // Compiles and loads what is not known yet. Throws Error.
  CudaExecutable(const Problem& problem, Device& device, CudaState& state, TuningResults results = TuningResults::used);

  void run(const Execution& execution) const override;
  size_t workspace_bytes() const override { return workspace_bytes_; }
  size_t num_passes() const override { return launches_.size(); }
  std::string kernel_name() const override;
  std::string strategy() const override;
  LaunchHint launch_hint() const override;
  std::string strategy_origin() const override { return origin_; }
  std::string layout() const override { return layout_class_name(layout_); }
  std::string cache_origin() const override;
  std::string source() const override;
  Ctype compute_type() const override { return ctype_; }

 private:
  // The kernels of all passes that store something, chosen as the hint says, and launches of them.
  std::vector<ChosenPass> choose_all(const Problem& problem, const LaunchHint& hint) const;
  void add_launches(const Problem& problem, const LaunchHint& hint, const std::vector<ChosenPass>& all,
                    CudaState& state);

  Device& device_;
  Ctype ctype_;
  size_t workspace_bytes_;
  bool chained_;
  LayoutClass layout_ = LayoutClass::contiguous;
  const char* origin_ = "auto";
  std::vector<Launch> launches_;
};

// May launches overlap the end of what is ahead in the stream (programmatic dependent launch)?
bool may_chain(int arch, int driver_version, uint32_t flags);

// What results of tuning are kept under: the kernel that is chosen without them, the device, and the size within a
// power of two. "" for a problem without elements.
std::string tuning_key(const ChosenPass& first, const Device& device);
std::string tuning_key(const Problem& problem, const Device& device);

}  // namespace tileops::cuda

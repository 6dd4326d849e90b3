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

// A pass of a problem, with the kernel that is chosen for each of its ways.
struct ChosenPass {
  size_t pass;
  Layout layout;
  Ways ways;
  std::vector<Choice> choices;
};

class CudaExecutable : public Executable {
 public:
  // Compiles and loads what is not known yet. Throws Error.
  CudaExecutable(const Problem& problem, Device& device, CudaState& state, TuningResults results = TuningResults::used);

  void run(const Execution& execution) const override;
  void run_list(const Execution* items, size_t count) const override;
  size_t workspace_bytes(const int64_t* extents) const override;
  size_t num_passes() const override { return passes_.size(); }
  size_t way(const int64_t* extents) const override;
  std::string kernel_name() const override;
  std::string strategy() const override;
  LaunchHint launch_hint() const override;
  std::string strategy_origin() const override { return origin_; }
  std::string layout() const override { return layout_class_name(layout_); }
  std::string cache_origin() const override;
  std::string source() const override;
  Ctype compute_type() const override { return ctype_; }

 private:
  // A pass, and what is launched in each of its ways.
  struct PassLaunches {
    Ways ways;
    std::vector<Launch> launches;
    const Launch& at(const int64_t* extents) const { return launches[ways.number(extents)]; }
    // The one that says what the plan's properties are.
    const Launch& usual() const { return launches[ways.list().size() > 1 ? ways.list().size() - 2 : 0]; }
  };

  ChooseOptions options(const LaunchHint& hint, UseTables tables) const;
  void add_launches(const Problem& problem, const LaunchHint& hint, const std::vector<ChosenPass>& all,
                    CudaState& state);

  Device& device_;
  Ctype ctype_;
  std::vector<Extent> temporaries_;  // open ones
  size_t workspace_bytes_;
  bool chained_, listed_;
  LayoutClass layout_ = LayoutClass::contiguous;
  const char* origin_ = "auto";
  std::vector<PassLaunches> passes_;
};

// The kernels of all passes that store something, chosen as the hint says.
std::vector<ChosenPass> choose_all(const Problem& problem, const ChooseOptions& options);

// May launches overlap the end of what is ahead in the stream (programmatic dependent launch)?
bool may_chain(int arch, int driver_version, uint32_t flags);

// What results of tuning are kept under: the kernel that is chosen without them, the device, and the size within a
// power of two. "" for a problem without elements.
std::string tuning_key(const ChosenPass& first, const Device& device);
std::string tuning_key(const Problem& problem, const Device& device);

}  // namespace tileops::cuda

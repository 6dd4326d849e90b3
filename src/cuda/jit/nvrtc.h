// NVRTC, the run-time compiler, opened when the first kernel has to be compiled.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace tileops::cuda {

struct Compiled {
  std::string image;  // a cubin, or PTX with its terminating zero
  bool ptx = false;
  std::string log;
};

// What is compiled for a device: machine code of its own architecture, or PTX of an older one, from which
// the driver makes the device's.
struct Target {
  int arch = 0;  // 90 for compute capability 9.0; 0: none of the list can serve the device
  bool ptx = false;
};
Target target_of(const std::vector<int>& known, int arch);

// Options of a target, those that depend on none included. TILEOPS_EXACT_SM is the architecture whose
// machine code is made: PTX has none, since the device that will run it is not known.
std::vector<std::string> options_of(const Target& target);

class Nvrtc {
 public:
  // Reads TILEOPS_NVRTC and CUDA_HOME at the first call.
  static const Nvrtc& get();
  // Says which file get() opens. Throws Error if another one is open, or chosen, already.
  static void choose(const std::string& path);
  // As get(), from a given file or prefix: for tests and the pack tool.
  Nvrtc(const std::string& chosen, const std::string& cuda_home);
  ~Nvrtc();

  bool available() const { return failure_.empty(); }
  const std::string& failure() const { return failure_; }
  // Version and size of the library: what its results may depend on. "" if it is not available.
  const std::string& build() const { return build_; }
  // 12010: CUDA 12.1. 0 if it is not available.
  int version() const { return version_; }
  // Compute capabilities (90 for 9.0) that it compiles for, in ascending order. Newer ones than some may be
  // missing: 13.0 knows 90, 100 and 103, but not 101.
  const std::vector<int>& archs() const { return archs_; }

  // Options that do not depend on the architecture.
  static const std::vector<std::string>& options();

  // Machine code for `arch`, or PTX of the highest known one below it where `arch` is not known. Throws
  // Error(NO_DEVICE) without NVRTC, Error(UNSUPPORTED) for a device that is older than all that it knows,
  // and Error(COMPILE) with the log.
  Compiled compile(const std::string& source, const std::string& name, int arch) const;

 private:
  struct Functions;
  std::unique_ptr<Functions> f_;
  std::string failure_, build_;
  std::vector<int> archs_;
  int version_ = 0;
};

}  // namespace tileops::cuda

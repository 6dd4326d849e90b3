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

class Nvrtc {
 public:
  // Reads TILEOPS_NVRTC and CUDA_HOME at the first call.
  static const Nvrtc& get();
  // As get(), from a given file or prefix: for tests and the pack tool.
  Nvrtc(const std::string& chosen, const std::string& cuda_home);
  ~Nvrtc();

  bool available() const { return failure_.empty(); }
  const std::string& failure() const { return failure_; }
  // Version and size of the library: what its results may depend on. "" if it is not available.
  const std::string& build() const { return build_; }
  // Highest compute capability (90 for 9.0) that it compiles machine code for.
  int newest_arch() const { return newest_; }

  // Options that do not depend on the architecture.
  static const std::vector<std::string>& options();

  // Machine code for `arch`, or PTX of the newest known one for a GPU that is newer than that. Throws
  // Error(NO_DEVICE) without NVRTC and Error(COMPILE) with the log.
  Compiled compile(const std::string& source, const std::string& name, int arch) const;

 private:
  struct Functions;
  std::unique_ptr<Functions> f_;
  std::string failure_, build_;
  int newest_ = 0;
};

}  // namespace tileops::cuda

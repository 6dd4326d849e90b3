// Opening a library at run time, and saying where it was looked for.
#pragma once

#include <string>
#include <vector>

namespace tileops::cuda {

class SharedLibrary {
 public:
  // Tries the candidates in order: bare names by the loader's search, paths as they are. Never closed.
  explicit SharedLibrary(const std::vector<std::string>& candidates);

  bool is_open() const { return handle_ != nullptr; }
  void* symbol(const char* name) const;              // NULL if there is none
  const std::string& name() const { return name_; }  // the candidate that was opened
  // "not found: libcuda.so.1 (cannot open shared object file), ...": every candidate with its reason.
  const std::string& failure() const { return failure_; }

 private:
  void* handle_ = nullptr;
  std::string name_, failure_;
};

// Candidates for NVRTC: `chosen` alone if it is not empty, else the sonames that this library knows,
// by the loader's search, below `cuda_home`, and below the toolkit's default prefix.
std::vector<std::string> nvrtc_candidates(const std::string& chosen, const std::string& cuda_home);
std::vector<std::string> driver_candidates();

}  // namespace tileops::cuda

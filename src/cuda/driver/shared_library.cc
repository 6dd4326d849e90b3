#include "cuda/driver/shared_library.h"

#include <dlfcn.h>

namespace tileops::cuda {

SharedLibrary::SharedLibrary(const std::vector<std::string>& candidates) {
  for (const std::string& candidate : candidates) {
    handle_ = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_) {
      name_ = candidate;
      failure_.clear();
      return;
    }
    const char* why = dlerror();
    std::string reason = why ? why : "unknown error";
    // The loader's text begins with the name again.
    if (reason.rfind(candidate + ": ", 0) == 0) reason.erase(0, candidate.size() + 2);
    failure_ += (failure_.empty() ? "" : "; ") + candidate + ": " + reason;
  }
}

void* SharedLibrary::symbol(const char* name) const { return handle_ ? dlsym(handle_, name) : nullptr; }

std::vector<std::string> driver_candidates() { return {"libcuda.so.1", "libcuda.so"}; }

std::vector<std::string> nvrtc_candidates(const std::string& chosen, const std::string& cuda_home) {
  if (!chosen.empty()) return {chosen};
  // 13 first: what the kernels are tested with.
  const char* const sonames[] = {"libnvrtc.so.13", "libnvrtc.so.12"};
  std::vector<std::string> list(std::begin(sonames), std::end(sonames));
  std::vector<std::string> folders;
  if (!cuda_home.empty()) folders = {cuda_home + "/lib64/", cuda_home + "/lib/"};
  folders.push_back("/usr/local/cuda/lib64/");
  for (const std::string& folder : folders)
    for (const char* soname : sonames) list.push_back(folder + soname);
  return list;
}

}  // namespace tileops::cuda

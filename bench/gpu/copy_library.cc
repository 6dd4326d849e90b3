// The copy kernel (ceiling.h) for run.py, through ctypes.
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "ceiling.h"
#include "core/error.h"

// Reads `num_in` and writes `num_out` arrays, `bytes` of each a thread, on `threads` threads; arrays and
// bytes in the order in, out. 0 on success; compiles a kernel for each new set of sizes.
extern "C" __attribute__((visibility("default"))) int tileops_gpu_copy(int num_in, int num_out, const int* bytes,
                                                                       void* const* arrays, int64_t threads,
                                                                       void* stream) {
  using namespace tileops::bench;
  static auto* kernels = new std::map<std::pair<std::vector<int>, std::vector<int>>, std::unique_ptr<CopyKernel>>;
  try {
    const std::vector<int> in(bytes, bytes + num_in), out(bytes + num_in, bytes + num_in + num_out);
    auto& kernel = (*kernels)[{in, out}];
    if (!kernel) kernel = std::make_unique<CopyKernel>(tileops::cuda::Device::get(0), in, out);
    kernel->launch({arrays, arrays + num_in + num_out}, threads, stream);
    return 0;
  } catch (const tileops::Error& e) {
    std::fprintf(stderr, "tileops_gpu_copy: %s\n", e.message.c_str());
    return 1;
  }
}

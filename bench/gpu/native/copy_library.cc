// The copy kernels (ceiling.h) for bench/gpu/run.py, through ctypes.
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "ceiling.h"
#include "base/error.h"

// Reads `num_in` and writes `num_out` arrays of `elements` elements; `sizes` are bytes of each an element, arrays and sizes
// in the order in, out. per_thread, block and striped are CopyCut's. 0 on success, -1 where there is no such copy or the launch
// fails (stderr says why); compiles a kernel for each new set of numbers. Of one thread at a time.
extern "C" __attribute__((visibility("default"))) int tileops_gpu_copy(int num_in, int num_out, const int* sizes,
                                                                       void* const* arrays, int64_t elements, int per_thread,
                                                                       int block, int striped, void* stream) {
  using namespace tileops::bench;
  using Key = std::tuple<std::vector<int>, std::vector<int>, int, int, int>;
  static auto* kernels = new std::map<Key, std::unique_ptr<CopyKernel>>;
  try {
    const std::vector<int> in(sizes, sizes + num_in), out(sizes + num_in, sizes + num_in + num_out);
    auto& kernel = (*kernels)[{in, out, per_thread, block, striped}];
    if (!kernel)
      kernel = std::make_unique<CopyKernel>(tileops::cuda::Device::get(0), in, out, CopyCut{per_thread, block, striped != 0});
    if (elements < per_thread) return -1;
    tileops::cuda::check(CopyLaunch(*kernel, arrays, elements, stream).run(), "cuLaunchKernelEx");
    return 0;
  } catch (const tileops::Error& e) {
    std::fprintf(stderr, "tileops_gpu_copy: %s\n", e.message.c_str());
    return -1;
  }
}

// Filling a block's shared memory from a table, and using the time that it takes.
#ifndef TILEOPS_KERNELS_FILL_H
#define TILEOPS_KERNELS_FILL_H

#include "tileops/device/cuda/kernel/vector.h"

namespace tileops {
namespace kernels {

// All threads of a block copy `count` times 16 bytes, every access on its way before the first one is waited for.
TILEOPS_DEVICE void fill_shared(uint4* to, const uint4* from, u32 count) {
  const u32 first = static_cast<u32>(__cvta_generic_to_shared(to));
#pragma unroll 4
  for (u32 i = threadIdx.x; i < count; i += blockDim.x)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(first + 16u * i), "l"(from + i) : "memory");
}
TILEOPS_DEVICE void wait_for_fill() {
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
}

// Bytes of its operands that a block asks L2 for meanwhile, when the device's memory would lie idle.
constexpr int kAheadBytes = 64 << 10;
TILEOPS_DEVICE void prefetch(const void* p) { asm volatile("prefetch.global.L2 [%0];" ::"l"(p)); }

}  // namespace kernels
}  // namespace tileops

#endif

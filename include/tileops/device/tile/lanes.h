// SPDX-License-Identifier: Apache-2.0
// Threads of a GPU, as tiles see them.
#ifndef TILEOPS_DEVICE_TILE_LANES_H
#define TILEOPS_DEVICE_TILE_LANES_H

#include "../config.h"

#if defined(__CUDACC__) || defined(__CUDACC_RTC__) || defined(__CUDA__)

namespace tileops {
namespace device {
inline namespace TILEOPS_DEVICE_NS {

// The calling thread's number within the level of a layout. A block has whole ones of these: warps are threads of it
// one after the other, x first.
template <class Layout>
static __device__ __forceinline__ int thread_in() {
  u32 x, y, z, width, height;
  asm("mov.u32 %0, %%tid.x;" : "=r"(x));
  asm("mov.u32 %0, %%tid.y;" : "=r"(y));
  asm("mov.u32 %0, %%tid.z;" : "=r"(z));
  asm("mov.u32 %0, %%ntid.x;" : "=r"(width));
  asm("mov.u32 %0, %%ntid.y;" : "=r"(height));
  return static_cast<int>((x + width * (y + height * z)) % static_cast<u32>(Layout::threads));
}

namespace tiles {

// A value of the lane whose number differs in the bits of `mask`, for all lanes of the warp. As an instruction: behind
// nvcc's own function ptxas provides for lanes that are elsewhere, with three times the code of a row's sum.
struct warp_shuffle {
  static __device__ __forceinline__ int lane() {
    u32 lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return static_cast<int>(lane);
  }
  static __device__ __forceinline__ u32 from(u32 x, int mask) {
    u32 y;
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 31, -1;" : "=r"(y) : "r"(x), "r"(mask));
    return y;
  }
};

// Until all threads of the block are here, and what they wrote to shared memory can be read.
static __device__ __forceinline__ void wait_for_block() { asm volatile("bar.sync 0;" ::: "memory"); }

}  // namespace tiles
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device
}  // namespace tileops

#endif

#endif

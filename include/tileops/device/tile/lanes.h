// SPDX-License-Identifier: Apache-2.0
// Threads of a GPU, as tiles see them.
#ifndef TILEOPS_DEVICE_TILE_LANES_H
#define TILEOPS_DEVICE_TILE_LANES_H

#include "../config.h"

#if defined(__CUDACC__) || defined(__CUDACC_RTC__) || defined(__CUDA__)

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

// The threads of a block that have a tile, where they are not all: `count` of them from `first` on, whole warps. They
// wait for each other at the block's barrier number `barrier`, from 1 to 15, which nothing else uses meanwhile; 0 is
// that of __syncthreads. So a producer's warps go on.
struct tile_threads {
  int first, count, barrier;
};

// The calling thread's number within the level of a layout. A block has whole ones of these from thread `first` on:
// warps are threads of it one after the other, x first.
template <class Layout>
static __device__ __forceinline__ int thread_in(int first = 0) {
  u32 x, y, z, width, height;
  asm("mov.u32 %0, %%tid.x;" : "=r"(x));
  asm("mov.u32 %0, %%tid.y;" : "=r"(y));
  asm("mov.u32 %0, %%tid.z;" : "=r"(z));
  asm("mov.u32 %0, %%ntid.x;" : "=r"(width));
  asm("mov.u32 %0, %%ntid.y;" : "=r"(height));
  return static_cast<int>((x + width * (y + height * z) - static_cast<u32>(first)) % static_cast<u32>(Layout::threads));
}
template <class Layout>
static __device__ __forceinline__ int thread_in(const tile_threads& threads) {
  return thread_in<Layout>(threads.first);
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

// Until all threads of the block are here, or those that have the tile, and what they wrote to shared memory can be
// read.
struct whole_block {
  static constexpr int first = 0;
  static __device__ __forceinline__ void wait() { asm volatile("bar.sync 0;" ::: "memory"); }
};
struct part_of_block {
  int first, count, barrier;
  __device__ __forceinline__ explicit part_of_block(const tile_threads& t)
      : first(t.first), count(t.count), barrier(t.barrier) {}
  __device__ __forceinline__ void wait() const {
    asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(count) : "memory");
  }
};

}  // namespace tiles
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail

namespace device {
using device_detail::thread_in;
using device_detail::tile_threads;
}  // namespace device
}  // namespace tileops

#endif

#endif

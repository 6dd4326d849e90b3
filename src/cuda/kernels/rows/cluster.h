// A row that a cluster of thread blocks has together, of sm_90 and later: each block brings the node of its own part,
// which lies behind those of the blocks before it.
#ifndef TILEOPS_KERNELS_ROWS_CLUSTER_H
#define TILEOPS_KERNELS_ROWS_CLUSTER_H

#include "cuda/kernels/rows/reduce.h"

namespace tileops {
namespace kernels {

// All threads of the cluster arrive, and wait for each other; what they wrote before is seen behind it.
TILEOPS_DEVICE void arrive_at_cluster() {
#if __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
#endif
}
TILEOPS_DEVICE void wait_for_cluster() {
#if __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
}

// Writes to where block `rank` of the cluster has the same variable.
template <class S>
TILEOPS_DEVICE void put_in_block(S* variable, u32 rank, const S& s) {
#if __CUDA_ARCH__ >= 900
  const words_of<S> x = __builtin_bit_cast(words_of<S>, s);
  const u32 here = static_cast<u32>(__cvta_generic_to_shared(variable));
  u32 there;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(here), "r"(rank));
#pragma unroll
  for (u32 i = 0; i < sizeof(S) / 4; ++i)
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(there + 4u * i), "r"(x.w[i]) : "memory");
#endif
}

// The node of the nodes of all blocks, in every thread; `s` is that of the thread's block. Call once for each R. All
// blocks have begun by then (wait_for_cluster), and none ends before the others have written to it.
template <class R, int Blocks>
TILEOPS_DEVICE typename R::state over_cluster(const typename R::state& s) {
  constexpr u32 lanes = trees::power_of_two_from(Blocks);
  __shared__ typename R::state nodes[Blocks];
  if (threadIdx.x < Blocks) put_in_block(&nodes[blockIdx.x % Blocks], threadIdx.x, s);
  arrive_at_cluster();
  wait_for_cluster();
  const u32 block = threadIdx.x % lanes;
  return over_lanes<R, lanes>(block < Blocks ? nodes[block] : R::identity());
}

}  // namespace kernels
}  // namespace tileops

#endif

// Nodes of the threads that have a block together, where a thread block has several: thread t is of block t % beside,
// and of those that have it number t / beside. Without Spec::beside all threads of the thread block have one.
#ifndef TILEOPS_KERNELS_ROWS_BESIDE_H
#define TILEOPS_KERNELS_ROWS_BESIDE_H

#include "cuda/kernels/rows/reduce.h"

namespace tileops {
namespace kernels {

// The tree over `Nodes` nodes of each block, a power of two, in shared memory.
template <class R, class Spec, u32 Nodes>
struct trees_beside {
  using state = typename R::state;
  static_assert((Nodes & (Nodes - 1u)) == 0u, "nodes: a power of two");
  static constexpr u32 beside = Spec::beside;
  state level_by_level[2u * Nodes][beside];  // from the nodes themselves on

  static TILEOPS_DEVICE_MEMBER u32 number() { return threadIdx.x / beside; }
  static TILEOPS_DEVICE_MEMBER u32 block() { return threadIdx.x % beside; }

  // Called by all threads of the thread block, of which the first of each block bring its nodes.
  TILEOPS_DEVICE_MEMBER void build(const state& node) {
    const u32 n = number(), b = block();
    __syncthreads();
    if (n < Nodes) level_by_level[n][b] = node;
    u32 level = 0;
    for (u32 above = Nodes / 2u; above > 0u; above /= 2u) {
      __syncthreads();
      const u32 left = level + 2u * n;
      level += 2u * above;
      if (n < above) level_by_level[level + n][b] = R::merge(level_by_level[left][b], level_by_level[left + 1u][b]);
    }
    __syncthreads();
  }

  TILEOPS_DEVICE_MEMBER state all() const { return level_by_level[2u * Nodes - 2u][block()]; }

  // What node number `at` has on its left, in the order in which it meets it on its way up.
  template <class Meet>
  TILEOPS_DEVICE_MEMBER void each_on_the_left(u32 at, const Meet& meet) const {
    u32 level = 0;
    for (u32 n = Nodes; n > 1u; level += n, n /= 2u, at /= 2u)
      if (at & 1u) meet(level_by_level[level + at - 1u][block()]);
  }
};

// The node of all threads that have a block.
template <class R, class Spec>
TILEOPS_DEVICE typename R::state over_threads_beside(const typename R::state& mine) {
  __shared__ trees_beside<R, Spec, static_cast<u32>(Spec::warps)> nodes;
  nodes.build(mine);
  return nodes.all();
}

}  // namespace kernels
}  // namespace tileops

#endif

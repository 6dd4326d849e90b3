// Blocks that a mask leaves out (problem/rows/gate.h): a thread asks about its own before it reads anything else. Steps
// has has_gate and, with it, is_open(arguments, row).
#ifndef TILEOPS_KERNELS_ROWS_GATE_H
#define TILEOPS_KERNELS_ROWS_GATE_H

#include "cuda/kernels/rows/place.h"

namespace tileops {
namespace kernels {

// Has the thread block something to do? Threads of a block that is left out, beside others, take an open one again and
// store nothing, as those beyond the last block do: all meet where rows are reduced.
template <class Spec, class Steps>
TILEOPS_DEVICE bool passes_gate(const row_arguments<Spec>& a, row_place<Spec>* row) {
  if constexpr (!Steps::has_gate) {
    return true;
  } else if constexpr (threads_of_row_v<Spec> == static_cast<u32>(Spec::threads)) {
    return Steps::is_open(a, *row);  // a thread block, or a cluster, has one
  } else {
    constexpr u64 none = ~u64{0};
    __shared__ u64 open;
    const bool mine = row->exists && Steps::is_open(a, *row);
    if (threadIdx.x == 0u) open = none;
    __syncthreads();
    if (mine) atomicMin(&open, row->number);
    __syncthreads();
    const u64 other = open;
    if (other == none) return false;
    if (!mine) {
      *row = place_row<Spec>(a, other);
      row->exists = false;
    }
    return true;
  }
}

}  // namespace kernels
}  // namespace tileops

#endif

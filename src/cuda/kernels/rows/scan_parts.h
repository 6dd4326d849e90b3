// A scan of few long rows: each thread block has a part of a row (Spec::split_elements), and a pass before this one has
// left what each part comes to. Behind the parts on its left an element meets their nodes as it meets those of chunks
// (rows/scan.h): for each digit of its part's number that is 1 the node of as many parts.
#ifndef TILEOPS_KERNELS_ROWS_SCAN_PARTS_H
#define TILEOPS_KERNELS_ROWS_SCAN_PARTS_H

#include "cuda/kernels/rows/scan.h"

namespace tileops {
namespace kernels {

// What a part of the row comes to, of a view that has the row's own part where it has the row.
template <class T, class Spec, class Arguments>
TILEOPS_DEVICE T value_of_part(const Arguments& a, const row_place<Spec>& row, int view, u64 part) {
  constexpr int d = Spec::outer - 1;
  const i64 steps = static_cast<i64>(part) - static_cast<i64>(row.c.at[d]);
  const char* const own = bytes_at(a.address[view]) + offset_of_row(a, row, view);
  return *reinterpret_cast<const T*>(own + steps * a.stride[view][d]);
}

// So many parts are read, and their tree is built: one for each thread, if 16 KB hold that.
template <u32 Bytes>
__host__ __device__ constexpr u32 parts_at_once(u32 threads) {
  return 2u * threads * Bytes > (16u << 10) ? parts_at_once<Bytes>(threads / 2u) : threads;
}

// The nodes of the parts on the left. R has, besides what rows/scan.h says, of_part(a, row, part), a state.
template <class R, class Spec>
struct parts_on_the_left {
  using state = typename R::state;
  static constexpr u32 threads = 32u * Spec::warps;
  static_assert(threads == Spec::threads && (threads & (threads - 1u)) == 0u, "a thread block has one part");
  static constexpr u32 at_once = parts_at_once<sizeof(state)>(threads);
  state tree[2u * at_once];  // level after level, from the parts themselves on
  state whole[40];           // of all that were read at once, as open_chunks has them

  TILEOPS_DEVICE_MEMBER u64 part_of(const row_place<Spec>& row) const {
    return static_cast<u64>(row.c.at[Spec::outer - 1]);
  }

  // Called by all threads of the block.
  template <class Arguments>
  TILEOPS_DEVICE_MEMBER void find(const Arguments& a, const row_place<Spec>& row) {
    const u64 part = part_of(row), turns = part / at_once;
    for (u64 turn = 0; turn <= turns; ++turn) {
      const u64 at = turn * at_once + threadIdx.x;
      __syncthreads();
      if (threadIdx.x < at_once) tree[threadIdx.x] = at < part ? R::of_part(a, row, at) : R::identity();
      u32 level = 0;
      for (u32 n = at_once / 2u; n > 0u; n /= 2u) {
        __syncthreads();
        const state* const below = tree + level + 2u * threadIdx.x;
        level += 2u * n;
        if (threadIdx.x < n) tree[level + threadIdx.x] = R::merge(below[0], below[1]);
      }
      if (turn < turns && threadIdx.x == 0u) {
        state node = tree[level];
        int digit = 0;
        for (; turn >> digit & 1u; ++digit) node = R::merge(whole[digit], node);
        whole[digit] = node;
      }
    }
    __syncthreads();
  }

  TILEOPS_DEVICE_MEMBER void before(const row_place<Spec>& row, row_scan<R, Spec>* scan) const {
    const u64 part = part_of(row), rest = part % at_once;
    u32 level = 0;
    int digit = 0;
    for (u32 n = at_once; n > 1u; n /= 2u, ++digit) {
      if (rest >> digit & 1u) scan->all_meet(true, tree[level + (rest >> digit) - 1u]);
      level += n;
    }
    const u64 turns = part / at_once;
    for (digit = 0; turns >> digit; ++digit)
      if (turns >> digit & 1u) scan->all_meet(true, whole[digit]);
  }
};

}  // namespace kernels
}  // namespace tileops

#endif

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

// So many parts of a row are read, and their tree is built: one for each of its threads, if 16 KB hold that.
template <u32 Bytes>
__host__ __device__ constexpr u32 parts_at_once(u32 threads) {
  return 2u * threads * Bytes > (16u << 10) ? parts_at_once<Bytes>(threads / 2u) : threads;
}

// The nodes of the parts on the left. R has, besides what rows/scan.h says, of_part(a, row, part), a state.
template <class R, class Spec>
struct parts_on_the_left {
  using state = typename R::state;
  static constexpr u32 threads = Spec::threads / Spec::beside;
  static_assert(threads == threads_of_row_v<Spec>, "a thread block has one part of each row");
  static constexpr u32 at_once = parts_at_once<sizeof(state) * Spec::beside>(threads);
  using trees = trees_beside<R, Spec, at_once>;
  trees tree;
  state whole[40][Spec::beside];  // of all that were read at once, as open_chunks has them

  TILEOPS_DEVICE_MEMBER u64 part_of(const row_place<Spec>& row) const {
    return static_cast<u64>(row.c.at[Spec::outer - 1]);
  }

  // Called by all threads of the block.
  template <class Arguments>
  TILEOPS_DEVICE_MEMBER void find(const Arguments& a, const row_place<Spec>& row) {
    const u64 part = part_of(row), turns = part / at_once;
    for (u64 turn = 0; turn <= turns; ++turn) {
      const u64 at = turn * at_once + trees::number();
      tree.build(at < part && trees::number() < at_once ? R::of_part(a, row, at) : R::identity());
      if (turn < turns && trees::number() == 0u) {
        state node = tree.all();
        int digit = 0;
        for (; turn >> digit & 1u; ++digit) node = R::merge(whole[digit][trees::block()], node);
        whole[digit][trees::block()] = node;
      }
    }
    __syncthreads();
  }

  TILEOPS_DEVICE_MEMBER void before(const row_place<Spec>& row, row_scan<R, Spec>* scan) const {
    const u64 part = part_of(row), turns = part / at_once;
    tree.each_on_the_left(static_cast<u32>(part % at_once), [&](const state& left) { scan->all_meet(true, left); });
    for (int digit = 0; turns >> digit; ++digit)
      if (turns >> digit & 1u) scan->all_meet(true, whole[digit][trees::block()]);
  }
};

}  // namespace kernels
}  // namespace tileops

#endif

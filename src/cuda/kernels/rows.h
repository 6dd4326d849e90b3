// The kernel of a pass of rows: blocks of elements, of which reductions make one value, stage after stage. A Spec says
// what it is an instance of:
//
//   struct spec {
//     using rows = seq<0, -1, 1>;             // by view: which of the argument block's strides are its own; -1: none
//     static constexpr int views, dims, num_rows, attrs;
//     static constexpr int outer, group_dims;  // dimensions that number blocks, and groups within a block
//     static constexpr int group_span;         // places of a group, a power of two; 0: there are no groups
//     static constexpr int short_group, short_within;  // dimensions that an axis is cut into whose last group is
//     short; -1 static constexpr int vec;                // elements of a pack static constexpr int columns; // values
//     that a thread has of each block: 1 static constexpr int packs;              // of a thread in a chunk of a block
//     static constexpr bool runs;              // they lie next to each other: 32 elements that are added one by one
//     static constexpr int lanes, warps;       // threads that have a block together: lanes of each of so many warps
//     static constexpr int threads;
//     static constexpr bool kept;   // a block is one chunk, which is read once; else each stage reads all chunks
//     static constexpr bool aligned;  // packs that lie in one piece may be one access, where addresses allow it
//     static constexpr bool full;   // there are no packs or elements too many
//     static constexpr bool whole;  // no pack has elements that are not there, but all or none
//     static constexpr bool index64;
//     static constexpr u64 pieces;  // bits of the views of which a pack may be one access
//   };
//
// Steps is text (src/cuda/spec/row_text.cc): block_values and group_values, what there is once a block and once a
// group; memory, a pack as it lies there; and by stage what is read, computed and reduced.
#ifndef TILEOPS_KERNELS_ROWS_H
#define TILEOPS_KERNELS_ROWS_H

#include "cuda/kernels/core/steps.h"
#include "cuda/kernels/rows/gather.h"
#include "cuda/kernels/rows/leaves.h"
#include "cuda/kernels/rows/reduce.h"
#include "cuda/kernels/rows/transfer.h"

namespace tileops {
namespace kernels {

template <class Spec, class Steps>
struct rows_kernel {
  using Arguments = row_arguments<Spec>;
  using Row = row_place<Spec>;
  using Block = typename Steps::block_values;
  static constexpr int U = Spec::packs, stages = Steps::stages::count;
  template <int K>
  using stage = typename nth_type<K, typename Steps::stages>::type;

  // What a thread has of a chunk.
  struct part {
    row_pack<Spec> p[U];
    typename Steps::memory m[U];
    typename Steps::group_values g[U];
  };

  TILEOPS_DEVICE void place(const Arguments& a, const Row& row, u64 turn, part* t) {
    const u32 lane = row.thread % Spec::lanes, warp = row.thread / Spec::lanes;
#pragma unroll
    for (int j = 0; j < U; ++j) {
      const u64 first = (turn * Spec::warps + warp) * (U * Spec::lanes);
      t->p[j] = place_row_pack<Spec>(a, row, first + (Spec::runs ? lane * U + j : j * Spec::lanes + lane));
      Steps::read_groups(a, t->p[j], &t->g[j]);
    }
  }

  // What a stage computes once a group, and what it reduces of groups, for the next one.
  template <int K>
  TILEOPS_DEVICE void run_groups(const Arguments& a, bool straight, const Block& b, part* t) {
#pragma unroll
    for (int j = 0; j < U; ++j) stage<K>::read(a, t->p[j], straight, b, &t->m[j]);
#pragma unroll
    for (int j = 0; j < U; ++j) stage<K>::group(a, t->p[j], b, &t->g[j]);
  }
  template <int K>
  TILEOPS_DEVICE void reduce_groups(const Arguments& a, const Block& b, part* t) {
    if constexpr (stage<K>::reduces_groups) {
      using R = typename stage<K>::group_sums;
      typename R::state s[U];
#pragma unroll
      for (int j = 0; j < U; ++j) {
        if constexpr (Spec::kept) Steps::renew_kept(&t->m[j]);
        typename R::values x;
        R::take(a, t->p[j], t->m[j], b, t->g[j], &x);
        s[j] = over_pack<R, Spec>(x, t->p[j].left, t->p[j].index_in_group());
      }
      over_groups<R, Spec, Spec::group_span / Spec::vec>(s);
#pragma unroll
      for (int j = 0; j < U; ++j) R::finish(s[j], count_of_group(a, t->p[j]), &t->g[j]);
    }
  }

  // The node of a thread's lanes, or of its warp.
  template <class R>
  TILEOPS_DEVICE typename R::state node_of(const Arguments& a, const Block& b, part& t) {
    typename R::state s[U];
#pragma unroll
    for (int j = 0; j < U; ++j) {
      // One pack after the other: what is computed of all at once does not fit in registers.
      if constexpr (Spec::kept) Steps::renew_kept(&t.m[j]);
      typename R::values x;
      R::take(a, t.p[j], t.m[j], b, t.g[j], &x);
      s[j] = over_pack<R, Spec>(x, t.p[j].left, t.p[j].index_in_block(a));
    }
    if constexpr (Spec::runs) return over_lanes<R, Spec::lanes>(over_run<R, U>(s));
    else return over_lanes_and_array<R, Spec::lanes>(s);
  }

  TILEOPS_DEVICE void put(const Arguments& a, bool straight, const Block& b, const part& t, int j) {
    if (!t.p[j].row->exists || !(Spec::full || hands_packs_on_v<Spec> || t.p[j].left)) return;
    Steps::put(a, t.p[j], straight, t.m[j], b, t.g[j]);
    if (t.p[j].left && t.p[j].begins_group()) Steps::put_group(a, t.p[j], b, t.g[j]);
  }

  // A block that is kept, from stage K on.
  template <int K>
  TILEOPS_DEVICE void run_kept(const Arguments& a, bool straight, const Row& row, Block* b, part* t) {
    stage<K>::block(a, row, b);
    if constexpr (K + 1 == stages) return finish_kept<K>(a, straight, *b, t);
    run_groups<K>(a, straight, *b, t);
    reduce_groups<K>(a, *b, t);
    if constexpr (stage<K>::reduces_block) {
      using R = typename stage<K>::block_sums;
      typename R::state s = node_of<R>(a, *b, *t);
      if constexpr (Spec::warps > 1) s = over_warps<R, Spec::warps>(s);
      R::finish(s, count_of_block(a, row), b);
    }
    if constexpr (K + 1 < stages) run_kept<K + 1>(a, straight, row, b, t);
  }
  // The last stage, whose own operands are read a pack ahead.
  template <int K>
  TILEOPS_DEVICE void finish_kept(const Arguments& a, bool straight, const Block& b, part* t) {
    stage<K>::read(a, t->p[0], straight, b, &t->m[0]);
#pragma unroll
    for (int j = 0; j < U; ++j) {
      if (j + 1 < U) stage<K>::read(a, t->p[j + 1], straight, b, &t->m[j + 1]);
      if constexpr (K > 0) Steps::renew_kept(&t->m[j]);
      stage<K>::group(a, t->p[j], b, &t->g[j]);
      put(a, straight, b, *t, j);
    }
  }

  // What stages before and up to Last have of groups in a chunk.
  template <int K, int Last>
  TILEOPS_DEVICE void run_groups_up_to(const Arguments& a, bool straight, const Block& b, part* t) {
    run_groups<K>(a, straight, b, t);
    if constexpr (K < Last) {
      reduce_groups<K>(a, b, t);
      run_groups_up_to<K + 1, Last>(a, straight, b, t);
    }
  }
  template <int K>
  TILEOPS_DEVICE void take(const Arguments& a, bool straight, const Row& row, u64 turn, const Block& b, part* t) {
    place(a, row, turn, t);
    run_groups_up_to<Steps::has_groups ? 0 : K, K>(a, straight, b, t);
  }

  // A block whose chunks each stage reads again.
  template <int K>
  TILEOPS_DEVICE void run_long(const Arguments& a, bool straight, const Row& row, Block* b) {
    constexpr u64 chunk_places = static_cast<u64>(U) * Spec::vec * Spec::lanes * Spec::warps;
    const u64 turns = (a.length + chunk_places - 1) / chunk_places;
    stage<K>::block(a, row, b);
    if constexpr (stage<K>::reduces_block) {
      using R = typename stage<K>::block_sums;
      const typename R::state s = long_row<R, Spec>::over_chunks(turns, [&](u64 turn) {
        part t;
        take<K>(a, straight, row, turn, *b, &t);
        return node_of<R>(a, *b, t);
      });
      R::finish(s, count_of_block(a, row), b);
    }
    if constexpr (K + 1 < stages) {
      run_long<K + 1>(a, straight, row, b);
    } else {
#pragma unroll 1
      for (u64 turn = 0; turn < turns; ++turn) {
        part t;
        take<K>(a, straight, row, turn, *b, &t);
#pragma unroll
        for (int j = 0; j < U; ++j) put(a, straight, *b, t, j);
      }
    }
  }

  TILEOPS_DEVICE void run(const Arguments& a) {
    wait_for_previous_kernel();
    const Row row = place_row<Spec>(a);
    const bool straight = rows_are_aligned<Spec>(a);
    Block b;
    if constexpr (Spec::kept) {
      part t;
      place(a, row, 0, &t);
      if (straight) {
#pragma unroll
        for (int j = 0; j < U; ++j) Steps::read_kept(a, t.p[j], true, &t.m[j]);
      } else {
#pragma unroll
        for (int j = 0; j < U; ++j) Steps::read_kept(a, t.p[j], false, &t.m[j]);
      }
      Steps::read_block(a, row, &b);
      run_kept<0>(a, straight, row, &b, &t);
    } else {
      Steps::read_block(a, row, &b);
      run_long<0>(a, straight, row, &b);
    }
    if (row.exists && row.thread == 0u) Steps::put_block(a, row, b);
  }
};

}  // namespace kernels
}  // namespace tileops

#endif

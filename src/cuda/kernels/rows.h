// The kernel of a pass of rows: blocks of elements, of which reductions make one value, and scans one of those up to
// each element, stage after stage. A Spec says what it is an instance of:
//
//   struct spec {
//     using rows = seq<0, -1, 1>;          // by view: its row of strides in the argument block; -1: it has none
//     static constexpr int views;
//     static constexpr int dims;
//     static constexpr int num_rows;       // of strides
//     static constexpr int attrs;
//     static constexpr int outer;          // dimensions that number blocks
//     static constexpr int group_dims;     // dimensions that number groups within a block
//     static constexpr u64 group_span;     // places of a group, a power of two; 0: there are no groups
//     static constexpr u64 part;           // places of a part of a block, of which the last outer dimension is the
//                                          // number; a part is kept. 0: blocks are whole
//     static constexpr int short_group;    // an axis that is cut into groups of which the last one is short: the
//     static constexpr int short_within;   // dimensions of its groups and within them; -1: there is none
//     static constexpr int vec;            // elements of a pack
//     static constexpr int columns;        // blocks that a thread takes side by side (columns.h); here 1
//     static constexpr int parts;          // threads that share such blocks (columns.h); here 1
//     static constexpr int packs;          // of a thread in a chunk of a block
//     static constexpr int lanes;          // threads that have a block together: so many lanes
//     static constexpr int warps;          // of each of so many warps,
//     static constexpr int cluster;        // in each of so many thread blocks, which then have one row
//     static constexpr int threads;
//     static constexpr int staged;         // chunks of a thread block that lie in shared memory; 0: none do
//     static constexpr bool kept;          // a block is one chunk, read once; else each stage reads all chunks
//     static constexpr bool aligned;       // packs in one piece may be one access, where addresses allow it
//     static constexpr bool full;          // there are no packs or elements too many
//     static constexpr bool whole;         // a pack's elements are all there, or none of them
//     static constexpr bool runs;          // a thread's packs are neighbours: 32 elements, added one by one
//     static constexpr bool index64;
//     static constexpr u64 pieces;         // bits of the views of which a pack may be one access
//   };
//
// Steps is text (src/cuda/spec/rows/text.cc): block_values and group_values, what there is once a block and once a
// group; memory, a pack as it lies there; and by stage what is read, computed and reduced.
#ifndef TILEOPS_KERNELS_ROWS_H
#define TILEOPS_KERNELS_ROWS_H

#include "cuda/kernels/rows/cluster.h"
#include "cuda/kernels/rows/gather.h"
#include "cuda/kernels/rows/reduce.h"
#include "cuda/kernels/rows/scan.h"
#include "cuda/kernels/rows/staged.h"
#include "cuda/kernels/rows/sums_of_blocks.h"
#include "cuda/kernels/rows/transfer.h"
#include "tileops/device/cuda/forms/leaves.h"
#include "tileops/device/cuda/forms/steps.h"

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

  // Blocks are taken one after the other, where some of their values are added up.
  static constexpr bool sums_blocks = Steps::sums_blocks;
  struct no_sums {};
  template <class S, bool>
  struct sums_of {
    using type = no_sums;
  };
  template <class S>
  struct sums_of<S, true> {
    using type = kernels::sums_of_blocks<Spec, typename S::sums_of_blocks>;
  };
  using Sums = typename sums_of<Steps, sums_blocks>::type;
  // Which of its chunk a block is, of which chunk.
  struct turn_of_block {
    u64 chunk;
    u32 number;
  };

  // What a thread has of a chunk.
  struct part {
    row_pack<Spec> p[U];
    typename Steps::memory m[U];
    typename Steps::group_values g[U];
  };

  TILEOPS_DEVICE void place(const Arguments& a, const Row& row, u64 turn, part* t) {
    const u32 lane = row.thread % Spec::lanes, warp = row.thread / Spec::lanes % Spec::warps;
    if constexpr (Spec::cluster > 1) turn += blockIdx.x % Spec::cluster * Spec::staged;
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

  // What a stage scans, for the next one: its values are kept with the elements. Of a row in several chunks this is the
  // one of number `turn`.
  template <int K>
  TILEOPS_DEVICE void scan(const Arguments& a, const Block& b, u64 turn, open_chunks<typename stage<K>::scanned>* open,
                           part* t) {
    using R = typename stage<K>::scanned;
    row_scan<R, Spec> scan;
#pragma unroll
    for (int j = 0; j < U; ++j) {
      if constexpr (Spec::kept) Steps::renew_kept(&t->m[j]);
      typename R::values x;
      R::take(a, t->p[j], t->m[j], b, t->g[j], &x);
      scan.take(j, x, t->p[j].left, t->p[j].index_in_block(a));
    }
    if constexpr (Spec::kept) scan.run();
    else scan.run(turn, open);
#pragma unroll
    for (int j = 0; j < U; ++j) scan.finish(j, t->p[j].index_in_block(a), &t->m[j]);
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
    else return over_lanes_and_array<R, Spec::lanes>(s, static_cast<int>(threadIdx.x));
  }

  // Adds what the block has of a pack: before it is stored, as results may be in place of operands.
  TILEOPS_DEVICE void add_to_sums(const Arguments& a, const Block& b, part* t, int j, const turn_of_block& turn,
                                  Sums* sums) {
    if constexpr (sums_blocks) {
      using R = typename Steps::sums_of_blocks;
      typename R::values x;
      R::take(a, t->p[j], t->m[j], b, t->g[j], &x);
      if (!t->p[j].row->exists) return;
      if constexpr (Spec::kept) sums->add(j, x);
      else add_in_memory<Spec, R>(a, t->p[j], turn.chunk, turn.number == 0u, x);
    }
  }
  TILEOPS_DEVICE void put(const Arguments& a, bool straight, const Block& b, const part& t, int j) {
    if (!t.p[j].row->exists || !(Spec::full || hands_packs_on_v<Spec> || t.p[j].left)) return;
    Steps::put(a, t.p[j], straight, t.m[j], b, t.g[j]);
    if (t.p[j].left && t.p[j].begins_group()) Steps::put_group(a, t.p[j], b, t.g[j]);
  }

  // A block that is kept, from stage K on.
  template <int K>
  TILEOPS_DEVICE void run_kept(const Arguments& a, bool straight, const Row& row, const turn_of_block& turn, Block* b,
                               part* t, Sums* sums) {
    stage<K>::block(a, row, b);
    if constexpr (K + 1 == stages) return finish_kept<K>(a, straight, turn, *b, t, sums);
    run_groups<K>(a, straight, *b, t);
    reduce_groups<K>(a, *b, t);
    if constexpr (stage<K>::reduces_block) {
      using R = typename stage<K>::block_sums;
      typename R::state s = node_of<R>(a, *b, *t);
      if constexpr (Spec::warps > 1) s = over_warps<R, Spec::warps, sums_blocks ? 2 : 1>(s, turn.number);
      R::finish(s, count_of_block(a, row), b);
    }
    if constexpr (stage<K>::scans) scan<K>(a, *b, 0, nullptr, t);
    if constexpr (K + 1 < stages) run_kept<K + 1>(a, straight, row, turn, b, t, sums);
  }
  // The last stage, whose own operands are read a pack ahead.
  template <int K>
  TILEOPS_DEVICE void finish_kept(const Arguments& a, bool straight, const turn_of_block& turn, const Block& b, part* t,
                                  Sums* sums) {
    stage<K>::read(a, t->p[0], straight, b, &t->m[0]);
#pragma unroll
    for (int j = 0; j < U; ++j) {
      if (j + 1 < U) stage<K>::read(a, t->p[j + 1], straight, b, &t->m[j + 1]);
      if constexpr (K > 0) Steps::renew_kept(&t->m[j]);
      stage<K>::group(a, t->p[j], b, &t->g[j]);
      add_to_sums(a, b, t, j, turn, sums);
      put(a, straight, b, *t, j);
    }
  }

  // What stages before and up to Last have of groups and of scans in a chunk.
  template <int K, int Last, class Open>
  TILEOPS_DEVICE void run_parts_up_to(const Arguments& a, bool straight, u64 turn, const Block& b, Open* open,
                                      part* t) {
    run_groups<K>(a, straight, b, t);
    if constexpr (K < Last) {
      reduce_groups<K>(a, b, t);
      if constexpr (stage<K>::scans) {
        scan<K>(a, b, turn, &static_cast<open_of_stages<K + 1, typename Steps::stages>*>(open)->mine, t);
      }
      run_parts_up_to<K + 1, Last>(a, straight, turn, b, open, t);
    }
  }
  template <int K, class Open>
  TILEOPS_DEVICE void take(const Arguments& a, bool straight, const Row& row, u64 turn, const Block& b, Open* open,
                           part* t) {
    place(a, row, turn, t);
    if constexpr (Spec::staged > 0) {
      if constexpr (K == 0) wait_for_copies_but(Spec::staged - 1u - static_cast<u32>(turn));
#pragma unroll
      for (int j = 0; j < U; ++j) Steps::read_staged(staged_memory(), slot_of<Spec>(turn, j), &t->m[j]);
    }
    run_parts_up_to<Steps::has_groups || Steps::has_scans ? 0 : K, K>(a, straight, turn, b, open, t);
  }

  // A block whose chunks each stage reads again, from shared memory where they lie there.
  template <int K>
  TILEOPS_DEVICE void run_long(const Arguments& a, bool straight, const Row& row, const turn_of_block& of_block,
                               Block* b) {
    constexpr u64 chunk_places = static_cast<u64>(U) * Spec::vec * Spec::lanes * Spec::warps;
    const u64 turns = Spec::staged ? Spec::staged : (a.length + chunk_places - 1) / chunk_places;
    stage<K>::block(a, row, b);
    open_of_stages<K, typename Steps::stages> open;
    if constexpr (stage<K>::reduces_block) {
      using R = typename stage<K>::block_sums;
      const u64 taken = stage<K>::takes_first && turns > 0u ? 1u : turns;
      typename R::state s = long_row<R, Spec>::over_chunks(taken, [&](u64 turn) {
        part t;
        take<K>(a, straight, row, turn, *b, &open, &t);
        return node_of<R>(a, *b, t);
      });
      if constexpr (Spec::cluster > 1) s = over_cluster<R, Spec::cluster>(s);
      R::finish(s, count_of_block(a, row), b);
    }
    if constexpr (K + 1 < stages) {
      run_long<K + 1>(a, straight, row, of_block, b);
    } else {
#pragma unroll 1
      for (u64 turn = 0; turn < turns; ++turn) {
        part t;
        take<K>(a, straight, row, turn, *b, &open, &t);
        Sums none;
#pragma unroll
        for (int j = 0; j < U; ++j) {
          add_to_sums(a, *b, &t, j, of_block, &none);
          put(a, straight, *b, t, j);
        }
      }
    }
  }

  TILEOPS_DEVICE void read_kept(const Arguments& a, bool straight, part* t) {
    if (straight) {
#pragma unroll
      for (int j = 0; j < U; ++j) Steps::read_kept(a, t->p[j], true, &t->m[j]);
    } else {
#pragma unroll
      for (int j = 0; j < U; ++j) Steps::read_kept(a, t->p[j], false, &t->m[j]);
    }
  }
  // Begins to copy what shared memory keeps of a row, chunk by chunk.
  TILEOPS_DEVICE void stage_row(const Arguments& a, bool straight, const Row& row) {
    if constexpr (Spec::staged > 0) {
#pragma unroll 1
      for (u64 turn = 0; turn < Spec::staged; ++turn) {
        part t;
        place(a, row, turn, &t);
#pragma unroll
        for (int j = 0; j < U; ++j) Steps::stage_packs(a, t.p[j], straight, staged_memory(), slot_of<Spec>(turn, j));
        commit_copies();
      }
    }
  }
  // A block of which, where it is kept, `t` has the packs.
  TILEOPS_DEVICE void run_block(const Arguments& a, bool straight, const Row& row, const turn_of_block& turn, part* t,
                                Sums* sums) {
    Block b;
    Steps::read_block(a, row, &b);
    if constexpr (Spec::kept) run_kept<0>(a, straight, row, turn, &b, t, sums);
    else run_long<0>(a, straight, row, turn, &b);
    if (row.exists && row.thread == 0u) Steps::put_block(a, row, b);
  }

  // A chunk of blocks. Packs of the next one are read before this one's are used. There are two loops: one that asks
  // again and again whether packs are aligned issues a tenth more instructions.
  template <bool straight>
  TILEOPS_DEVICE void run_chunk(const Arguments& a) {
    turn_of_block turn{unit_of_thread<Spec>(), 0u};
    const u64 first = turn.chunk * kBlocksOfChunk, first_of_all = first_unit<Spec>() * kBlocksOfChunk;
    Row row = place_row<Spec>(a, first);
    part t;
    Sums sums;
    if constexpr (Spec::kept) {
      sums.begin();
      place(a, row, 0, &t);
      read_kept(a, straight, &t);
    }
#pragma unroll 1
    for (; turn.number < kBlocksOfChunk && first_of_all + turn.number < a.count; ++turn.number) {
      const Row ahead = place_row<Spec>(a, first + turn.number + 1u);
      part next;
      if constexpr (Spec::kept) {
        place(a, ahead, 0, &next);
#pragma unroll
        for (int j = 0; j < U; ++j) Steps::read_next(a, next.p[j], straight, &next.m[j]);
      }
      run_block(a, straight, row, turn, &t, &sums);
      row = ahead;
      if constexpr (Spec::kept) {
        place(a, row, 0, &t);
#pragma unroll
        for (int j = 0; j < U; ++j) Steps::take_next(next.m[j], &t.m[j]);
      }
    }
    if constexpr (Spec::kept)
      if (first < a.count)
#pragma unroll
        for (int j = 0; j < U; ++j) sums.put(a, t.p[j], turn.chunk, j);
  }

  TILEOPS_DEVICE void run(const Arguments& a) {
    wait_for_previous_kernel();
    const bool straight = rows_are_aligned<Spec>(a);
    if constexpr (sums_blocks) {
      if (straight) run_chunk<true>(a);
      else run_chunk<false>(a);
    } else {
      const Row row = place_row<Spec>(a, unit_of_thread<Spec>());
      part t;
      Sums none;
      if constexpr (Spec::cluster > 1) arrive_at_cluster();
      if constexpr (Spec::kept) {
        place(a, row, 0, &t);
        read_kept(a, straight, &t);
      }
      stage_row(a, straight, row);
      if constexpr (Spec::cluster > 1) wait_for_cluster();
      run_block(a, straight, row, {0u, 0u}, &t, &none);
    }
  }
};

}  // namespace kernels
}  // namespace tileops

#endif

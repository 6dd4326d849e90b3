// The kernel of a pass of rows: blocks of elements, of which reductions make one value, and scans one of those up to
// each element, stage after stage. rows/place.h says what a Spec is. Steps is text (src/cuda/spec/rows/text.cc):
// block_values and group_values, what there is once a block and once a group; memory, a pack as it lies there; and by
// stage what is read, computed and reduced.
#ifndef TILEOPS_KERNELS_ROWS_H
#define TILEOPS_KERNELS_ROWS_H

#include "cuda/kernels/rows/chunk.h"
#include "cuda/kernels/rows/cluster.h"
#include "cuda/kernels/rows/gate.h"
#include "cuda/kernels/rows/sums_of_blocks.h"

namespace tileops {
namespace kernels {

template <class Spec, class Steps>
struct rows_kernel {
  using Arguments = row_arguments<Spec>;
  using Row = row_place<Spec>;
  using Block = typename Steps::block_values;
  using Chunk = row_chunk<Spec, Steps>;
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

  // Adds what the block has of a pack: before it is stored, as results may be in place of operands.
  TILEOPS_DEVICE void add_to_sums(const Arguments& a, const Block& b, Chunk* t, int j, const turn_of_block& turn,
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

  // A block that is kept, from stage K on.
  template <int K>
  TILEOPS_DEVICE void run_kept(const Arguments& a, bool straight, const Row& row, const turn_of_block& turn, Block* b,
                               Chunk* t, Sums* sums) {
    stage<K>::block(a, row, b);
    if constexpr (K + 1 == stages) return finish_kept<K>(a, straight, turn, *b, t, sums);
    t->template run_groups<K>(a, straight, *b);
    t->template reduce_groups<K>(a, *b);
    if constexpr (stage<K>::reduces_block) {
      using R = typename stage<K>::block_sums;
      typename R::state s = t->template node_of<R>(a, *b);
      if constexpr (Spec::warps > 1 && Spec::beside > 1) s = over_threads_beside<R, Spec>(s);
      else if constexpr (Spec::warps > 1) s = over_warps<R, Spec::warps, sums_blocks ? 2 : 1>(s, turn.number);
      R::finish(s, count_of_block(a, row), b);
    }
    if constexpr (stage<K>::scans) t->template scan<K>(a, *b, 0, nullptr);
    if constexpr (K + 1 < stages) run_kept<K + 1>(a, straight, row, turn, b, t, sums);
  }
  // The last stage, whose own operands are read a pack ahead.
  template <int K>
  TILEOPS_DEVICE void finish_kept(const Arguments& a, bool straight, const turn_of_block& turn, const Block& b,
                                  Chunk* t, Sums* sums) {
    stage<K>::read(a, t->p[0], straight, b, &t->m[0]);
#pragma unroll
    for (int j = 0; j < U; ++j) {
      if (j + 1 < U) stage<K>::read(a, t->p[j + 1], straight, b, &t->m[j + 1]);
      if constexpr (K > 0) Steps::renew_kept(&t->m[j]);
      stage<K>::group(a, t->p[j], b, &t->g[j]);
      add_to_sums(a, b, t, j, turn, sums);
      t->put(a, straight, b, j);
    }
  }

  // What stages before and up to Last have of groups and of scans in a chunk.
  template <int K, int Last, class Open>
  TILEOPS_DEVICE void run_parts_up_to(const Arguments& a, bool straight, u64 turn, const Block& b, Open* open,
                                      Chunk* t) {
    t->template run_groups<K>(a, straight, b);
    if constexpr (K < Last) {
      t->template reduce_groups<K>(a, b);
      if constexpr (stage<K>::scans) {
        t->template scan<K>(a, b, turn, &static_cast<open_of_stages<K + 1, typename Steps::stages>*>(open)->mine);
      }
      run_parts_up_to<K + 1, Last>(a, straight, turn, b, open, t);
    }
  }
  template <int K, class Open>
  TILEOPS_DEVICE void take(const Arguments& a, bool straight, const Row& row, u64 turn, u64 turns, const Block& b,
                           Open* open, Chunk* t) {
    t->place(a, row, turn);
    if constexpr (Spec::staged > 0) {
      if constexpr (K == 0) wait_for_copies_but(static_cast<u32>(turns - 1u - turn));
#pragma unroll
      for (int j = 0; j < U; ++j) Steps::read_staged(staged_memory(), slot_of<Spec>(turn, j), &t->m[j]);
    }
    run_parts_up_to<Steps::has_groups || Steps::has_scans ? 0 : K, K>(a, straight, turn, b, open, t);
  }

  // A block whose chunks each stage reads again, from shared memory where they lie there.
  template <int K>
  TILEOPS_DEVICE void run_long(const Arguments& a, bool straight, const Row& row, const turn_of_block& of_block,
                               Block* b) {
    const u64 turns = Chunk::turns(a);
    stage<K>::block(a, row, b);
    open_of_stages<K, typename Steps::stages> open;
    if constexpr (stage<K>::reduces_block) {
      using R = typename stage<K>::block_sums;
      const u64 taken = stage<K>::takes_first && turns > 0u ? 1u : turns;
      typename R::state s = long_row<R, Spec, stages - 1>::over_chunks(taken, [&](u64 turn) {
        Chunk t;
        take<K>(a, straight, row, turn, turns, *b, &open, &t);
        return t.template node_of<R>(a, *b);
      });
      // It has waited for the first chunk alone, and later stages read all.
      if constexpr (K == 0 && Spec::staged > 1 && stage<K>::takes_first) wait_for_copies_but(0u);
      if constexpr (Spec::cluster > 1) s = over_cluster<R, Spec::cluster>(s);
      R::finish(s, count_of_block(a, row), b);
    }
    if constexpr (K + 1 < stages) {
      run_long<K + 1>(a, straight, row, of_block, b);
    } else {
#pragma unroll 1
      for (u64 turn = 0; turn < turns; ++turn) {
        Chunk t;
        take<K>(a, straight, row, turn, turns, *b, &open, &t);
        Sums none;
#pragma unroll
        for (int j = 0; j < U; ++j) {
          add_to_sums(a, *b, &t, j, of_block, &none);
          t.put(a, straight, *b, j);
        }
      }
    }
  }

  // A block of which, where it is kept, `t` has the packs.
  TILEOPS_DEVICE void run_block(const Arguments& a, bool straight, const Row& row, const turn_of_block& turn, Chunk* t,
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
    turn_of_block turn{unit_of_thread<Spec>(a), 0u};
    const u64 first = turn.chunk * kBlocksOfChunk, first_of_all = first_unit<Spec>(a) * kBlocksOfChunk;
    Row row = place_row<Spec>(a, first);
    Chunk t;
    Sums sums;
    if constexpr (Spec::kept) {
      sums.begin();
      t.place(a, row, 0);
      t.read_kept(a, straight);
    }
#pragma unroll 1
    for (; turn.number < kBlocksOfChunk && first_of_all + turn.number < a.count; ++turn.number) {
      const Row ahead = place_row<Spec>(a, first + turn.number + 1u);
      Chunk next;
      if constexpr (Spec::kept) {
        next.place(a, ahead, 0);
#pragma unroll
        for (int j = 0; j < U; ++j) Steps::read_next(a, next.p[j], straight, &next.m[j]);
      }
      run_block(a, straight, row, turn, &t, &sums);
      row = ahead;
      if constexpr (Spec::kept) {
        t.place(a, row, 0);
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
      Row row = place_row<Spec>(a, unit_of_thread<Spec>(a));
      if (!passes_gate<Spec, Steps>(a, &row)) return;
      Chunk t;
      Sums none;
      if constexpr (Spec::cluster > 1) arrive_at_cluster();
      if constexpr (Spec::kept) {
        t.place(a, row, 0);
        t.read_kept(a, straight);
      }
      t.stage_row(a, straight, row);
      if constexpr (Spec::cluster > 1) wait_for_cluster();
      run_block(a, straight, row, {0u, 0u}, &t, &none);
    }
  }
};

}  // namespace kernels
}  // namespace tileops

#endif

// The kernel of a pass of rows: blocks of elements, of which reductions make one value, and scans one of those up to
// each element, stage after stage. rows/place.h says what a Spec is. Steps is text (src/cuda/spec/rows/text.cc):
// block_values and group_values, what there is once a block and once a group; memory, a pack as it lies there; and by
// stage what is read, computed and reduced.
#ifndef TILEOPS_KERNELS_ROWS_H
#define TILEOPS_KERNELS_ROWS_H

#include "cuda/kernels/rows/cluster.h"
#include "cuda/kernels/rows/gather.h"
#include "cuda/kernels/rows/reduce.h"
#include "cuda/kernels/rows/scan.h"
#include "cuda/kernels/rows/shared_rows.h"
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
  struct thread_chunk {
    row_pack<Spec> p[U];
    typename Steps::memory m[U];
    typename Steps::group_values g[U];
  };

  TILEOPS_DEVICE void place(const Arguments& a, const Row& row, u64 turn, thread_chunk* t) {
    const u32 lane = row.thread % Spec::lanes, warp = row.thread / Spec::lanes % Spec::warps;
    if constexpr (Spec::cluster > 1) turn += blockIdx.x % Spec::cluster * Spec::staged;
#pragma unroll
    for (int j = 0; j < U; ++j) {
      const u64 first = (turn * Spec::warps + warp) * (U * Spec::lanes);
      t->p[j] = place_row_pack<Spec>(a, row, first + (Spec::consecutive ? lane * U + j : j * Spec::lanes + lane));
      Steps::read_groups(a, t->p[j], &t->g[j]);
    }
  }

  // What a stage computes once a group, and what it reduces of groups, for the next one.
  template <int K>
  TILEOPS_DEVICE void run_groups(const Arguments& a, bool straight, const Block& b, thread_chunk* t) {
#pragma unroll
    for (int j = 0; j < U; ++j) stage<K>::read(a, t->p[j], straight, b, &t->m[j]);
#pragma unroll
    for (int j = 0; j < U; ++j) stage<K>::group(a, t->p[j], b, &t->g[j]);
  }
  template <int K>
  TILEOPS_DEVICE void reduce_groups(const Arguments& a, const Block& b, thread_chunk* t) {
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
                           thread_chunk* t) {
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
  TILEOPS_DEVICE typename R::state node_of(const Arguments& a, const Block& b, thread_chunk& t) {
    typename R::state s[U];
#pragma unroll
    for (int j = 0; j < U; ++j) {
      // One pack after the other: what is computed of all at once does not fit in registers.
      if constexpr (Spec::kept) Steps::renew_kept(&t.m[j]);
      typename R::values x;
      R::take(a, t.p[j], t.m[j], b, t.g[j], &x);
      s[j] = over_pack<R, Spec>(x, t.p[j].left, t.p[j].index_in_block(a));
    }
    if constexpr (Spec::consecutive) return over_lanes<R, Spec::lanes>(over_run<R, U>(s));
    else return over_lanes_and_array<R, Spec::lanes>(s, static_cast<int>(threadIdx.x));
  }

  // Adds what the block has of a pack: before it is stored, as results may be in place of operands.
  TILEOPS_DEVICE void add_to_sums(const Arguments& a, const Block& b, thread_chunk* t, int j, const turn_of_block& turn,
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
  TILEOPS_DEVICE void put(const Arguments& a, bool straight, const Block& b, const thread_chunk& t, int j) {
    if (!t.p[j].row->exists || !(Spec::no_padding || hands_packs_on_v<Spec> || t.p[j].left)) return;
    Steps::put(a, t.p[j], straight, t.m[j], b, t.g[j]);
    if (t.p[j].left && t.p[j].begins_group()) Steps::put_group(a, t.p[j], b, t.g[j]);
  }

  // A block that is kept, from stage K on.
  template <int K>
  TILEOPS_DEVICE void run_kept(const Arguments& a, bool straight, const Row& row, const turn_of_block& turn, Block* b,
                               thread_chunk* t, Sums* sums) {
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
  TILEOPS_DEVICE void finish_kept(const Arguments& a, bool straight, const turn_of_block& turn, const Block& b,
                                  thread_chunk* t, Sums* sums) {
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
                                      thread_chunk* t) {
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
                           thread_chunk* t) {
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
        thread_chunk t;
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
        thread_chunk t;
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

  TILEOPS_DEVICE void read_kept(const Arguments& a, bool straight, thread_chunk* t) {
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
        thread_chunk t;
        place(a, row, turn, &t);
#pragma unroll
        for (int j = 0; j < U; ++j) Steps::stage_packs(a, t.p[j], straight, staged_memory(), slot_of<Spec>(turn, j));
        commit_copies();
      }
    }
  }
  // A block of which, where it is kept, `t` has the packs.
  TILEOPS_DEVICE void run_block(const Arguments& a, bool straight, const Row& row, const turn_of_block& turn,
                                thread_chunk* t, Sums* sums) {
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
    thread_chunk t;
    Sums sums;
    if constexpr (Spec::kept) {
      sums.begin();
      place(a, row, 0, &t);
      read_kept(a, straight, &t);
    }
#pragma unroll 1
    for (; turn.number < kBlocksOfChunk && first_of_all + turn.number < a.count; ++turn.number) {
      const Row ahead = place_row<Spec>(a, first + turn.number + 1u);
      thread_chunk next;
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
      thread_chunk t;
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

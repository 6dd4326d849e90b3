// What a thread has of a chunk of a block, and what it does with it: stage K computes, reduces and scans it. Spec and
// Steps are as rows.h has them.
#ifndef TILEOPS_KERNELS_ROWS_CHUNK_H
#define TILEOPS_KERNELS_ROWS_CHUNK_H

#include "cuda/kernels/rows/gather.h"
#include "cuda/kernels/rows/reduce.h"
#include "cuda/kernels/rows/row_tiles.h"
#include "cuda/kernels/rows/scan.h"
#include "cuda/kernels/rows/scan_parts.h"
#include "cuda/kernels/rows/shared_rows.h"
#include "cuda/kernels/rows/transfer.h"
#include "tileops/device/cuda/forms/leaves.h"
#include "tileops/device/cuda/forms/steps.h"

namespace tileops {
namespace kernels {

template <class Spec, class Steps>
struct row_chunk {
  using Arguments = row_arguments<Spec>;
  using Row = row_place<Spec>;
  using Block = typename Steps::block_values;
  static constexpr int U = Spec::packs;
  template <int K>
  using stage = typename nth_type<K, typename Steps::stages>::type;

  row_pack<Spec> p[U];
  typename Steps::memory m[U];
  typename Steps::group_values g[U];

  TILEOPS_DEVICE_MEMBER void place(const Arguments& a, const Row& row, u64 turn) {
    const u32 lane = row.thread % Spec::lanes, warp = row.thread / Spec::lanes % Spec::warps;
    if constexpr (Spec::cluster > 1) turn += blockIdx.x % Spec::cluster * Spec::staged;
#pragma unroll
    for (int j = 0; j < U; ++j) {
      const u64 first = (turn * Spec::warps + warp) * (U * Spec::lanes);
      p[j] = place_row_pack<Spec>(a, row, first + (Spec::consecutive ? lane * U + j : j * Spec::lanes + lane));
      Steps::read_groups(a, p[j], &g[j]);
    }
  }

  // What a stage computes once a group, and what it reduces of groups, for the next one.
  template <int K>
  TILEOPS_DEVICE_MEMBER void run_groups(const Arguments& a, bool straight, const Block& b) {
    if (straight) {
#pragma unroll
      for (int j = 0; j < U; ++j) stage<K>::read(a, p[j], true, b, &m[j]);
    } else {
#pragma unroll
      for (int j = 0; j < U; ++j) stage<K>::read(a, p[j], false, b, &m[j]);
    }
#pragma unroll
    for (int j = 0; j < U; ++j) stage<K>::group(a, p[j], b, &g[j]);
  }
  template <int K>
  TILEOPS_DEVICE_MEMBER void reduce_groups(const Arguments& a, const Block& b) {
    if constexpr (stage<K>::reduces_groups) {
      using R = typename stage<K>::group_sums;
      typename R::state s[U];
#pragma unroll
      for (int j = 0; j < U; ++j) {
        if constexpr (Spec::kept) Steps::renew_kept(&m[j]);
        typename R::values x;
        R::take(a, p[j], m[j], b, g[j], &x);
        s[j] = over_pack<R, Spec>(x, p[j].left, p[j].index_in_group());
      }
      over_groups<R, Spec, Spec::group_span / Spec::vec>(s);
#pragma unroll
      for (int j = 0; j < U; ++j) R::finish(s[j], count_of_group(a, p[j]), &g[j]);
    }
  }

  // What a stage scans, for the next one: its values are kept with the elements. Of a row in several chunks this is the
  // one of number `turn`.
  template <int K>
  TILEOPS_DEVICE_MEMBER void scan(const Arguments& a, const Block& b, u64 turn,
                                  open_chunks<typename stage<K>::scanned>* open) {
    using R = typename stage<K>::scanned;
    row_scan<R, Spec> scan;
#pragma unroll
    for (int j = 0; j < U; ++j) {
      if constexpr (Spec::kept) Steps::renew_kept(&m[j]);
      typename R::values x;
      R::take(a, p[j], m[j], b, g[j], &x);
      scan.take(j, x, p[j].left, p[j].index_in_block(a));
    }
    if constexpr (Spec::kept) scan.run();
    else scan.run(turn, open);
    if constexpr (R::in_parts) {
      __shared__ parts_on_the_left<R, Spec> left;
      if (turn == 0u) left.find(a, *p[0].row);
      left.before(*p[0].row, &scan);
    }
#pragma unroll
    for (int j = 0; j < U; ++j) scan.finish(j, p[j].index_in_block(a), &m[j]);
  }

  // The node of a thread's lanes, or of its warp.
  template <class R>
  TILEOPS_DEVICE_MEMBER typename R::state node_of(const Arguments& a, const Block& b) {
    if constexpr (R::scales_packs && !Spec::consecutive) return scaled_node_of<R>(a, b);
    typename R::state s[U];
#pragma unroll
    for (int j = 0; j < U; ++j) {
      // One pack after the other: what is computed of all at once does not fit in registers.
      if constexpr (Spec::kept) Steps::renew_kept(&m[j]);
      typename R::values x;
      R::take(a, p[j], m[j], b, g[j], &x);
      s[j] = over_pack<R, Spec>(x, p[j].left, p[j].index_in_block(a));
    }
    if constexpr (Spec::consecutive) return over_lanes<R, Spec::lanes>(over_run<R, U>(s));
    else return over_lanes_and_packs<R, Spec>(s);
  }

  // The same for logsumexp: the elements of a warp are scaled to one exponent, 32 of each thread at a time. Where a
  // warp has several rows each thread has an exponent of its own.
  static constexpr int kScaledElements = 32;
  static constexpr bool scales_warps = Spec::lanes == 32;
  static constexpr bool are_scaled_at_once = !scales_warps || U * Spec::vec <= kScaledElements ||
                                             U % (kScaledElements / Spec::vec) != 0;
  static constexpr int scaled_packs_at_once = are_scaled_at_once ? U : kScaledElements / Spec::vec;
  template <class R>
  TILEOPS_DEVICE_MEMBER typename R::state scaled_node_of(const Arguments& a, const Block& b) {
    constexpr int B = scaled_packs_at_once;
    typename R::state nodes[U / B];
#pragma unroll
    for (int i = 0; i < U / B; ++i) nodes[i] = scaled_node_of<R>(a, b, i * B);
    return over_array<R, U / B>(nodes);
  }
  template <class R>
  TILEOPS_DEVICE_MEMBER typename R::state scaled_node_of(const Arguments& a, const Block& b, int first) {
    using A = typename R::A0;
    constexpr int B = scaled_packs_at_once;
    typename R::values x[B];
    float largest = -limits<float>::inf();
#pragma unroll
    for (int j = 0; j < B; ++j) {
      if constexpr (Spec::kept) Steps::renew_kept(&m[first + j]);
      R::take(a, p[first + j], m[first + j], b, g[first + j], &x[j]);
      largest = A::largest(x[j].r0, there(first + j), largest);
    }
    const auto all = A::scale_of(scales_warps ? largest_of_warp(largest) : largest);
    typename R::state s[B];
    if (all.fits) {
      float sums[B];
#pragma unroll
      for (int j = 0; j < B; ++j) sums[j] = A::sum(x[j].r0, there(first + j), all);
      if constexpr (scales_warps) return {A::node(over_lanes_and_packs<scaled_sum, Spec>(sums), all)};
#pragma unroll
      for (int j = 0; j < B; ++j) s[j] = {A::node(sums[j], all)};
    } else {  // rare: by loops, in copies that lie in memory
      typename R::values again[B];
      typename R::state found[B];
      u32 left[B];
#pragma unroll
      for (int j = 0; j < B; ++j) again[j] = x[j], left[j] = there(first + j);
#pragma unroll 1
      for (int j = 0; j < B; ++j) found[j] = one_by_one<R, Spec>(again[j], left[j], 0u);
#pragma unroll
      for (int j = 0; j < B; ++j) s[j] = found[j];
    }
    return over_lanes_and_packs<R, Spec>(s);
  }
  TILEOPS_DEVICE_MEMBER u32 there(int j) const { return Spec::no_padding ? Spec::vec : p[j].left; }

  TILEOPS_DEVICE_MEMBER void put(const Arguments& a, bool straight, const Block& b, int j) const {
    if constexpr (!Spec::gathers_rows)
      if (!p[j].row->exists || !(Spec::no_padding || hands_packs_on_v<Spec> || p[j].left)) return;
    Steps::put(a, p[j], straight, m[j], b, g[j]);
    if (p[j].left && p[j].begins_group()) Steps::put_group(a, p[j], b, g[j]);
  }

  TILEOPS_DEVICE_MEMBER void read_kept(const Arguments& a, bool straight) {
    if (straight) {
#pragma unroll
      for (int j = 0; j < U; ++j) Steps::read_kept(a, p[j], true, &m[j]);
    } else {
#pragma unroll
      for (int j = 0; j < U; ++j) Steps::read_kept(a, p[j], false, &m[j]);
    }
  }
  // How many chunks of the row, or of its part, the thread block has.
  static TILEOPS_DEVICE_MEMBER u64 turns(const Arguments& a) {
    constexpr u64 places = static_cast<u64>(U) * Spec::vec * Spec::lanes * Spec::warps;
    if constexpr (Spec::split_elements > 0) return Spec::split_elements / places;
    const u64 all = (a.length + places - 1) / places;
    if constexpr (Spec::staged == 0) return all;
    if constexpr (Spec::no_padding) return Spec::staged;
    const u64 before = blockIdx.x % Spec::cluster * Spec::staged;
    return all < before ? 0u : all - before < Spec::staged ? all - before : Spec::staged;
  }

  // Begins to copy what shared memory keeps of a row, chunk by chunk.
  TILEOPS_DEVICE_MEMBER void stage_row(const Arguments& a, bool straight, const Row& row) {
    if constexpr (Spec::staged > 0) {
      const u64 all = turns(a);
#pragma unroll 1
      for (u64 turn = 0; turn < all; ++turn) {
        place(a, row, turn);
#pragma unroll
        for (int j = 0; j < U; ++j) Steps::stage_packs(a, p[j], straight, staged_memory(), slot_of<Spec>(turn, j));
        commit_copies();
      }
    }
  }
};

}  // namespace kernels
}  // namespace tileops

#endif

// Scans of rows: of each element what those up to it come to, in the order in which rows/reduce.h takes them. That is
// what the element meets on its way up the tree: wherever it lies in a right half, the left half's node (Sklansky),
// first within its pack, then among lanes, packs, warps and chunks. R is an accumulator of all that a stage scans
// (written by src/cuda/spec/rows/stages.cc), as those of rows/reduce.h, with
//
//   exclusive             does one of the scans leave the element itself out?
//   finish(s, before, first, m, e)   the values of element e, of what those up to it and those before it come to;
//                         first: there are none before it
#ifndef TILEOPS_KERNELS_ROWS_SCAN_H
#define TILEOPS_KERNELS_ROWS_SCAN_H

#include "cuda/kernels/rows/beside.h"

namespace tileops {
namespace kernels {

// A state of the lane of that number.
template <class S>
TILEOPS_DEVICE S of_lane(const S& s, u32 lane) {
  words_of<S> x = __builtin_bit_cast(words_of<S>, s);
#pragma unroll
  for (u32 i = 0; i < sizeof(S) / 4; ++i) x.w[i] = __shfl_sync(0xffffffffu, x.w[i], static_cast<int>(lane));
  return __builtin_bit_cast(S, x);
}

// Nodes of the chunks of a row that have not met their neighbour yet: those are there whose bit in the number of chunks
// is set. The same in all threads that have the row.
template <class R>
struct open_chunks {
  typename R::state node[40];
};

// The elements of a thread in a chunk. They are `parts` pieces of the row of `each` elements: its packs, or all of
// them, where they lie next to each other.
template <class R, class Spec>
struct row_scan {
  using state = typename R::state;
  static constexpr int U = Spec::packs, N = Spec::vec, lanes = Spec::lanes, warps = Spec::warps;
  static constexpr int parts = Spec::consecutive ? 1 : U, each = Spec::consecutive ? U : N;
  static_assert(!Spec::consecutive || N == 1, "runs are of single elements");
  static_assert((parts & (parts - 1)) == 0 && (each & (each - 1)) == 0, "of so many elements are nodes made");
  state s[parts][each];
  state before[parts];  // what the elements before a part come to, if R wants to know

  // Pack j, of whose elements `left` are there; first: the index of the first of them.
  template <class Values>
  TILEOPS_DEVICE_MEMBER void take(int j, const Values& x, u32 left, u64 first) {
#pragma unroll
    for (int e = 0; e < N; ++e) {
      state& to = Spec::consecutive ? s[0][j] : s[j][e];
      to = R::of(x, e, first + e);
      if (!Spec::no_padding && static_cast<u32>(e) >= left) to = R::identity();
    }
  }

  // The elements of a part meet the node on their left, if they are on its right.
  TILEOPS_DEVICE_MEMBER void meet(int part, bool is_right, const state& left) {
#pragma unroll
    for (int e = 0; e < each; ++e) s[part][e] = either(is_right, R::merge(left, s[part][e]), s[part][e]);
    if constexpr (R::exclusive) before[part] = either(is_right, R::merge(left, before[part]), before[part]);
  }
  TILEOPS_DEVICE_MEMBER void all_meet(bool is_right, const state& left) {
#pragma unroll
    for (int part = 0; part < parts; ++part) meet(part, is_right, left);
  }

  TILEOPS_DEVICE_MEMBER void within_parts() {
#pragma unroll
    for (int part = 0; part < parts; ++part) {
      before[part] = R::identity();
      if constexpr (R::in_columns) {
#pragma unroll
        for (int e = 1; e < each; ++e) s[part][e] = R::merge(s[part][e - 1], s[part][e]);
      } else {
#pragma unroll
        for (int half = 1; half < each; half *= 2)
#pragma unroll
          for (int e = 0; e < each; ++e)
            if (e & half) s[part][e] = R::merge(s[part][(e & ~(2 * half - 1)) + half - 1], s[part][e]);
      }
    }
  }

  // Each part among those of other lanes: the node of a part becomes that of all lanes' parts.
  TILEOPS_DEVICE_MEMBER void among_lanes(state (&node)[parts]) {
#pragma unroll
    for (int part = 0; part < parts; ++part) {
#pragma unroll
      for (int bit = 1; bit < lanes; bit *= 2) {
        const state other = from_lane(node[part], bit);
        meet(part, (threadIdx.x & static_cast<u32>(bit)) != 0u, other);
        node[part] = R::merge(node[part], other);
      }
    }
  }

  // A warp's parts among each other: the last one's node becomes that of the warp.
  TILEOPS_DEVICE_MEMBER void among_parts(state (&node)[parts]) {
#pragma unroll
    for (int half = 1; half < parts; half *= 2)
#pragma unroll
      for (int part = 0; part < parts; ++part) {
        if (!(part & half)) continue;
        const state left = node[(part & ~(2 * half - 1)) + half - 1];
        meet(part, true, left);
        node[part] = R::merge(left, node[part]);
      }
  }

  // Among warps; from the node of each to that of all. May be called again.
  TILEOPS_DEVICE_MEMBER state among_warps(const state& mine) {
    if constexpr (warps == 1) {
      return mine;
    } else if constexpr (Spec::beside > 1) {
      using trees = trees_beside<R, Spec, static_cast<u32>(warps)>;
      __shared__ trees nodes;
      nodes.build(mine);
      nodes.each_on_the_left(trees::number(), [&](const state& left) { all_meet(true, left); });
      return nodes.all();
    } else {
      __shared__ state nodes[warps];
      const u32 lane = threadIdx.x & 31u, warp = threadIdx.x / 32u;
      __syncthreads();
      if (lane == 0u) nodes[warp] = mine;
      __syncthreads();
      state node = lane < warps ? nodes[lane] : R::identity();
#pragma unroll
      for (u32 bit = 1; bit < warps; bit *= 2) {
        const state left = of_lane(node, warp & ~(2u * bit - 1u));
        if ((warp & bit) != 0u) all_meet(true, left);
        node = R::merge(node, from_lane(node, static_cast<int>(bit)));
      }
      return of_lane(node, 0u);
    }
  }

  // All elements of a chunk of the row, the chunk of that number.
  TILEOPS_DEVICE_MEMBER state within_chunk() {
    within_parts();
    state node[parts];
#pragma unroll
    for (int part = 0; part < parts; ++part) node[part] = s[part][each - 1];
    among_lanes(node);
    among_parts(node);
    return among_warps(node[parts - 1]);
  }
  TILEOPS_DEVICE_MEMBER void run() { within_chunk(); }
  TILEOPS_DEVICE_MEMBER void run(u64 turn, open_chunks<R>* open) {
    state node = within_chunk();
    for (int digit = 0; turn >> digit; ++digit)
      if (turn >> digit & 1u) all_meet(true, open->node[digit]);
    int digit = 0;
    for (; turn >> digit & 1u; ++digit) node = R::merge(open->node[digit], node);
    open->node[digit] = node;
  }

  // The values of pack j's elements.
  template <class Memory>
  TILEOPS_DEVICE_MEMBER void finish(int j, u64 first, Memory* m) {
#pragma unroll
    for (int e = 0; e < N; ++e) {
      const int part = Spec::consecutive ? 0 : j, at = Spec::consecutive ? j : e;
      R::finish(s[part][at], at == 0 ? before[part] : s[part][at - 1], first + e == 0, m, e);
    }
  }
};

// What a stage has of open chunks, and all stages up to one.
template <class Stage, bool Scans>
struct open_of_stage {};
template <class Stage>
struct open_of_stage<Stage, true> : open_chunks<typename Stage::scanned> {};
template <int Count, class Stages>
struct open_of_stages : open_of_stages<Count - 1, Stages> {
  using stage = typename nth_type<Count - 1, Stages>::type;
  open_of_stage<stage, stage::scans> mine;
};
template <class Stages>
struct open_of_stages<0, Stages> {};

}  // namespace kernels
}  // namespace tileops

#endif

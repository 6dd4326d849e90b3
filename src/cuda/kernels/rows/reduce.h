// The aligned binary tree over the packs of a row, by way of lanes, warps and chunks. R is an accumulator of all that a
// stage reduces (written by src/cuda/spec/rows/stages.cc): state, identity(), merge(a, b).
#ifndef TILEOPS_KERNELS_ROWS_REDUCE_H
#define TILEOPS_KERNELS_ROWS_REDUCE_H

#include "cuda/kernels/rows/place.h"
#include "tileops/device/reduction_tree.h"

namespace tileops {
namespace kernels {

using trees::either;
using trees::from_lane;
using trees::over_array;
using trees::over_lanes;
using trees::over_lanes_and_array;
using trees::words_of;

// The largest value of a warp's lanes; NaN, if a lane has the NaN that max_nan gives. Compared as integers, which have
// the order of floats once the bits of negative ones, but for the sign, are inverted.
TILEOPS_DEVICE float largest_of_warp(float x) {
  const i32 bits = static_cast<i32>(to_bits(x)), ordered = bits ^ (bits >> 31 & 0x7fffffff);
  const i32 most = __reduce_max_sync(0xffffffffu, ordered);
  return from_bits(static_cast<u32>(most ^ (most >> 31 & 0x7fffffff)));
}

// The node of the packs of all lanes that have the row together. Where they are no power of two in each of several
// lanes, the rest of them are identities, as packs beyond the end are.
template <class R, class Spec, class S, int N>
TILEOPS_DEVICE S over_lanes_and_packs(S (&s)[N]) {
  constexpr int all = Spec::lanes == 1 ? N : trees::power_of_two_from(N);
  S nodes[all];
#pragma unroll
  for (int j = 0; j < all; ++j) nodes[j] = j < N ? s[j < N ? j : 0] : R::identity();
  return over_lanes_and_array<R, Spec::lanes>(nodes, static_cast<int>(threadIdx.x));
}

// The node of neighbouring leaves in an array, in the order that R wants.
template <class R, int Count, int M>
TILEOPS_DEVICE typename R::state over_run(typename R::state (&s)[M], int first = 0) {
  if constexpr (R::in_columns) {
    typename R::state all = s[first];
#pragma unroll
    for (int i = 1; i < Count; ++i) all = R::merge(all, s[first + i]);
    return all;
  } else {
    return over_array<R, Count>(s, first);
  }
}

// The node of the nodes of all warps, in every thread. Call once for each R and side: that shared memory is written
// once. Or, row after row, for one side and the other in turn: whoever writes has met all that read it.
template <class R, int Warps, int Sides>
TILEOPS_DEVICE typename R::state over_warps(const typename R::state& s, u32 side) {
  constexpr int lanes = Warps > 16 ? 32 : Warps > 8 ? 16 : Warps > 4 ? 8 : Warps > 2 ? 4 : 2;
  __shared__ typename R::state nodes[Sides][Warps];
  const u32 lane = threadIdx.x & 31u;
  if (lane == 0u) nodes[side % Sides][threadIdx.x / 32u] = s;
  __syncthreads();
  const u32 at = lane % lanes;
  return over_lanes<R, lanes>(at < Warps ? nodes[side % Sides][at] : R::identity());
}

// The same among neighbouring warps, `Count` of them, each of which goes on with the node of its own neighbours. May be
// called again.
template <class R, int Warps, int Count>
TILEOPS_DEVICE typename R::state over_neighbouring_warps(const typename R::state& s) {
  __shared__ typename R::state nodes[Warps];
  const u32 lane = threadIdx.x & 31u, warp = threadIdx.x / 32u;
  __syncthreads();
  if (lane == 0u) nodes[warp] = s;
  __syncthreads();
  return over_lanes<R, Count>(nodes[warp / Count * Count + lane % Count]);
}

// Groups of `Packs` packs, of a thread that has U packs: a node of each pack becomes that of its group.
template <class R, class Spec, int Packs>
TILEOPS_DEVICE void over_groups(typename R::state (&s)[Spec::packs]) {
  constexpr int U = Spec::packs, lanes = Spec::lanes;
  // Packs that lie next to each other in a thread, and in all lanes.
  constexpr int each = Spec::consecutive   ? (Packs < U ? Packs : U)
                       : Packs <= lanes    ? 1
                       : Packs / lanes < U ? Packs / lanes
                                           : U;
  constexpr int in_lanes = Spec::consecutive ? (Packs / each < lanes ? Packs / each : lanes)
                           : Packs < lanes   ? Packs
                                             : lanes;
  constexpr int in_warps = Packs / each / in_lanes;
  if constexpr (!Spec::consecutive) {
#pragma unroll
    for (int j = 0; j < U; ++j) s[j] = over_lanes<R, in_lanes>(s[j]);
  }
#pragma unroll
  for (int j = 0; j < U; j += each) {
    typename R::state all = over_run<R, each>(s, j);
    if constexpr (Spec::consecutive) all = over_lanes<R, in_lanes>(all);
    if constexpr (in_warps > 1) all = over_neighbouring_warps<R, Spec::warps, in_warps>(all);
#pragma unroll
    for (int i = 0; i < each; ++i) s[j + i] = all;
  }
}

// Nodes of the tree that wait for their neighbour, as the digits of a binary counter of what has been added.
template <class R, int Digits>
struct open_nodes {
  using state = typename R::state;
  state node[Digits];  // of which those are there whose bit in `seen` is set
  u64 seen = 0;

  TILEOPS_DEVICE_MEMBER void add(state all) {
    int digit = 0;
    for (; seen >> digit & 1u; ++digit) all = R::merge(node[digit], all);
    node[digit] = all;
    ++seen;
  }
  // What was added last has nothing behind it: it meets what is open, the smallest first.
  TILEOPS_DEVICE_MEMBER state all() const {
    state all = R::identity();
    bool any = false;
#pragma unroll 1
    for (int digit = 0; digit < Digits; ++digit) {
      if (!(seen >> digit & 1u)) continue;
      all = any ? R::merge(node[digit], all) : node[digit];
      any = true;
    }
    return all;
  }
};

// How many nodes at a time each of so many stages has room for, on both sides of what is written once.
template <class State>
__host__ __device__ constexpr int room_for(int warps, int stages) {
  int nodes = sizeof(State) <= 4 ? 1024 : sizeof(State) <= 16 ? 256 : 64;
  while (nodes > warps && 2 * stages * nodes * static_cast<int>(sizeof(State)) > 40 << 10) nodes /= 2;
  return nodes;
}

// Nodes of a row of several chunks: a warp adds one for each of its chunks. As many as shared memory has room for
// become one, which meets the ones before it. Each of the stages that reduce has nodes of its own.
template <class R, class Spec, int Stages>
struct long_row {
  using state = typename R::state;
  static constexpr int room = Spec::staged ? Spec::staged * Spec::warps
                                           : room_for<state>(Spec::warps, Stages);  // nodes
  static constexpr int turns = room / Spec::warps;                                  // chunks of a warp
  static constexpr u32 sides = Spec::staged ? 1 : 2;  // staged chunks are as many as there is room for
  static_assert(turns > 0 && room % Spec::warps == 0, "warps: a power of two");

  // node(turn) is that of the warp's chunk number turn * Spec::warps + warp; there are so many turns in all.
  template <class Node>
  static TILEOPS_DEVICE_MEMBER state over_chunks(u64 all_turns, const Node& node) {
    __shared__ state nodes[sides][room];
    __shared__ state upper[sides][(room + 31) / 32];
    if constexpr (Spec::staged > 0) return over_turns(0, static_cast<u32>(all_turns), node, nodes[0], upper[0]);
    open_nodes<R, 40> open;
    for (u64 first = 0; first < all_turns; first += turns) {
      const u32 side = open.seen % sides;
      const u32 here = all_turns - first < turns ? static_cast<u32>(all_turns - first) : turns;
      open.add(over_turns(first, here, node, nodes[side], upper[side]));
    }
    return open.all();
  }

 private:
  // The node of so many turns, from the first one on.
  template <class Node>
  static TILEOPS_DEVICE_MEMBER state over_turns(u64 first, u32 here, const Node& node, state* nodes, state* upper) {
    const u32 lane = threadIdx.x & 31u, warp = threadIdx.x / 32u, count = here * Spec::warps;
#pragma unroll 1
    for (u32 t = 0; t < here; ++t) {
      const state s = node(first + t);
      if (lane == 0u) nodes[t * Spec::warps + warp] = s;
    }
    __syncthreads();
    for (u32 at = 32u * warp; at < count; at += 32u * Spec::warps) {
      const state s = over_lanes<R, 32>(at + lane < count ? nodes[at + lane] : R::identity());
      if (lane == 0u) upper[at / 32u] = s;
    }
    __syncthreads();
    return over_lanes<R, 32>(lane < (count + 31u) / 32u ? upper[lane] : R::identity());
  }
};

}  // namespace kernels
}  // namespace tileops

#endif

// Where a thread's packs lie in a pass of rows. The extents of the space are, from the outermost one on: those that
// number the blocks, `outer` of them; and those of a block, of which the first `group_dims` number the groups that it
// is cut into. A block's packs are numbered row by row. Where it has groups, each of them has `group_span` places, a
// power of two, of which those from `inner` on are empty. A Spec says what a kernel of rows, or of columns, is an
// instance of:
//
//   struct spec {
//     using stride_slots = seq<0, -1, 1>;  // as arguments_of has it,
//     static constexpr int views, dims, num_strides, attrs;
//     static constexpr int outer;          // dimensions that number blocks
//     static constexpr int group_dims;     // dimensions that number groups within a block
//     static constexpr u64 group_span;     // places of a group, a power of two; 0: there are no groups
//     static constexpr u64 split_elements; // places of a part of a block, of which the last outer dimension is the
//                                          // number; 0: blocks are whole
//     static constexpr int short_group;    // an axis that is cut into groups of which the last one is short: the
//     static constexpr int short_within;   // dimensions of its groups and within them; -1: there is none
//     static constexpr int vec;            // elements of a pack
//     static constexpr int columns;        // blocks that a thread takes side by side (columns.h); of rows 1
//     static constexpr int sharing_threads; // threads that share such blocks (columns.h); of rows 1
//     static constexpr int run;            // elements that a thread takes of each without a break (columns.h)
//     static constexpr int packs;          // of a thread in a chunk of a block
//     static constexpr int lanes;          // threads that have a block together: so many lanes
//     static constexpr int warps;          // of each of so many warps,
//     static constexpr int beside;         // more than 1: a thread block has so many blocks that lie side by side in
//                                          // memory, and neighbouring threads are of neighbouring ones; lanes is 1
//                                          // then, and warps the threads that have a block (beside.h)
//     static constexpr int cluster;        // in each of so many thread blocks, which then have one row
//     static constexpr int threads;
//     static constexpr int staged;         // chunks of a thread block that lie in shared memory, or of a thread of
//                                          // columns how often it has `packs` elements there; 0: none do
//     static constexpr bool kept;          // a block is one chunk, read once; else each stage reads all chunks
//     static constexpr bool aligned;       // packs in one piece may be one access, where addresses allow it
//     static constexpr bool no_padding;    // there are no packs or elements too many
//     static constexpr bool packs_all_or_nothing;  // a pack's elements are all there, or none of them
//     static constexpr bool consecutive;   // a thread's packs are neighbours: 32 elements, added one by one
//     static constexpr bool gathers_rows;  // a warp has 32 rows, which it stores as one piece (row_tiles.h)
//     static constexpr bool index64;
//     static constexpr u64 pieces;         // bits of the views of which a pack may be one access
//     static constexpr u64 side_by_side;   // bits of the views whose elements of a thread's columns, which are then
//                                          // all columns, lie one after the other (columns.h)
//   };
#ifndef TILEOPS_KERNELS_ROWS_PLACE_H
#define TILEOPS_KERNELS_ROWS_PLACE_H

#include "cuda/kernels/core/list.h"
#include "tileops/device/cuda/kernel/fetch.h"

namespace tileops {
namespace kernels {

// `count` is of blocks. And what these are made of:
template <class Spec>
struct row_arguments : arguments_of<Spec> {
  u64 length;    // places of a block: its elements, or its groups times group_span
  u64 elements;  // of a whole block
  u64 inner;     // elements of a group
  u64 limit;     // where the last group of an axis is short: that axis's extent
};

// The block of a thread. A thread beyond the last block takes that one again, and stores nothing.
template <class Spec>
struct row_place {
  static constexpr bool together = false;  // it is one
  u64 number;
  bool exists;
  u32 thread;  // of those that have the block
  coordinates<Spec::outer, Spec::index64> c;
};

template <class Spec>
inline constexpr u32 threads_of_row_v = static_cast<u32>(Spec::lanes * Spec::warps);
// Rows, or chunks of them, that a thread block, or a cluster of them, has at a time, and which of them a thread's is.
template <class Spec, class Arguments>
TILEOPS_DEVICE u64 first_unit(const Arguments& a) {
  return static_cast<u64>(a.block_number()) / Spec::cluster * (Spec::threads / threads_of_row_v<Spec>);
}
// The same where a thread block has neighbouring blocks, or one part of each of them: parts are numbered last.
template <class Spec, class Arguments>
TILEOPS_DEVICE u64 unit_beside(const Arguments& a) {
  const u32 lane = threadIdx.x % Spec::beside;
  if constexpr (Spec::split_elements > 0) {
    const u64 strip = static_cast<u64>(a.block_number()), parts = a.divide[Spec::outer - 1].extent;
    return (strip / parts * Spec::beside + lane) * parts + strip % parts;
  } else {
    return first_unit<Spec>(a) + lane;
  }
}
template <class Spec, class Arguments>
TILEOPS_DEVICE u64 unit_of_thread(const Arguments& a) {
  if constexpr (Spec::beside > 1) return unit_beside<Spec>(a);
  return first_unit<Spec>(a) + threadIdx.x / threads_of_row_v<Spec>;
}

template <class Spec, class Arguments>
TILEOPS_DEVICE row_place<Spec> place_row(const Arguments& a, u64 number) {
  row_place<Spec> r;
  r.number = number;
  r.thread = Spec::beside > 1
                 ? threadIdx.x / Spec::beside
                 : blockIdx.x % Spec::cluster * threads_of_row_v<Spec> + threadIdx.x % threads_of_row_v<Spec>;
  r.exists = r.number < a.count;
  if (!r.exists) r.number = a.count - 1;
  if constexpr (Spec::beside > 1 && Spec::split_elements > 0) {  // all of the thread block have the same part
    const u64 parts = a.divide[Spec::outer - 1].extent;
    if (!r.exists) r.number = a.count - parts + number % parts;
  }
  r.c = coordinates_of<Spec::outer, Spec::index64>(a, r.number);
  return r;
}

// A pack of a block, its coordinates there, and how many of its elements there are.
template <class Spec>
struct row_pack {
  using index = typename index_of<Spec::index64>::type;
  static constexpr int block_dims = Spec::dims - Spec::outer;
  static constexpr bool together = true;  // neighbours in a pack are so in the innermost dimension
  const row_place<Spec>* row;
  u64 number;
  index first;
  u32 left;
  index at[block_dims];

  TILEOPS_DEVICE_MEMBER bool begins_group() const {
    if constexpr (Spec::group_span == 0) return first == 0;
    else return first % Spec::group_span == 0;
  }
  // The index of its first element among those that are reduced together: of a group, or of the block.
  TILEOPS_DEVICE_MEMBER u64 index_in_group() const {
    if constexpr (Spec::group_span == 0) return first;
    else return first % Spec::group_span;
  }
  template <class Arguments>
  TILEOPS_DEVICE_MEMBER u64 index_in_block(const Arguments& a) const {
    if constexpr (Spec::group_span == 0) return first;
    else return first / Spec::group_span * a.inner + first % Spec::group_span;
  }
};

// Coordinates along dimensions First to Last of the space from a position in them.
template <int First, int Last, class Spec, class Arguments>
TILEOPS_DEVICE void split_position(const Arguments& a, typename row_pack<Spec>::index position, row_pack<Spec>* p) {
  using index = typename row_pack<Spec>::index;
#pragma unroll
  for (int d = Last; d > First; --d) {
    const index q = quotient(position, a.divide[d]);
    p->at[d - Spec::outer] = position - q * static_cast<index>(a.divide[d].extent);
    position = q;
  }
  p->at[First - Spec::outer] = position;
}

// How many elements the pack's group has along an axis that is cut into groups: the last group may have fewer.
template <class Spec, class Arguments>
TILEOPS_DEVICE typename row_pack<Spec>::index room_on_short_axis(const Arguments& a, const row_pack<Spec>& p) {
  constexpr int g = Spec::short_group, w = Spec::short_within;
  u64 group;
  if constexpr (g < Spec::outer) group = p.row->c.at[g];
  else group = p.at[g - Spec::outer];
  const u64 whole = a.divide[w].extent, at = group * whole;
  const u64 here = at < a.limit ? a.limit - at : 0u;
  return static_cast<typename row_pack<Spec>::index>(here < whole ? here : whole);
}

template <class Spec, class Arguments>
TILEOPS_DEVICE row_pack<Spec> place_row_pack(const Arguments& a, const row_place<Spec>& row, u64 number) {
  using index = typename row_pack<Spec>::index;
  constexpr int N = Spec::vec;
  constexpr int inner_dim = Spec::outer + Spec::group_dims;
  row_pack<Spec> p;
  p.row = &row;
  if constexpr (Spec::split_elements > 0)
    number += static_cast<u64>(row.c.at[Spec::outer - 1]) * (Spec::split_elements / N);
  p.number = number;
  p.first = static_cast<index>(number) * N;
  p.left = N;
  if constexpr (!Spec::no_padding) {
    u64 left = p.first < a.length ? a.length - p.first : 0;
    if (left == 0) p.first = 0;
    if constexpr (Spec::group_span > 0) {
      const u64 within = p.first % Spec::group_span;
      left = left > 0 && within < a.inner ? a.inner - within : 0;
    }
    p.left = left < N && !Spec::packs_all_or_nothing ? static_cast<u32>(left) : left > 0 ? N : 0u;
  }
  if constexpr (Spec::group_span > 0) {
    split_position<Spec::outer, inner_dim - 1>(a, static_cast<index>(p.first / Spec::group_span), &p);
    split_position<inner_dim, Spec::dims - 1>(a, static_cast<index>(p.first % Spec::group_span), &p);
  } else {
    split_position<Spec::outer, Spec::dims - 1>(a, p.first, &p);
  }
  if constexpr (Spec::short_within >= 0) {
    const index room = room_on_short_axis(a, p), at = p.at[Spec::short_within - Spec::outer];
    const u32 left = at >= room ? 0u : room - at < N ? static_cast<u32>(room - at) : N;
    if (left == 0u || Spec::short_within + 1 == Spec::dims) p.left = ::min(p.left, left);
  }
  return p;
}

// How many elements a block has.
template <class Spec, class Arguments>
TILEOPS_DEVICE double count_of_block(const Arguments& a, const row_place<Spec>& row) {
  if constexpr (Spec::short_within >= 0 && Spec::short_group < Spec::outer) {
    const u64 whole = a.divide[Spec::short_within].extent, at = row.c.at[Spec::short_group] * whole;
    const u64 here = a.limit - at < whole ? a.limit - at : whole;
    return static_cast<double>(a.elements / whole * here);
  } else {
    return static_cast<double>(a.elements);
  }
}
// Or the group of a pack.
template <class Spec, class Arguments>
TILEOPS_DEVICE double count_of_group(const Arguments& a, const row_pack<Spec>& p) {
  if constexpr (Spec::short_within >= 0) {
    constexpr int g = Spec::short_group;
    u64 group;
    if constexpr (g < Spec::outer) group = p.row->c.at[g];
    else group = p.at[g - Spec::outer];
    const u64 whole = a.divide[Spec::short_within].extent, at = group * whole;
    const u64 here = a.limit - at < whole ? a.limit - at : whole;
    return static_cast<double>(a.inner / whole * here);
  } else {
    return static_cast<double>(a.inner);
  }
}

// Bytes from a view's first element to a block's; of index views units.
template <class Spec, class Arguments>
TILEOPS_DEVICE i64 offset_of_row(const Arguments& a, const row_place<Spec>& row, int view) {
  i64 sum = 0;
#pragma unroll
  for (int d = 0; d < Spec::outer; ++d) sum += static_cast<i64>(row.c.at[d]) * a.stride[view][d];
  return sum;
}
// A product of two numbers of 32 bits, and the sum that it goes into, are one instruction. It is asked for by name:
// left alone, the compiler widens strides before a loop, and multiplies in 64 bits.
TILEOPS_DEVICE i64 wide_product(i64 x, i64 y) { return x * y; }
TILEOPS_DEVICE i64 wide_product(i32 x, i32 y) {
  i64 product;
  asm("mul.wide.s32 %0, %1, %2;" : "=l"(product) : "r"(x), "r"(y));
  return product;
}
// From a block's first element to a pack's; to a group's where `Dims` are the dimensions of groups.
template <int Dims, class Spec, class Arguments>
TILEOPS_DEVICE i64 offset_in_row(const Arguments& a, const row_pack<Spec>& p, int view) {
  using offset = typename index_of<Spec::index64>::offset;
  i64 sum = 0;
#pragma unroll
  for (int d = 0; d < Dims; ++d)
    sum += wide_product(static_cast<offset>(p.at[d]), static_cast<offset>(a.stride[view][Spec::outer + d]));
  return sum;
}

}  // namespace kernels
}  // namespace tileops

#endif

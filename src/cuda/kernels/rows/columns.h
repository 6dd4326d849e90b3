// Where the elements of neighbouring blocks lie that a thread takes together, and how they are read and written: as
// packs, along the last of the dimensions that number blocks.
#ifndef TILEOPS_KERNELS_ROWS_COLUMNS_H
#define TILEOPS_KERNELS_ROWS_COLUMNS_H

#include "cuda/kernels/core/gather.h"
#include "cuda/kernels/rows/shared_rows.h"

namespace tileops {
namespace kernels {

// The blocks of a thread, the first of them at these coordinates.
template <class Spec>
struct column_place {
  static constexpr bool together = false;
  row_place<Spec> row;
  u32 lane, part;
  bool exists;
};

template <class Spec, class Arguments>
TILEOPS_DEVICE column_place<Spec> place_columns(const Arguments& a) {
  column_place<Spec> c;
  c.lane = threadIdx.x % Spec::lanes;
  c.part = blockIdx.x % Spec::cluster * Spec::sharing_threads + threadIdx.x / Spec::lanes;
  u64 number = static_cast<u64>(a.block_number()) / Spec::cluster * Spec::lanes + c.lane;
  c.exists = number < a.count;
  if (!c.exists) number = a.count - 1;
  c.row.c = coordinates_of<Spec::outer, Spec::index64>(a, number);
  c.row.c.at[Spec::outer - 1] *= Spec::columns;
  return c;
}

// An element of these blocks, of which the first `length` are there.
template <class Spec>
struct column_pack {
  static constexpr bool together = true;
  row_pack<Spec> p;
  u32 left;  // columns that have it: all or none
  // Elements are read in pieces: its number in the piece, the piece's first element, and whether all of it is there.
  u32 number;
  typename row_pack<Spec>::index first_of_piece;
  bool piece_is_whole;
};

template <bool IsThere, class Spec, class Arguments>
TILEOPS_DEVICE column_pack<Spec> place_column_pack(const Arguments& a, const column_place<Spec>& c,
                                                   typename row_pack<Spec>::index number,
                                                   typename row_pack<Spec>::index length) {
  column_pack<Spec> p;
  p.p.row = &c.row;
  p.left = IsThere || number < length ? Spec::vec : 0u;
  // One that is not there is taken for the last one: reading that again takes no branch.
  p.p.first = p.left ? number : Spec::kept || length == 0u ? 0u : length - 1u;
  p.number = 0u;
  p.first_of_piece = number;
  p.piece_is_whole = false;
  split_position<Spec::outer, Spec::dims - 1>(a, p.p.first, &p.p);
  if constexpr (Spec::short_within >= 0)
    if (p.p.at[Spec::short_within - Spec::outer] >= room_on_short_axis(a, p.p)) {
      p.left = 0u;
      p.p.at[Spec::short_within - Spec::outer] = 0;
    }
  return p;
}

template <class Spec, class Arguments>
TILEOPS_DEVICE double count_of_columns(const Arguments& a, const column_place<Spec>& c) {
  return count_of_block(a, c.row);
}

// The places of what is gathered, as core/gather.h asks for them: an element of each of these blocks, which all of them
// have or none; or, once a block, each of the blocks.
template <class Spec>
TILEOPS_DEVICE bool exists(const column_pack<Spec>& p, int) {
  return p.left != 0u;
}
template <class Spec, class Arguments>
TILEOPS_DEVICE i64 offset_at(const Arguments& a, const column_pack<Spec>& p, int view, int v) {
  return offset_of_row(a, *p.p.row, view) + offset_in_row<Spec::dims - Spec::outer>(a, p.p, view) +
         v * a.stride[view][Spec::outer - 1];
}
template <class Spec>
TILEOPS_DEVICE bool exists(const column_place<Spec>&, int) {
  return true;
}
template <class Spec, class Arguments>
TILEOPS_DEVICE i64 offset_at(const Arguments& a, const column_place<Spec>& c, int view, int v) {
  return offset_of_row(a, c.row, view) + v * a.stride[view][Spec::outer - 1];
}

// The step from column to column.
template <access_pattern How, class S, class Spec, class Arguments>
TILEOPS_DEVICE i64 column_step(const Arguments& a, int view) {
  return How == access_pattern::row ? static_cast<i64>(sizeof(S)) : a.stride[view][Spec::outer - 1];
}

template <access_pattern How, class S, class Spec, class Arguments, class Place>
TILEOPS_DEVICE raw_pack<S, Spec::vec> read_columns(const Arguments& a, Place from, bool straight, int view) {
  constexpr int N = Spec::vec;
  raw_pack<S, N> m;
  if (How == access_pattern::row && N > 1 && straight) return load_raw<S, N>(from);
  const i64 step = column_step<How, S, Spec>(a, view);
  const auto first = load_code<S>(from);
#pragma unroll
  for (int v = 0; v < N; ++v)
    m.set(v, v == 0 || How == access_pattern::broadcast ? first : load_code<S>(from + v * step));
  return m;
}
template <access_pattern How, class S, class Spec, class Arguments, class Place>
TILEOPS_DEVICE void put_columns(const Arguments& a, Place to, bool straight, int view,
                                const raw_pack<S, Spec::vec>& y) {
  constexpr int N = Spec::vec;
  if (How == access_pattern::row && N > 1 && straight) return store_vector<S, N>(to, y);
  const i64 step = column_step<How, S, Spec>(a, view);
#pragma unroll
  for (int v = 0; v < N; v += together_v<S>) store_element<S>(to + v * step, y, v);
}

// All columns of element `number` of a piece that lies in one part of memory. Accesses are wide, and elements share
// them: of loads from the same address the compiler makes one.
template <class S, class Spec>
TILEOPS_DEVICE raw_pack<S, Spec::vec> read_of_piece(const void* piece, u32 number) {
  constexpr int N = Spec::vec, each = access_of(N * Spec::packs * sizeof(S)) / sizeof(S);
  raw_pack<S, N> m;
#pragma unroll
  for (int v = 0; v < N; ++v) {
    const u32 at = number * N + v;
    m.set(v, load_raw<S, each>(static_cast<const S*>(piece) + at / each * each).get(at % each));
  }
  return m;
}

// ---- What the text of steps calls, as in transfer.h

template <class S, class Spec, class Arguments>
TILEOPS_DEVICE auto place_of_columns(const Arguments& a, const row_place<Spec>& row, int view) {
  return place_of<S>(a.address[view]) + offset_of_row(a, row, view);
}
// The columns' own place comes first: it is the same for all of their elements.
template <class S, class Spec, class Arguments>
TILEOPS_DEVICE auto place_of_element(const Arguments& a, const column_pack<Spec>& p, int view) {
  return place_of_columns<S>(a, *p.p.row, view) + offset_in_row<Spec::dims - Spec::outer>(a, p.p, view);
}
template <access_pattern How, class S, class Spec, class Arguments>
TILEOPS_DEVICE raw_pack<S, Spec::vec> read_pack_of_row(const Arguments& a, const column_pack<Spec>& p, bool straight,
                                                       int view) {
  if constexpr (How == access_pattern::row && !is_packed_v<S>)
    if ((Spec::side_by_side >> view & 1u) != 0u && straight && p.piece_is_whole)
      return read_of_piece<S, Spec>(
          place_of_columns<S>(a, *p.p.row, view) +
              wide_product(static_cast<i32>(p.first_of_piece), Spec::vec * static_cast<i32>(sizeof(S))),
          p.number);
  raw_pack<S, Spec::vec> m;
  if (!Spec::kept || p.left) m = read_columns<How, S, Spec>(a, place_of_element<S>(a, p, view), straight, view);
  return m;
}
template <access_pattern How, class S, class Spec, class Arguments>
TILEOPS_DEVICE char* stage_pack(const Arguments& a, const column_pack<Spec>& p, bool straight, int view, char* slots,
                                u32 slot) {
  return stage_whole_pack<How, S, Spec>(
      slots, slot, straight, [&] { return place_of_element<S>(a, p, view); },
      [&] { return read_pack_of_row<How, S>(a, p, straight, view); });
}
template <access_pattern How, class S, class Spec, class Arguments>
TILEOPS_DEVICE void put_pack_of_row(const Arguments& a, const column_pack<Spec>& p, bool straight, int view,
                                    const raw_pack<S, Spec::vec>& y) {
  put_columns<How, S, Spec>(a, place_of_element<S>(a, p, view), straight, view, y);
}
template <class A, class Spec, class Arguments>
TILEOPS_DEVICE void index_pack(const Arguments& a, const column_pack<Spec>& p, int view, A (&x)[Spec::vec]) {
  const i64 first = static_cast<i64>(a.address[view]) + offset_of_row(a, *p.p.row, view) +
                    offset_in_row<Spec::dims - Spec::outer>(a, p.p, view);
#pragma unroll
  for (int v = 0; v < Spec::vec; ++v) x[v] = index_value<A>(first + v * a.stride[view][Spec::outer - 1]);
}
template <access_pattern How, class S, class Spec, class Arguments, class A>
TILEOPS_DEVICE void read_of_block(const Arguments& a, const column_place<Spec>& c, int view, A (&x)[Spec::columns]) {
  if constexpr (is_one_of_space(How)) {
    fill(x, value_at<How, S, A>(a, 0, view));
  } else if constexpr (How == access_pattern::index) {
    const i64 first = offset_of_row(a, c.row, view);
#pragma unroll
    for (int v = 0; v < Spec::columns; ++v)
      x[v] = value_at<How, S, A>(a, first + v * a.stride[view][Spec::outer - 1], view);
  } else {
    widen_all(read_columns<How, S, Spec>(a, place_of_columns<S>(a, c.row, view), rows_are_aligned<Spec>(a), view), x);
  }
}
template <access_pattern How, class S, class Spec, class Arguments>
TILEOPS_DEVICE void put_of_block(const Arguments& a, const column_place<Spec>& c, int view,
                                 const raw_pack<S, Spec::columns>& y) {
  put_columns<How, S, Spec>(a, place_of_columns<S>(a, c.row, view), rows_are_aligned<Spec>(a), view, y);
}

}  // namespace kernels
}  // namespace tileops

#endif

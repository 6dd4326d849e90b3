// Reading and writing what a pass of rows has once a block, once a group, or for the elements of a pack. Element-level
// views are of pattern row (one after the other along the innermost dimension), broadcast (the same along it), strided
// or index.
#ifndef TILEOPS_KERNELS_ROWS_TRANSFER_H
#define TILEOPS_KERNELS_ROWS_TRANSFER_H

#include "cuda/kernels/rows/place.h"
#include "tileops/device/cuda/forms/bundles.h"

namespace tileops {
namespace kernels {

// ---- Of a block or a group

template <access_pattern How, class S, class A, class Arguments>
TILEOPS_DEVICE A value_at(const Arguments& a, i64 offset, int view) {
  if constexpr (is_one_of_space(How)) return widen_one<A>(uniform_element<S, How>(a, view));
  else if constexpr (How == access_pattern::index) return index_value<A>(static_cast<i64>(a.address[view]) + offset);
  else return widen_one<A>(load_element<S>(place_of<S>(a.address[view]) + offset));
}
template <access_pattern How, class Spec, class Arguments>
TILEOPS_DEVICE i64 block_offset(const Arguments& a, const row_place<Spec>& row, int view) {
  if constexpr (is_one_of_space(How)) return 0;
  else return offset_of_row(a, row, view);
}
template <access_pattern How, class S, class Spec, class Arguments, class A>
TILEOPS_DEVICE void read_of_block(const Arguments& a, const row_place<Spec>& row, int view, A (&x)[1]) {
  x[0] = value_at<How, S, A>(a, block_offset<How>(a, row, view), view);
}
template <class Spec, class Arguments>
TILEOPS_DEVICE i64 group_offset(const Arguments& a, const row_pack<Spec>& p, int view) {
  return offset_of_row(a, *p.row, view) + offset_in_row<Spec::group_dims>(a, p, view);
}
template <access_pattern How, class S, class Spec, class Arguments, class A>
TILEOPS_DEVICE void read_of_group(const Arguments& a, const row_pack<Spec>& p, int view, A (&x)[1]) {
  x[0] = p.left ? value_at<How, S, A>(a, group_offset(a, p, view), view) : A{};
}
template <class S, class Arguments>
TILEOPS_DEVICE void put_at(const Arguments& a, i64 offset, int view, const raw_pack<S, 1>& y) {
  store_element<S>(place_of<S>(a.address[view]) + offset, y, 0);
}

template <access_pattern How, class S, class Spec, class Arguments>
TILEOPS_DEVICE void put_of_block(const Arguments& a, const row_place<Spec>& row, int view, const raw_pack<S, 1>& y) {
  put_at<S>(a, offset_of_row(a, row, view), view, y);
}
template <access_pattern How, class S, class Spec, class Arguments>
TILEOPS_DEVICE void put_of_group(const Arguments& a, const row_pack<Spec>& p, int view, const raw_pack<S, 1>& y) {
  put_at<S>(a, group_offset(a, p, view), view, y);
}

// ---- Of a pack's elements

// What all elements of a pack have in common, as it lies in memory.
template <class S, int N>
struct one_for_all {
  raw_pack<S, 1> one;
  TILEOPS_DEVICE_MEMBER one_for_all& operator=(const raw_pack<S, N>& all) {
    one.replace(0, all.get(0));
    return *this;
  }
};
template <class A, class S, int N>
TILEOPS_DEVICE void widen_all(const one_for_all<S, N>& x, A (&y)[N]) {
  A one[1];
  widen_all(x.one, one);
  fill(y, one[0]);
}

template <access_pattern How, class S, class Spec, class Arguments>
TILEOPS_DEVICE i64 pack_offset(const Arguments& a, const row_pack<Spec>& p, int view) {
  constexpr int block_dims = row_pack<Spec>::block_dims,
                last = How == access_pattern::row ? block_dims - 1 : block_dims;
  i64 sum = offset_of_row(a, *p.row, view) + offset_in_row<last>(a, p, view);
  if constexpr (How == access_pattern::row) sum += static_cast<i64>(p.at[last]) * static_cast<i64>(sizeof(S));
  return sum;
}
template <access_pattern How, class S, class Spec, class Arguments>
TILEOPS_DEVICE i64 element_step(const Arguments& a, int view) {
  return How == access_pattern::row ? static_cast<i64>(sizeof(S)) : a.stride[view][Spec::dims - 1];
}

// May packs of all views that lie in one piece be one access? Of blocks without elements there are none.
template <class Spec, class Arguments>
TILEOPS_DEVICE bool rows_are_aligned(const Arguments& a) {
  return Spec::aligned && (Spec::vec == 1 || (a.unaligned & Spec::pieces) == 0) && (Spec::no_padding || a.length != 0u);
}
// Is the first pack read where one is not there? That takes no branch.
template <class Spec>
inline constexpr bool reads_first_instead_v = Spec::packs_all_or_nothing && !Spec::no_padding &&
                                              Spec::group_span == 0 && Spec::short_within < 0;

// The same address, computed here: the compiler would compute it again behind the branch of each element that may not
// be there.
TILEOPS_DEVICE const char* kept_address(const char* p) {
  size_t at = __cvta_generic_to_global(p);
  asm volatile("" : "+l"(at));
  return static_cast<const char*>(__cvta_global_to_generic(at));
}
TILEOPS_DEVICE half_bytes kept_address(half_bytes p) { return p; }

// Elements that are not there are 0, or those of the first pack (reads_first_instead_v). `straight`: rows_are_aligned.
template <access_pattern How, class S, class Spec, class Arguments>
TILEOPS_DEVICE raw_pack<S, Spec::vec> read_pack_of_row(const Arguments& a, const row_pack<Spec>& p, bool straight,
                                                       int view) {
  constexpr int N = Spec::vec;
  constexpr bool in_one_piece = How == access_pattern::row && N > 1;
  raw_pack<S, N> m;
  const auto from = place_of<S>(a.address[view]) + pack_offset<How, S>(a, p, view);
  if (in_one_piece && straight && (Spec::no_padding || reads_first_instead_v<Spec> || p.left == N)) {
    m = load_raw<S, N>(from);
  } else if constexpr (How == access_pattern::broadcast) {
    if (Spec::no_padding || p.left) {
      const auto x = load_code<S>(from);
#pragma unroll
      for (int e = 0; e < N; ++e) m.set(e, x);
    }
  } else if (!in_one_piece || !straight || !Spec::packs_all_or_nothing) {
    const i64 step = element_step<How, S, Spec>(a, view);
    const auto first = kept_address(from);
#pragma unroll
    for (int e = 0; e < N; ++e)
      if (Spec::no_padding || static_cast<u32>(e) < p.left) m.set(e, load_code<S>(first + e * step));
  }
  return m;
}

// The value of an index view for each element.
template <class A, class Spec, class Arguments>
TILEOPS_DEVICE void index_pack(const Arguments& a, const row_pack<Spec>& p, int view, A (&x)[Spec::vec]) {
  const i64 first = static_cast<i64>(a.address[view]) + pack_offset<access_pattern::index, u8>(a, p, view);
#pragma unroll
  for (int e = 0; e < Spec::vec; ++e) x[e] = index_value<A>(first + e * a.stride[view][Spec::dims - 1]);
}

// Packs of a warp lie one after the other. Where they are not aligned it hands them on by way of shared memory, so that
// neighbouring lanes write neighbouring elements: packs of 16 bytes written element by element take eight times as
// long.
template <class Spec>
inline constexpr bool hands_packs_on_v = !Spec::aligned && !Spec::consecutive && Spec::vec > 1 && Spec::lanes == 32 &&
                                         Spec::group_span == 0 && Spec::short_within < 0 &&
                                         row_pack<Spec>::block_dims == 1;
template <class S, class Spec, class Arguments>
TILEOPS_DEVICE void put_packs_of_warp(const Arguments& a, const row_pack<Spec>& p, int view,
                                      const raw_pack<S, Spec::vec>& y) {
  constexpr u32 N = Spec::vec, each = 32 * N;
  __shared__ __align__(16) unsigned char elements[Spec::threads / 32][each * sizeof(S)];
  const u32 lane = threadIdx.x & 31u;
  unsigned char* const mine = elements[threadIdx.x / 32u];
  const u64 first = (p.number - lane) * N;
  const u32 count = first >= a.length ? 0u : a.length - first < each ? static_cast<u32>(a.length - first) : each;
  char* const to = const_cast<char*>(bytes_at(a.address[view])) + offset_of_row(a, *p.row, view) +
                   static_cast<i64>(first * sizeof(S));
  __syncwarp();
  store_vector<S, Spec::vec>(mine + lane * (N * sizeof(S)), y);
  __syncwarp();
#pragma unroll
  for (u32 e = 0; e < N; ++e) {
    const u32 at = e * 32u + lane;
    if (at < count) store_one<chunk<sizeof(S)>>(to + at * sizeof(S), load_one<chunk<sizeof(S)>>(mine + at * sizeof(S)));
  }
}

template <access_pattern How, class S, class Spec, class Arguments>
TILEOPS_DEVICE void put_pack_of_row(const Arguments& a, const row_pack<Spec>& p, bool straight, int view,
                                    const raw_pack<S, Spec::vec>& y) {
  if constexpr (hands_packs_on_v<Spec> && How == access_pattern::row && !is_packed_v<S>)
    return put_packs_of_warp<S>(a, p, view, y);
  constexpr int N = Spec::vec;
  constexpr bool in_one_piece = How == access_pattern::row && N > 1;
  const auto to = place_of<S>(a.address[view]) + pack_offset<How, S>(a, p, view);
  if (in_one_piece && straight && (Spec::no_padding || p.left == N)) {
    store_vector<S, N>(to, y);
  } else if (!in_one_piece || !straight || !Spec::packs_all_or_nothing) {
    const i64 step = element_step<How, S, Spec>(a, view);
#pragma unroll
    for (int e = 0; e < N; e += together_v<S>)
      if (Spec::no_padding || static_cast<u32>(e) < p.left) store_element<S>(to + e * step, y, e);
  }
}

// Makes the compiler forget what it has computed of values in storage, which it would keep in registers.
template <class S, int N>
TILEOPS_DEVICE void renew(raw_pack<S, N>& m) {
#pragma unroll
  for (int i = 0; i < raw_pack<S, N>::words; ++i) {
    if constexpr (sizeof(m.w[i]) == 8) {
      asm volatile("" : "+r"(m.w[i].x), "+r"(m.w[i].y));
    } else if constexpr (sizeof(m.w[i]) == 4) {
      asm volatile("" : "+r"(m.w[i]));
    }
  }
}

template <class S, int N>
TILEOPS_DEVICE void renew(one_for_all<S, N>& m) {
  renew(m.one);
}

}  // namespace kernels
}  // namespace tileops

#endif

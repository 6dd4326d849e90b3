// SPDX-License-Identifier: Apache-2.0
// Reading one pack of a view.
#ifndef TILEOPS_DEVICE_CUDA_KERNEL_FETCH_H
#define TILEOPS_DEVICE_CUDA_KERNEL_FETCH_H

#include "../common/narrow.h"
#include "place.h"

namespace tileops {
namespace kernels {

// A load or a store: storage type and access pattern. The ids of a gathered load are of type Ids, in view IdsView; the
// stride and the extent of what they number are the attributes from IdsWord on.
template <class S, access_pattern R, class Ids = void, int IdsView = -1, int IdsWord = 0>
struct access {
  using storage = S;
  using ids = Ids;
  static constexpr access_pattern how = R;
  static constexpr int ids_view = IdsView, ids_word = IdsWord;
};

// Where bits are kept, storage is read as the unsigned integer of its size, which the body's type is.
template <class Spec, class Access, class A>
using storage_of = typename choose<same_v<A, typename Spec::kept_bits>, A, typename Access::storage>::type;

// A view's bit in a word of the argument block. Numbers of views are constants where these functions are called, but no
// template arguments: what views have in common is compiled once.
TILEOPS_DEVICE bool bit_of(u64 word, int view) {
  return static_cast<u32>(view < 32 ? word : word >> 32) >> (view & 31) & 1u;
}

TILEOPS_DEVICE const char* bytes_at(u64 address) { return reinterpret_cast<const char*>(address); }

// What the views of one pack share. Where a pack is whole, its number is all that a dense view needs:
// the positions of others, at the end of the space or interleaved, are found where they are used, so
// that the usual path does not carry them.
template <class Spec>
struct pack_place {
  static constexpr int dims = Spec::dims ? Spec::dims : 1;
  static constexpr bool per_element = Spec::order == traversal_order::elements;
  using coords = coordinates<dims, Spec::index64>;
  u64 number;
  int unit;
  int step = 0;  // along the dimension that a thread repeats
  bool whole;    // every element exists, one after the other
  span where;    // unless the traversal is flat
  coords c[per_element ? Spec::vec : 1];
};

template <class Spec>
inline constexpr bool keeps_packs_v = Spec::how_ragged == ragged::pack_by_pack;

template <class Spec, class Arguments>
TILEOPS_DEVICE bool is_interleaved(const Arguments& a) {
  if constexpr (keeps_packs_v<Spec>) return false;
  else if constexpr (Spec::interleaved) return true;
  else return (static_cast<u32>(a.flags) & static_cast<u32>(kInterleaved)) != 0;
}

// Its coordinates, where packs lie within rows.
template <class Spec, class Arguments>
TILEOPS_DEVICE void locate(const Arguments& a, pack_place<Spec>* p) {
  p->c[0] = coordinates_of<pack_place<Spec>::dims, Spec::index64>(a, p->number);
  p->c[0].at[pack_place<Spec>::dims - 1] *= Spec::vec;
}

template <class Spec, class Arguments>
TILEOPS_DEVICE pack_place<Spec> place_pack(const Arguments& a, int unit) {
  pack_place<Spec> p;
  p.unit = unit;
  p.number = first_pack<Spec::vecs_per_thread>(a.block_number(), unit) + threadIdx.x;
  if constexpr (Spec::order == traversal_order::rows) {
    // `count` counts packs here, and every pack is whole.
    p.whole = p.number < a.count;
    p.where = {0, 1, p.whole ? Spec::vec : 0u};
    locate(a, &p);
  } else if constexpr (Spec::order == traversal_order::flat) {
    p.whole = !is_interleaved<Spec>(a) & (p.number < a.count / Spec::vec);
  } else {
    const bool interleaved = is_interleaved<Spec>(a);
    p.where = span_of<Spec::vec, Spec::vecs_per_thread>(a, interleaved, unit);
    p.whole = !interleaved && p.where.left >= Spec::vec;
#pragma unroll
    for (int e = 0; e < Spec::vec; ++e)
      p.c[e] = coordinates_of<pack_place<Spec>::dims, Spec::index64>(a, p.where.first + p.where.distance(e));
  }
  return p;
}

// Where the elements of a pack are that is not whole.
template <class Spec, class Arguments>
TILEOPS_DEVICE span span_of_place(const Arguments& a, const pack_place<Spec>& p) {
  if constexpr (Spec::order == traversal_order::flat)
    return span_of<Spec::vec, Spec::vecs_per_thread>(a, is_interleaved<Spec>(a), p.unit);
  else return p.where;
}

// Do packs lie within rows, of a square or of the space?
template <class Spec>
inline constexpr bool in_rows_v = Spec::order == traversal_order::rows || Spec::order == traversal_order::tiles;

// Which elements exist: those up to one, or, in rows, often none. In rows of the space it is all or none.
template <class Spec>
TILEOPS_DEVICE bool has_none(const span& s) {
  return in_rows_v<Spec> && s.left == 0;
}
template <class Spec>
TILEOPS_DEVICE bool has(const span& s, int e) {
  return Spec::order == traversal_order::rows || s.has(e);
}

// From one pack of a thread to its next along the repeated dimension: a whole turn of the threads, so that
// neighbours take neighbouring heads (RoPE; next to each other in one thread, a warp's accesses lay scattered).
template <class Spec, class Arguments>
TILEOPS_DEVICE i64 step_stride(const Arguments& a, int view) {
  return a.stride[view][Spec::rows_dim] * static_cast<i64>(a.divide[Spec::rows_dim].extent);
}

// The offset of element e of a pack. Where the pack has no element e, the offset of one that it has.
template <class Spec, class Arguments>
TILEOPS_DEVICE i64 element_offset(const Arguments& a, const pack_place<Spec>& p, int view, const span& s, int e) {
  constexpr int last = pack_place<Spec>::dims - 1;
  if constexpr (Spec::order == traversal_order::elements) return offset_of(a, p.c[e], view);
  else if constexpr (Spec::order == traversal_order::rows && Spec::rows_per_thread > 1)
    return offset_of(a, p.c[0], view) + e * a.stride[view][last] + p.step * step_stride<Spec>(a, view);
  else if constexpr (Spec::order == traversal_order::rows) return offset_of(a, p.c[0], view) + e * a.stride[view][last];
  else if constexpr (Spec::order == traversal_order::tiles)
    return offset_of(a, p.c[0], view) + s.distance(e) * a.stride[view][last];
  else return static_cast<i64>(s.first) * a.stride[view][0] + static_cast<i64>(s.distance(e)) * a.stride[view][0];
}

// The same in bytes from the view's first element; of a dense view of S without its strides.
template <class S, bool dense, class Spec, class Arguments>
TILEOPS_DEVICE i64 byte_offset(const Arguments& a, const pack_place<Spec>& p, int view, const span& s, int e) {
  if constexpr (dense && !in_rows_v<Spec>)
    return static_cast<i64>(s.first * sizeof(S)) + s.distance(e) * static_cast<u32>(sizeof(S));
  else if constexpr (dense && Spec::order == traversal_order::rows)
    return static_cast<i64>((p.number * Spec::vec + static_cast<u64>(e)) * sizeof(S));
  else return element_offset(a, p, view, s, e);
}

// Where a pack lies that is in one piece.
template <class S, bool dense, class Spec, class Arguments>
TILEOPS_DEVICE i64 piece_offset(const Arguments& a, const pack_place<Spec>& p, int view) {
  if constexpr (dense && Spec::order != traversal_order::tiles)
    return static_cast<i64>(p.number * (Spec::vec * sizeof(S)));
  else return element_offset(a, p, view, span{}, 0);
}

// Can a pack of a view lie in one piece?
template <class Spec>
__host__ __device__ constexpr bool in_one_piece(access_pattern how) {
  return how == access_pattern::dense || (how == access_pattern::row && in_rows_v<Spec>);
}

// And may it be one access?
template <class Spec, class Arguments>
TILEOPS_DEVICE bool vector_access(const Arguments& a, const pack_place<Spec>& p, int view) {
  if constexpr (!in_rows_v<Spec> && !keeps_packs_v<Spec>) return p.whole;
  else return !bit_of(a.unaligned, view) && p.whole;
}

// Reads a pack of a view element by element, without converting it.
template <class Access, class S, class Spec, class Arguments>
TILEOPS_DEVICE raw_pack<S, Spec::vec> read_elements(const Arguments& a, const pack_place<Spec>& p, const span& s,
                                                    int view) {
  constexpr bool dense = Access::how == access_pattern::dense;
  raw_pack<S, Spec::vec> raw;
  if (has_none<Spec>(s)) return raw;
#pragma unroll
  for (int e = 0; e < Spec::vec; ++e)
    raw.set(e, load_code<S>(place_of<S>(a.address[view]) + byte_offset<S, dense>(a, p, view, s, e)));
  return raw;
}
// Reads it by one access if it is whole and aligned.
template <class Access, class S, class Spec, class Arguments>
TILEOPS_DEVICE raw_pack<S, Spec::vec> read_pack(const Arguments& a, const pack_place<Spec>& p, int view) {
  constexpr bool dense = Access::how == access_pattern::dense;
  if (in_one_piece<Spec>(Access::how) && vector_access(a, p, view))
    return load_raw<S, Spec::vec>(place_of<S>(a.address[view]) + piece_offset<S, dense>(a, p, view));
  return read_elements<Access, S>(a, p, span_of_place(a, p), view);
}

// The one element of a view that is the same everywhere.
__host__ __device__ constexpr bool is_one_of_space(access_pattern how) {
  return how == access_pattern::uniform || how == access_pattern::immediate;
}
template <class S, access_pattern How, class Arguments>
TILEOPS_DEVICE S uniform_element(const Arguments& a, int view) {
  const u64 word = a.address[view];
  if constexpr (How == access_pattern::immediate) return low_bytes<S>(word);
  else return bit_of(a.immediate, view) ? low_bytes<S>(word) : load_element<S>(place_of<S>(word));
}

// The one element of a view that is the same for the whole pack.
template <class S, access_pattern How, class Spec, class Arguments>
TILEOPS_DEVICE S read_one(const Arguments& a, const pack_place<Spec>& p, int view) {
  if constexpr (is_one_of_space(How)) {
    return uniform_element<S, How>(a, view);
  } else {
    if (p.where.left == 0) return S{};
    return load_element<S>(place_of<S>(a.address[view]) + element_offset(a, p, view, p.where, 0));
  }
}

template <class Spec>
__host__ __device__ constexpr bool is_one_element(access_pattern how) {
  return is_one_of_space(how) || (how == access_pattern::broadcast && in_rows_v<Spec>);
}

// Rows of pairs, the elements of an even and of the next view in turn.
template <class S, class Spec, class Arguments>
TILEOPS_DEVICE raw_pack<S, 2 * Spec::vec> read_pairs(const Arguments& a, const pack_place<Spec>& p, int view) {
  constexpr int N = Spec::vec;
  if (vector_access(a, p, view))
    return load_raw<S, 2 * N>(place_of<S>(a.address[view]) + piece_offset<S, false>(a, p, view));
  raw_pack<S, 2 * N> both;
  const span s = span_of_place(a, p);
  if (has_none<Spec>(s)) return both;
#pragma unroll
  for (int e = 0; e < N; ++e) {
    const i64 at = element_offset(a, p, view, s, e);
    both.set(2 * e, load_code<S>(place_of<S>(a.address[view]) + at));
    both.set(2 * e + 1, load_code<S>(place_of<S>(a.address[view + 1]) + at));
  }
  return both;
}
template <class S, int N, class A, class B>
TILEOPS_DEVICE void widen_pairs(const raw_pack<S, 2 * N>& raw, A (&x)[N], B (&y)[N]) {
  raw_pack<S, N> even, odd;
#pragma unroll
  for (int e = 0; e < N; ++e) {
    even.set(e, raw.get(2 * e));
    odd.set(e, raw.get(2 * e + 1));
  }
  widen_all(even, x);
  widen_all(odd, y);
}

// An index as a body takes it: those that take positions as floats are of positions below 2^24.
template <class A>
TILEOPS_DEVICE A index_value(i64 value) {
  if constexpr (is_float_v<A>) return static_cast<A>(static_cast<i32>(value));
  else return convert<A>(value);
}

// What an element reads as whose id is outside: NaN, of integers 0. In the bits of T as an S of its size.
template <class T, class S>
TILEOPS_DEVICE S outside() {
  if constexpr (is_narrow_v<T> || is_float_v<T>) return __builtin_bit_cast(S, convert<T>(limits<float>::nan()));
  else return S{};
}

// An operand that is computed from its place, or read where ids say.
template <class Access, class A, class Spec, class Arguments>
TILEOPS_DEVICE void find(const Arguments& a, const pack_place<Spec>& p, int view, A (&x)[Spec::vec]) {
  using S = storage_of<Spec, Access, A>;
  constexpr int N = Spec::vec;
  if constexpr (Access::how == access_pattern::index) {
    span s{p.number * N, 1, N};
    if constexpr (Spec::order == traversal_order::flat)
      if (!p.whole) s = span_of_place(a, p);
#pragma unroll
    for (int e = 0; e < N; ++e) {
      x[e] = index_value<A>(static_cast<i64>(a.address[view]) + element_offset(a, p, view, s, e));
    }
  } else {
    const span s = span_of_place(a, p);
#pragma unroll
    for (int e = 0; e < N; ++e) {
      if (!s.has(e)) continue;
      const char* at = bytes_at(a.address[Access::ids_view]) + element_offset(a, p, Access::ids_view, s, e);
      const i64 id = convert<i64>(load_one<typename Access::ids>(at));
      const bool inside = id >= 0 && id < a.attr[Access::ids_word + 1].i64;
      const char* from = bytes_at(a.address[view]) + element_offset(a, p, view, s, e);
      x[e] = widen_one<A>(inside ? load_one<S>(from + id * a.attr[Access::ids_word].i64)
                                 : outside<typename Access::storage, S>());
    }
  }
}

}  // namespace kernels
}  // namespace tileops

#endif

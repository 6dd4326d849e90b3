// Loads and stores of an expression where indices say: integers that its steps give. What they add to an address is
// known only between steps, so that the text of these calls the functions here, each with the place of its elements:
// a type with exists(place, e), of element e, and offset_at(arguments, place, view, e), of bytes from where the view
// begins. Two words an index, its stride and its extent, lie behind the attributes of steps, a view's from `word` on.
#ifndef TILEOPS_KERNELS_GATHER_H
#define TILEOPS_KERNELS_GATHER_H

#include "tileops/device/cuda/kernel/one_by_one.h"

namespace tileops {
namespace kernels {

// ---- Places of plain passes

// Elements of a pack from `first` on.
template <class Spec>
struct pack_elements {
  // Are neighbours in a pack neighbours in the space's innermost dimension?
  static constexpr bool together = !Spec::interleaved && Spec::order != traversal_order::elements;
  const pack_place<Spec>* p;
  span s;
  int first;
};
template <class Spec, class Arguments>
TILEOPS_DEVICE pack_elements<Spec> elements_of(const Arguments& a, const pack_place<Spec>& p, int first) {
  return {&p, span_of_place(a, p), first};
}
template <class Spec>
TILEOPS_DEVICE bool exists(const pack_elements<Spec>& at, int e) {
  return at.s.has(at.first + e);
}
template <class Spec, class Arguments>
TILEOPS_DEVICE i64 offset_at(const Arguments& a, const pack_elements<Spec>& at, int view, int e) {
  return element_offset(a, *at.p, view, at.s, at.first + e);
}

// One of them.
template <class Spec>
struct single_element {
  static constexpr bool together = false;
  const element_place<Spec>* at;
};
template <class Spec, class Arguments>
TILEOPS_DEVICE single_element<Spec> elements_of(const Arguments&, const element_place<Spec>& at, int) {
  return {&at};
}
template <class Spec>
TILEOPS_DEVICE bool exists(const single_element<Spec>&, int) {
  return true;
}
template <class Spec, class Arguments>
TILEOPS_DEVICE i64 offset_at(const Arguments& a, const single_element<Spec>& one, int view, int) {
  return offset_of_element<u8, false>(a, *one.at, view);
}

// ---- Indices

// Adds what they say of element e; false if one of them is outside. An array of one is the same for all elements.
template <class Arguments, int... M>
TILEOPS_DEVICE bool add_indices(const Arguments& a, int word, int e, i64* offset, const i64 (&... index)[M]) {
  bool inside = true;
  const auto add = [&](i64 i) {
    inside &= static_cast<u64>(i) < static_cast<u64>(a.attr[word + 1].i64);
    *offset += static_cast<i64>(static_cast<u64>(i) * static_cast<u64>(a.attr[word].i64));
    word += 2;
  };
  (add(index[M == 1 ? 0 : e]), ...);
  return inside;
}

// What gathered elements are until they are widened: a dtype that has what is outside. It has the values of S.
template <class S>
using gathered_as = typename choose<is_packed_v<S>, e4m3fn, S>::type;
template <class S>
TILEOPS_DEVICE chunk<sizeof(S)> as_gathered(chunk<sizeof(S)> code) {
  if constexpr (is_packed_v<S>) {
    constexpr u64 codes = 0x4c4844403c383000u;  // of 0, 0.5, 1, 1.5, 2, 3, 4, 6
    return static_cast<u8>((codes >> (8 * (code & 7u)) & 0x7fu) | (code & 8u) << 4);
  } else {
    return code;
  }
}
template <class S, int N>
TILEOPS_DEVICE raw_pack<gathered_as<S>, N> all_as_gathered(const raw_pack<S, N>& x) {
  if constexpr (is_packed_v<S>) {
    raw_pack<gathered_as<S>, N> y;
#pragma unroll
    for (int e = 0; e < N; ++e) y.set(e, as_gathered<S>(x.get(e)));
    return y;
  } else {
    return x;
  }
}

// A pack of a view of S. Outside it is NaN, of integers 0, or, with `zero`, 0. `in_one_piece`: along the innermost
// dimension its elements are neighbours and their indices the same.
template <class S, bool zero, bool in_one_piece, int N, class Arguments, class Place, int... M>
TILEOPS_DEVICE raw_pack<gathered_as<S>, N> gathered(const Arguments& a, const Place& at, int view, int word,
                                                    const i64 (&... index)[M]) {
  using C = chunk<sizeof(S)>;
  const auto base = place_of<S>(a.address[view]);
  if constexpr (in_one_piece && Place::together && N > 1) {
    if (exists(at, N - 1)) {
      i64 offset = offset_at(a, at, view, 0);
      const bool inside = add_indices(a, word, 0, &offset, index...);
      if (inside && is_aligned_pack<S, N>(base + offset)) return all_as_gathered<S>(load_raw<S, N>(base + offset));
    }
  }
  raw_pack<gathered_as<S>, N> m;
#pragma unroll
  for (int e = 0; e < N; ++e) {
    i64 offset = offset_at(a, at, view, e);
    const bool inside = add_indices(a, word, e, &offset, index...);
    C x = zero ? C{} : outside<gathered_as<S>, C>();
    if (inside && exists(at, e)) x = as_gathered<S>(load_code<S>(base + offset));
    m.set(e, x);
  }
  return m;
}

// Stores the elements whose indices are inside.
template <bool in_one_piece, class S, int N, class Arguments, class Place, int... M>
TILEOPS_DEVICE void scatter(const Arguments& a, const Place& at, int view, int word, const raw_pack<S, N>& y,
                            const i64 (&... index)[M]) {
  const auto base = place_of<S>(a.address[view]);
  if constexpr (in_one_piece && Place::together && N > 1) {
    if (exists(at, N - 1)) {
      i64 offset = offset_at(a, at, view, 0);
      if (!add_indices(a, word, 0, &offset, index...)) return;
      if (is_aligned_pack<S, N>(base + offset)) return store_vector<S, N>(base + offset, y);
    }
  }
#pragma unroll
  for (int e = 0; e < N; e += together_v<S>) {
    i64 offset = offset_at(a, at, view, e);
    const bool inside = add_indices(a, word, e, &offset, index...);
    if (inside && exists(at, e)) store_element<S>(base + offset, y, e);
  }
}

// Adds the elements whose indices are inside to what is there: integers, of which other threads may add some at once.
template <class S, int N, class Arguments, class Place, int... M>
TILEOPS_DEVICE void scatter_add(const Arguments& a, const Place& at, int view, int word, const raw_pack<S, N>& y,
                                const i64 (&... index)[M]) {
  using Word = typename choose<sizeof(S) == 4, unsigned, unsigned long long>::type;  // as atomicAdd takes them
#pragma unroll
  for (int e = 0; e < N; ++e) {
    i64 offset = offset_at(a, at, view, e);
    const bool inside = add_indices(a, word, e, &offset, index...);
    if (!inside || !exists(at, e)) continue;
    atomicAdd(reinterpret_cast<Word*>(place_of<S>(a.address[view]) + offset), __builtin_bit_cast(Word, y.get(e)));
  }
}

}  // namespace kernels
}  // namespace tileops

#endif

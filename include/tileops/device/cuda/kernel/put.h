// SPDX-License-Identifier: Apache-2.0
// Writing one pack of a view.
#ifndef TILEOPS_DEVICE_CUDA_KERNEL_PUT_H
#define TILEOPS_DEVICE_CUDA_KERNEL_PUT_H

#include "fetch.h"

namespace tileops {
namespace kernels {

// Is storing one by one left to the last pack and to misaligned ones? Then it is a loop, which compiles faster than
// unrolled code.
template <class Spec>
__host__ __device__ constexpr bool is_looped_over(access_pattern how) {
  return in_one_piece<Spec>(how) && Spec::order != traversal_order::elements && !Spec::interleaved;
}

template <class Access, class S, class Spec, class Arguments>
TILEOPS_DEVICE void put(const Arguments& a, const pack_place<Spec>& p, int view, const raw_pack<S, Spec::vec>& y) {
  constexpr int N = Spec::vec;
  constexpr bool dense = Access::how == access_pattern::dense;
  const auto base = place_of<S>(a.address[view]);
  if (in_one_piece<Spec>(Access::how) && vector_access(a, p, view)) {
    store_vector<S, N>(base + piece_offset<S, dense>(a, p, view), y);
  } else {
    const span s = span_of_place(a, p);
    if (has_none<Spec>(s)) return;
    if constexpr (is_looped_over<Spec>(Access::how)) {
      raw_pack<S, N> rest = y;
#pragma unroll 1
      for (int e = 0; e < N && has<Spec>(s, e); e += together_v<S>) {
        store_element<S>(base + byte_offset<S, dense>(a, p, view, s, e), rest, 0);
#pragma unroll
        for (int k = 0; k < together_v<S>; ++k) rest.drop();
      }
    } else {
#pragma unroll
      for (int e = 0; e < N; e += together_v<S>) {
        if (!has<Spec>(s, e)) break;
        store_element<S>(base + byte_offset<S, dense>(a, p, view, s, e), y, e);
      }
    }
  }
}

// The same of a pack that is all there and, if it lies in one piece, aligned.
template <class Access, class S, class Spec, class Arguments>
TILEOPS_DEVICE void put_whole(const Arguments& a, const pack_place<Spec>& p, int view,
                              const raw_pack<S, Spec::vec>& y) {
  constexpr bool dense = Access::how == access_pattern::dense;
  const auto base = place_of<S>(a.address[view]);
  if constexpr (in_one_piece<Spec>(Access::how)) {
    store_vector<S, Spec::vec>(base + piece_offset<S, dense>(a, p, view), y);
  } else {
    const span s = span_of_place(a, p);
#pragma unroll
    for (int e = 0; e < Spec::vec; e += together_v<S>)
      store_element<S>(base + byte_offset<S, dense>(a, p, view, s, e), y, e);
  }
}

template <class S, int N>
TILEOPS_DEVICE raw_pack<S, 2 * N> in_turn(const raw_pack<S, N>& x, const raw_pack<S, N>& y) {
  raw_pack<S, 2 * N> both;
#pragma unroll
  for (int e = 0; e < N; ++e) {
    both.set(2 * e, x.get(e));
    both.set(2 * e + 1, y.get(e));
  }
  return both;
}

// Stores a pack of pairs that is all there and aligned.
template <class S, class Spec, class Arguments, int N>
TILEOPS_DEVICE void put_whole_pairs(const Arguments& a, const pack_place<Spec>& p, int view, const raw_pack<S, N>& x,
                                    const raw_pack<S, N>& y) {
  char* to = const_cast<char*>(bytes_at(a.address[view])) + piece_offset<S, false>(a, p, view);
  store_vector<S, 2 * N>(to, in_turn(x, y));
}

template <class Access, class S, class Spec, class Arguments>
TILEOPS_DEVICE void put_pairs(const Arguments& a, const pack_place<Spec>& p, int view, const raw_pack<S, Spec::vec>& x,
                              const raw_pack<S, Spec::vec>& y) {
  if (vector_access(a, p, view)) {
    put_whole_pairs(a, p, view, x, y);
  } else {
    put<Access>(a, p, view, x);
    put<Access>(a, p, view + 1, y);
  }
}

}  // namespace kernels
}  // namespace tileops

#endif

// SPDX-License-Identifier: Apache-2.0
// One element of a pack, of which a part does not exist, or that is not aligned: where it lies, how it is read and
// written.
#ifndef TILEOPS_DEVICE_CUDA_KERNEL_ONE_BY_ONE_H
#define TILEOPS_DEVICE_CUDA_KERNEL_ONE_BY_ONE_H

#include "put.h"

namespace tileops {
namespace kernels {

// Element e of a pack, which the compiler does not know: its position in the space, its coordinates where there are
// any, and how far it is from the first element of the pack.
template <class Spec>
struct element_place {
  using coords = typename pack_place<Spec>::coords;
  u64 position;
  coords c;
  int e;
};

// Returns whether it exists. Neighbouring threads take neighbouring elements if `interleaved`.
template <class Spec, class Arguments>
TILEOPS_DEVICE bool find_element(const Arguments& a, const pack_place<Spec>& p, bool interleaved, int e,
                                 element_place<Spec>* at) {
  constexpr int N = Spec::vec;
  at->e = e;
  if constexpr (Spec::order == traversal_order::rows) {
    at->position = p.number * N + e;
    at->c = p.c[0];
    return p.whole;
  } else {
    const u64 block = p.number - threadIdx.x;
    at->position = interleaved ? block * N + static_cast<u64>(e) * blockDim.x + threadIdx.x : p.number * N + e;
    if constexpr (Spec::order == traversal_order::elements)
      at->c = coordinates_of<pack_place<Spec>::dims, Spec::index64>(a, at->position);
    return at->position < a.count;
  }
}

// Bytes from the first element of a view of S.
template <class S, bool dense, class Spec, class Arguments>
TILEOPS_DEVICE i64 offset_of_element(const Arguments& a, const element_place<Spec>& at, int view) {
  if constexpr (dense) return static_cast<i64>(at.position * sizeof(S));
  else if constexpr (Spec::order == traversal_order::flat) return static_cast<i64>(at.position) * a.stride[view][0];
  else if constexpr (Spec::order == traversal_order::elements) return offset_of(a, at.c, view);
  else return offset_of(a, at.c, view) + at.e * a.stride[view][pack_place<Spec>::dims - 1];
}

// The element of a view that is read through access L and taken as an A.
template <class L, class A, class Spec, class Arguments>
TILEOPS_DEVICE A read_element(const Arguments& a, const element_place<Spec>& at, int view) {
  using S = typename L::storage;
  if constexpr (is_one_of_space(L::how)) {
    return widen_one<A>(uniform_element<S, L::how>(a, view));
  } else {
    const i64 offset = offset_of_element<S, L::how == access_pattern::dense>(a, at, view);
    if constexpr (L::how == access_pattern::index) return index_value<A>(static_cast<i64>(a.address[view]) + offset);
    else return widen_one<A>(load_element<S>(place_of<S>(a.address[view]) + offset));
  }
}
template <class L, class S, class Spec, class Arguments>
TILEOPS_DEVICE void put_element(const Arguments& a, const element_place<Spec>& at, int view, const raw_pack<S, 1>& y) {
  const i64 offset = offset_of_element<S, L::how == access_pattern::dense>(a, at, view);
  store_element<S>(place_of<S>(a.address[view]) + offset, y, 0);
}

}  // namespace kernels
}  // namespace tileops

#endif

// SPDX-License-Identifier: Apache-2.0
// What a thread has of a row, or of anything: arrays in registers that are brought to each other's type and length, and
// their reduction (functions that the library writes: tileops_plan_device_function).
#ifndef TILEOPS_DEVICE_CUDA_FORMS_BUNDLES_H
#define TILEOPS_DEVICE_CUDA_FORMS_BUNDLES_H

#include "../../reduction_tree.h"
#include "../common/narrow.h"
#include "leaves.h"

namespace tileops {
namespace kernels {

// The same for one element or for as many as there are.
template <class T, int M, int N>
TILEOPS_DEVICE void bring(const T (&from)[M], T (&to)[N]) {
  static_assert(M == N || M == 1, "one for all, or one each");
#pragma unroll
  for (int i = 0; i < N; ++i) to[i] = from[M == 1 ? 0 : i];
}

// A parameter as steps take it: an array, words of narrower elements, or one value for all.
template <class T, class A, int N>
TILEOPS_DEVICE void take(const T (&from)[N], A (&to)[N]) {
#pragma unroll
  for (int i = 0; i < N; ++i) to[i] = widen_one<A>(from[i]);
}
template <class S, class A, int N>
TILEOPS_DEVICE void take(const raw_pack<S, N>& from, A (&to)[N]) {
  widen_all(from, to);
}
template <class T, class A, int N>
TILEOPS_DEVICE void take_one(T from, A (&to)[N]) {
  const A x = widen_one<A>(from);
#pragma unroll
  for (int i = 0; i < N; ++i) to[i] = x;
}

// A result as its parameter has it.
template <class S, int N>
TILEOPS_DEVICE void give_words(const raw_pack<S, N>& from, raw_pack<S, N>& to) {
  to = from;
}
template <class S, class T, int N>
TILEOPS_DEVICE void give(const raw_pack<S, N>& from, T (&to)[N]) {
#pragma unroll
  for (int i = 0; i < N; ++i) to[i] = __builtin_bit_cast(T, from.get(i));
}
template <class S, class T>
TILEOPS_DEVICE void give_one(const raw_pack<S, 1>& from, T& to) {
  to = __builtin_bit_cast(T, from.get(0));
}

// Whether rows can lie so: see over_row.
template <int N, int Lanes, int Pack>
TILEOPS_FN constexpr bool has_packs_of_rows() {
  constexpr bool lanes = Lanes >= 1 && Lanes <= 32 && (Lanes & (Lanes - 1)) == 0;
  constexpr bool packs = N >= 1 && Pack >= 1 && (Pack & (Pack - 1)) == 0 && N % (Pack < 1 ? 1 : Pack) == 0;
  static_assert(lanes, "tileops: Lanes is a power of two up to 32");
  static_assert(packs,
                "tileops: a thread has a power of two elements of a row, or packs of a power of two: NAME<N, Lanes, "
                "Pack>, of which N is a multiple");
  return lanes && packs;
}

// What a row of Length elements comes to, in each of the `Lanes` neighbouring lanes that have it: a power of two, the
// same for all lanes of the warp, and all of them are here. Each has N elements in packs of Pack, a power of two; lane
// i's pack m begins at element (m Lanes + i) Pack of the row. Elements from Length on are identities, whatever they
// are.
template <class R, int N, int Lanes, int Pack, int Length, class Values>
TILEOPS_DEVICE typename R::state over_row(const Values& x) {
  using state = typename R::state;
  constexpr int packs = N / Pack, nodes = Lanes == 1 ? packs : trees::power_of_two_from(packs);
  u32 lane = 0;
  if constexpr (Lanes > 1) asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  lane %= Lanes;
  state s[nodes];
#pragma unroll
  for (int m = 0; m < nodes; ++m) {
    if (m >= packs) {
      s[m] = R::identity();
      continue;
    }
    const u32 first = (static_cast<u32>(m) * Lanes + lane) * Pack;
    state leaf[Pack];
#pragma unroll
    for (int e = 0; e < Pack; ++e) {
      leaf[e] = R::of(x, m * Pack + e, first + e);
      if (N * Lanes > Length && first + e >= Length) leaf[e] = R::identity();
    }
    s[m] = followed<R, Pack>(leaf);
  }
  return trees::over_lanes_and_array<R, Lanes>(s, static_cast<int>(lane));
}

}  // namespace kernels
}  // namespace tileops

#endif

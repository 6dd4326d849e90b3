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

// What a row comes to, in each of the `Lanes` neighbouring lanes that have it: a power of two, the same for all lanes
// of the warp, and all of them are here. Lane i of them has elements i N to i N + N - 1, N a power of two.
template <class R, class Spec, int Lanes, class Values>
TILEOPS_DEVICE typename R::state over_row(const Values& x) {
  static_assert((Spec::vec & (Spec::vec - 1)) == 0, "tileops: a thread has a power of two elements of a row");
  static_assert((Lanes & (Lanes - 1)) == 0 && Lanes >= 1 && Lanes <= 32, "tileops: lanes are a power of two up to 32");
  u32 lane = 0;
  if constexpr (Lanes > 1) asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return trees::over_lanes<R, Lanes>(over_pack<R, Spec>(x, Spec::vec, static_cast<u64>(lane % Lanes) * Spec::vec));
}

}  // namespace kernels
}  // namespace tileops

#endif

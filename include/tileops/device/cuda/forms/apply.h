// SPDX-License-Identifier: Apache-2.0
// A body over the elements of arrays in registers.
#ifndef TILEOPS_DEVICE_CUDA_FORMS_APPLY_H
#define TILEOPS_DEVICE_CUDA_FORMS_APPLY_H

#include "../../bodies.h"
#include "../common/operands.h"
#include "rounding_test.h"

namespace tileops {
namespace kernels {

template <class Body, class... A>
TILEOPS_DEVICE auto apply(const Body& body, A... x) {
  if constexpr (has_rare_v<Body>) return body.rare(x...) ? body.slow(x...) : body(x...);
  else return body(x...);
}

// One element again in f64, for a result that is rounded to a narrower float next. Operands that are
// no floats stay what they are.
template <class A>
TILEOPS_DEVICE auto widened(A x) {
  if constexpr (same_v<A, float>) return static_cast<double>(x);
  else return x;
}
template <class Exact, class... A>
__device__ __noinline__ auto recomputed(const AttrValue* attrs, A... x) {
  return apply(Exact(attrs), x...);
}

// Calls f with the number of every element whose bit in `mask` is set; a warp comes through as often
// as its lane with the most of them.
template <class F>
TILEOPS_DEVICE void for_each_bit(u32 mask, const F& f) {
#pragma unroll 1
  while (mask != 0u) {
    f(__ffs(static_cast<int>(mask)) - 1);
    mask &= mask - 1u;
  }
}

// Element `at` of an array in registers, which have no variable index.
template <class A, int N>
TILEOPS_DEVICE A pick_element(const A (&x)[N], int at) {
  A y = x[0];
#pragma unroll
  for (int i = 1; i < N; ++i) y = at == i ? x[i] : y;
  return y;
}
template <class A, int N>
TILEOPS_DEVICE void place_element(A (&x)[N], int at, A value) {
#pragma unroll
  for (int i = 0; i < N; ++i) x[i] = at == i ? value : x[i];
}
template <class S, int N>
TILEOPS_DEVICE void replace_element(raw_pack<S, N>* y, int at, S value) {
#pragma unroll
  for (int i = 0; i < N; ++i)
    if (at == i) y->replace(i, __builtin_bit_cast(chunk<sizeof(S)>, value));
}

// Most bodies take no attributes.
template <class Body>
TILEOPS_DEVICE Body body_of(const AttrValue* attrs) {
  if constexpr (__is_empty(Body)) return {};
  else return Body(attrs);
}

// r = body(x...), where the elements are not rare. Returns whether some may be.
template <class Body, class R, int N, class... A>
TILEOPS_DEVICE bool results_of(const Body& body, R (&r)[N], const A (&... x)[N]) {
  if constexpr (has_all_v<Body>) {
    return body.all(r, x...);
  } else {
#pragma unroll
    for (int i = 0; i < N; ++i) r[i] = body(x[i]...);
    return true;
  }
}
// One test an element, where the mask takes three.
template <class Body, int N, class... A>
TILEOPS_DEVICE bool any_rare(const Body& body, const A (&... x)[N]) {
  bool any = false;
#pragma unroll
  for (int i = 0; i < N; ++i) any |= body.rare(x[i]...);
  return any;
}
// Bit i: element First + i is rare.
template <class Body, int N, int First = 0, class... A>
TILEOPS_DEVICE u32 rare_ones(const Body& body, const A (&... x)[N]) {
  u32 mask = 0;
#pragma unroll
  for (int i = 0; i < (N - First < 32 ? N - First : 32); ++i) mask |= body.rare(x[First + i]...) ? 1u << i : 0u;
  return mask;
}
// r = body.slow(x...) where it is rare, 32 elements after the other.
template <int First, class Body, class R, int N, class... A>
TILEOPS_DEVICE void replace_rare_ones(const Body& body, R (&r)[N], const A (&... x)[N]) {
  for_each_bit(rare_ones<Body, N, First>(body, x...),
               [&](int at) { place_element(r, First + at, body.slow(pick_element(x, First + at)...)); });
  if constexpr (First + 32 < N) replace_rare_ones<First + 32>(body, r, x...);
}

// r = body(x...).
template <class Body, class R, int N, class... A>
TILEOPS_DEVICE void all_results_of(const Body& body, R (&r)[N], const A (&... x)[N]) {
  const bool maybe_rare = results_of(body, r, x...);
  if constexpr (has_rare_v<Body> && N == 1) {
    if (maybe_rare && body.rare(x[0]...)) r[0] = body.slow(x[0]...);
  } else if constexpr (has_rare_v<Body>) {
    if (maybe_rare && any_rare<Body, N>(body, x...)) replace_rare_ones<0>(body, r, x...);
  }
}

// One value of each result, of element i.
template <int N, int... J, class... R>
TILEOPS_DEVICE void place_results(operands_of<seq<J...>, N, R...>* r, int i, results<R...> values) {
  ((get<J>(*r)[i] = result<J>(values)), ...);
}
template <class Body, int N, int... J, class... R, class... A>
TILEOPS_DEVICE void pack_results(const Body& body, operands_of<seq<J...>, N, R...>* r, const A (&... x)[N]) {
  body.pack(get<J>(*r)..., x...);
}
template <int N>
struct result_arrays {
  template <class... R>
  using of = operands_of<make_seq<sizeof...(R)>, N, R...>;
};

}  // namespace kernels
}  // namespace tileops

#endif

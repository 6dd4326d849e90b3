// SPDX-License-Identifier: Apache-2.0
// The steps of an expression, each on a pack of N elements: what the text of a kernel calls one after
// the other (steps/expression.cc). A step is a body of operands in registers; its results are rounded where they
// are stored or converted, by the operator's own rounding or, of values that were not rounded before, plainly.
#ifndef TILEOPS_DEVICE_CUDA_FORMS_STEPS_H
#define TILEOPS_DEVICE_CUDA_FORMS_STEPS_H

#include "apply.h"
#include "bounded.h"
#include "within_2_20.h"

namespace tileops {
namespace kernels {

// r = body(x...).
template <class Body, class R, int N, class... A>
TILEOPS_DEVICE void apply_body(const AttrValue* attrs, R (&r)[N], const A (&... x)[N]) {
  const Body body = body_of<Body>(attrs);
  if constexpr (has_rare_v<Body> || has_all_v<Body>) {
    all_results_of(body, r, x...);
  } else {
#pragma unroll
    for (int i = 0; i < N; ++i) r[i] = body(x[i]...);
  }
}

// The same out of line, for bodies that an expression has many times.
template <class Body, class... A>
__device__ __noinline__ auto called_body(const AttrValue* attrs, A... x) {
  return apply(body_of<Body>(attrs), x...);
}
template <class Body, class R, int N, class... A>
TILEOPS_DEVICE void call_body(const AttrValue* attrs, R (&r)[N], const A (&... x)[N]) {
#pragma unroll
  for (int i = 0; i < N; ++i) r[i] = called_body<Body>(attrs, x[i]...);
}

// The same for bodies that have several results.
template <class Body, int... J, int N, class... R, class... A>
TILEOPS_DEVICE void apply_body_of_several(const AttrValue* attrs, operands_of<seq<J...>, N, R...>& r,
                                          const A (&... x)[N]) {
  const Body body = body_of<Body>(attrs);
  if constexpr (has_packs_v<Body>) {
    pack_results(body, &r, x...);
  } else {
#pragma unroll
    for (int i = 0; i < N; ++i) place_results(&r, i, apply(body, x[i]...));
  }
}

// Result number I of several, or the only one.
template <int I, class R>
TILEOPS_DEVICE R numbered_result(R r) {
  return r;
}
template <int I, class... R>
TILEOPS_DEVICE auto numbered_result(const results<R...>& r) {
  return result<I>(r);
}

// Those of 32 elements that lie too close to a tie, and of the next 32.
template <class S, u32 ulp, class Exact, int I, int First, int N, class... A>
TILEOPS_DEVICE void recompute_ones(const AttrValue* attrs, const first_look<S, N>& look, const float (&r)[N],
                                   raw_pack<S, N>* y, const A (&... x)[N]) {
  for_each_bit(which_ones<S, ulp, First>(look, r), [&](int i) {
    const auto again = numbered_result<I>(recomputed<Exact>(attrs, widened(pick_element(x, First + i))...));
    replace_element(y, First + i, convert<S>(again));
  });
  if constexpr (First + 32 < N) recompute_ones<S, ulp, Exact, I, First + 32>(attrs, look, r, y, x...);
}

// Results of a body, r = body(x...), within `ulp` of exact ones, in storage: rounded once, those that lie too close to
// a tie from the same body in f64.
template <class S, u32 ulp, class Exact, int I = 0, int N, class... A>
TILEOPS_DEVICE raw_pack<S, N> tested_rounding(const AttrValue* attrs, const float (&r)[N], const A (&... x)[N]) {
  const first_look<S, N> look = look_at<S, ulp>(r);
  raw_pack<S, N> y = look.y;
  if (look.any) {
    if constexpr (!says_which_v<S>) y = narrow_all<S>(r);
    recompute_ones<S, ulp, Exact, I, 0>(attrs, look, r, &y, x...);
  }
  return y;
}

// The results of a body that gives them rounded to odd, rounded to S.
template <class S, class Body, int N, class... A>
TILEOPS_DEVICE raw_pack<S, N> odd_rounding(const AttrValue* attrs, const A (&... x)[N]) {
  const Body body = body_of<Body>(attrs);
  float r[N];
#pragma unroll
  for (int i = 0; i < N; ++i) r[i] = body.round_to_odd(x[i]...);
  return narrow_all<S>(r);
}

// What was rounded to storage, taken from there as S.
template <class S, class T, class A, int N>
TILEOPS_DEVICE void widen_rounded(const raw_pack<T, N>& x, A (&y)[N]) {
  widen_all(__builtin_bit_cast(raw_pack<S, N>, x), y);
}

}  // namespace kernels
}  // namespace tileops

#endif

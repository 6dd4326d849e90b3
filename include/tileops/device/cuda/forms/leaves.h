// SPDX-License-Identifier: Apache-2.0
// From the elements of a pack to its node.
#ifndef TILEOPS_DEVICE_CUDA_FORMS_LEAVES_H
#define TILEOPS_DEVICE_CUDA_FORMS_LEAVES_H

#include "../../log_sum_exp.h"
#include "../../reductions.h"
#include "../common/approximations.h"

namespace tileops {
namespace kernels {

// The node of neighbouring leaves, the first of them at `first`. Of loops over halves the compiler leaves one for 16
// leaves, which then lie in memory.
template <class R, int Count, int N>
TILEOPS_DEVICE typename R::state followed(const typename R::state (&s)[N], int first = 0) {
  if constexpr (Count == 1) return s[first];
  else return R::follow(followed<R, Count / 2>(s, first), followed<R, Count / 2>(s, first + Count / 2));
}

// The node of a pack, of whose elements the first `left` are there; index: of the first of them.
template <class R, class Spec, class Values>
TILEOPS_DEVICE typename R::state over_pack(const Values& x, u32 left, u64 index) {
  using state = typename R::state;
  constexpr int N = Spec::vec;
  if constexpr (R::scales_packs && N <= 16) {
    const u32 there = Spec::no_padding ? N : left;
    state node;
    if (R::A0::scaled_pack(x.r0, there, &node.s0)) return node;
    // Rare: a loop, whose arrays lie in memory.
    state s[N];
#pragma unroll 1
    for (int e = 0; e < N; ++e) s[e] = static_cast<u32>(e) < there ? R::of(x, e, index + e) : R::identity();
    return followed<R, N>(s);
  }
  state s[N];
#pragma unroll
  for (int e = 0; e < N; ++e) {
    s[e] = R::of(x, e, index + e);
    if (!Spec::no_padding && !Spec::packs_all_or_nothing && static_cast<u32>(e) >= left) s[e] = R::identity();
  }
  if (!Spec::no_padding && Spec::packs_all_or_nothing && left == 0u) return R::identity();
  return followed<R, N>(s);
}

// The element at index 0.
template <class T>
struct first_value {
  template <class V>
  struct state {
    T value;
    u32 is_there;
  };
  template <class V = T>
  TILEOPS_DEVICE state<T> identity() {
    return {T{}, 0u};
  }
  TILEOPS_DEVICE state<T> of(T x, i64 index) { return {x, index == 0 ? 1u : 0u}; }
  TILEOPS_DEVICE state<T> merge(state<T> a, state<T> b) { return a.is_there ? a : b; }
  TILEOPS_DEVICE T finish(state<T> a) { return a.value; }
};

// As reductions::extreme, by one instruction: of zeros +0 is the larger one, and NaN wins.
template <bool largest>
struct float_extreme : reductions::extreme<largest, float> {
  using base = reductions::extreme<largest, float>;
  template <class V>
  using state = typename base::template state<V>;
  TILEOPS_DEVICE state<float> of(float x) { return {x}; }
  TILEOPS_DEVICE state<float> merge(state<float> a, state<float> b) {
    return {largest ? approx::max_nan(a.value, b.value) : approx::min_nan(a.value, b.value)};
  }
};

// logsumexp of a pack as most are: every factor is scaled to the largest element's exponent at once. False where one is
// no number, or where the largest is too far from 0. What lies further below it than exponents go counts as nothing:
// that changes no bit, since a rounding hands on 24 digits at most, and the sums of 16 elements are four roundings
// deep.
template <class Base>
struct scaled_packs : Base {
  template <class V>
  using state = typename Base::template state<V>;
  template <int N>
  TILEOPS_DEVICE bool scaled_pack(const float (&x)[N], u32 left, state<float>* to) {
    using b = wide::bounds<float>;
    constexpr float lowest = -0.75f * b::near;
    bool fits = true;
    float v[N], largest = lowest;
#pragma unroll
    for (int e = 0; e < N; ++e) {
      const bool there = static_cast<u32>(e) < left;
      fits = fits && (x[e] < b::near || !there);
      v[e] = there && x[e] > lowest ? x[e] : lowest;
      largest = v[e] > largest ? v[e] : largest;
    }
    if (!(fits && largest > 0.5f * lowest)) return false;
    const float exponent = wide::exp_near(largest).exponent;
#pragma unroll
    for (int e = 0; e < N; ++e) {
      const wide::exp_of<float> one = wide::exp_near(v[e]);
      const float d = one.exponent - exponent;
      v[e] = one.factor * wide::power_of_four<float>::of(d > b::least ? d : b::least);
    }
#pragma unroll
    for (int half = 1; half < N; half *= 2)
#pragma unroll
      for (int e = 0; e < N; e += 2 * half) v[e] += v[e + half];
    *to = {v[0], exponent, largest};
    return true;
  }
};

// As reductions::place, of rows whose indices have 32 bits.
template <bool largest>
struct float_place {
  template <class V>
  struct state {
    float value;
    u32 index;  // the largest one: of no element
  };
  template <class V = float>
  TILEOPS_DEVICE state<float> identity() {
    return {largest ? -limits<float>::inf() : limits<float>::inf(), ~0u};
  }
  TILEOPS_DEVICE state<float> of(float x, i64 index) { return {x, static_cast<u32>(index)}; }
  TILEOPS_DEVICE state<float> merge(state<float> a, state<float> b) {
    const bool wins = reductions::goes_before<largest>(b.value, a.value);
    const bool loses = reductions::goes_before<largest>(a.value, b.value);
    return taken(wins || (!loses && b.index < a.index), a, b);
  }
  // b's elements come behind those of a, if a has any.
  TILEOPS_DEVICE state<float> follow(state<float> a, state<float> b) {
    return taken(reductions::goes_before<largest>(b.value, a.value), a, b);
  }
  TILEOPS_DEVICE i64 finish(state<float> a) { return a.index; }

 private:
  TILEOPS_DEVICE state<float> taken(bool second, state<float> a, state<float> b) {
    return {second ? b.value : a.value, second ? b.index : a.index};
  }
};

}  // namespace kernels
}  // namespace tileops

#endif

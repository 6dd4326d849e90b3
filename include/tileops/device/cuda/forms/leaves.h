// SPDX-License-Identifier: Apache-2.0
// From the elements of a pack to its node.
#ifndef TILEOPS_DEVICE_CUDA_FORMS_LEAVES_H
#define TILEOPS_DEVICE_CUDA_FORMS_LEAVES_H

#include "../../reductions.h"
#include "../common/approximations.h"
#include "log_sum_exp.h"

namespace tileops {
namespace kernels {

// The node of neighbouring leaves, the first of them at `first`. Of loops over halves the compiler leaves one for 16
// leaves, which then lie in memory.
template <class R, int Count, int N>
TILEOPS_DEVICE typename R::state followed(const typename R::state (&s)[N], int first = 0) {
  if constexpr (Count == 1) return s[first];
  else return R::follow(followed<R, Count / 2>(s, first), followed<R, Count / 2>(s, first + Count / 2));
}

// The same of what is rare: a loop, whose arrays lie in memory.
template <class R, class Spec, class Values>
TILEOPS_DEVICE typename R::state one_by_one(const Values& x, u32 left, u64 index) {
  constexpr int N = Spec::vec;
  typename R::state s[N];
#pragma unroll 1
  for (int e = 0; e < N; ++e)
    s[e] = Spec::no_padding || static_cast<u32>(e) < left ? R::of(x, e, index + e) : R::identity();
  return followed<R, N>(s);
}

// The node of a pack, of whose elements the first `left` are there; index: of the first of them.
template <class R, class Spec, class Values>
TILEOPS_DEVICE typename R::state over_pack(const Values& x, u32 left, u64 index) {
  using state = typename R::state;
  constexpr int N = Spec::vec;
  if constexpr (R::scales_packs && N <= 16) {
    const u32 there = Spec::no_padding ? N : left;
    if (const auto all = R::A0::scale_of(R::A0::largest(x.r0, there)); all.fits)
      return {R::A0::node(R::A0::sum(x.r0, there, all), all)};
    return one_by_one<R, Spec>(x, left, index);
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

// Light bodies four elements at a time in words instead of one by one, where packed_forms.h has a form of the body and
// the operands lie so that words can be loaded.
#ifndef TILEOPS_KERNELS_PACKED_H
#define TILEOPS_KERNELS_PACKED_H

#include "cuda/kernels/strategies/packed_forms.h"

namespace tileops {
namespace kernels {
namespace packed {

// What a view must be.
template <class Spec, class S, class Access>
inline constexpr bool fits_v = false;
template <class Spec, class S, access_pattern R>
inline constexpr bool fits_v<Spec, S, access<S, R, void, -1>> = R == access_pattern::dense ||
                                                                R == access_pattern::row ||
                                                                R == access_pattern::strided || is_one_element<Spec>(R);

template <class Spec, class Steps, class Loads, class Stores>
struct use {
  static constexpr bool value = false;
};
template <class Spec, class Steps, class L0, class... L, class A0>
struct use<Spec, Steps, types<L0, L...>, types<A0>> {
  using Body = body_of_step<Steps>;
  using S = typename L0::storage;
  using R = typename A0::storage;
  static TILEOPS_FN constexpr bool wanted() {
    if constexpr (!form<Body, S>::exists || Spec::vec % 4 != 0 || !same_v<typename Spec::kept_bits, void>) return false;
    else if constexpr (has_table_v<form<Body, S>> && !Steps::table) return false;
    else if constexpr (!(fits_v<Spec, S, L0> && ... && fits_v<Spec, S, L>)) return false;
    else if constexpr (form<Body, S>::truths) return same_v<R, bool8>;
    else return same_v<R, S> || (is_fp8_v<R> && is_fp8_v<S> && is_e4m3_v<R> == is_e4m3_v<S>);
  }
  static constexpr bool value = (TILEOPS_HAS_FP8 || !is_fp8_v<S>) && wanted();
};

// The words of an operand, of one element as many as of a pack.
template <class Staged, class S = typename Staged::S>
TILEOPS_DEVICE raw_pack<S, Staged::N> words_of(const Staged& staged) {
  if constexpr (Staged::one) {
    raw_pack<S, Staged::N> x;
    const u32 word = staged.memory.bits * (sizeof(S) == 1 ? 0x01010101u : 0x00010001u);
#pragma unroll
    for (int i = 0; i < x.words; ++i) x.w[i] = word;
    return x;
  } else {
    return staged.memory;
  }
}

template <class Body, class R, int N, class X, int... I>
TILEOPS_DEVICE raw_pack<R, N> words_of_step(seq<I...>, const X& x) {
  using S = typename X::storage;
  raw_pack<R, N> y;
#pragma unroll
  for (int i = 0; i < y.words; ++i) y.w[i] = form<Body, S>::template word<R>(x.operand[I].w[i]...);
  return y;
}

template <class S, int N, int Count>
struct operands {
  using storage = S;
  raw_pack<S, N> operand[Count];
};

}  // namespace packed
}  // namespace kernels
}  // namespace tileops

#endif

// SPDX-License-Identifier: Apache-2.0
// The operands of a body, a pack of each, and what bodies say of themselves.
#ifndef TILEOPS_DEVICE_CUDA_COMMON_OPERANDS_H
#define TILEOPS_DEVICE_CUDA_COMMON_OPERANDS_H

#include "pack.h"

namespace tileops {
namespace kernels {

template <int... I>
struct seq {};
template <int N, int... I>
struct make_seq_of : make_seq_of<N - 1, N - 1, I...> {};
template <int... I>
struct make_seq_of<0, I...> {
  using type = seq<I...>;
};
template <int N>
using make_seq = typename make_seq_of<N>::type;

template <class... A>
struct types {
  static constexpr int count = sizeof...(A);
};
template <class T>
struct first_type;
template <class A0, class... A>
struct first_type<types<A0, A...>> {
  using type = A0;
};

template <int I, class T>
struct nth_type;
template <int I, class A0, class... A>
struct nth_type<I, types<A0, A...>> : nth_type<I - 1, types<A...>> {};
template <class A0, class... A>
struct nth_type<0, types<A0, A...>> {
  using type = A0;
};

// To<A...> of types<A...>.
template <template <class...> class To, class T>
struct types_to;
template <template <class...> class To, class... A>
struct types_to<To, types<A...>> {
  using type = To<A...>;
};

// N values of each of a body's operands, or of its results.
template <int I, class A, int N>
struct operand {
  A value[N] = {};
};
template <class Seq, int N, class... A>
struct operands_of;
template <int... I, int N, class... A>
struct operands_of<seq<I...>, N, A...> : operand<I, A, N>... {};
template <int I, class A, int N>
TILEOPS_DEVICE A (&get(operand<I, A, N>& x)) [N] { return x.value; } template <int I, class A, int N>
                                             TILEOPS_DEVICE const A (&get(const operand<I, A, N>& x))
                                                 [N] { return x.value; }

template <class A, int N>
TILEOPS_DEVICE void fill(A (&x)[N], A value) {
#pragma unroll
  for (int i = 0; i < N; ++i) x[i] = value;
}

// M elements of an array from `first` on.
template <int M, class A, int N>
TILEOPS_DEVICE const A (&part_at(const A (&x)[N], int first))
    [M] { return *reinterpret_cast<const A(*)[M]>(x + first); }

// M of them from First on.
template <int First, int M, int... I, int N, class... A>
TILEOPS_DEVICE operands_of<seq<I...>, M, A...> part_of(const operands_of<seq<I...>, N, A...>& x) {
  operands_of<seq<I...>, M, A...> y;
#pragma unroll
  for (int i = 0; i < M; ++i) ((get<I>(y)[i] = get<I>(x)[First + i]), ...);
  return y;
}

// A pack in storage of each of the results that are stored, which are a body's first ones.
template <int I, class S, int N>
struct stored {
  raw_pack<S, N> pack;
};
template <class Seq, int N, class... S>
struct stored_packs;
template <int... I, int N, class... S>
struct stored_packs<seq<I...>, N, S...> : stored<I, S, N>... {};
template <int I, class S, int N>
TILEOPS_DEVICE raw_pack<S, N>& pack_of(stored<I, S, N>& y) {
  return y.pack;
}
template <int I, class S, int N>
TILEOPS_DEVICE const raw_pack<S, N>& pack_of(const stored<I, S, N>& y) {
  return y.pack;
}

template <class B, class = void>
inline constexpr bool has_bound_v = false;
template <class B>
inline constexpr bool has_bound_v<B, void_of<decltype(B::ulp)>> = true;

// Bodies that look at a pack before they choose how to do it.
template <class B, class = void>
inline constexpr bool has_all_v = false;
template <class B>
inline constexpr bool has_all_v<B, void_of<decltype(B::packs_apart)>> = true;

// Likewise for results rounded to odd.
template <class B, class = void>
inline constexpr bool has_odd_packs_v = false;
template <class B>
inline constexpr bool has_odd_packs_v<B, void_of<decltype(B::odd_packs)>> = true;

// Bodies whose rare operands are those below a bound (in the first of them).
template <class B, class = void>
inline constexpr bool has_left_v = false;
template <class B>
inline constexpr bool has_left_v<B, void_of<decltype(B::left)>> = true;

// Bodies that do a pack at once: Philox gives four words at a time.
template <class B, class = void>
inline constexpr bool has_packs_v = false;
template <class B>
inline constexpr bool has_packs_v<B, void_of<decltype(B::packs)>> = B::packs;

}  // namespace kernels
}  // namespace tileops

#endif

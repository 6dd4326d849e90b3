// SPDX-License-Identifier: Apache-2.0
// How functors are called on the elements of a pack: ../transform.h says what a functor may be.
#ifndef TILEOPS_DEVICE_TRANSFORM_FUNCTOR_H
#define TILEOPS_DEVICE_TRANSFORM_FUNCTOR_H

#include "../cuda/apply.h"
#include "../cuda/common/narrow.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

// Functors that look at two neighbours at once get them, and return them, as they lie in memory: of bf16 x.w[0] is a
// bf16x2.
template <class S>
using pair_of = kernels::raw_pack<element_t<S>, 2>;

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail

namespace kernels {

// What a functor gets of an element S in memory: floats narrower than float as these.
template <class S>
using value_of = typename choose<is_narrow_v<S>, float, S>::type;

template <class T>
__host__ __device__ T&& any();  // of a type, in expressions that are not evaluated

template <class F, class = void>
struct made_by {  // what a functor, or a factory of them, is on the device
  using type = F;
  static constexpr bool factory = false;
};
template <class F>
struct made_by<F, void_of<decltype(any<const F&>().make())>> {
  using type = decltype(any<const F&>().make());
  static constexpr bool factory = true;
};

template <class Void, class F, int N, class In, class Out>
inline constexpr bool takes_arrays_of = false;
template <class F, int N, class... S, class... T>
inline constexpr bool takes_arrays_of<
    void_of<decltype(any<const F&>().arrays(any<const value_of<S> (&)[N]>()..., any<value_of<T> (&)[N]>()...))>, F, N,
    types<S...>, types<T...>> = true;
template <class F, int N, class In, class Out>
inline constexpr bool takes_arrays_v = takes_arrays_of<void, F, N, In, Out>;

template <class Void, class F, class In>
inline constexpr bool takes_pairs_of = false;
template <class F, class... S>
inline constexpr bool takes_pairs_of<void_of<decltype(any<const F&>().apply2(any<pair_of<S>>()...))>, F, types<S...>> =
    true;
template <class F, class In>
inline constexpr bool takes_pairs_v = takes_pairs_of<void, F, In>;

// What a function of an expression takes of N elements S: an array, and of floats that C++ does not have the words.
template <class S, int N>
struct array_given {
  using type = S[N];
};
template <class S, int N>
struct words_given {
  using type = raw_pack<S, N>;
};
template <class S, int N>
using given = typename choose<is_narrow_v<S>, words_given<S, N>, array_given<S, N>>::type::type;

template <class Void, class F, int N, class In, class Out>
inline constexpr bool takes_packs_of = false;
template <class F, int N, class... S, class... T>
inline constexpr bool
    takes_packs_of<void_of<decltype(any<const F&>().packs(any<const given<S, N>&>()..., any<given<T, N>&>()...))>, F, N,
                   types<S...>, types<T...>> = true;
template <class F, int N, class In, class Out>
inline constexpr bool takes_packs_v = takes_packs_of<void, F, N, In, Out>;

template <int I, class S, int N>
struct given_operand {
  given<S, N> value;
  TILEOPS_DEVICE_MEMBER void set(const raw_pack<S, N>& x) {
    if constexpr (is_narrow_v<S>) value = x;
    else widen_all(x, value);
  }
  TILEOPS_DEVICE_MEMBER raw_pack<S, N> pack() const {
    if constexpr (is_narrow_v<S>) return value;
    else return narrow_all<S>(value);
  }
};
template <class Seq, int N, class... S>
struct given_operands;
template <int... I, int N, class... S>
struct given_operands<seq<I...>, N, S...> : given_operand<I, S, N>... {};
template <int I, class S, int N>
TILEOPS_DEVICE given_operand<I, S, N>& operand_number(given_operand<I, S, N>& x) {
  return x;
}

// Elements 2 * i and 2 * i + 1.
template <class S, int N>
TILEOPS_DEVICE pair_of<S> pair_at(const raw_pack<S, N>& x, int i) {
  pair_of<S> y;
  y.set(0, x.get(2 * i));
  y.set(1, x.get(2 * i + 1));
  return y;
}
template <class S, int N>
TILEOPS_DEVICE void place_pair(raw_pack<S, N>* y, int i, const pair_of<S>& x) {
  y->set(2 * i, x.get(0));
  y->set(2 * i + 1, x.get(1));
}

template <int I, class... R>
TILEOPS_DEVICE auto result_number(const results<R...>& r) {
  return result<I>(r);
}
template <int I, class R>
TILEOPS_DEVICE const R& result_number(const R& r) {
  static_assert(I == 0, "tileops transform: a functor of several results returns results<...>");
  return r;
}

// y = f(x...) of N elements: pairs, whole packs, whole arrays or single elements, whichever the functor takes first of
// these.
template <class F, int N, int... I, class... S, int... K, class... T>
TILEOPS_DEVICE void call_with(const F& f, const stored_packs<seq<I...>, N, S...>& x,
                              stored_packs<seq<K...>, N, T...>* y) {
  if constexpr (N > 1 && N % 2 == 0 && takes_pairs_v<F, types<S...>>) {
#pragma unroll
    for (int i = 0; i < N / 2; ++i) {
      const auto r = f.apply2(pair_at(pack_of<I>(x), i)...);
      (place_pair(&pack_of<K>(*y), i, result_number<K>(r)), ...);
    }
  } else if constexpr (takes_packs_v<F, N, types<S...>, types<T...>>) {
    given_operands<seq<I...>, N, S...> values;
    given_operands<seq<K...>, N, T...> r;
    (operand_number<I>(values).set(pack_of<I>(x)), ...);
    f.packs(static_cast<const given<S, N>&>(operand_number<I>(values).value)..., operand_number<K>(r).value...);
    ((pack_of<K>(*y) = operand_number<K>(r).pack()), ...);
  } else {
    operands_of<seq<I...>, N, value_of<S>...> values;
    (widen_all(pack_of<I>(x), get<I>(values)), ...);
    if constexpr (takes_arrays_v<F, N, types<S...>, types<T...>>) {
      operands_of<seq<K...>, N, value_of<T>...> r;
      f.arrays(static_cast<const value_of<S>(&)[N]>(get<I>(values))..., get<K>(r)...);
      ((pack_of<K>(*y) = narrow_all<T>(get<K>(r))), ...);
    } else if constexpr (sizeof...(T) == 1) {
      using R = decltype(f(get<I>(values)[0]...));
      R r[N];
      all_results_of(f, r, get<I>(values)...);
      ((pack_of<K>(*y) = narrow_all<T>(array_as<element_t<R>, same_v<R, element_t<R>>, R, N>(r).v)), ...);
    } else {
      operands_of<seq<K...>, N, value_of<T>...> r;
#pragma unroll
      for (int i = 0; i < N; ++i) {
        const auto one = apply(f, get<I>(values)[i]...);
        ((get<K>(r)[i] = result_number<K>(one)), ...);
      }
      ((pack_of<K>(*y) = narrow_all<T>(get<K>(r))), ...);
    }
  }
}

// Does the functor's operator() name a type of other headers, such as __half? Then it gets these as they are.
template <class X>
struct bare_of {
  using type = X;
};
template <class X>
struct bare_of<const X> : bare_of<X> {};
template <class X>
struct bare_of<X&> : bare_of<X> {};
template <class M>
inline constexpr bool names_other_v = false;
template <class C, class R, class... A>
inline constexpr bool names_other_v<R (C::*)(A...) const> = (is_foreign_v<typename bare_of<A>::type> || ...);
template <class F, class = void>
inline constexpr bool takes_others_v = false;
template <class F>
inline constexpr bool takes_others_v<F, void_of<decltype(&F::operator())>> = names_other_v<decltype(&F::operator())>;

// Does a functor take anything of these?
template <class Void, class F, class In>
inline constexpr bool takes_values_of = false;
template <class F, class... S>
inline constexpr bool takes_values_of<void_of<decltype(any<const F&>()(any<value_of<S>>()...))>, F, types<S...>> = true;
template <class F, int N, class In, class Out, class InElements, class OutElements>
TILEOPS_FN constexpr bool takes_some() {
  if constexpr (takes_pairs_v<F, InElements> || takes_packs_v<F, N, InElements, OutElements> ||
                takes_packs_v<F, N, In, Out> || takes_arrays_v<F, N, InElements, OutElements> ||
                takes_arrays_v<F, N, In, Out>)
    return true;
  else if constexpr (takes_values_of<void, F, InElements>) return true;
  else return takes_values_of<void, F, In>;
}

// How a functor takes such: as this library's elements, as its operands alone are, or all as they are.
enum class others { elements, operands, all };
template <class F, int N, class In, class Out, class InElements, class OutElements>
TILEOPS_FN constexpr others how_it_takes_others() {
  if constexpr (same_v<In, InElements> && same_v<Out, OutElements>) return others::all;
  else if constexpr (takes_pairs_v<F, InElements> || takes_packs_v<F, N, InElements, OutElements>)
    return others::elements;
  else if constexpr (takes_packs_v<F, N, In, Out>) return others::all;
  else if constexpr (takes_arrays_v<F, N, InElements, OutElements>) return others::elements;
  else if constexpr (takes_arrays_v<F, N, In, Out>) return others::all;
  else return takes_others_v<F> ? others::operands : others::elements;
}
// The same words.
template <int N, int... I, class... S, class... E>
TILEOPS_DEVICE void recast(const stored_packs<seq<I...>, N, S...>& x, stored_packs<seq<I...>, N, E...>* y) {
  ((pack_of<I>(*y) = __builtin_bit_cast(raw_pack<E, N>, pack_of<I>(x))), ...);
}

// The same of elements that may be of other headers.
template <class F, int N, int... I, class... S, int... K, class... T>
TILEOPS_DEVICE void call_functor(const F& f, const stored_packs<seq<I...>, N, S...>& x,
                                 stored_packs<seq<K...>, N, T...>* y) {
  constexpr others how =
      how_it_takes_others<F, N, types<S...>, types<T...>, types<element_t<S>...>, types<element_t<T>...>>();
  constexpr bool takes = takes_some<F, N, types<S...>, types<T...>, types<element_t<S>...>, types<element_t<T>...>>();
  static_assert(
      takes, "tileops transform: the functor takes no such operands: of __device__ const members operator(), arrays, "
             "packs or apply2 one takes as many, of these types");
  if constexpr (!takes) {
    return;
  } else if constexpr (how == others::all) {
    call_with(f, x, y);
  } else {
    stored_packs<seq<K...>, N, element_t<T>...> r;
    if constexpr (how == others::operands) {
      call_with(f, x, &r);
    } else {
      stored_packs<seq<I...>, N, element_t<S>...> elements;
      recast(x, &elements);
      call_with(f, elements, &r);
    }
    recast(r, y);
  }
}

}  // namespace kernels

namespace device {
using device_detail::pair_of;
}  // namespace device
}  // namespace tileops

#endif

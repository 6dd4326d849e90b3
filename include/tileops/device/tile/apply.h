// SPDX-License-Identifier: Apache-2.0
// A functor over tiles, each thread on the elements that it has: no thread waits for another.
//
//   apply(f, x)                     x = f(x)
//   apply(f, x, y..., out)          out = f(x, y...)
//   apply_bundle(f, x..., out...)   f once, on arrays of a thread's elements: float (&x)[N] and so on, as the operators
//                                   of cuda.h and the functions that expressions become take them; those of vectors
//                                   are const
//
// Operands are tiles, row and column vectors, which are repeated, and numbers; results are tiles. All tiles and vectors
// of a call have one layout. Others are refused by the compiler: an element would meet one that another thread has.
#ifndef TILEOPS_DEVICE_TILE_APPLY_H
#define TILEOPS_DEVICE_TILE_APPLY_H

#include "tile.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace tiles {

template <class X>
struct plain_of {
  using type = X;
};
template <class X>
struct plain_of<const X> {
  using type = X;
};
template <class X>
struct plain_of<X&> : plain_of<X> {};
template <class X>
using plain = typename plain_of<X>::type;
template <class X>
struct without_reference_of {
  using type = X;
};
template <class X>
struct without_reference_of<X&> {
  using type = X;
};

// The layout of an argument, void of numbers.
template <class X, class = void>
struct layout_of {
  using type = void;
  static constexpr bool is_tile = false;
};
template <class X>
struct layout_of<X, void_of<typename X::layout>> {
  using type = typename X::layout;
  static constexpr bool is_tile = X::is_tile;
};
template <class X>
using layout = typename layout_of<plain<X>>::type;
template <class X>
inline constexpr bool is_tile_v = layout_of<plain<X>>::is_tile;

// Can the elements of a tile be written?
template <class X>
inline constexpr bool is_const_array_v = false;
template <class T, unsigned long N>
inline constexpr bool is_const_array_v<const T (&)[N]> = true;
template <class X>
inline constexpr bool is_written_v =
    !is_const_array_v<decltype((static_cast<typename without_reference_of<X>::type*>(nullptr)->v))>;

// The layout of the first tile among the arguments.
template <bool IsTile, class... X>
struct first_layout_of;
template <class X, class... More>
struct first_layout_of<true, X, More...> {
  using type = layout<X>;
};
template <class X, class Next, class... More>
struct first_layout_of<false, X, Next, More...> : first_layout_of<is_tile_v<Next>, Next, More...> {};
template <class... X>
using first_layout = typename first_layout_of<false, void, X...>::type;

template <class Layout, class X>
inline constexpr bool fits_v = same_v<layout<X>, void> || same_v<layout<X>, Layout>;

// Whether the arguments have one layout; of others a line says so, and nothing more is compiled that would complain.
template <class... X>
TILEOPS_FN constexpr bool have_one_layout() {
  constexpr bool one = (fits_v<first_layout<X...>, X> && ...);
  static_assert(one, "tileops: tiles of different layouts in one call, whose elements lie in different threads");
  return one;
}

template <class X>
TILEOPS_FN auto element(const X& x, int i) {
  if constexpr (same_v<layout<X>, void>) return x;
  else return x.at(i);
}

template <int... I>
struct numbers {};
template <int N, int... I>
struct numbers_below : numbers_below<N - 1, N - 1, I...> {};
template <int... I>
struct numbers_below<0, I...> {
  using type = numbers<I...>;
};
template <int I, class A, class... B>
TILEOPS_FN auto& argument(A& a, [[maybe_unused]] B&... b) {
  if constexpr (I == 0) return a;
  else return argument<I - 1>(b...);
}

// The last argument is the result.
template <int... I, class F, class... X>
TILEOPS_FN void apply_to_each(numbers<I...>, const F& f, X&... x) {
  auto& out = argument<sizeof...(X) - 1>(x...);
  constexpr bool is_tile = is_tile_v<decltype(out)>;
  static_assert(is_tile, "tileops apply: the last argument is the result and must be a tile");
  if constexpr (is_tile) {
    constexpr bool is_written = is_written_v<decltype(out)>;
    static_assert(is_written, "tileops apply: the result must not be const");
    if constexpr (is_written) {
      TILEOPS_UNROLL
      for (int i = 0; i < layout<decltype(out)>::elements; ++i) out.v[i] = f(element(argument<I>(x...), i)...);
    }
  }
}

// An argument as an array of the elements of a thread: of a vector one that cannot be written, as no result could be
// put back.
template <class Layout, class X, bool IsTile = is_tile_v<X>, bool IsVector = !IsTile && !same_v<layout<X>, void>>
struct bundle {
  X& x;
  TILEOPS_FN X& array() const { return x; }
};
template <class Layout, class X>
struct bundle<Layout, X, true, false> {
  X& x;
  TILEOPS_FN auto& array() const { return x.v; }
};
template <class Layout, class X>
struct bundle<Layout, X, false, true> {
  using T = typename plain<X>::value_type;
  T v[Layout::elements];
  TILEOPS_FN explicit bundle(X& x) {
    TILEOPS_UNROLL
    for (int i = 0; i < Layout::elements; ++i) v[i] = x.at(i);
  }
  TILEOPS_FN const T (&array() const)[Layout::elements] { return v; }
};
template <class F, class... B>
TILEOPS_FN void call_with(const F& f, const B&... bundles) {
  f(bundles.array()...);
}

template <bool>
struct if_true {};
template <>
struct if_true<true> {
  using type = void;
};
template <class... X>
using if_any_is_tile = typename if_true<(is_tile_v<X> || ...)>::type;

}  // namespace tiles

template <class F, class... X, class = tiles::if_any_is_tile<X...>>
TILEOPS_FN void apply(const F& f, X&&... x) {
  constexpr int operands = sizeof...(X) == 1 ? 1 : static_cast<int>(sizeof...(X)) - 1;
  if constexpr (tiles::have_one_layout<X...>())
    tiles::apply_to_each(typename tiles::numbers_below<operands>::type{}, f, x...);
}

template <class F, class... X, class = tiles::if_any_is_tile<X...>>
TILEOPS_FN void apply_bundle(const F& f, X&&... x) {
  if constexpr (tiles::have_one_layout<X...>()) {
    using Layout = tiles::first_layout<X...>;
    tiles::call_with(f, tiles::bundle<Layout, typename tiles::without_reference_of<X>::type>{x}...);
  }
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail

namespace device {
using device_detail::apply;
using device_detail::apply_bundle;
}  // namespace device
}  // namespace tileops

#endif

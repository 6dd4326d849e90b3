// SPDX-License-Identifier: Apache-2.0
// Operators over arrays in registers, as fragments of tensor cores are: each thread its own, no thread waits for
// another.
//
//   float v[8];
//   apply<op::gelu, bounded>(v);                          // in place
//   apply<op::silu_and_mul, within_2_20>(gate, up, out);  // of several operands: the result is the last array
//   apply<op::leaky_relu, bit_exact>(v, 0.01);            // attributes are numbers behind the arrays
//
// Arrays have equal lengths, any from 1 on, and lie in registers where their indices are known when compiling, as they
// are here. The result may be an operand. Values are float, double, or integers where docs/operators.md says so;
// results of comparisons are bool. Narrower floats (f16, __half, __nv_bfloat16..., see ../element.h) are computed as
// float, and results of such are rounded once.
#ifndef TILEOPS_DEVICE_CUDA_APPLY_H
#define TILEOPS_DEVICE_CUDA_APPLY_H

#include "call.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

// An array as one of T: itself, or its elements widened.
template <class T, bool Same, class X, int N>
struct array_as {
  const X (&v)[N];
  TILEOPS_DEVICE_MEMBER explicit array_as(const X (&x)[N]) : v(x) {}
};
template <class T, class X, int N>
struct array_as<T, false, X, N> {
  T v[N];
  TILEOPS_DEVICE_MEMBER explicit array_as(const X (&x)[N]) {
    TILEOPS_UNROLL
    for (int i = 0; i < N; ++i) v[i] = kernels::widen_one<T>(to_element(x[i]));
  }
};
template <class T, class X, int N>
using computed_array = array_as<T, same_v<X, T>, X, N>;
// A condition stays one.
template <class T, class X>
using operand_as = typename kernels::choose<same_v<X, bool>, bool, T>::type;

// y = op(x...), of values that the operator computes with.
template <template <class, class> class Op, class Policy, class T, class Y, int N, class... X>
__device__ __forceinline__ void apply_to(const AttrValue* attributes, Y (&y)[N], const X (&... x)[N]) {
  using body = typename form_of<Op, Policy, T>::body;
  using result = typename result_traits<typename signature_of<body>::result>::first;
  result r[N];
  kernels::apply_body<body>(attributes, r, x...);
  if constexpr (same_v<result, Y>) {
    TILEOPS_UNROLL
    for (int i = 0; i < N; ++i) y[i] = r[i];
  } else {
    const auto p = kernels::narrow_all<element_t<Y>>(r);
    TILEOPS_UNROLL
    for (int i = 0; i < N; ++i) y[i] = from_element<Y>(__builtin_bit_cast(element_t<Y>, p.get(i)));
  }
}
template <template <class, class> class Op, class Policy, class T, class Y, int N, class... X>
__device__ __forceinline__ void apply_to_elements(const AttrValue* attributes, Y (&y)[N], const X (&... x)[N]) {
  apply_to<Op, Policy, T>(attributes, y, computed_array<operand_as<T, X>, X, N>(x).v...);
}

template <template <class, class> class Op, class Policy, int... I, int... K, class... X>
__device__ __forceinline__ void apply_arguments(kernels::seq<I...>, kernels::seq<K...>, X&... x) {
  using A = arguments_of<X...>;
  using T = typename operand_types<A, kernels::seq<I...>>::last;
  const AttrValue attributes[sizeof...(K) + 1] = {attribute_of<Op, T>(argument_at<A::arrays + K>(x...))..., {}};
  apply_to_elements<Op, Policy, T>(attributes, argument_at<A::arrays - 1>(x...), argument_at<I>(x...)...);
}

template <class X, class = void>
inline constexpr bool is_part_of_tile_v = false;  // tile/operators.h takes these
template <class X>
inline constexpr bool is_part_of_tile_v<X, void_of<decltype(X::is_tile)>> = true;
template <class X>
inline constexpr bool is_part_of_tile_v<X&> = is_part_of_tile_v<X>;
template <bool>
struct if_true {};
template <>
struct if_true<true> {
  using type = void;
};
template <class... X>
using if_no_tile = typename if_true<!(is_part_of_tile_v<X> || ...)>::type;

// x = op(x, k...), y = op(x, k...), z = op(x, y, k...), r = op(x, y, z, k...); where() has a bool first.
template <template <class, class> class Op, class Policy, class... X, class = if_no_tile<X...>>
__device__ __forceinline__ void apply(X&&... x) {
  if constexpr (are_arguments<Op, Policy, X...>()) {
    using A = arguments_of<X...>;
    apply_arguments<Op, Policy>(kernels::make_seq<A::operands>{}, kernels::make_seq<A::numbers>{}, x...);
  }
}
// Without a policy.
template <template <class, class> class Op, class... X>
__device__ __forceinline__ void apply(X&&...) {
  static_assert(sizeof...(X) == 0 && sizeof...(X) == 1,
                "tileops apply: say which policy, apply<op::NAME, POLICY>(...): bit_exact, bounded or within_2_20");
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail

namespace device {
using device_detail::apply;
}  // namespace device
}  // namespace tileops

#endif

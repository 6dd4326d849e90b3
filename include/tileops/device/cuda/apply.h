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
// results of comparisons are bool.
#ifndef TILEOPS_DEVICE_CUDA_APPLY_H
#define TILEOPS_DEVICE_CUDA_APPLY_H

#include "forms/steps.h"
#include "policies.h"

namespace tileops {
namespace device {
inline namespace TILEOPS_DEVICE_NS {

// How many attributes an operator's functor has.
template <template <class, class> class Op>
inline constexpr int num_attributes_v = 0;
#define TILEOPS_ATTRIBUTES(name, count) \
  template <>                           \
  inline constexpr int num_attributes_v<op::name> = count;
TILEOPS_ATTRIBUTES(add_scaled, 1)
TILEOPS_ATTRIBUTES(clamp_attrs, 2)
TILEOPS_ATTRIBUTES(elu, 1)
TILEOPS_ATTRIBUTES(hardtanh, 2)
TILEOPS_ATTRIBUTES(leaky_relu, 1)
TILEOPS_ATTRIBUTES(lerp_attr, 1)
TILEOPS_ATTRIBUTES(nan_to_num, 3)
TILEOPS_ATTRIBUTES(pow_attr, 1)
TILEOPS_ATTRIBUTES(round_decimals, 1)
TILEOPS_ATTRIBUTES(softplus, 2)
TILEOPS_ATTRIBUTES(sub_scaled, 1)
#undef TILEOPS_ATTRIBUTES

// Numbers as the functors take them: rounded to the type that these compute in, whole ones as such where they are
// asked.
template <template <class, class> class Op>
inline constexpr bool takes_integers_v = false;
template <>
inline constexpr bool takes_integers_v<op::round_decimals> = true;

template <template <class, class> class Op, class T, class A>
TILEOPS_FN AttrValue attribute_of(A number) {
  AttrValue value;
  if constexpr (takes_integers_v<Op>) value.i64 = static_cast<i64>(number);
  else if constexpr (same_v<T, float>) value.f64 = static_cast<double>(static_cast<float>(number));
  else value.f64 = static_cast<double>(number);
  return value;
}

template <class A>
inline constexpr bool is_number_v = is_float_v<A> || same_v<A, int> || same_v<A, u32> || same_v<A, i64> ||
                                    same_v<A, u64> || same_v<A, long> || same_v<A, unsigned long>;
template <bool>
struct if_true;
template <>
struct if_true<true> {
  using type = int;
};
template <class... A>
using if_numbers = typename if_true<(is_number_v<A> && ...)>::type;

// y = op(x...); see the functions below.
template <template <class, class> class Op, class Policy, class T, class R, int N, class... X>
__device__ __forceinline__ void apply_to(const AttrValue* attributes, R (&y)[N], const X (&... x)[N]) {
  using body = typename form_of<Op, Policy, T>::body;
  using result = typename result_traits<typename signature_of<body>::result>::first;
  static_assert(signature_of<body>::num_loads == sizeof...(X), "tileops: the operator has another number of operands");
  static_assert(same_v<result, R>, "tileops: the operator's results are of another type than the last array");
  R r[N];
  kernels::apply_body<body>(attributes, r, x...);
  TILEOPS_UNROLL
  for (int i = 0; i < N; ++i) y[i] = r[i];
}

#define TILEOPS_ATTRIBUTES_OF(T)                                                    \
  static_assert(sizeof...(A) == num_attributes_v<Op>,                               \
                "tileops: give the operator's attributes as numbers, all of them"); \
  const AttrValue attributes[sizeof...(A) + 1] = {attribute_of<Op, T>(a)..., {}}

// x = op(x)
template <template <class, class> class Op, class Policy, class T, int N, class... A, if_numbers<A...> = 0>
__device__ __forceinline__ void apply(T (&x)[N], A... a) {
  TILEOPS_ATTRIBUTES_OF(T);
  apply_to<Op, Policy, T>(attributes, x, x);
}
// y = op(x)
template <template <class, class> class Op, class Policy, class T, class R, int N, class... A, if_numbers<A...> = 0>
__device__ __forceinline__ void apply(const T (&x)[N], R (&y)[N], A... a) {
  TILEOPS_ATTRIBUTES_OF(T);
  apply_to<Op, Policy, T>(attributes, y, x);
}
// z = op(x, y)
template <template <class, class> class Op, class Policy, class T, class R, int N, class... A, if_numbers<A...> = 0>
__device__ __forceinline__ void apply(const T (&x)[N], const T (&y)[N], R (&z)[N], A... a) {
  TILEOPS_ATTRIBUTES_OF(T);
  apply_to<Op, Policy, T>(attributes, z, x, y);
}
// r = op(x, y, z); where() has a bool first
template <template <class, class> class Op, class Policy, class C, class T, class R, int N, class... A,
          if_numbers<A...> = 0>
__device__ __forceinline__ void apply(const C (&x)[N], const T (&y)[N], const T (&z)[N], R (&r)[N], A... a) {
  TILEOPS_ATTRIBUTES_OF(T);
  apply_to<Op, Policy, T>(attributes, r, x, y, z);
}
#undef TILEOPS_ATTRIBUTES_OF

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device
}  // namespace tileops

#endif

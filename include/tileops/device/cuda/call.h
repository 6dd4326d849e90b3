// SPDX-License-Identifier: Apache-2.0
// What the arguments of apply<Op, Policy>(x..., y, k...) are: arrays, the last of which is the result, or one in place,
// and numbers. What is wrong with a call is said in one line, behind which nothing is compiled that would complain.
#ifndef TILEOPS_DEVICE_CUDA_CALL_H
#define TILEOPS_DEVICE_CUDA_CALL_H

#include "forms/steps.h"
#include "policies.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

// How many attributes an operator's functor has.
template <template <class, class> class Op>
inline constexpr int num_attributes_v = 0;
#define TILEOPS_ATTRIBUTES(name, count) \
  template <>                           \
  inline constexpr int num_attributes_v<op::name> = count;
TILEOPS_ATTRIBUTES(add_scaled, 1)
TILEOPS_ATTRIBUTES(clamp_attrs, 2)
TILEOPS_ATTRIBUTES(celu, 1)
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

// An argument: an array of `length` elements, or a number.
template <class X>
struct argument_of {
  static constexpr bool is_array = false, is_number = false, is_const = false;
  static constexpr int length = 0;
  using element = void;
};
#define TILEOPS_NUMBER(type)                                                    \
  template <>                                                                   \
  struct argument_of<type> {                                                    \
    static constexpr bool is_array = false, is_number = true, is_const = false; \
    static constexpr int length = 0;                                            \
    using element = void;                                                       \
  };
TILEOPS_NUMBER(float)
TILEOPS_NUMBER(double)
TILEOPS_NUMBER(int)
TILEOPS_NUMBER(unsigned int)
TILEOPS_NUMBER(long)
TILEOPS_NUMBER(unsigned long)
TILEOPS_NUMBER(long long)
TILEOPS_NUMBER(unsigned long long)
#undef TILEOPS_NUMBER
template <class X>
struct argument_of<const X> : argument_of<X> {};
template <class X>
struct argument_of<X&> : argument_of<X> {};
template <class X, unsigned long N>
struct argument_of<X[N]> {
  static constexpr bool is_array = true, is_number = false, is_const = false;
  static constexpr int length = static_cast<int>(N);
  using element = X;
};
template <class X, unsigned long N>
struct argument_of<const X[N]> : argument_of<X[N]> {
  static constexpr bool is_const = true;
};

template <class... X>
struct arguments_of {
  static constexpr int count = sizeof...(X), arrays = (0 + ... + argument_of<X>::is_array);
  static constexpr int operands = arrays == 1 ? 1 : arrays - 1, numbers = count - arrays;
  // One more, as there are no arrays of none.
  static constexpr bool is_array[count + 1] = {argument_of<X>::is_array..., false};
  static constexpr int length[count + 1] = {argument_of<X>::length..., 0};
  static constexpr bool is_const[count + 1] = {argument_of<X>::is_const..., false};
  static constexpr bool all_known = ((argument_of<X>::is_array || argument_of<X>::is_number) && ...);
  static TILEOPS_FN constexpr bool arrays_first() {
    for (int i = 0; i < arrays; ++i)
      if (!is_array[i]) return false;
    return true;
  }
  static TILEOPS_FN constexpr bool equal_lengths() {
    for (int i = 1; i < arrays; ++i)
      if (length[i] != length[0]) return false;
    return true;
  }
  template <int I>
  using element = typename argument_of<typename kernels::nth_type<I, kernels::types<X...>>::type>::element;
};

// The type that operands of some types are computed in: the last one's; the others are of it, or conditions.
template <class A, class Seq>
struct operand_types;
template <class A, int... I>
struct operand_types<A, kernels::seq<I...>> {
  using last = computed_t<typename A::template element<sizeof...(I) - 1>>;
  template <int K>
  static constexpr bool fits = same_v<computed_t<typename A::template element<K>>, last> ||
                               same_v<typename A::template element<K>, bool>;
  static constexpr bool known = (is_element_v<typename A::template element<I>> && ...);
  static constexpr bool equal = (fits<I> && ...);
  // As a body's call operator names them.
  using list = kernels::types<computed_t<typename A::template element<I>>...>;
};

// Whether an operator's results of type R can be had as elements Y: they are these, or floats that are narrowed.
template <class R, class Y>
inline constexpr bool gives_v = same_v<R, element_t<Y>> || (is_float_v<R> && is_narrow_v<element_t<Y>>);

template <template <class, class> class Op, class Policy, class... X>
TILEOPS_FN constexpr bool are_arguments() {
  using A = arguments_of<X...>;
  static_assert(is_policy_v<Policy>, "tileops: the policy is bit_exact, bounded or within_2_20");
  static_assert(A::all_known, "tileops apply: an argument is neither an array (float (&)[N]) nor a number");
  static_assert(!A::all_known || A::arrays >= 1, "tileops apply: give the operands as arrays (float (&)[N])");
  static_assert(!A::all_known || A::arrays_first(), "tileops apply: attributes are numbers behind the arrays");
  if constexpr (is_policy_v<Policy> && A::all_known && A::arrays >= 1 && A::arrays_first()) {
    using Y = typename A::template element<A::arrays - 1>;
    using types = operand_types<A, kernels::make_seq<A::operands>>;
    static_assert(A::equal_lengths(), "tileops apply: the arrays have different lengths");
    static_assert(!A::is_const[A::arrays - 1], "tileops apply: the last array is the result and must not be const");
    static_assert(A::numbers == num_attributes_v<Op>,
                  "tileops: give the operator's attributes as numbers, all of them");
    static_assert(types::known && is_element_v<Y>,
                  "tileops apply: an array is of a type that operators do not have; of another library's floats "
                  "specialise tileops::device::element_of");
    static_assert(!types::known || types::equal, "tileops apply: the operands are of different types");
    if constexpr (A::equal_lengths() && !A::is_const[A::arrays - 1] && A::numbers == num_attributes_v<Op> &&
                  types::known && is_element_v<Y> && types::equal) {
      using signature = signature_of<typename form_of<Op, Policy, typename types::last>::body>;
      using result = typename result_traits<typename signature::result>::first;
      constexpr bool number = signature::num_loads == A::operands;
      static_assert(number, "tileops: the operator has another number of operands");
      if constexpr (number) {
        constexpr bool takes = same_v<typename signature::template args<kernels::types>, typename types::list>;
        static_assert(takes, "tileops: the operator takes operands of other types");
        static_assert(!takes || gives_v<result, Y>,
                      "tileops: the operator's results are of another type than the last array");
        return takes && gives_v<result, Y>;
      }
    }
  }
  return false;
}

// Argument number I.
template <int I, class A, class... B>
TILEOPS_FN auto& argument_at(A& a, [[maybe_unused]] B&... b) {
  if constexpr (I == 0) return a;
  else return argument_at<I - 1>(b...);
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

// SPDX-License-Identifier: Apache-2.0
// What a policy promises, and which form of an operator it gets. docs/device.md has a table of them all.
//
//   bit_exact     the bits of the CPU, and of plans with TILEOPS_PLAN_REPRODUCIBLE; within the operator's bound
//   bounded       within the operator's bound, which is at most 3 ulp (docs/operators.md): what other plans have
//   within_2_20   within 2^-20 of the exact value, or 2^-118 where that is more: for what is rounded to 16 bits or
//                 fewer next
//
// An operator that has no form of a policy's own takes that of the next more exact policy. form_of says which it is:
//
//   static_assert(form_of<op::relu, within_2_20>::is<bit_exact>);
//   static_assert(form_of<op::gelu, within_2_20>::is<within_2_20>);
//
// All this of float32. In float64 and of integers `bit_exact` has the bits of the CPU, and in float64 the other two
// keep the operator's bound.
#ifndef TILEOPS_DEVICE_CUDA_POLICIES_H
#define TILEOPS_DEVICE_CUDA_POLICIES_H

#include "forms/bounded.h"
#include "forms/within_2_20.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

template <class P>
inline constexpr bool is_policy_v = same_v<P, bit_exact> || same_v<P, bounded> || same_v<P, within_2_20>;

// Operators whose form under `bounded` or `within_2_20` has other bits than that under `bit_exact`, in float32.
template <template <class, class> class Op>
inline constexpr bool is_bounded_apart_v = false;
template <template <class, class> class Op>
inline constexpr bool is_within_2_20_apart_v = false;
#define TILEOPS_APART(trait, name) \
  template <>                      \
  inline constexpr bool trait<op::name> = true;
TILEOPS_APART(is_bounded_apart_v, cos)
TILEOPS_APART(is_bounded_apart_v, elu_one)
TILEOPS_APART(is_bounded_apart_v, gelu)
TILEOPS_APART(is_bounded_apart_v, gelu_and_mul)
TILEOPS_APART(is_bounded_apart_v, gelu_tanh)
TILEOPS_APART(is_bounded_apart_v, gelu_tanh_and_mul)
TILEOPS_APART(is_bounded_apart_v, log)
TILEOPS_APART(is_bounded_apart_v, logsigmoid)
TILEOPS_APART(is_bounded_apart_v, mish)
TILEOPS_APART(is_bounded_apart_v, pow)
TILEOPS_APART(is_bounded_apart_v, rsqrt)
TILEOPS_APART(is_bounded_apart_v, selu)
TILEOPS_APART(is_bounded_apart_v, sigmoid)
TILEOPS_APART(is_bounded_apart_v, silu)
TILEOPS_APART(is_bounded_apart_v, silu_and_mul)
TILEOPS_APART(is_bounded_apart_v, sin)
TILEOPS_APART(is_bounded_apart_v, softplus)
TILEOPS_APART(is_bounded_apart_v, softplus_one)
TILEOPS_APART(is_bounded_apart_v, tanh)
TILEOPS_APART(is_bounded_apart_v, tanhshrink)
TILEOPS_APART(is_within_2_20_apart_v, cos)
TILEOPS_APART(is_within_2_20_apart_v, div)
TILEOPS_APART(is_within_2_20_apart_v, exp)
TILEOPS_APART(is_within_2_20_apart_v, gelu)
TILEOPS_APART(is_within_2_20_apart_v, gelu_and_mul)
TILEOPS_APART(is_within_2_20_apart_v, gelu_tanh)
TILEOPS_APART(is_within_2_20_apart_v, gelu_tanh_and_mul)
TILEOPS_APART(is_within_2_20_apart_v, reciprocal)
TILEOPS_APART(is_within_2_20_apart_v, rsqrt)
TILEOPS_APART(is_within_2_20_apart_v, sigmoid)
TILEOPS_APART(is_within_2_20_apart_v, silu)
TILEOPS_APART(is_within_2_20_apart_v, silu_and_mul)
TILEOPS_APART(is_within_2_20_apart_v, sin)
TILEOPS_APART(is_within_2_20_apart_v, sqrt)
TILEOPS_APART(is_within_2_20_apart_v, tanh)
#undef TILEOPS_APART

// The form that an operator of tileops/device/ops has under a policy, for values of type T: `policy` is that whose
// promise it keeps, `body` a functor over one value of each operand.
template <template <class, class> class Op, class Policy, class T = float>
struct form_of {
  static_assert(is_policy_v<Policy>, "tileops: the policy is bit_exact, bounded or within_2_20");
  using below_2_20 = typename kernels::choose<
      !same_v<Policy, bit_exact> && (is_bounded_apart_v<Op> || !same_v<T, float>), bounded, bit_exact>::type;
  using policy = typename kernels::choose<same_v<Policy, within_2_20> && is_within_2_20_apart_v<Op> && same_v<T, float>,
                                          within_2_20, below_2_20>::type;
  template <class P>
  static constexpr bool is = same_v<policy, P>;

  // What has no form for GPUs is computed as on the CPU.
  using computed_by = typename kernels::choose<same_v<T, float> || (same_v<T, double> && same_v<policy, bounded>),
                                               policy, portable>::type;
  using body = Op<computed_by, T>;
};

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail

namespace device {
using device_detail::bit_exact;
using device_detail::bounded;
using device_detail::form_of;
using device_detail::within_2_20;
namespace op = device_detail::op;
}  // namespace device
}  // namespace tileops

#endif

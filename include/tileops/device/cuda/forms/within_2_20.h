// SPDX-License-Identifier: Apache-2.0
// The policy of values inside an expression that are rounded to 16 bits or fewer in the end: they are within 2^-20 of
// the exact ones, and so a few instructions of the special function unit. steps/forms.cc lists the bodies.
#ifndef TILEOPS_DEVICE_CUDA_FORMS_WITHIN_2_20_H
#define TILEOPS_DEVICE_CUDA_FORMS_WITHIN_2_20_H

#include "../math/fast_math.h"
#include "../math/within_2_20_math.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

struct within_2_20 {};

namespace op {

#define TILEOPS_WITHIN_2_20(name, value)                                         \
  template <>                                                                    \
  struct name<within_2_20, float> : body {                                       \
    using body::body;                                                            \
    __device__ __forceinline__ float operator()(float x) const { return value; } \
  };
TILEOPS_WITHIN_2_20(exp, within_2_20_math::exp(x))
TILEOPS_WITHIN_2_20(sigmoid, within_2_20_math::sigmoid(x))
TILEOPS_WITHIN_2_20(silu, within_2_20_math::silu(x))
TILEOPS_WITHIN_2_20(gelu, within_2_20_math::gelu(x))
TILEOPS_WITHIN_2_20(gelu_tanh, within_2_20_math::gelu_tanh(x))
TILEOPS_WITHIN_2_20(tanh, within_2_20_math::tanh(x))
// 1 ulp each, for all operands.
TILEOPS_WITHIN_2_20(sqrt, approx::sqrt(x))
TILEOPS_WITHIN_2_20(rsqrt, approx::rsqrt(x))
TILEOPS_WITHIN_2_20(reciprocal, approx::rcp(x))
#undef TILEOPS_WITHIN_2_20

#define TILEOPS_WITHIN_2_20_GATED(name)                                          \
  template <>                                                                    \
  struct name<within_2_20, float> : body {                                       \
    using body::body;                                                            \
    __device__ __forceinline__ float operator()(float gate, float value) const { \
      return within_2_20_math::name(gate, value);                                \
    }                                                                            \
  };
TILEOPS_WITHIN_2_20_GATED(silu_and_mul)
TILEOPS_WITHIN_2_20_GATED(gelu_and_mul)
TILEOPS_WITHIN_2_20_GATED(gelu_tanh_and_mul)
#undef TILEOPS_WITHIN_2_20_GATED

// The forms of bf16 results, which are this good for every operand up to 2^17; larger ones are rare and computed by the
// portable form.
template <>
struct sin<within_2_20, float> : sin<portable, float> {
  using sin<portable, float>::sin;
  __device__ __forceinline__ float operator()(float x) const { return approx::sin_form<bf16>(x); }
};
template <>
struct cos<within_2_20, float> : cos<portable, float> {
  using cos<portable, float>::cos;
  __device__ __forceinline__ float operator()(float x) const { return approx::cos_form<bf16>(x); }
};

// By the reciprocal. That of a divisor below 2^-126 or above 2^126 would be infinity or 0: one look at a whole pack
// tells whether it has such divisors, which are then taken one by one.
template <>
struct div<within_2_20, float> : body {
  using body::body;
  static constexpr bool packs_apart = true;
  template <int N>
  __device__ __forceinline__ bool all(float (&r)[N], const float (&a)[N], const float (&b)[N]) const {
    float most = 0.0f;
    u32 least = ~0u;
#pragma unroll
    for (int i = 0; i < N; ++i) {
      r[i] = a[i] * approx::rcp_ftz(b[i]);
      least = ::min(least, bit_exact::place(b[i]));
      most = ::fmaxf(most, approx::abs(b[i]));
    }
    return !((least >= kLeastPlace) & (most <= kMost));
  }
  __device__ __forceinline__ float operator()(float a, float b) const { return approx::quotient(a, b); }
  static __device__ __forceinline__ bool rare(float, float b) {
    return !((bit_exact::place(b) >= kLeastPlace) & (approx::abs(b) <= kMost));
  }
  static __device__ __forceinline__ float slow(float a, float b) { return approx::quotient(a, b); }

 private:
  static constexpr float kMost = 0x1p126f;
  static constexpr u32 kLeastPlace = bit_exact::place_of(1);
};

}  // namespace op
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

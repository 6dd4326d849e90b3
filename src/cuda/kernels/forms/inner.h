// The policy of values inside an expression that are rounded to 16 bits or fewer in the end: they are within 2^-20 of
// the exact ones, and so a few instructions of the special function unit. steps/forms.cc lists the bodies.
#ifndef TILEOPS_KERNELS_INNER_H
#define TILEOPS_KERNELS_INNER_H

#include "cuda/kernels/math/fast_math.h"
#include "cuda/kernels/math/inner_math.h"

namespace tileops {
namespace device {
inline namespace TILEOPS_DEVICE_NS {

struct inner {};

namespace op {

#define TILEOPS_INNER(name, value)                                               \
  template <>                                                                    \
  struct name<inner, float> : body {                                             \
    using body::body;                                                            \
    __device__ __forceinline__ float operator()(float x) const { return value; } \
  };
TILEOPS_INNER(exp, to_20_bits::exp(x))
TILEOPS_INNER(sigmoid, to_20_bits::sigmoid(x))
TILEOPS_INNER(silu, to_20_bits::silu(x))
TILEOPS_INNER(gelu, to_20_bits::gelu(x))
TILEOPS_INNER(gelu_tanh, to_20_bits::gelu_tanh(x))
TILEOPS_INNER(tanh, to_20_bits::tanh(x))
// 1 ulp each, for all operands.
TILEOPS_INNER(sqrt, approx::sqrt(x))
TILEOPS_INNER(rsqrt, approx::rsqrt(x))
TILEOPS_INNER(reciprocal, approx::rcp(x))
#undef TILEOPS_INNER

// The forms of bf16 results, which are this good for every operand up to 2^17; larger ones are rare and computed by the
// portable form.
template <>
struct sin<inner, float> : sin<portable, float> {
  using sin<portable, float>::sin;
  __device__ __forceinline__ float operator()(float x) const { return approx::sin_form<bf16>(x); }
};
template <>
struct cos<inner, float> : cos<portable, float> {
  using cos<portable, float>::cos;
  __device__ __forceinline__ float operator()(float x) const { return approx::cos_form<bf16>(x); }
};

// By the reciprocal. That of a divisor below 2^-126 or above 2^126 would be infinity or 0: one look at a whole pack
// tells whether it has such divisors, which are then taken one by one.
template <>
struct div<inner, float> : body {
  using body::body;
  static constexpr bool packs_apart = true;
  template <int N>
  __device__ __forceinline__ bool all(float (&r)[N], const float (&a)[N], const float (&b)[N]) const {
    float most = 0.0f;
    u32 least = ~0u;
#pragma unroll
    for (int i = 0; i < N; ++i) {
      r[i] = a[i] * approx::rcp_ftz(b[i]);
      least = ::min(least, same_bits::place(b[i]));
      most = ::fmaxf(most, approx::abs(b[i]));
    }
    return !((least >= kLeastPlace) & (most <= kMost));
  }
  __device__ __forceinline__ float operator()(float a, float b) const { return approx::quotient(a, b); }
  static __device__ __forceinline__ bool rare(float, float b) {
    return !((same_bits::place(b) >= kLeastPlace) & (approx::abs(b) <= kMost));
  }
  static __device__ __forceinline__ float slow(float a, float b) { return approx::quotient(a, b); }

 private:
  static constexpr float kMost = 0x1p126f;
  static constexpr u32 kLeastPlace = same_bits::place_of(1);
};

}  // namespace op
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device
}  // namespace tileops

#endif

// The policy of values inside an expression that are rounded to 16 bits or fewer in the end: they are within 2^-20 of
// the exact ones, and so a few instructions of the special function unit. select/forms.cc lists the bodies.
#ifndef TILEOPS_KERNELS_INNER_H
#define TILEOPS_KERNELS_INNER_H

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

template <>
struct div<inner, float> : body {
  using body::body;
  __device__ __forceinline__ float operator()(float a, float b) const { return approx::quotient(a, b); }
};

}  // namespace op
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device
}  // namespace tileops

#endif

// The policy of results that need not have the CPU's bits: in f32 forms without tables, where those of the CPU take
// sixteen entries at a time out of vector registers, which a GPU thread does not have, in f64 forms with fewer f64
// instructions. The bounds of f32 are maxima over all 2^32 inputs.
#ifndef TILEOPS_KERNELS_QUICK_H
#define TILEOPS_KERNELS_QUICK_H

#include "cuda/kernels/fast_pairs.h"
#include "cuda/kernels/position_forms.h"
#include "cuda/kernels/quick_log_erf64.h"
#include "cuda/kernels/quick_math.h"

namespace tileops {
namespace device {
inline namespace TILEOPS_DEVICE_NS {

struct quick : same_bits {
  static __device__ __forceinline__ float rsqrt(float x) { return table_free::rsqrt(x); }
  static __device__ __forceinline__ float log(float x) { return table_free::log(x); }
  static __device__ __forceinline__ float tanh(float x) { return table_free::tanh(x); }
  static __device__ __forceinline__ float gelu(float x) { return table_free::gelu(x); }

  using same_bits::fmod;
  using same_bits::fmod_rare;
  using portable_f64::fmod;
  using portable_f64::fmod_rare;
  using portable_f64::rsqrt;
  using portable_f32::expm1;
  using portable_f32::log1p;
  using portable_f32::erf;
  static __device__ __forceinline__ double expm1(double x) { return table_free::expm1(x); }
  static __device__ __forceinline__ double log(double x) { return table_free::log(x); }
  static __device__ __forceinline__ double log1p(double x) { return table_free::log1p(x); }
  static __device__ __forceinline__ double tanh(double x) { return table_free::tanh(x); }
  static __device__ __forceinline__ double erf(double x) { return table_free::erf(x); }
  static __device__ __forceinline__ double gelu(double x) { return table_free::gelu(x); }
};

// nvcc takes these for host functions too, as the templates are, and so must not see what they call.
#if defined(__CUDA_ARCH__)
#define TILEOPS_QUICK(name)                                            \
  template <>                                                          \
  __device__ __forceinline__ float name<quick, float>(float x) {       \
    return table_free::name(x);                                        \
  }                                                                    \
  template <>                                                          \
  __device__ __forceinline__ double name<quick, double>(double x) {    \
    return table_free::name(x);                                        \
  }
TILEOPS_QUICK(sigmoid)
TILEOPS_QUICK(silu)
TILEOPS_QUICK(gelu_tanh)
TILEOPS_QUICK(mish)
#undef TILEOPS_QUICK
template <>
__device__ __forceinline__ double selu<quick, double>(double x) {
  return table_free::selu(x);
}
template <>
__device__ __forceinline__ float softplus<quick, float>(float x, float beta, float threshold) {
  return table_free::softplus(x, beta, threshold);
}
template <>
__device__ __forceinline__ double softplus<quick, double>(double x, double beta, double threshold) {
  return table_free::softplus(x, beta, threshold);
}
#endif

namespace op {

template <>
struct remainder<quick, float> : remainder<same_bits, float> {
  using base = remainder<same_bits, float>;
  using base::base;
};
template <>
struct floor_divide<quick, float> : floor_divide<same_bits, float> {
  using base = floor_divide<same_bits, float>;
  using base::base;
};
template <>
struct rope_table<quick, float> : rope_table<same_bits, float> {
  using base = rope_table<same_bits, float>;
  using base::base;
};
// From 20 on the sum is x.
template <>
struct softplus_one<quick, float> : body {
  using body::body;
  __device__ __forceinline__ float operator()(float x) const { return table_free::softplus_below(x, 1.0f); }
};
// Packs of positive numbers and moderate exponents apart: all else is the general power's.
template <>
struct pow<quick, float> : pow<same_bits, float> {
  using base = pow<same_bits, float>;
  using base::base;
  static constexpr bool packs_apart = true;
  template <int N>
  __device__ __forceinline__ bool all(float (&r)[N], const float (&x)[N], const float (&y)[N]) const {
    u32 most = 0;
    float largest = 0.0f;
#pragma unroll
    for (int i = 0; i < N; ++i) {
      const u32 place = to_bits(x[i]) - 0x00800000u;  // below 0x7f000000: positive and normal
      most = most > place ? most : place;
      const table_free::power p = table_free::moderate_power(x[i], y[i]);
      largest = approx::max_nan(largest, approx::max_nan(approx::abs(p.t), 2.0f * approx::abs(y[i])));
      r[i] = p.value;
    }
    if (!((most < 0x7f000000u) & (largest <= 125.0f))) {
#pragma unroll
      for (int i = 0; i < N; ++i) r[i] = (*this)(x[i], y[i]);
    }
    return false;
  }
};
template <>
struct dropout<quick, float> : dropout<same_bits, float> {
  using base = dropout<same_bits, float>;
  using base::base;
};
template <>
struct dropout<quick, double> : dropout<same_bits, double> {
  using base = dropout<same_bits, double>;
  using base::base;
};

}  // namespace op
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device
}  // namespace tileops

#endif

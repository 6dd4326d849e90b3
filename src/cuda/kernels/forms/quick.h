// The policy of results that need not have the CPU's bits: in f32 forms without tables, where those of the CPU take
// sixteen entries at a time out of vector registers, which a GPU thread does not have, in f64 forms with fewer f64
// instructions. The bounds of f32 are maxima over all 2^32 inputs.
#ifndef TILEOPS_KERNELS_QUICK_H
#define TILEOPS_KERNELS_QUICK_H

#include "cuda/kernels/forms/fast_pairs.h"
#include "cuda/kernels/forms/position_forms.h"
#include "cuda/kernels/math/quick_log_erf64.h"
#include "cuda/kernels/math/quick_math.h"
#include "cuda/kernels/math/quick_pow.h"
#include "cuda/kernels/math/quick_trig.h"

namespace tileops {
namespace device {
inline namespace TILEOPS_DEVICE_NS {

struct quick : same_bits {
  static __device__ __forceinline__ float rsqrt(float x) { return table_free::rsqrt(x); }
  static __device__ __forceinline__ float log(float x) { return table_free::log(x); }
  static __device__ __forceinline__ float tanh(float x) { return table_free::tanh(x); }
  static __device__ __forceinline__ float gelu(float x) { return table_free::gelu(x); }
  static __device__ __forceinline__ float sin(float x) { return table_free::sine<0>(x); }
  static __device__ __forceinline__ float cos(float x) { return table_free::sine<1>(x); }

  using portable_f32::erf;
  using portable_f32::expm1;
  using portable_f32::log1p;
  using portable_f64::fmod;
  using portable_f64::fmod_rare;
  using portable_f64::rsqrt;
  using same_bits::fmod;
  using same_bits::fmod_rare;
  static __device__ __forceinline__ double expm1(double x) { return table_free::expm1(x); }
  static __device__ __forceinline__ double log(double x) { return table_free::log(x); }
  static __device__ __forceinline__ double log1p(double x) { return table_free::log1p(x); }
  static __device__ __forceinline__ double tanh(double x) { return table_free::tanh(x); }
  static __device__ __forceinline__ double erf(double x) { return table_free::erf(x); }
  static __device__ __forceinline__ double gelu(double x) { return table_free::gelu(x); }
  static __device__ __forceinline__ double sin(double x) { return table_free::sine64<0>(x); }
  static __device__ __forceinline__ double cos(double x) { return table_free::sine64<1>(x); }
};

// nvcc takes these for host functions too, as the templates are, and so must not see what they call.
#if defined(__CUDA_ARCH__)
#define TILEOPS_QUICK(name)                                         \
  template <>                                                       \
  __device__ __forceinline__ float name<quick, float>(float x) {    \
    return table_free::name(x);                                     \
  }                                                                 \
  template <>                                                       \
  __device__ __forceinline__ double name<quick, double>(double x) { \
    return table_free::name(x);                                     \
  }
TILEOPS_QUICK(sigmoid)
TILEOPS_QUICK(silu)
TILEOPS_QUICK(gelu_tanh)
TILEOPS_QUICK(mish)
TILEOPS_QUICK(selu)
#undef TILEOPS_QUICK
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

// One instruction for six, with the same bits: of two zeros it takes +0 for the larger one. (Forms of 16-bit results
// work on pairs.)
#define TILEOPS_EXTREMUM_OF_GPU(name, instruction)                                                            \
  template <>                                                                                                 \
  struct name<same_bits, float> : body {                                                                      \
    using body::body;                                                                                         \
    static constexpr bool representable = true;                                                               \
    __device__ __forceinline__ float operator()(float a, float b) const { return approx::instruction(a, b); } \
  };                                                                                                          \
  template <>                                                                                                 \
  struct name<quick, float> : name<same_bits, float> {                                                        \
    using name<same_bits, float>::name;                                                                       \
  };
TILEOPS_EXTREMUM_OF_GPU(maximum, max_nan)
TILEOPS_EXTREMUM_OF_GPU(minimum, min_nan)
#undef TILEOPS_EXTREMUM_OF_GPU

template <>
struct div<quick, float> : div<same_bits, float> {
  using base = div<same_bits, float>;
  using base::base;
};
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
template <>
struct elu_one<quick, float> : body {
  using body::body;
  __device__ __forceinline__ float operator()(float x) const { return table_free::elu_one(x); }
};
// From 20 on the sum is x.
template <>
struct softplus_one<quick, float> : body {
  using body::body;
  __device__ __forceinline__ float operator()(float x) const { return table_free::softplus_below(x, 1.0f); }
};
template <>
struct pow<quick, float> : pow_of_packs<float> {
  using pow_of_packs<float>::pow_of_packs;
};
template <>
struct pow<quick, double> : pow_of_packs<double> {
  using pow_of_packs<double>::pow_of_packs;
};
template <>
struct dropout<quick, float> : dropout<same_bits, float> {
  using base = dropout<same_bits, float>;
  using base::base;
};
template <>
struct dropout_mask<quick, float> : dropout_mask<same_bits, float> {
  using base = dropout_mask<same_bits, float>;
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

// SPDX-License-Identifier: Apache-2.0
// The policy of results that need not have the CPU's bits: in f32 forms without tables, where those of the CPU take
// sixteen entries at a time out of vector registers, which a GPU thread does not have, in f64 forms with fewer f64
// instructions. The bounds of f32 are maxima over all 2^32 inputs.
#ifndef TILEOPS_DEVICE_CUDA_FORMS_BOUNDED_H
#define TILEOPS_DEVICE_CUDA_FORMS_BOUNDED_H

#include "../math/bounded_log_erf64.h"
#include "../math/bounded_math.h"
#include "../math/bounded_pow.h"
#include "../math/bounded_trig.h"
#include "fast_pairs.h"
#include "position_forms.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

struct bounded : bit_exact {
  static __device__ __forceinline__ float rsqrt(float x) { return table_free::rsqrt(x); }
  static __device__ __forceinline__ float log(float x) { return table_free::log(x); }
  static __device__ __forceinline__ float tanh(float x) { return table_free::tanh(x); }
  static __device__ __forceinline__ float gelu(float x) { return table_free::gelu(x); }
  static __device__ __forceinline__ float sin(float x) { return table_free::sine<0>(x); }
  static __device__ __forceinline__ float cos(float x) { return table_free::sine<1>(x); }

  using bit_exact::fmod;
  using bit_exact::fmod_rare;
  using portable_f32::erf;
  using portable_f32::expm1;
  using portable_f32::log1p;
  using portable_f64::fmod;
  using portable_f64::fmod_rare;
  using portable_f64::rsqrt;
  static __device__ __forceinline__ double expm1(double x) { return table_free::expm1(x); }
  static __device__ __forceinline__ double log(double x) { return table_free::log(x); }
  static __device__ __forceinline__ double log1p(double x) { return table_free::log1p(x); }
  static __device__ __forceinline__ double tanh(double x) { return table_free::tanh(x); }
  static __device__ __forceinline__ double erf(double x) { return table_free::erf(x); }
  static __device__ __forceinline__ double gelu(double x) { return table_free::gelu(x); }
  static __device__ __forceinline__ double sin(double x) { return table_free::sine64<0>(x); }
  static __device__ __forceinline__ double cos(double x) { return table_free::sine64<1>(x); }
};

// nvcc takes these for host functions too, as the templates are, and so must not see what they call. Clang wants them
// to be what the templates are.
#if defined(__CUDA_ARCH__)
#if defined(__clang__)
#define TILEOPS_SPECIAL TILEOPS_FN
#else
#define TILEOPS_SPECIAL __device__ __forceinline__
#endif
#define TILEOPS_BOUNDED(name)                              \
  template <>                                              \
  TILEOPS_SPECIAL float name<bounded, float>(float x) {    \
    return table_free::name(x);                            \
  }                                                        \
  template <>                                              \
  TILEOPS_SPECIAL double name<bounded, double>(double x) { \
    return table_free::name(x);                            \
  }
TILEOPS_BOUNDED(sigmoid)
TILEOPS_BOUNDED(silu)
TILEOPS_BOUNDED(gelu_tanh)
TILEOPS_BOUNDED(mish)
TILEOPS_BOUNDED(selu)
#undef TILEOPS_BOUNDED
template <>
TILEOPS_SPECIAL float softplus<bounded, float>(float x, float beta, float threshold) {
  return table_free::softplus(x, beta, threshold);
}
template <>
TILEOPS_SPECIAL double softplus<bounded, double>(double x, double beta, double threshold) {
  return table_free::softplus(x, beta, threshold);
}
#undef TILEOPS_SPECIAL
#endif

namespace op {

// One instruction for six, with the same bits: of two zeros it takes +0 for the larger one. (Forms of 16-bit results
// work on pairs.)
#define TILEOPS_EXTREMUM_OF_GPU(name, instruction)                                                            \
  template <>                                                                                                 \
  struct name<bit_exact, float> : body {                                                                      \
    using body::body;                                                                                         \
    static constexpr auto accuracy = Accuracy::representable;                                                 \
    __device__ __forceinline__ float operator()(float a, float b) const { return approx::instruction(a, b); } \
  };                                                                                                          \
  template <>                                                                                                 \
  struct name<bounded, float> : name<bit_exact, float> {                                                      \
    using name<bit_exact, float>::name;                                                                       \
  };
TILEOPS_EXTREMUM_OF_GPU(maximum, max_nan)
TILEOPS_EXTREMUM_OF_GPU(minimum, min_nan)
#undef TILEOPS_EXTREMUM_OF_GPU

template <>
struct div<bounded, float> : div<bit_exact, float> {
  using base = div<bit_exact, float>;
  using base::base;
};
template <>
struct remainder<bounded, float> : remainder<bit_exact, float> {
  using base = remainder<bit_exact, float>;
  using base::base;
};
template <>
struct floor_divide<bounded, float> : floor_divide<bit_exact, float> {
  using base = floor_divide<bit_exact, float>;
  using base::base;
};
template <>
struct rope_table<bounded, float> : rope_table<bit_exact, float> {
  using base = rope_table<bit_exact, float>;
  using base::base;
};
template <>
struct elu_one<bounded, float> : body {
  using body::body;
  __device__ __forceinline__ float operator()(float x) const { return table_free::elu_one(x); }
};
// From 20 on the sum is x.
template <>
struct softplus_one<bounded, float> : body {
  using body::body;
  __device__ __forceinline__ float operator()(float x) const { return table_free::softplus_below(x, 1.0f); }
};
template <>
struct pow<bounded, float> : pow_of_packs<float> {
  using pow_of_packs<float>::pow_of_packs;
};
template <>
struct pow<bounded, double> : pow_of_packs<double> {
  using pow_of_packs<double>::pow_of_packs;
};
template <>
struct dropout<bounded, float> : dropout<bit_exact, float> {
  using base = dropout<bit_exact, float>;
  using base::base;
};
template <>
struct dropout_mask<bounded, float> : dropout_mask<bit_exact, float> {
  using base = dropout_mask<bit_exact, float>;
  using base::base;
};
template <>
struct dropout<bounded, double> : dropout<bit_exact, double> {
  using base = dropout<bit_exact, double>;
  using base::base;
};

}  // namespace op
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

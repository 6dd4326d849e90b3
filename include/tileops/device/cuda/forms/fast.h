// SPDX-License-Identifier: Apache-2.0
// The policy of results that are rounded to a narrower float next: approximations by the special
// function unit, each form with a bound of its error in f32 ulps. The rounding test (rounding_test.h) sends
// what lies too close to a tie, and what a form says is rare, to the f64 form of the same body, so
// that results are the correctly rounded ones all the same.
//
// Bounds hold for operands that are 16-bit floats themselves. Of one operand there are 2^16 of them,
// and tests/gpu compares them all with the CPU.
#ifndef TILEOPS_DEVICE_CUDA_FORMS_FAST_H
#define TILEOPS_DEVICE_CUDA_FORMS_FAST_H

#include "../common/approximations.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

// S: what results are rounded to, and the dtype of all operands. Of 8-bit floats what holds for f16 does.
template <class S>
struct fast : bit_exact {
  static constexpr bool wide_range = same_v<S, bf16>;
  static constexpr bool approximate = true;  // formulas that have an approximate form may use it
};

namespace op {

// Is this machine code for sm_90, whose instructions were tried with all 2^16 operands? __CUDA_ARCH__ does not
// tell: PTX of compute_90 may run on anything newer. TILEOPS_EXACT_SM is set by who compiles (nvrtc.h).
#if defined(TILEOPS_EXACT_SM) && TILEOPS_EXACT_SM == 90
constexpr bool kSwept = true;
#else
constexpr bool kSwept = false;
#endif

// The bound of the rounding test. `error` is the form's, in ulp, from what PTX promises of its instructions.
// `enough` is the smallest bound with which all 2^16 results of a form of one operand without attributes come
// out right, and 0 where plain rounding does it: for the instructions of sm_90, found by
// tests/gpu/form_errors.cu on an H200. A test less costs one (bf16) to three (f16) instructions an element, and
// the fewer results are looked up the better.
struct bounds {
  u32 error_bf16, error_f16, enough_bf16, enough_f16;
};
template <class S>
__host__ __device__ constexpr u32 bound_of(bounds b) {
  if (kSwept && same_v<S, bf16>) return b.enough_bf16;
  if (kSwept && same_v<S, f16>) return b.enough_f16;
  return same_v<S, bf16> ? b.error_bf16 : b.error_f16;
}

// A form of one operand, its bounds, its value.
#define TILEOPS_FAST(name, error_bf16, error_f16, enough_bf16, enough_f16, value)             \
  template <class S>                                                                          \
  struct name<fast<S>, float> : body {                                                        \
    using body::body;                                                                         \
    static constexpr u32 ulp = bound_of<S>({error_bf16, error_f16, enough_bf16, enough_f16}); \
    __device__ __forceinline__ float operator()(float x) const { return value; }              \
  };

// One that is not good enough for some operands, which are looked up.
#define TILEOPS_FAST_BUT(name, error_bf16, error_f16, enough_bf16, enough_f16, rare_bf16, rare_f16, value) \
  template <class S>                                                                                       \
  struct name<fast<S>, float> : body {                                                                     \
    using body::body;                                                                                      \
    static constexpr u32 ulp = bound_of<S>({error_bf16, error_f16, enough_bf16, enough_f16});              \
    static __device__ __forceinline__ bool rare([[maybe_unused]] float x) {                                \
      return fast<S>::wide_range ? (rare_bf16) : (rare_f16);                                               \
    }                                                                                                      \
    static __device__ __forceinline__ float slow(float x) { return x; }                                    \
    __device__ __forceinline__ float operator()(float x) const { return value; }                           \
  };

// One that is not good enough below `left_bf16` or `left_f16`: operands there are looked up.
#define TILEOPS_FAST_FROM(name, error_bf16, error_f16, enough_bf16, enough_f16, left_bf16, left_f16, value) \
  template <class S>                                                                                        \
  struct name<fast<S>, float> : body {                                                                      \
    using body::body;                                                                                       \
    static constexpr u32 ulp = bound_of<S>({error_bf16, error_f16, enough_bf16, enough_f16});               \
    static constexpr float left = fast<S>::wide_range ? left_bf16 : left_f16;                               \
    static __device__ __forceinline__ bool rare(float x) { return x < left; }                               \
    static __device__ __forceinline__ float slow(float x) { return x; }                                     \
    __device__ __forceinline__ float operator()(float x) const { return value; }                            \
  };

}  // namespace op
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

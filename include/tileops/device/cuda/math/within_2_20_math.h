// SPDX-License-Identifier: Apache-2.0
// The formulas of the policy `within_2_20` (forms/within_2_20.h), for every float32 operand: within 2^-20 of the exact
// value, or 2^-118 where that is more: the instructions take subnormal numbers for 0. tests/cuda/inner_math_test.cc
// tries them with the largest errors that PTX allows the instructions.
#ifndef TILEOPS_DEVICE_CUDA_MATH_WITHIN_2_20_MATH_H
#define TILEOPS_DEVICE_CUDA_MATH_WITHIN_2_20_MATH_H

#include "../common/approximations.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace within_2_20_math {

#define TILEOPS_FORM static __device__ __forceinline__ float

constexpr float kLog2eLow = 0x1.4ae0cp-26f;  // log2(e) less approx::kLog2e

// exp(x + x_lo). The rounding of x log2(e) would cost 2^-17 at the ends. |x| <= 128 or NaN; infinity from 89 on.
TILEOPS_FORM exp_of(float x, float x_lo) {
  const float t = x * approx::kLog2e;
  const float t_lo = fma(x, kLog2eLow, fma(x, approx::kLog2e, -t));
  return approx::exp2_ftz(t) * fma(t_lo, approx::kLn2, 1.0f + x_lo);
}
TILEOPS_FORM exp(float x) { return exp_of(approx::min_nan(approx::max_nan(x, -110.0f), 110.0f), 0.0f); }

TILEOPS_FORM over_one_plus(float n, float e) { return n * approx::rcp_ftz(1.0f + e); }
TILEOPS_FORM sigmoid(float x) { return over_one_plus(1.0f, exp(-x)); }
TILEOPS_FORM silu(float x) { return over_one_plus(approx::max_nan(x, -110.0f), exp(-x)); }  // -0 at -infinity

struct two_floats {
  float hi, lo;  // their sum
};

// 2u = x (linear + cubic x^2). `linear` has so few digits that what the sum with it loses is a number.
static __device__ __forceinline__ two_floats gelu_tanh_exponent(float x) {
  constexpr float linear = 0x1.98845p+0f, linear_lo = 0x1.9ea1b2p-23f;
  constexpr float cubic = 0x1.2444f2p-4f, cubic_lo = 0x1.49b16ap-29f;
  const float z = x * x, z_lo = fma(x, x, -z);
  const float m = fma(cubic, z, linear);
  const float m_lo = fma(cubic, z, linear - m) + fma(cubic, z_lo, fma(cubic_lo, z, linear_lo));
  const float v = x * m;
  return {v, fma(x, m_lo, fma(x, m, -v))};
}
// x sigmoid(2u); 2u reaches -107 before the result vanishes.
TILEOPS_FORM gelu_tanh(float x) {
  const float c = approx::max_nan(x, -11.0f);
  const two_floats v = gelu_tanh_exponent(approx::min_nan(c, 11.0f));
  return over_one_plus(c, exp_of(-v.hi, -v.lo));
}

// tanh(x) = x + x^3 P(x^2) up to 0.4, to 2^-23; 1 - 2 / (1 + exp(2x)) from there.
TILEOPS_FORM tanh(float x) {
  const float ax = approx::abs(x), z = ax * ax;
  float p = fma(-0x1.87888p-5f, z, 0x1.0fed12p-3f);
  p = fma(p, z, -0x1.555188p-2f);
  const float small = fma(ax * z, p, ax);
  const float large = fma(-2.0f, approx::rcp_ftz(1.0f + approx::exp2_ftz(ax * (2.0f * approx::kLog2e))), 1.0f);
  return copysign(approx::if_above(ax, 0.4f, large, small), x);
}

constexpr float kHalfSquare = -0.5f * approx::kLog2e;  // exp(-t^2 / 2) is 2 to about that times t^2
static __device__ __forceinline__ two_floats half_square(float t) {
  const float square = t * t, square_lo = fma(t, t, -square), y = __fmul_rn(square, kHalfSquare);
  return {y, fma(square_lo, kHalfSquare, fma(square, kHalfSquare, -y))};
}

// Phi(-t) / 2^(kHalfSquare t^2) up to t = 18.5: a rational function of positive coefficients, so that nothing cancels.
TILEOPS_FORM mills(float t) {
  float n = fma(0x1.27fc7p-8f, t, 0x1.638210p-5f);
  n = fma(n, t, 0x1.884e2ep-3f);
  n = fma(n, t, 0x1.cc8c56p-2f);
  n = fma(n, t, 0.5f);
  float d = fma(0x1.72f746p-7f, t, 0x1.bd90fcp-4f);
  d = fma(d, t, 0x1.f734e8p-2f);
  d = fma(d, t, 0x1.3cc818p+0f);
  d = fma(d, t, 0x1.b2885ep+0f);
  return n * approx::rcp_ftz(fma(d, t, 1.0f));
}

// max(x, 0) - t Phi(-t), t = |x|.
TILEOPS_FORM gelu(float x) {
  const float t = ::fminf(approx::abs(x), 14.5f);
  const two_floats y = half_square(t);
  const float e = approx::exp2_ftz(y.hi), tail = fma(e, y.lo * approx::kLn2, e);
  return fma(tail, -t * mills(t), approx::max_nan(x, -0.0f));
}

// act(gate) * value, in one: what the activation alone loses, as it vanishes on the left or takes half of a subnormal
// gate, a value up to 2^128 beside it brings back. So with W = act(gate) / gate, which is in (0, 1], the result is
// gate W value, W taken first with the one that is not tiny. Beside a large value W matters down to 2^-254: on the far
// left, where `left` says so, it comes 2^128 times as large. `gate` is cut off where beside any value nothing is left.
struct gated_factors {
  bool large, left;
  __device__ __forceinline__ gated_factors(float value, bool far)
      : large(approx::abs(value) > 1.0f), left(large & far) {}
  __device__ __forceinline__ float product(float gate, float w, float value) const {
    const float by = left ? 0x1p-64f : 1.0f;
    return (large ? value : gate) * by * w * ((large ? gate : value) * by);
  }
  // 1 / (1 + exp(x + x_lo)); on the left, where x is 45 or more, the 1 is nothing.
  __device__ __forceinline__ float one_over_one_plus_exp(float x, float x_lo) const {
    const float t = __fmul_rn(x, approx::kLog2e);  // which no option joins with the difference below
    const float t_lo = fma(x, kLog2eLow, fma(x, approx::kLog2e, -t));
    const float e = approx::exp2_ftz(t - (left ? 128.0f : 0.0f));  // exact
    return approx::rcp_ftz(fma(e, fma(t_lo, approx::kLn2, 1.0f + x_lo), left ? 0.0f : 1.0f));
  }
};

TILEOPS_FORM silu_and_mul(float gate, float value) {
  const float c = approx::max_nan(gate, -176.0f), x = -approx::min_nan(c, 110.0f);
  const gated_factors factors(value, c < -45.0f);
  return factors.product(c, factors.one_over_one_plus_exp(x, 0.0f), value);
}

TILEOPS_FORM gelu_tanh_and_mul(float gate, float value) {
  const float c = approx::max_nan(gate, -12.9f);
  const two_floats v = gelu_tanh_exponent(approx::min_nan(c, 11.0f));
  const gated_factors factors(value, v.hi < -45.0f);
  return factors.product(c, factors.one_over_one_plus_exp(-v.hi, -v.lo), value);
}

TILEOPS_FORM gelu_and_mul(float gate, float value) {
  const float c = approx::max_nan(gate, -18.5f), t = ::fminf(approx::abs(c), 18.5f);
  const gated_factors factors(value, c < -9.5f);
  const two_floats y = half_square(t);
  const float e = approx::exp2_ftz(y.hi + (factors.left ? 128.0f : 0.0f));  // exact
  const float tail = fma(e, y.lo * approx::kLn2, e) * mills(t);
  return factors.product(c, c > 0.0f ? 1.0f - tail : tail, value);
}

#undef TILEOPS_FORM

}  // namespace within_2_20_math
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

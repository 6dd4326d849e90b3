// SPDX-License-Identifier: Apache-2.0
// The formulas of the policy `within_2_20` (forms/within_2_20.h), for every float32 operand: within 2^-20 of the exact
// value, or 2^-118 where that is more: the instructions take subnormal numbers for 0. tests/cuda/inner_math_test.cc
// tries them with the largest errors that PTX allows the instructions.
#ifndef TILEOPS_DEVICE_CUDA_MATH_WITHIN_2_20_MATH_H
#define TILEOPS_DEVICE_CUDA_MATH_WITHIN_2_20_MATH_H

#include "../common/approximations.h"

namespace tileops {
namespace device {
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

// x sigmoid(2u), 2u = x (linear + cubic x^2), which reaches -107 before the result vanishes. `linear` has so few digits
// that what the sum with it loses is a number.
TILEOPS_FORM gelu_tanh(float x) {
  constexpr float linear = 0x1.98845p+0f, linear_lo = 0x1.9ea1b2p-23f;
  constexpr float cubic = 0x1.2444f2p-4f, cubic_lo = 0x1.49b16ap-29f;
  const float c = approx::max_nan(x, -11.0f), h = approx::min_nan(c, 11.0f);
  const float z = h * h, z_lo = fma(h, h, -z);
  const float m = fma(cubic, z, linear);
  const float m_lo = fma(cubic, z, linear - m) + fma(cubic, z_lo, fma(cubic_lo, z, linear_lo));
  const float v = h * m, v_lo = fma(h, m_lo, fma(h, m, -v));
  return over_one_plus(c, exp_of(-v, -v_lo));
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

// Phi(-t) / 2^(kHalfSquare t^2) up to t = 14.5: a rational function of positive coefficients, so that nothing cancels.
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
  const float square = t * t, square_lo = fma(t, t, -square);
  const float y = square * kHalfSquare, y_lo = fma(square_lo, kHalfSquare, fma(square, kHalfSquare, -y));
  const float e = approx::exp2_ftz(y), tail = fma(e, y_lo * approx::kLn2, e);
  return fma(tail, -t * mills(t), approx::max_nan(x, -0.0f));
}

#undef TILEOPS_FORM

}  // namespace within_2_20_math
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device
}  // namespace tileops

#endif

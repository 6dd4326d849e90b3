// SPDX-License-Identifier: Apache-2.0
// What formulas.h needs per compute type: ranges and constants.
#ifndef TILEOPS_DEVICE_MATH_COMPOSE_H
#define TILEOPS_DEVICE_MATH_COMPOSE_H

#include "../f32/exp.h"
#include "terms.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

// exp_tail: x exp(-x) rounds to 0 from here on. saturated: 1 + exp(-x) rounds to 1.
// gelu_tanh_tail: as exp_tail, for gelu_tanh. integers: every number from here on is one.
template <class T>
struct range;
template <>
struct range<float> {
  static constexpr float exp_tail = 110.0f;
  static constexpr float saturated = 30.0f;
  static constexpr float gelu_tanh_tail = 10.8f;
  static constexpr float gelu_tanh_saturated = 6.0f;
  static constexpr float integers = 0x1p23f;
};
template <>
struct range<double> {
  static constexpr double exp_tail = 760.0;
  static constexpr double saturated = 60.0;
  static constexpr double gelu_tanh_tail = 22.0;
  static constexpr double gelu_tanh_saturated = 12.0;
  static constexpr double integers = 0x1p52;
};

// 2 sqrt(2/pi) and 0.044715 times that, in two terms.
template <class T>
struct gelu_tanh_constants;
template <>
struct gelu_tanh_constants<float> {
  static constexpr float linear = 0x1.988454p+0f, linear_lo = -0x1.857936p-25f;
  static constexpr float cubic = 0x1.2444f2p-4f, cubic_lo = 0x1.49b16ap-29f;
};
template <>
struct gelu_tanh_constants<double> {
  static constexpr double linear = 0x1.9884533d43651p+0, linear_lo = -0x1.cbc0d30ebfd15p-54;
  static constexpr double cubic = 0x1.2444f2a4d8b4bp-4, cubic_lo = -0x1.6c843a29d1c70p-61;
};

// 1.0507009873554805 and 1.6732632423543772 times that, in two terms.
template <class T>
struct selu_constants;
template <>
struct selu_constants<float> {
  static constexpr float scale = 0x1.0cfabep+0f, scale_lo = -0x1.2adddap-25f;
  static constexpr float scale_alpha = 0x1.c212ccp+0f, scale_alpha_lo = 0x1.903c0cp-26f;
};
template <>
struct selu_constants<double> {
  static constexpr double scale = 0x1.0cfabd6a91132p+0, scale_lo = 0x1.ac79fa5f4ceb0p-55;
  static constexpr double scale_alpha = 0x1.c212cc640f031p+0;
  static constexpr double scale_alpha_lo = -0x1.26edf569e8971p-54;
};

// Does a rounding test follow, so that a few ulp of f32 do?
template <class P, class T>
inline constexpr bool approximate = P::approximate && sizeof(T) == 4;

// log1p(s * (hi + lo)) / s for s * hi in (0, 1].
template <class P>
TILEOPS_FN two_terms<float> log1p_scaled(float hi, float lo, float s) {
  const float e = s * hi;
  const float t = fma(e * hi, f32::log1p_q(e - 0.5f), lo);
  const float y = hi + t;
  return {y, (hi - y) + t};
}
template <class P>
TILEOPS_FN two_terms<double> log1p_scaled(double hi, double lo, double s) {
  const double e = s * hi;
  // Below 2^-60 the logarithm is e itself; above, 1/s is exact.
  const double l = P::log1p(e) * (1.0 / s);
  return {e < 0x1p-60 ? hi : l, lo / (1.0 + e)};
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

// SPDX-License-Identifier: Apache-2.0
// act(gate) * value in f64, far on the left, where act(gate) underflows although the product does not:
// the exponential's power of two is kept apart and applied last.
#ifndef TILEOPS_DEVICE_MATH_GATED_TAIL_H
#define TILEOPS_DEVICE_MATH_GATED_TAIL_H

#include "../f64/primitives.h"
#include "formulas.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

// factor * exp(x + lo) * value, for x from -2400 on and |value| > 1.
TILEOPS_FN double times_exp(double factor, double x, double lo, double value) {
  const f64::scaled_pair e = f64::exp_scaled(x, lo);
  // In three steps, of which only the last may be subnormal.
  const i64 first = e.k / 3, second = (e.k - first) / 2;
  const double m = value * f64::power_of_two(first) * (factor * (e.v.hi + e.v.lo));
  return m * f64::power_of_two(second) * f64::power_of_two(e.k - first - second);
}

// For finite gates left of what TILEOPS_GATED gives; further left than where these stop, every product
// rounds to 0.
TILEOPS_FN double silu_tail(double gate, double value) {  // gate < -700: silu is gate * exp(gate)
  const double g = gate > -1600.0 ? gate : -1600.0;
  return times_exp(g, g, 0.0, value);
}
// gate < -37: x Phi(x) is -phi(x) (1 - 1/x^2 + 3/x^4 - 15/x^6 + ...), Abramowitz and Stegun 26.2.12.
TILEOPS_FN double gelu_tail(double gate, double value) {
  const double g = gate > -60.0 ? gate : -60.0;
  const two_terms<double> square = two_prod(0.5 * g, g);
  const double w = 1.0 / (g * g);
  double s = fma(-13.0, w, 1.0);
  s = fma(-11.0 * w, s, 1.0);
  s = fma(-9.0 * w, s, 1.0);
  s = fma(-7.0 * w, s, 1.0);
  s = fma(-5.0 * w, s, 1.0);
  s = fma(-3.0 * w, s, 1.0);
  s = fma(-w, s, 1.0);
  return times_exp(-0x1.9884533d43651p-2 * s, -square.hi, -square.lo, value);  // 1 / sqrt(2 pi)
}
TILEOPS_FN double gelu_tanh_tail(double gate, double value) {  // gate < -20: gate * exp(2u)
  const double g = gate > -30.0 ? gate : -30.0;
  const two_terms<double> v = gelu_tanh_argument(g);
  return times_exp(g, v.hi, v.lo, value);
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

// f32 forms that are a few ulp off, for results that are rounded to 16 bits after a test whether that
// matters (policy portable_rough). Their operands are 16-bit floats.
#ifndef TILEOPS_DEVICE_MATH_F32_ROUGH_H
#define TILEOPS_DEVICE_MATH_F32_ROUGH_H

#include "f32_erf.h"

namespace tileops {
namespace device {
inline namespace TILEOPS_DEVICE_NS {
namespace f32 {

// gelu without its corrections; the square of a 16-bit float needs none. 2.28 ulp over all f16
// and bf16.
TILEOPS_FN float gelu_rough(float x) {
  const float t = min_bits(abs(x), 14.5f);
  constexpr float kRound63 = kRound + 63.0f;
  const float z = -0.5f * t * t;
  const float k = fma(z, kLog2e, kRound63);
  const float n = k - kRound63;
  const float r = fma(n, -kLn2Lo, fma(n, -kLn2Hi, z));
  const gelu_ratio g = gelu_tail(t, z);
  const float s = from_bits(to_bits(1.0f + g.b) - (to_bits(k) << 23));
  const float q = g.a / s;
  const float tail = fma(q, fma(r * r, exp_q(r), r), q);
  const float right = x < 0.0f ? -0.0f : x;
  return fma(-tail, 0x1p-64f, right);
}

}  // namespace f32
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device
}  // namespace tileops

#endif

// SPDX-License-Identifier: Apache-2.0
// Sine and cosine of the policy `bounded` (forms/bounded.h): as the portable forms, but of the cosine's sum only the
// last step rounds, so that it needs no second term, and in f64 all that is small is left to single numbers.
// Coefficients: tools/minimax_gpu.py.
#ifndef TILEOPS_DEVICE_CUDA_MATH_BOUNDED_TRIG_H
#define TILEOPS_DEVICE_CUDA_MATH_BOUNDED_TRIG_H

#include "bounded_math64.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace table_free {

// sin(x) for add = 0, cos(x) for 1, in even quadrants r - (r z S(z) + rest), in odd ones 1 + r (r C(z) + rest), where
// x = n pi/2 + r - rest and z = r^2. 0.89 ulp.
template <u32 add>
static __device__ __forceinline__ float sine(float x) {
  const f32::quadrant<float> k = f32::reduce(x, kRound + add);
  const float r = k.r, z = r * r;
  float s = fma(0x1.9951d2p-13f, z, -0x1.110774p-7f);
  s = fma(s, z, 0x1.555546p-3f);
  float c = fma(0x1.99e808p-16f, z, -0x1.6c0c28p-10f);
  c = fma(c, z, 0x1.55554ap-5f);
  c = fma(c, z, -0.5f);
  const float even = r - fma(r, z * s, k.rest), odd = fma(r, fma(r, c, k.rest), 1.0f);
  return flip_sign((to_bits(k.t) & 1u) != 0u ? odd : even, to_bits(k.t) << 30);
}

TILEOPS_COEFFICIENTS kSine[] = {-0x1.71de3a4a87742p-19, 0x1.a01a01a00482bp-13, -0x1.1111111110fe3p-7,
                                0x1.5555555555554p-3};
TILEOPS_COEFFICIENTS kCosine[] = {-0x1.27e4f7d064695p-22, 0x1.a01a019c437cbp-16, -0x1.6c16c16c14b79p-10,
                                  0x1.5555555555548p-5};

// The same in f64 for |x| < 2^20; pi/2 has parts of 33, 33 and 53 bits, and n times the first is exact. 0.86 ulp,
// 1.07 beside multiples of pi/2 (413441.44719405076); 28 of 52.
template <u64 add>
static __device__ __forceinline__ double sine64(double x) {
  constexpr double first = 0x1.921fb544p+0, second = 0x1.0b4611a6p-34, third = 0x1.3198a2e037073p-69;
  constexpr double round = f64::kRoundMagic + add;
  const double t = fma(x, 0x1.45f306dc9c883p-1, round), n = t - round;
  const double a = fma(-n, first, x), b = fma(-n, second, a);
  const double tail = fma(n, third, fma(n, second, -(a - b)));
  const double r = b - tail, rest = tail - (b - r), z = r * r;
  double s = fma(0x1.aaa23p-41, z, -0x1.61209p-33);
  s = fma(s, z, 0x1.ae645p-26);
  s = horner(s, z, kSine);
  double c = fma(-0x1.8fa48p-37, z, 0x1.1ee9dp-29);
  c = horner(c, z, kCosine);
  c = fma(c, z, -0.5);
  const double even = r - fma(r, z * s, rest), odd = fma(r, fma(r, c, rest), 1.0);
  return from_bits(to_bits((to_bits(t) & 1u) != 0u ? odd : even) ^ (to_bits(t) & 2u) << 62);
}

}  // namespace table_free
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

// SPDX-License-Identifier: Apache-2.0
// x - tanh(x), which cancels near 0.
#ifndef TILEOPS_DEVICE_MATH_FUNCTIONS_TANHSHRINK_H
#define TILEOPS_DEVICE_MATH_FUNCTIONS_TANHSHRINK_H

#include "../common/formulas.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

// ((x - tanh(x)) / x^3 - 1/3) / x^2 in z = x^2, |x| <= 1; errors 2^-30.4 and 2^-58.4 of x - tanh(x).
TILEOPS_FN float tanhshrink_tail(float z) {
  return polynomial(z, -0x1.11110ep-3f, 0x1.ba1a22p-5f, -0x1.662edp-6f, 0x1.211474p-7f, -0x1.c686acp-9f,
                    0x1.41ec56p-10f, -0x1.581e5p-12f, 0x1.811768p-15f);
}
TILEOPS_FN double tanhshrink_tail(double z) {
  return polynomial(z, -0x1.111111111110bp-3, 0x1.ba1ba1ba1af13p-5, -0x1.664f4882887d5p-6, 0x1.226e35552ecbp-7,
                    -0x1.d6d3cf120f218p-9, 0x1.7da34685681cep-10, -0x1.3556cf3365077p-11, 0x1.f5676a8c43e6cp-13,
                    -0x1.95f71606b51a1p-14, 0x1.470f4aa1e99d1p-15, -0x1.028e9cb38b0ddp-16, 0x1.835743067445ap-18,
                    -0x1.0157fbef10a34p-19, 0x1.11da718905ea8p-21, -0x1.8f6354ec328f2p-24, 0x1.225f23a1f8585p-27);
}

// Up to 1 by x^3 in two terms times 1/3 and the polynomial, beyond (x - 1) + 2 / (1 + e^(2x)). That is a hair above x -
// 1, which tells in doubles that are rounded again.
template <class P, class T>
TILEOPS_FN T tanhshrink(T x) {
  const T a = abs(x);
  const T less = a - T(1), far = fma(T(2), sigmoid<P>(T(-2) * a), less);
  const two_terms<T> z = two_prod(a, a), cube = two_prod(a, z.hi);
  const T third = T(1) / T(3), third_lo = same_v<T, float> ? T(-0x1.555556p-27) : T(0x1.5555555555555p-56);
  const T lost = fma(cube.lo + a * z.lo, third, cube.hi * third_lo);
  const T near = fma(cube.hi, third, fma(cube.hi * z.hi, tanhshrink_tail(z.hi), lost));
  const T y = a < T(1) ? near : far;
  if constexpr (P::pre_round) return copysign(y == less ? y + y * T(0x1p-45) : y, x);
  return copysign(y, x);
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

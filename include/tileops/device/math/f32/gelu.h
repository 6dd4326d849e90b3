// SPDX-License-Identifier: Apache-2.0
// Portable f32 gelu, x * Phi(x) with Phi the normal distribution. See exp.h for the rules.
#ifndef TILEOPS_DEVICE_MATH_F32_GELU_H
#define TILEOPS_DEVICE_MATH_F32_GELU_H

#include "exp.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace f32 {

// 2^64 t Phi(-t) for 0 <= t <= 14.5, where it is above 2^-151. With a relative error of 2^-27.3
//   t Phi(-t) = exp(-t^2 / 2) / 2 * A / (1 + c A + t N),  A = t + t^2/2 M.
// Every coefficient is positive, so nothing cancels. `reciprocal` gives 1 / d: a GPU has an instruction for it.
template <class V, class Reciprocal>
TILEOPS_FN V scaled_tail(V t, Reciprocal reciprocal) {
  // -t^2 / 2 = n ln2 + r. The fma takes the square unrounded: one rounding of it would cost 50 ulp at the end. The low
  // bits of k hold n + 63 + 127, so that the power is a normal number.
  constexpr float round = kRound + (63.0f + 127.0f);
  const V h = t * -0.5f;
  const V z = h * t;
  const V k = fma(z, kLog2e, round);
  const V n = k - round;
  const V r = fma(n, -kLn2Lo, fma(h, t, n * -kLn2Hi));
  const V grown = fma(r * r, exp_q(r), r);  // exp(r) - 1
  V m = fma(t, 0x1.05d732p-6f, 0x1.463d2p-3f);
  m = fma(m, t, 0x1.725dc8p-1f);
  m = fma(m, t, 0x1.bd8564p+0f);
  const V a = fma(-z, m, t);
  V p = fma(t, 0x1.2cac82p-17f, 0x1.42e166p-7f);
  p = fma(p, t, 0x1.a1e224p-4f);
  p = fma(p, t, 0x1.a8b38p-2f);
  constexpr float c = 0x1.40d8p+0f;
  const V d = fma(a, c, fma(p, t, 1.0f)), d_lo = fma(p, t, fma(a, c, 1.0f - d));
  const V inv = reciprocal(d);
  const V q = a * inv;
  const V more = fma(-q, d_lo, fma(-q, d, a)) * inv;  // a / d = q + more
  return (q + fma(q, grown, fma(more, grown, more))) * power_of_biased(k);
}

// max(x, 0) - t Phi(-t), t = |x|. 1.70 ulp.
template <class V>
TILEOPS_FN V gelu(V x) {
  const V tail = scaled_tail(magnitude_up_to(x, 14.5f), [](V d) { return 1.0f / d; });
  const V right = at_least(x, -0.0f);  // also keeps NaN and -0
  return fma(-tail, 0x1p-64f, right);  // where this is subnormal, it rounds once
}

}  // namespace f32
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

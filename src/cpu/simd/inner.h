// Functions for values inside an expression that reach results of 16 bits or fewer alone: within 2^-20 of the exact
// value, or 2^-140 where that is less (docs/expressions.md), for every operand. Of numbers and of registers, with the
// same bits; infinities, NaN and the sign of 0 are the operators'. Coefficients: tools/minimax.py inner.
#pragma once

#include "tileops/device/math/f32/exp.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace inner {

constexpr float kLn2 = 0x1.62e43p-1f;  // n times what it lacks stays below 2^-21

// (exp(r) - 1) / r on |r| <= ln2/2; r times the error is below 2^-23.3.
template <class V>
TILEOPS_FN V exp_q(V r) {
  V q = fma(0x1.0fa0d8p-7f, r, 0x1.573a24p-5f);
  q = fma(q, r, 0x1.555a7ep-3f);
  q = fma(q, r, 0x1.fffdc6p-2f);
  return fma(q, r, 0x1.fffff6p-1f);
}

template <class V>
TILEOPS_FN V exp(V x) {
  const V sum = fma(x, f32::kLog2e, kRound);
  const auto without_scale = [x](V n) {
    const V r = remainder_held(fma(n, -kLn2, x));
    return fma(exp_q(r), r, 1.0f);
  };
  if (all_scales_normal(sum)) return add_exponent(without_scale(sum - kRound), sum);
  const V t = exponent_held(sum);
  const V n = t - kRound;
  return scaled_exp(without_scale(n), t, n, x, -104.0f);
}

// 1 / (1 + exp(-v)) of the reduced -v = n ln2 + r, given t = n + 127 - 36 + kRound; n <= 159. Scaled until the end, so
// that it is rounded once where it is subnormal.
template <class V>
TILEOPS_FN V logistic(V t, V r) {
  const V s = power_of_biased(t);
  const V d = fma(s, exp_q(r) * r, s + 0x1p-36f);
  return 0x1p-36f / d;
}
constexpr float kLogisticRound = kRound + (127.0f - 36.0f);

template <class V>
TILEOPS_FN V sigmoid(V x) {
  const V c = at_most(at_least(x, -110.0f), 30.0f);
  const V t = fma(c, -f32::kLog2e, kLogisticRound);
  return logistic(t, fma(t - kLogisticRound, -kLn2, -c));
}

template <class V>
TILEOPS_FN V silu(V x) {
  return at_least(x, -110.0f) * sigmoid(x);
}

// From 8.6 on the quotient is above 1.
template <class V>
TILEOPS_FN V tanh(V x) {
  const V c = at_most(at_least(x, -8.6f), 8.6f);
  const V z = c * c;
  V p = fma(0x1.5d1d4p-17f, z, 0x1.75f79ep-9f);
  p = fma(p, z, 0x1.06d44ap-3f);
  p = fma(p, z, 0x1.fffff2p-1f);
  V q = fma(0x1.cb7fb6p-23f, z, 0x1.d7e672p-13f);
  q = fma(q, z, 0x1.7f9462p-6f);
  q = fma(q, z, 0x1.d8beb6p-2f);
  q = fma(q, z, 1.0f);
  return at_most(at_least(c * p / q, -1.0f), 1.0f);
}

// max(x, 0) - t Phi(-t), t = |x|, as f32/gelu.h: with n turns of 16 bits, so that their product is exact, Phi(-t) =
// 2^n exp(a r) P(t)/Q(t) / 2^64 for r = -t^2 - n turn and a = ln2 / turn.
template <class V>
TILEOPS_FN V gelu(V x) {
  constexpr float turn = 0x1.62e4p+0f;
  const V t = magnitude_up_to(x, 14.5f);         // Phi(-14.5) * 14.5 < 2^-151
  const V k = fma(t * t, -1.0f / turn, kRound);  // kRound + n
  const V r = fma(-t, t, fma(k, -turn, kRound * turn));
  V e = fma(0x1.0fbb26p-12f, r, 0x1.573a5ep-9f);
  e = fma(e, r, 0x1.555abcp-6f);
  e = fma(e, r, 0x1.fffe52p-4f);
  e = fma(e, r, 0x1.00001ep-1f);
  e = fma(e, r, 1.0f);
  V p = fma(0x1.041b88p+44f, t, 0x1.b10f32p+57f);
  p = fma(p, t, 0x1.a2a434p+60f);
  p = fma(p, t, 0x1.50d684p+62f);
  p = fma(p, t, 0x1.fffffep+62f);
  V q = fma(0x1.0fd8dap-5f, t, 0x1.0573d4p-2f);
  q = fma(q, t, 0x1.bb62b4p-1f);
  q = fma(q, t, 0x1.74ad22p+0f);
  q = fma(q, t, 1.0f);
  const V tail = add_exponent(e * (t * p / q), k);
  return fma(-tail, 0x1p-64f, at_least(x, -0.0f));  // which keeps NaN and -0, too
}

// x / (1 + exp(-v)), v = x (linear + cubic x^2) in two terms: it reaches -104 before the result vanishes.
template <class V>
TILEOPS_FN V gelu_tanh(V x) {
  constexpr float linear = 0x1.98846p+0f, linear_lo = -0x1.985794p-21f;  // of 20 bits, and the rest
  constexpr float cubic = 0x1.2444f2p-4f, cubic_lo = 0x1.49b16ap-29f;
  const V low = at_least(x, -10.9f), c = at_most(low, 6.5f);
  const V z = c * c;
  const V m = fma(cubic, z, linear);
  V m_lo = fma(cubic, z, -(m - linear));
  m_lo = fma(cubic, fma(c, c, -z), m_lo) + fma(cubic_lo, z, linear_lo);
  const V t = fma(c * m, -f32::kLog2e, kLogisticRound);
  const V n = t - kLogisticRound;
  const V r = fma(n, -f32::kLn2Lo, fma(-c, m_lo, fma(-c, m, n * -f32::kLn2Hi)));
  return low * logistic(t, r);
}

// x tanh(log(1 + exp(x))) = x n / (n + 2), n = e (e + 2), e = exp(x), which is subnormal far on the left.
template <class V>
TILEOPS_FN V mish(V x) {
  const V low = at_least(x, -110.0f), c = at_most(low, 20.0f);
  constexpr float round = kRound + (127.0f + 36.0f);
  const V t = fma(c, f32::kLog2e, round);
  const V r = fma(t - round, -kLn2, c);
  const V e = fma(exp_q(r), r, 1.0f) * power_of_biased(t) * 0x1p-36f;
  const V n = e * (e + 2.0f);
  return low * (n / (n + 2.0f));
}

}  // namespace inner
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

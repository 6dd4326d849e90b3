// Portable f32 gelu, x * Phi(x) with Phi the normal distribution. See f32_exp.h for the rules.
#ifndef TILEOPS_DEVICE_MATH_F32_GELU_H
#define TILEOPS_DEVICE_MATH_F32_GELU_H

#include "f32_exp.h"

namespace tileops {
namespace device {
inline namespace TILEOPS_DEVICE_NS {
namespace f32 {

// (exp(r / 2) - 1 - r / 2) / r^2, the polynomial of exp_q.
template <class V>
TILEOPS_FN V exp_half_q(V r) {
  V q = fma(0x1.6d7a2ap-16f, r, 0x1.123994p-12f);
  q = fma(q, r, 0x1.5554cp-9f);
  q = fma(q, r, 0x1.555492p-6f);
  return fma(q, r, 0x1p-3f);
}

// 2^64 t Phi(-t) for 0 <= t <= 14.5, given p = exp(-t^2 / 2) / 2^n - 1 and apart from the factor 2^n.
// Relative error of the polynomials below 2^-28.8.
template <class V>
TILEOPS_FN V scaled_tail(V t, V p) {
  // Of u = 1.03 t + 1, which is in [1, 16), the exponent and two bits of the mantissa choose one of
  // 16 cells; entry 12 is the first. Per cell: a number near its middle at which the function is
  // nearly a float, and the polynomial around it. In the first cell that is 0, so that a tiny t keeps
  // its relative accuracy. In the first three the function is t Phi(-t) itself, in the others that
  // over exp(-t^2 / 2).
  constexpr float center[16] = {
      0x1.36b0c2p+0f, 0x1.b2f61ep+0f, 0x1.179cd8p+1f, 0x1.55c0dap+1f,
      0x1.b2f68p+1f, 0x1.179f5ep+2f, 0x1.55c0f4p+2f, 0x1.93e1dp+2f,
      0x1.f1188ap+2f, 0x1.36ab4ep+3f, 0x1.74d014p+3f, 0x1.a38a28p+3f,
      0.0f, 0x1.74d048p-2f, 0x1.36adep-1f, 0x1.b2f16cp-1f};
  constexpr float c0[16] = {
      0x1.23d9dp+62f, 0x1.4906c4p+62f, 0x1.5fabf8p+62f, 0x1.6e3ceep+62f,
      0x1.7bc2bcp+62f, 0x1.85d2a6p+62f, 0x1.8b7bb2p+62f, 0x1.8ef2dcp+62f,
      0x1.920e96p+62f, 0x1.945054p+62f, 0x1.959244p+62f, 0x1.962e3ap+62f,
      0.0f, 0x1.0adc4ap+61f, 0x1.5202cp+61f, 0x1.eda8aap+61f};
  constexpr float c1[16] = {
      0x1.8b8cp+60f, 0x1.d4bb3ep+59f, 0x1.267b46p+59f, 0x1.849bd4p+58f,
      0x1.c132p+57f, 0x1.e2f8dap+56f, 0x1.1da434p+56f, 0x1.6b10aap+55f,
      0x1.96c6e2p+54f, 0x1.ae2a76p+53f, 0x1.fae5d6p+52f, 0x1.66d4c8p+52f,
      0x1p+63f, 0x1.c69806p+61f, 0x1.214426p+60f, 0x1.32696ap+61f};
  constexpr float c2[16] = {
      -0x1.c5478p+59f, -0x1.db70eap+58f, -0x1.0a3c32p+58f, -0x1.3b5cp+57f,
      -0x1.39f77ep+56f, -0x1.1aaf42p+55f, -0x1.1e092cp+54f, -0x1.3c92a2p+53f,
      -0x1.27fdbep+52f, -0x1.ff0c8p+50f, -0x1.fba8aap+49f, -0x1.412a86p+49f,
      -0x1.988452p+62f, -0x1.64fb3ep+62f, -0x1.154384p+62f, -0x1.827424p+60f};
  constexpr float c3[16] = {
      0x1.a854fcp+58f, 0x1.8ee9f2p+57f, 0x1.927918p+56f, 0x1.afc41ep+55f,
      0x1.762d72p+54f, 0x1.1d1746p+53f, 0x1.f12a06p+51f, 0x1.e19dd8p+50f,
      0x1.79a8cap+49f, 0x1.0b535ep+48f, 0x1.c0e50ep+46f, 0x1.fc5174p+45f,
      -0x1.1b26f2p+44f, 0x1.66df7p+60f, 0x1.f341bep+60f, 0x1.89fa32p+59f};
  constexpr float c4[16] = {
      -0x1.5ad5e2p+57f, -0x1.26ffbep+56f, -0x1.0e5294p+55f, -0x1.089674p+54f,
      -0x1.92a9cep+52f, -0x1.05e8bap+51f, -0x1.8c101ap+49f, -0x1.515b62p+48f,
      -0x1.be005cp+46f, -0x1.03dc02p+45f, -0x1.71b28cp+43f, -0x1.75ab26p+42f,
      0x1.106be6p+60f, 0x1.89bbf4p+59f, 0x1.60fb2ep+58f, -0x1.5be84ap+58f};
  constexpr float c5[16] = {
      0x1.02aecep+56f, 0x1.9056a6p+54f, 0x1.4f01cp+53f, 0x1.2ced62p+52f,
      0x1.9acbbap+50f, 0x1.c93438p+48f, 0x1.2c377p+47f, 0x1.c1d34cp+45f,
      0x1.011094p+44f, 0x1.ea67a2p+41f, 0x1.26a738p+40f, 0x1.01ebfp+39f,
      -0x1.208df6p+51f, -0x1.308306p+58f, -0x1.81208p+58f, 0x1.110ccep+57f};
  constexpr float c6[16] = {
      -0x1.6159fp+54f, -0x1.f52beep+52f, -0x1.83c0cap+51f, -0x1.353ec8p+50f,
      -0x1.83b32p+48f, -0x1.750b52p+46f, -0x1.ae8e84p+44f, -0x1.1f9f86p+43f,
      -0x1.158e3ep+41f, -0x1.b70bc2p+38f, -0x1.c1514ap+36f, -0x1.98df1cp+36f,
      -0x1.3a28f8p+57f, -0x1.7df9d6p+56f, -0x1.2334c2p+53f, -0x1.9d01fp+55f};
  const V u = fma(t, 0x1.07ae14p+0f, 1.0f);
  const auto cell = to_bits(u) >> 21;
  const V d = t - lookup16(center, cell);
  V g = fma(lookup16(c6, cell), d, lookup16(c5, cell));
  g = fma(g, d, lookup16(c4, cell));
  g = fma(g, d, lookup16(c3, cell));
  g = fma(g, d, lookup16(c2, cell));
  g = fma(g, d, lookup16(c1, cell));
  g = fma(g, d, lookup16(c0, cell));
  return plus_product_where(u >= 1.75f, g, p);
}

// max(x, 0) - t Phi(-t), t = |x|. 1.95 ulp.
template <class V>
TILEOPS_FN V gelu(V x) {
  const V t = magnitude_up_to(x, 14.5f);  // Phi(-14.5) * 14.5 < 2^-151
  // -t^2 = 2 n ln2 + r. The fma takes the square unrounded: one rounding of it would cost 50 ulp at
  // the end.
  const V k = fma(t * t, -0.5f * kLog2e, kRound);
  const V n = k - kRound;
  const V r0 = fma(-t, t, n * (-2.0f * kLn2Hi));
  const V r = fma(n, -2.0f * kLn2Lo, r0);
  const V q = fma(exp_half_q(r), r, 0.5f);  // exp(r / 2) = 1 + q r
  const V tail = times_power(scaled_tail(t, q * r), k, n);
  const V right = at_least(x, -0.0f);   // also keeps NaN and -0
  return fma(-tail, 0x1p-64f, right);   // where this is subnormal, it rounds once
}

}  // namespace f32
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device
}  // namespace tileops

#endif

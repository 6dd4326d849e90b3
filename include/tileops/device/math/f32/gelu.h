// SPDX-License-Identifier: Apache-2.0
// Portable f32 gelu, x * Phi(x) with Phi the normal distribution. See f32_exp.h for the rules.
#ifndef TILEOPS_DEVICE_MATH_F32_GELU_H
#define TILEOPS_DEVICE_MATH_F32_GELU_H

#include "exp.h"

namespace tileops {
namespace device {
inline namespace TILEOPS_DEVICE_NS {
namespace f32 {

// exp(-t^2 / 2) = 2^n exp(a r) exp((a - 1/2) t^2) for r = -t^2 - n kTurn and a = ln2 / kTurn, whatever kTurn is. So
// kTurn is a number of 16 bits near 2 ln2: n kTurn is exact, and r takes one rounding and no second term of ln2. The
// last factor, which is almost 1, is in the polynomials of scaled_tail.
constexpr float kTurn = 0x1.62dcp+0f;
// t^2 + kStart tells n, rounded from 1 - that / kTurn, and the polynomial. The first cell, where n is 0 and exp is left
// out, ends at t^2 = 1/8: from there on t Phi(-t) is above 1/8 and thus not in a lower binade than its factor.
constexpr float kStart = 1.375f;

// (exp(a r) - 1) / r for |r| <= kTurn / 2, and the 0.011 more that kStart is off. Error of the exponential 2^-28.1.
template <class V>
TILEOPS_FN V exp_turn_q(V r) {
  V q = fma(r, 0x1.68be16p-16f, 0x1.124f9cp-12f);
  q = fma(q, r, 0x1.5579a4p-9f);
  q = fma(q, r, 0x1.556c44p-6f);
  q = fma(q, r, 0x1.000bcep-3f);
  return fma(q, r, 0x1.0005e8p-1f);
}

// 2^64 t Phi(-t) for 0 <= t <= 14.5, given u = t^2 + kStart and p = exp(a r) - 1, and apart from the factor 2^n.
// Relative error of the polynomials below 2^-27.6, from t = 0.8 on below 2^-28.7, from 1.3 on below 2^-30.8.
template <class V>
TILEOPS_FN V scaled_tail(V t, V u, V p) {
  // The exponent of u and one bit of its mantissa choose one of 16 cells; entry 14 is the first. Per cell: a number
  // near its middle at which the function is nearly a float, and the polynomial around it. In the first cell that is 0,
  // so that a tiny t keeps its relative accuracy, and the function t Phi(-t) itself, else t Phi(-t) exp(a t^2).
  constexpr float center[16] = {0x1.085caep+0f, 0x1.728d92p+0f, 0x1.e2ab5p+0f,  0x1.2e5d4cp+1f,
                                0x1.755adp+1f,  0x1.c55dd6p+1f, 0x1.129532p+2f, 0x1.494e2cp+2f,
                                0x1.8b953cp+2f, 0x1.d7bad2p+2f, 0x1.1a3efep+3f, 0x1.4fb16ap+3f,
                                0x1.90f0aep+3f, 0x1.c4e658p+3f, 0.0f,           0x1.24e7eep-1f};
  constexpr float c0[16] = {0x1.0ff16cp+62f, 0x1.383704p+62f, 0x1.530b1p+62f,  0x1.65cffp+62f,  0x1.73d2cap+62f,
                            0x1.7de5c6p+62f, 0x1.8589ap+62f,  0x1.8b0abep+62f, 0x1.8f41c8p+62f, 0x1.925cd2p+62f,
                            0x1.94df86p+62f, 0x1.96ea1ep+62f, 0x1.98d848p+62f, 0x1.9a3176p+62f, 0.0f,
                            0x1.876606p+61f};
  constexpr float c1[16] = {0x1.e93ed6p+60f, 0x1.3125dcp+60f, 0x1.862884p+59f, 0x1.f87d5ap+58f,
                            0x1.416444p+58f, 0x1.9af146p+57f, 0x1.01fc4ep+57f, 0x1.476b2cp+56f,
                            0x1.9d811ap+55f, 0x1.0e8596p+55f, 0x1.6eba08p+54f, 0x1.0f42f8p+54f,
                            0x1.babe92p+53f, 0x1.9c7ae2p+53f, 0x1p+63f,        0x1.b8ae2p+61f};
  constexpr float c2[16] = {-0x1.25b7f8p+60f, -0x1.49132cp+59f, -0x1.7980dep+58f, -0x1.b44494p+57f,
                            -0x1.eb3b3cp+56f, -0x1.135948p+56f, -0x1.29c1d8p+55f, -0x1.408652p+54f,
                            -0x1.4b9522p+53f, -0x1.54558p+52f,  -0x1.498344p+51f, -0x1.2f8182p+50f,
                            -0x1.c9fbecp+48f, -0x1.4d8a4cp+47f, -0x1.988446p+62f, -0x1.2b8f6cp+61f};
  constexpr float c3[16] = {0x1.1ed872p+59f, 0x1.24347ep+58f, 0x1.30595cp+57f,  0x1.3e4134p+56f,
                            0x1.412f74p+55f, 0x1.412a8p+54f,  0x1.32993p+53f,   0x1.22dc98p+52f,
                            0x1.07df84p+51f, 0x1.dfed5ap+49f, 0x1.a39974p+48f,  0x1.72f958p+47f,
                            0x1.3db402p+46f, 0x1.61f29ep+45f, -0x1.ecee02p+46f, 0x1.46634ep+60f};
  constexpr float c4[16] = {-0x1.e732dep+57f, -0x1.c7051p+56f,  -0x1.b19f9p+55f,  -0x1.9d3446p+54f,
                            -0x1.78375p+53f,  -0x1.517284p+52f, -0x1.1d1e94p+51f, -0x1.dc593ap+49f,
                            -0x1.77cc6cp+48f, -0x1.28a88ep+47f, -0x1.bbaea8p+45f, -0x1.4eaeaap+44f,
                            -0x1.e3cdfcp+42f, -0x1.0ca5fep+42f, 0x1.10b3bcp+60f,  -0x1.321638p+59f};
  constexpr float c5[16] = {0x1.78bf16p+56f, 0x1.41747ap+55f, 0x1.1c784p+54f,   0x1.ee0eb2p+52f,
                            0x1.9ba3ap+51f,  0x1.4b2c1p+50f,  0x1.f6d21p+48f,   0x1.7029b6p+47f,
                            0x1.0127eap+46f, 0x1.5bf09p+44f,  0x1.c709c4p+42f,  0x1.24ad4ep+41f,
                            0x1.6b3842p+39f, 0x1.86a05cp+37f, -0x1.c4c9c4p+52f, 0x1.033f1p+58f};
  constexpr float c6[16] = {-0x1.0a4992p+55f, -0x1.a30be2p+53f, -0x1.584b48p+52f, -0x1.1285fep+51f,
                            -0x1.a2ad24p+49f, -0x1.1d1cbcp+48f, -0x1.9fd3c6p+46f, -0x1.0ba462p+45f,
                            -0x1.4b2d82p+43f, -0x1.41af12p+41f, -0x1.bc5c6cp+39f, -0x1.3b3e5ep+38f,
                            -0x1.45d148p+36f, 0x1.29d6c8p+41f,  -0x1.2bd78ep+57f, -0x1.8f77a2p+56f};
  const auto cell = to_bits(u) >> 22;
  const V d = t - lookup16(center, cell);
  V g = fma(lookup16(c6, cell), d, lookup16(c5, cell));
  g = fma(g, d, lookup16(c4, cell));
  g = fma(g, d, lookup16(c3, cell));
  g = fma(g, d, lookup16(c2, cell));
  g = fma(g, d, lookup16(c1, cell));
  g = fma(g, d, lookup16(c0, cell));
  return plus_product_where(u >= 1.5f, g, p);
}

// max(x, 0) - t Phi(-t), t = |x|. 1.91 ulp.
template <class V>
TILEOPS_FN V gelu(V x) {
  const V t = magnitude_up_to(x, 14.5f);  // Phi(-14.5) * 14.5 < 2^-151
  const V u = fma(t, t, kStart);
  const V k = fma(u, -1.0f / kTurn, kRound + 1.0f);  // kRound + n
  // The fma takes the square unrounded: one rounding of it would cost 50 ulp at the end.
  const V r = fma(-t, t, fma(k, -kTurn, kRound * kTurn));
  const V tail = add_exponent(scaled_tail(t, u, exp_turn_q(r) * r), k);
  const V right = at_least(x, -0.0f);  // also keeps NaN and -0
  return fma(-tail, 0x1p-64f, right);  // where this is subnormal, it rounds once
}

}  // namespace f32
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device
}  // namespace tileops

#endif

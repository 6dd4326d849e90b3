// SPDX-License-Identifier: Apache-2.0
// Portable f32 tanh. See exp.h for the rules.
#ifndef TILEOPS_DEVICE_MATH_F32_TANH_H
#define TILEOPS_DEVICE_MATH_F32_TANH_H

#include "../common/scalar_lanes.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace f32 {

// 0.66 ulp.
template <class V>
TILEOPS_FN V tanh(V x) {
  // With u = 1.66 |x| + 1, which is in [1, 16), the exponent and two bits of the mantissa choose one of 16 cells; entry
  // 12 is the first. Per cell: a number near its middle whose tanh is nearly a float, and the polynomial around it. In
  // the first cell that is 0, so that a tiny x keeps its relative accuracy. Relative error below 2^-28.9.
  constexpr float center[16] = {0x1.81967ep-1f, 0x1.0dcd86p+0f, 0x1.5ae78ep+0f, 0x1.a82014p+0f,
                                0x1.0dd218p+1f, 0x1.5af39cp+1f, 0x1.a80dccp+1f, 0x1.f52988p+1f,
                                0x1.345a7ap+2f, 0x1.819e2ep+2f, 0x1.ce069cp+2f, 0x1.0a2b24p+3f,
                                0.0f,           0x1.cebd94p-3f, 0x1.8184acp-2f, 0x1.0dd7ep-1f};
  constexpr float c0[16] = {0x1.462446p-1f, 0x1.910feep-1f, 0x1.c020dcp-1f, 0x1.dc0bbp-1f,
                            0x1.f11b76p-1f, 0x1.fb7ddap-1f, 0x1.fea4f2p-1f, 0x1.ff97ep-1f,
                            0x1.ffeeep-1f,  0x1.fffe78p-1f, 0x1.ffffdcp-1f, 0x1.fffffcp-1f,
                            0.0f,           0x1.c706p-3f,   0x1.7047d2p-2f, 0x1.eeb546p-2f};
  constexpr float c1[16] = {0x1.303fcep-1f,  0x1.8bad18p-2f,  0x1.df19f2p-3f, 0x1.158912p-3f,  0x1.d5a2d8p-5f,
                            0x1.1f4454p-6f,  0x1.5a9874p-8f,  0x1.a055cp-10f, 0x1.11fff8p-12f, 0x1.8805e6p-16f,
                            0x1.200508p-19f, 0x1.00010cp-22f, 0.0f,           0x1.e6b9cep-1f,  0x1.bdc62ep-1f,
                            0x1.887ffcp-1f};
  constexpr float c2[16] = {-0x1.839c58p-2f,
                            -0x1.35f16p-2f,
                            -0x1.a35574p-3f,
                            -0x1.020bc4p-3f,
                            -0x1.c7f9bp-5f,
                            -0x1.1cbcbap-6f,
                            -0x1.59ad7ap-8f,
                            -0x1.a0010ap-10f,
                            -0x1.11f552p-12f,
                            -0x1.880388p-16f,
                            -0x1.20011ep-19f,
                            -0x1.ffe162p-23f,
                            0.0f,
                            -0x1.b08fc8p-3f,
                            -0x1.40a4f8p-2f,
                            -0x1.7b3e76p-2f};
  constexpr float c3[16] = {0x1.607802p-5f,  0x1.bb91a6p-4f,  0x1.9ea83ap-4f,  0x1.26d444p-4f,
                            0x1.1e3034p-5f,  0x1.74ec54p-7f,  0x1.ca6866p-9f,  0x1.14dbfap-10f,
                            0x1.6c5c5p-13f,  0x1.04be6ep-16f, 0x1.7f21e4p-20f, 0x1.551058p-23f,
                            -0x1.555452p-2f, -0x1.1471a2p-2f, -0x1.6bb9f6p-3f, -0x1.39bd08p-4f};
  constexpr float c4[16] = {0x1.947f28p-4f,   0x1.07304ap-6f,   -0x1.4d74p-6f,    -0x1.98625cp-6f,
                            -0x1.f784bap-7f,  -0x1.67af4ep-8f,  -0x1.c58f3p-10f,  -0x1.13fcdep-11f,
                            -0x1.6c53fp-14f,  -0x1.04c478p-17f, -0x1.7faa3ap-21f, -0x1.5832c8p-24f,
                            -0x1.87008cp-13f, 0x1.0ae834p-3f,   0x1.5890fap-3f,   0x1.48acd8p-3f};
  constexpr float c5[16] = {-0x1.02163cp-4f, -0x1.480374p-5f, -0x1.677042p-7f, 0x1.1413ccp-9f,
                            0x1.262efap-8f,  0x1.0d1058p-9f,  0x1.67cceep-11f, 0x1.bd3052p-13f,
                            0x1.358638p-15f, 0x1.bbc47ap-19f, 0x1.462feap-22f, 0x1.1ad7dcp-25f,
                            0x1.17683ap-3f,  0x1.575cf8p-4f,  0x1.28818ep-6f,  -0x1.2ccbf8p-5f};
  constexpr float c6[16] = {-0x1.3f2a72p-11f, 0x1.39e176p-6f,   0x1.7db0b8p-7f,   0x1.ce20e4p-9f,
                            -0x1.efca98p-12f, -0x1.2ce01ep-11f, -0x1.c94558p-13f, -0x1.246618p-14f,
                            -0x1.996dd8p-17f, -0x1.2784cp-20f,  -0x1.a9abcap-24f, -0x1.33819p-27f,
                            -0x1.60814cp-6f,  -0x1.dcbb9p-5f,   -0x1.1a3602p-4f,  -0x1.88aeep-5f};
  const V ax = at_most(abs(x), 9.02f);  // tanh rounds to 1 from 9.011 on; also keeps NaN
  const V u = fma(ax, 0x1.a8f5c2p+0f, 1.0f);
  const auto cell = to_bits(u) >> 21;
  const V d = ax - lookup16(center, cell);  // exact
  V y = fma(lookup16(c6, cell), d, lookup16(c5, cell));
  y = fma(y, d, lookup16(c4, cell));
  y = fma(y, d, lookup16(c3, cell));
  y = fma(y, d, lookup16(c2, cell));
  y = fma(y, d, lookup16(c1, cell));
  // In the first cell d + y d, so that this rounds last; in the others d is less than c0.
  return copysign(fma(y, d, at_least(d, lookup16(c0, cell))), x);
}

}  // namespace f32
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

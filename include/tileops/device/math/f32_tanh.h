// Portable f32 tanh. See f32_exp.h for the rules.
#ifndef TILEOPS_DEVICE_MATH_F32_TANH_H
#define TILEOPS_DEVICE_MATH_F32_TANH_H

#include "scalar_lanes.h"

namespace tileops {
namespace device {
inline namespace TILEOPS_DEVICE_NS {
namespace f32 {

// (tanh(d) / d - 1) / d^2 on |d| <= 3/4, z = d^2; error of the tanh below 2^-29.1 relative. In pairs,
// which are ready sooner than one after the other.
template <class V>
TILEOPS_FN V tanh_q(V z) {
  const V z2 = z * z;
  const V high = fma(z, 0x1.c88ee8p-10f, -0x1.f6607p-8f);
  const V middle = fma(z, 0x1.5f9042p-6f, -0x1.b98104p-5f);
  const V low = fma(z, 0x1.110ddap-3f, -0x1.55554ap-2f);
  return fma(fma(high, z2, middle), z2, low);
}

// 0.88 ulp. tanh(c + d) = T + (1 - T^2) tanh(d) / (1 + T tanh(d)), T = tanh(c).
template <class V>
TILEOPS_FN V tanh(V x) {
  // |x| lies in one of 16 cells, four to an octave; entry 9, the first, is of all below 3/4, entry 8
  // of all from 8 on. Per cell: c, of the numbers near its middle one whose tanh is nearly a float;
  // that float; and 1 - T^2.
  constexpr float center[16] = {
      0x1.1ff226p+1f, 0x1.5ff05ep+1f, 0x1.9feb98p+1f, 0x1.e01726p+1f,
      0x1.2004d2p+2f, 0x1.5fe8bep+2f, 0x1.9fef28p+2f, 0x1.e0177p+2f,
      0x1.10177p+3f, 0.0f, 0x1.9fef8ap-1f, 0x1.dff95ap-1f,
      0x1.20155cp+0f, 0x1.5fef1ep+0f, 0x1.a01248p+0f, 0x1.dfe98p+0f};
  constexpr float value[16] = {
      0x1.f4bd6ep-1f, 0x1.fbd406p-1f, 0x1.fe75fcp-1f, 0x1.ff6f4cp-1f,
      0x1.ffdfacp-1f, 0x1.fffb9cp-1f, 0x1.ffff68p-1f, 0x1.ffffecp-1f,
      0x1.fffffep-1f, 0.0f, 0x1.577ff2p-1f, 0x1.77d528p-1f,
      0x1.9e6b72p-1f, 0x1.c27104p-1f, 0x1.d9cc3cp-1f, 0x1.e87494p-1f};
  constexpr float slope[16] = {
      0x1.645bf2p-5f, 0x1.09e80ap-6f, 0x1.896c64p-8f, 0x1.213f1ap-9f,
      0x1.0297d4p-11f, 0x1.18feccp-14f, 0x1.2fffd4p-17f, 0x1.478582p-20f,
      0x1.6196cp-23f, 0x1p+0f, 0x1.198bf2p-1f, 0x1.d83dd4p-2f,
      0x1.61204ep-2f, 0x1.cedcf8p-3f, 0x1.26374ep-3f, 0x1.700d5ap-4f};
  const V ax = at_most(abs(x), 9.02f);  // tanh rounds to 1 from 9.011 on
  const auto cell = to_bits(at_least(ax, 0.625f)) >> 21;
  const V d = ax - lookup16(center, cell);  // exact
  const V z = d * d;
  const V h = fma(d * z, tanh_q(z), d);
  // Outside the first cell, where T = 0, the second term is at most a sixth of the first.
  const V t = lookup16(value, cell);
  const V y = t + lookup16(slope, cell) * h / fma(t, h, 1.0f);
  return copysign(y, x);
}

}  // namespace f32
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device
}  // namespace tileops

#endif

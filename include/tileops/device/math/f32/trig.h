// SPDX-License-Identifier: Apache-2.0
// Portable f32 sine and cosine. See exp.h for the rules.
#ifndef TILEOPS_DEVICE_MATH_F32_TRIG_H
#define TILEOPS_DEVICE_MATH_F32_TRIG_H

#include "exp.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace f32 {

// Up to here the three-term reduction is exact enough; sin_slow takes the rest.
constexpr float kTrigFastMax = 0x1p17f;

// sin and cos of r - rest, |r| <= pi/4. Errors: sin 2^-27.9 relative, cos 2^-33 absolute. The signs
// are such that sin_poly(-0, +0) = -0.
template <class V>
TILEOPS_FN V sin_poly(V r, V rest) {
  const V z = r * r;
  V s = fma(0x1.995406p-13f, z, -0x1.110778p-7f);
  s = fma(s, z, 0x1.555546p-3f);
  return r - fma(r * z, s, rest);
}
template <class V>
TILEOPS_FN V cos_poly(V r, V rest) {
  const V z = r * r;
  V c = fma(0x1.99e0ecp-16f, z, -0x1.6c0c1ap-10f);
  c = fma(c, z, 0x1.55554ap-5f);
  const V h = fma(-0.5f, z, 1.0f);
  const V h_lo = fma(-0.5f, z, 1.0f - h);  // exact
  return h + (h_lo + fma(z * z, c, r * rest));
}

// x = n * pi/2 + r - rest, n in the low bits of t, which is the sum with `round`.
template <class V>
struct quadrant {
  V r, rest, t;
};
template <class V>
TILEOPS_FN quadrant<V> reduce(V x, float round = kRound) {
  const V t = fma(x, 0x1.45f306p-1f, round);
  const V n = t - round;
  // pi/2 = c1 + c2 + c3. n * c1 cancels exactly: both are multiples of 2^-24 and the difference is
  // below 1. Of n * c2 the rounding error is kept; r1 - r is exact because r1 is a multiple of the
  // last place of n * c2.
  const V r1 = fma(n, -0x1.921fb4p+0f, x);
  const V r = r1 - n * 0x1.4442d2p-24f;
  const V rest = fma(n, 0x1.4442d2p-24f, -(r1 - r));
  return {r, fma(n, -0x1.ee59dap-50f, rest), t};
}

// `even`, or `odd` where n, in the low bits of t, is; its sign changed where bit 1 of n + add is set.
template <class V>
TILEOPS_FN V by_quadrant(V t, u32 add, V even, V odd) {
  const auto n = to_bits(t);
  return flip_sign(select_by_last_bit(n, odd, even), (n + add) << 30);
}

// 0.87 ulp.
template <class V>
TILEOPS_FN V sin(V x) {
  const quadrant<V> k = reduce(x);
  return by_quadrant(k.t, 0u, sin_poly(k.r, k.rest), cos_poly(k.r, k.rest));
}
// 0.87 ulp.
template <class V>
TILEOPS_FN V cos(V x) {
  const quadrant<V> k = reduce(x);
  return by_quadrant(k.t, 1u, cos_poly(k.r, k.rest), sin_poly(k.r, k.rest));
}

// Infinities and NaN are rare too.
TILEOPS_FN bool sin_rare(float x) { return !(abs(x) <= kTrigFastMax); }
TILEOPS_FN bool cos_rare(float x) { return !(abs(x) <= kTrigFastMax); }

// |x| / (2 pi) modulo 1 as a 64-bit fraction, for 2^17 <= |x| < inf: m * 2^e times the bits of
// 1/(2 pi) that are neither whole turns nor below 2^-96 of a turn.
TILEOPS_SLOW_FN u64 phase_of(float ax) {
  // 1/(2 pi) after one zero word, so that e = -6 needs no special case.
  const u32 inv_2pi[9] = {0u,          0x28be60dbu, 0x9391054au, 0x7f09d5f4u, 0x7d4d3770u,
                          0x36d8a566u, 0x4f10e410u, 0x7f9458eau, 0xf7aef158u};
  const u32 bits = to_bits(ax);
  const u64 m = (bits & 0x7fffffu) | 0x800000u;
  const u32 pos = (bits >> 23) - 150u + 32u;
  const u32 word = pos >> 5;
  const u32 shift = pos & 31u;
  u64 hi = ((u64)inv_2pi[word] << 32) | inv_2pi[word + 1];
  u64 lo = ((u64)inv_2pi[word + 2] << 32) | inv_2pi[word + 3];
  if (shift != 0u) {
    hi = (hi << shift) | (lo >> (64u - shift));
    lo <<= shift;
  }
  return m * hi + ((m * (lo >> 32)) >> 32);
}

// A float is never closer than about 2^-33 of a turn to a multiple of a quarter turn, so 64 bits of
// phase leave 30 good ones.
TILEOPS_SLOW_FN quadrant<float> reduce_slow(float x) {
  const u64 phase = x < 0.0f ? 0u - phase_of(-x) : phase_of(x);
  const u64 q = (phase + (u64{1} << 61)) >> 62;
  const double r = (double)(i64)(phase - (q << 62)) * 0x1.921fb54442d18p-62;
  const float hi = (float)r;
  return {hi, (float)((double)hi - r), from_bits((u32)q)};
}
TILEOPS_SLOW_FN float sin_slow(float x) {
  if (!sin_rare(x)) return sin(x);
  if (!(abs(x) < limits<float>::inf())) return limits<float>::nan();
  const quadrant<float> k = reduce_slow(x);
  return by_quadrant(k.t, 0u, sin_poly(k.r, k.rest), cos_poly(k.r, k.rest));
}
TILEOPS_SLOW_FN float cos_slow(float x) {
  if (!cos_rare(x)) return cos(x);
  if (!(abs(x) < limits<float>::inf())) return limits<float>::nan();
  const quadrant<float> k = reduce_slow(x);
  return by_quadrant(k.t, 1u, cos_poly(k.r, k.rest), sin_poly(k.r, k.rest));
}

// sin and cos of phase / 2^64 turns, absolute error below 5.1e-8 (0.85 ulp near 1); the last 8 bits
// of the phase are ignored. Only 32-bit operations after the split.
TILEOPS_FN void sincos_turn(u64 phase, float& s, float& c) {
  const u32 hi = (u32)(phase >> 32);
  const u32 lo = (u32)phase;
  const u32 q = (hi + 0x20000000u) >> 30;
  const u32 f = hi - (q << 30);  // signed, in [-2^29, 2^29)
  // The fraction is a * 2^-24 + b * 2^-56 turns, |a| <= 2^21 and b signed.
  const float a = (float)((i32)(f + 128u) >> 8);
  const float b = (float)(i32)((f << 24) | (lo >> 8));
  const float p = a * 0x1.921fb6p-22f;
  const float p_lo = fma(a, 0x1.921fb6p-22f, -p);
  const float t = fma(b, 0x1.921fb6p-54f, fma(a, -0x1.777a5cp-47f, p_lo));
  const float r = p + t;
  const float r_lo = (p - r) + t;
  const float sr = sin_poly(r, -r_lo);
  const float cr = cos_poly(r, -r_lo);
  const bool swap = (q & 1u) != 0u;
  s = from_bits(to_bits(swap ? cr : sr) ^ ((q & 2u) << 30));
  c = from_bits(to_bits(swap ? sr : cr) ^ (((q + 1u) & 2u) << 30));
}

}  // namespace f32
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

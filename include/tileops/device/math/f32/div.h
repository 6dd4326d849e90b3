// SPDX-License-Identifier: Apache-2.0
// Portable f32 roots, reciprocals and the exact fmod. See exp.h for the rules.
#ifndef TILEOPS_DEVICE_MATH_F32_DIV_H
#define TILEOPS_DEVICE_MATH_F32_DIV_H

#include "exp.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace f32 {

using device_detail::sqrt;
template <class V>
TILEOPS_FN V rcp(V x) {
  return reciprocal(x);
}

// One step as in 1 / sqrt(1 - e) = 1 + e / 2 + 3/8 e^2 + ... with the residual e = 1 - m y^2 in full; of positive
// finite m, subnormal or not, no result of an operation leaves the normal range. Without the square one result would
// be wrong.
template <class V>
TILEOPS_FN V improved_rsqrt(V m, V y) {
  const V h = m * y;
  const V less = fma(-m, y, h);  // h was rounded up by this much; of -h the compiler would make a number of its own
  const V e = fma(less, y, fma(-h, y, 1.0f));
  return fma(y * e, fma(e, 0.375f, 0.5f), y);
}
// Correctly rounded, and so whatever the first approximation was: all y within an ulp of the result were
// taken for all m in [1/2, 2), of which normal numbers are multiples by powers of 4.
template <class V>
TILEOPS_FN V rsqrt(V x) {
  const V usual = improved_rsqrt(x, approx_rsqrt(x));  // NaN for 0, negative numbers and infinity
  if (all_numbers(usual)) return usual;
  const V m = rsqrt_operand(x);
  const V y = approx_rsqrt(m);
  return rsqrt_result(improved_rsqrt(m, y), y, x);
}

// Exact when |a / b| < 2^22 and b is finite.
TILEOPS_FN float fmod(float a, float b) {
  const float aa = abs(a);
  const float ab = abs(b);
  // The rounded quotient may reach the next integer, never pass it; then the remainder, which
  // fma gives exactly, is negative and one b too low.
  const float t = aa / ab;
  const float n0 = (t + 0x1p23f) - 0x1p23f;
  const float n = n0 > t ? n0 - 1.0f : n0;
  const float r = fma(-n, ab, aa);
  return copysign(r < 0.0f ? r + ab : r, a);
}
TILEOPS_FN bool fmod_rare(float a, float b) {
  const bool small = abs(a) < 0x1p22f * abs(b);  // false for NaN
  return small ? abs(b) == limits<float>::inf() : true;
}
// Long division, as many quotient bits at a time as U has beyond a significand's.
template <class U>
TILEOPS_FN float long_fmod(float a, float b) {
  constexpr u32 room = sizeof(U) * 8 - 24;
  const float inf = limits<float>::inf();
  const float aa = abs(a);
  const float ab = abs(b);
  if (!(aa < inf) || !(ab <= inf) || ab == 0.0f) return limits<float>::nan();
  if (aa < ab) return a;
  const u32 ua = to_bits(aa), ub = to_bits(ab);
  u32 ea = ua >> 23, eb = ub >> 23;
  U ma = ua & 0x7fffffu, mb = ub & 0x7fffffu;
  if (ea != 0u) ma |= 0x800000u;
  else ea = 1u;
  if (eb != 0u) mb |= 0x800000u;
  else eb = 1u;
  ma %= mb;
  for (u32 d = ea - eb; d != 0u && ma != 0u;) {
    const u32 step = d < room ? d : room;
    ma = (ma << step) % mb;
    d -= step;
  }
  // ma < 2^24 in units of 2^(eb - 150), the last place of b; the unit may be subnormal.
  const float unit = eb > 23u ? from_bits((eb - 23u) << 23) : from_bits(1u << (eb - 1u));
  return copysign((float)ma * unit, a);
}
TILEOPS_SLOW_FN float fmod_slow(float a, float b) { return long_fmod<u64>(a, b); }

}  // namespace f32
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

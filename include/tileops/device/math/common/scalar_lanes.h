// SPDX-License-Identifier: Apache-2.0
// The values of the f32 formulas. A formula of f32_*.h that is a template over V computes one number
// (V = float) or the lanes of a vector register (src/cpu/simd/lanes.h); both offer the operations
// of this file and give the same bits for them, apart from NaN's sign and payload.
//
// The second half needs no more than the first. AVX-512 has instructions for most of it and replaces
// it; the formulas say what they need in these terms and not in integer operations on an exponent.
#ifndef TILEOPS_DEVICE_MATH_SCALAR_LANES_H
#define TILEOPS_DEVICE_MATH_SCALAR_LANES_H

#include "terms.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

// float or double, of which V has one or several.
template <class V>
struct scalar_of {
  using type = float;
};
template <>
struct scalar_of<double> {
  using type = double;
};

// Bounded on one side; NaN stays.
TILEOPS_FN float at_most(float x, float limit) { return limit < x ? limit : x; }
TILEOPS_FN double at_most(double x, double limit) { return limit < x ? limit : x; }
TILEOPS_FN float at_least(float x, float limit) { return limit > x ? limit : x; }
TILEOPS_FN double at_least(double x, double limit) { return limit > x ? limit : x; }

// IEEE square root. Device code has no such builtin, and its sqrtf depends on compiler flags.
TILEOPS_FN float sqrt(float x) {
#if defined(__CUDA_ARCH__)
  return __fsqrt_rn(x);
#else
  return __builtin_sqrtf(x);
#endif
}

TILEOPS_FN bool any(bool m) { return m; }

// x, its sign changed where the sign bit of b is set.
TILEOPS_FN float flip_sign(float x, u32 b) { return from_bits(to_bits(x) ^ (b & 0x80000000u)); }

// On bits: shift of a signed number, the smaller of two signed numbers, conversion of one.
TILEOPS_FN u32 shift_signed(u32 x, int n) { return (u32)((i32)x >> n); }
TILEOPS_FN u32 min_signed(u32 x, u32 y) { return (i32)x < (i32)y ? x : y; }
TILEOPS_FN float signed_to_float(u32 x) { return (float)(i32)x; }

// The instruction, where that is not what sqrt uses.
TILEOPS_FN float hardware_root(float x) { return sqrt(x); }

// Entry i modulo 16. Tables are local to the functions that use them: device code cannot read a
// constexpr array of namespace scope through a variable index.
#if defined(__CUDA_ARCH__)
// By selection: a variable index would put the table into local memory, at a twentieth of the speed.
TILEOPS_FN float lookup16(const float (&t)[16], u32 i) {
  const bool b0 = i & 1u, b1 = i & 2u, b2 = i & 4u, b3 = i & 8u;
  const float a0 = b0 ? t[1] : t[0], a1 = b0 ? t[3] : t[2], a2 = b0 ? t[5] : t[4];
  const float a3 = b0 ? t[7] : t[6], a4 = b0 ? t[9] : t[8], a5 = b0 ? t[11] : t[10];
  const float a6 = b0 ? t[13] : t[12], a7 = b0 ? t[15] : t[14];
  const float c0 = b1 ? a1 : a0, c1 = b1 ? a3 : a2, c2 = b1 ? a5 : a4, c3 = b1 ? a7 : a6;
  const float d0 = b2 ? c1 : c0, d1 = b2 ? c3 : c2;
  return b3 ? d1 : d0;
}
#else
TILEOPS_FN float lookup16(const float (&table)[16], u32 i) { return table[i & 15u]; }
#endif

// ---- for every V

template <class V>
TILEOPS_FN V reciprocal(V x) {
  return 1.0f / x;
}

// x^0.5 as C pow: +0 of -0 and +inf of -inf, where the root is -0 and NaN.
template <class V>
TILEOPS_FN V hardware_power_half(V x) {
  return select(x == -limits<float>::inf(), V(limits<float>::inf()), hardware_root(x + 0.0f));
}
template <class V>
TILEOPS_FN V power_half(V x) {
  return hardware_power_half(x);
}

// `yes` where the last bit of b is set.
template <class U, class V>
TILEOPS_FN V select_by_last_bit(U b, V yes, V no) {
  return select((b & 1u) != 0u, yes, no);
}

// x where `m`, else 0.
template <class M, class V>
TILEOPS_FN V only_where(M m, V x) {
  return select(m, x, V(0.0f));
}

// x, or |y| with its sign if that is smaller.
template <class V>
TILEOPS_FN V least_magnitude(V x, V y) {
  return select(abs(y) < abs(x), copysign(y, x), x);
}

// |x|, or the limit if that is smaller; also for NaN.
template <class V>
TILEOPS_FN V magnitude_up_to(V x, float limit) {
  return from_bits(min_signed(to_bits(abs(x)), to_bits(V(limit))));
}

// Adding 1.5 * 2^23 rounds to an integer (nearest even) and leaves it in the low mantissa bits.
constexpr float kRound = 12582912.0f;
constexpr u32 kRoundBits = 0x4b400000u;

// An exponential is 2^n p(r). Out of its range n or r or both are unusable, and these three make the
// result right all the same: 0, infinity or NaN. First the kRound sum that holds n: with n held at
// 128 it is r that grows instead. Far below, the last one decides.
template <class V>
TILEOPS_FN V exponent_held(V t) {
  return from_bits(min_signed(to_bits(t), kRoundBits + 128u));
}
template <class V>
TILEOPS_FN V remainder_held(V r) {
  return r;
}
// p * 2^n where n = t - kRound; 0 for x < limit.
template <class V>
TILEOPS_FN V scaled_exp(V p, V t, V, V x, float limit) {
  // Below -124 through 2^64, so that a subnormal result is rounded by the last multiplication.
  const auto k = to_bits(t);
  const auto low = t < kRound - 124.0f;
  const V hi = from_bits((k << 23) + to_bits(select(low, V(0x1p64f), V(0.5f))));
  return select(x < limit, V(0.0f), p * hi * select(low, V(0x1p-64f), V(2.0f)));
}

// Is 2^n p(r) a normal number for all, so that n may be added to its exponent? t need not be held. For numbers always
// false, since to know would save nothing.
template <class V>
TILEOPS_FN bool all_scales_normal(V) {
  return false;
}
// p * 2^n for t = n + kRound, where p and the result are normal or n is 0.
template <class V>
TILEOPS_FN V add_exponent(V p, V t) {
  return from_bits(to_bits(p) + (to_bits(t) << 23));
}

// 2^m for the integer m in [-126, 127] that t = m + 127 + kRound holds.
template <class V>
TILEOPS_FN V power_of_biased(V t) {
  return from_bits(to_bits(t) << 23);
}

// x = m * 2^e with m in [3/4, 3/2), for positive finite x, subnormal or not.
template <class V>
struct mantissa_exponent {
  V m, e;
};
template <class V>
TILEOPS_FN mantissa_exponent<V> split_around_1(V x) {
  const auto tiny = x < 0x1p-126f;
  const auto u = to_bits(select(tiny, x * 0x1p23f, x));
  const auto k = shift_signed(u - 0x3f400000u, 23);
  return {from_bits(u - (k << 23)), signed_to_float(k) - select(tiny, V(23.0f), V(0.0f))};
}
// The same of normal numbers, and 2^23 e in the place of e: so it stands in the bits.
template <class V>
TILEOPS_FN mantissa_exponent<V> split_normal_around_1(V x) {
  const auto bits = to_bits(x);
  const auto e = (bits - 0x3f400000u) & 0xff800000u;
  return {from_bits(bits - e), signed_to_float(e)};
}
// Are all positive and normal? May be false all the same, where split_around_1 takes no longer than the other.
template <class V>
TILEOPS_FN bool all_split_as_normal(V) {
  return false;
}

// 1 / sqrt(x), by way of a number m = x / 4^j: first that of m to an ulp, then, given that improved to z,
// the result for x. Here m = x, and the first approximation is right for 0, negative numbers and infinity.
template <class V>
TILEOPS_FN V rsqrt_operand(V x) {
  return x;
}
// True only where it is known that all are: a vector of many asks; here to know would save nothing.
template <class V>
TILEOPS_FN bool all_positive_normal(V) {
  return false;
}
template <class V>
TILEOPS_FN bool all_below(V, float) {
  return false;
}
template <class V>
TILEOPS_FN bool all_numbers(V) {
  return false;
}
template <class V>
TILEOPS_FN V approx_rsqrt(V m) {
  return 1.0f / sqrt(m);
}
template <class V>
TILEOPS_FN V rsqrt_result(V z, V y, V x) {
  return select((x > 0.0f) & (x < limits<float>::inf()), z, y);
}

// y, or the logarithm of what has none of its own: -inf at 0, NaN below, x at inf and NaN.
template <class V>
TILEOPS_FN V with_log_specials(V y, V x) {
  const V below = select(x == 0.0f, V(-limits<float>::inf()), V(limits<float>::nan()));
  return select(x < limits<float>::inf(), select(x > 0.0f, y, below), x);
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

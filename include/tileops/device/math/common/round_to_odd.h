// SPDX-License-Identifier: Apache-2.0
// Results rounded to odd (von Neumann rounding): toward zero, with the last bit set if anything was
// lost. What is then rounded to a format at least two bits narrower is rounded once. For formulas of
// a few operations this is cheaper than testing how close an f32 result is to a tie, and data full of
// exact ties (a lerp at 1/2, ALiBi's whole distances) costs nothing extra. GPUs (and AVX-512, in
// src/cpu/simd/round_to_odd.h) round each operation either way; elsewhere the sums are made in f64, where nothing
// that 16-bit operands give overflows or underflows.
#ifndef TILEOPS_DEVICE_MATH_STICKY_H
#define TILEOPS_DEVICE_MATH_STICKY_H

#include "../../convert.h"
#include "terms.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

// hi = the nearest double to hi + lo. A NaN in lo, left by infinities, counts as nothing lost.
TILEOPS_FN float round_to_odd(two_terms<double> t) {
  const u64 b = to_bits(t.hi);
  const bool inexact = (t.lo > 0.0) | (t.lo < 0.0);
  const u64 truncated = (t.lo < 0.0) != (t.hi < 0.0) ? b - 1 : b;
  return round_to_odd(from_bits(inexact ? truncated | 1u : b));
}

// a + w(b - a), from the end that PyTorch takes (it matters for infinities only).
TILEOPS_FN float lerp_to_odd_in_f64(float a, float b, float w) {
  const double weight = w;
  const u64 near_a = abs(weight) < 0.5 ? ~u64{0} : 0;
  const two_terms<double> d = two_sum(static_cast<double>(b), -static_cast<double>(a));
  const double from = pick(near_a, static_cast<double>(a), static_cast<double>(b));
  const two_terms<double> less = two_sum(weight, -1.0);
  const double part = pick(near_a, weight, less.hi), part_lo = pick(near_a, 0.0, less.lo);
  const two_terms<double> p = two_prod(part, d.hi);
  const two_terms<double> s = two_sum(p.hi, from);
  const double lo = s.lo + fma(part_lo, d.hi, fma(part, d.lo, p.lo));
  const double rest = lo == lo ? lo : 0.0;
  const double hi = rest == 0.0 ? s.hi : s.hi + rest;  // -0 stays
  return round_to_odd(two_terms<double>{hi, rest - (hi - s.hi)});
}

#if defined(__CUDA_ARCH__)
// A result rounded to odd, from the same one rounded down and up. Those two are neighbours, of which one is odd, or
// they are the same number. An exact zero has the sign of `up`, which is the usual one.
TILEOPS_FN float odd_of(float down, float up) { return (to_bits(down) & 1u) != 0u ? down : up; }
TILEOPS_FN float mul_to_odd(float a, float b) { return odd_of(__fmul_rd(a, b), __fmul_ru(a, b)); }
TILEOPS_FN float fma_to_odd(float a, float b, float c) { return odd_of(__fmaf_rd(a, b, c), __fmaf_ru(a, b, c)); }

// Where b - a or w - 1 is not exact, which 16-bit operands of similar size never give, in f64.
TILEOPS_SLOW_FN float lerp_to_odd_again(float a, float b, float w) { return lerp_to_odd_in_f64(a, b, w); }
TILEOPS_FN float lerp_to_odd(float a, float b, float w) {
  const bool near_a = abs(w) < 0.5f;
  const float diff = __fsub_ru(b, a), less = __fsub_ru(w, 1.0f);
  const bool inexact = (__fsub_rd(b, a) < diff) | (!near_a & (__fsub_rd(w, 1.0f) < less));
  const float y = fma_to_odd(near_a ? w : less, diff, near_a ? a : b);
  return inexact ? lerp_to_odd_again(a, b, w) : y;
}
#else
// The product is exact in f64.
TILEOPS_FN float mul_to_odd(float a, float b) { return round_to_odd(static_cast<double>(a) * static_cast<double>(b)); }

// a*b + c.
TILEOPS_FN float fma_to_odd(float a, float b, float c) {
  const double p = static_cast<double>(a) * static_cast<double>(b);
  return round_to_odd(two_sum(p, static_cast<double>(c)));
}

TILEOPS_FN float lerp_to_odd(float a, float b, float w) { return lerp_to_odd_in_f64(a, b, w); }
#endif

// The neighbour of q that is odd, on the side of the exact value: above q where rest > 0. Without
// conditions on conditions, for which g++ 12 does not vectorise.
TILEOPS_FN float odd_beside(float q, float rest) {
  const i32 b = (i32)to_bits(q);
  const i32 sign = b >> 31;
  const i32 up = rest > 0.0f ? 1 : 0;
  const i32 down = rest < 0.0f ? 1 : 0;
  const i32 outward = ((up - down) ^ sign) - sign;
  return from_bits((u32)(b + (outward & ((b & 1) - 1))));
}

// min(max(x + 3, 0), 6) / 6 and x times that. The remainder of the division is exact, and its sign that
// of the error.
TILEOPS_FN float hardsigmoid_to_odd(float x) {
  const float d = x + 3.0f;
  const float q = d * (1.0f / 6.0f);
  const float rest = fma(-6.0f, q, d) + (x - (d - 3.0f));
  const float y = x <= -3.0f ? 0.0f : odd_beside(q, rest);
  return x >= 3.0f ? 1.0f : y;
}
TILEOPS_FN float hardswish_to_odd(float x) {
  const float d = x + 3.0f;
  const float n = x * d;
  const float q = n * (1.0f / 6.0f);
  const float n_lo = fma(x, x - (d - 3.0f), fma(x, d, -n));
  // Where x is tiny, the result is x/2 and something above it that underflows.
  const float tiny = abs(x) < 0x1p-40f ? abs(x) * 0x1p60f : 0.0f;
  const float rest = fma(-6.0f, q, n) + n_lo + tiny;
  const float y = x <= -3.0f ? -0.0f : odd_beside(q, rest);
  return x >= 3.0f ? x : y;
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

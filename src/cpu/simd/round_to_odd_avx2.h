// Results rounded to odd (device/math/common/round_to_odd.h), eight floats at a time. AVX2 rounds to nearest alone:
// what the rounding left tells on which side of the result the exact value is.
#pragma once

#include "cpu/simd/lanes.h"
#include "tileops/device/math/common/round_to_odd.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

// Given y, the float nearest to y + rest, the odd one of y and its neighbour on that side. A NaN counts as nothing.
TILEOPS_FN f32x8 odd_beside(f32x8 y, f32x8 rest) {
  const __m256i bits = to_bits(y).v;
  const __m256i inward = _mm256_srai_epi32(_mm256_xor_si256(bits, to_bits(rest).v), 31);  // -1 if truncation is less
  const __m256i odd = _mm256_or_si256(_mm256_add_epi32(bits, inward), _mm256_set1_epi32(1));
  return _mm256_blendv_ps(y.v, _mm256_castsi256_ps(odd), _mm256_cmp_ps(rest.v, _mm256_setzero_ps(), _CMP_NEQ_OQ));
}

struct f64x8 {
  __m256d low, high;
};
TILEOPS_FN f64x8 in_f64(f32x8 x) {
  return {_mm256_cvtps_pd(_mm256_castps256_ps128(x.v)), _mm256_cvtps_pd(_mm256_extractf128_ps(x.v, 1))};
}
// The upper halves, which tell sign and zero of sums and products of floats, as floats do.
TILEOPS_FN f32x8 upper_halves(__m256d low, __m256d high) {
  const __m256 mixed = _mm256_shuffle_ps(_mm256_castpd_ps(low), _mm256_castpd_ps(high), 0xdd);
  return _mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(mixed), 0xd8));
}
TILEOPS_FN f32x8 nearest(__m256d low, __m256d high) {
  return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps(low)), _mm256_cvtpd_ps(high), 1);
}
// Rounds to odd a value that is given as its nearest double and the rest that the double leaves. The difference of
// double and float is 0 or a multiple of the double's last place, so that no rounding changes the sign of the sum.
TILEOPS_FN f32x8 round_to_odd(__m256d low, __m256d high, __m256d low_rest, __m256d high_rest) {
  const f32x8 y = nearest(low, high);
  const f64x8 wide = in_f64(y);
  const __m256d a = _mm256_add_pd(_mm256_sub_pd(low, wide.low), low_rest);
  const __m256d b = _mm256_add_pd(_mm256_sub_pd(high, wide.high), high_rest);
  const f32x8 rest = upper_halves(a, b);
  // A NaN's upper half may be a float's infinity, but not of the exact value of a finite y.
  return odd_beside(y, select(abs(y) < limits<float>::inf(), rest, 0.0f));
}

// The scalar form, for products below 2^-100, whose rounding error may underflow in f32.
inline __attribute__((noinline, cold)) f32x8 tiny_mul_to_odd(f32x8 a, f32x8 b) {
  alignas(32) float as[8], bs[8], ys[8];
  a.store(as);
  b.store(bs);
  for (int i = 0; i < 8; ++i) ys[i] = mul_to_odd(as[i], bs[i]);
  return f32x8::load(ys);
}
TILEOPS_FN f32x8 mul_to_odd(f32x8 a, f32x8 b) {
  const f32x8 y = a * b;
  // 0 has nothing left or is what its neighbour is rounded to.
  if (__builtin_expect(any((abs(y) < 0x1p-100f) & (y != 0.0f)), 0)) return tiny_mul_to_odd(a, b);
  return odd_beside(y, fma(a, b, -y));
}

// a*b + c: the product is exact in f64.
TILEOPS_FN __m256d two_sum_rest(__m256d a, __m256d b, __m256d sum) {
  const __m256d t = _mm256_sub_pd(sum, a);
  return _mm256_add_pd(_mm256_sub_pd(a, _mm256_sub_pd(sum, t)), _mm256_sub_pd(b, t));
}
TILEOPS_FN f32x8 fma_to_odd(f32x8 a, f32x8 b, f32x8 c) {
  const f64x8 x = in_f64(a), y = in_f64(b), z = in_f64(c);
  const __m256d p = _mm256_mul_pd(x.low, y.low), q = _mm256_mul_pd(x.high, y.high);
  const __m256d s = _mm256_add_pd(p, z.low), t = _mm256_add_pd(q, z.high);
  return round_to_odd(s, t, two_sum_rest(p, z.low, s), two_sum_rest(q, z.high, t));
}

// Is d, b - a rounded, exact? Of the larger operand and d the difference is exact, and so tells it.
TILEOPS_FN mask8 is_difference(f32x8 d, f32x8 b, f32x8 a) { return (d - b == -a) & (d + a == b); }

inline __attribute__((noinline, cold)) f32x8 lerp_to_odd_again(f32x8 a, f32x8 b, f32x8 w) {
  alignas(32) float as[8], bs[8], ws[8], ys[8];
  a.store(as);
  b.store(bs);
  w.store(ws);
  for (int i = 0; i < 8; ++i) ys[i] = lerp_to_odd(as[i], bs[i], ws[i]);
  return f32x8::load(ys);
}
// Where the last 12 bits of the nearest float are not 0, that or a neighbour: it is no tie of a 16-bit format, nor is
// one between them. Of a tie the difference to a is hardly ever inexact. Else by the scalar form if b - a or w - 1 is
// not exact, as with infinities and NaN.
TILEOPS_FN f32x8 lerp_to_odd(f32x8 a, f32x8 b, f32x8 w) {
  const f32x8 diff = b - a, y = fma(w, diff, a), rest = a - y;
  const mask8 no_tie = (to_bits(y) << 20) != u32x8(0u);
  const mask8 sure = is_difference(diff, b, a) & (no_tie | (is_difference(rest, a, y) & (y != 0.0f)));
  if (__builtin_expect(_mm256_movemask_ps(sure.v) == 0xff, 1)) return odd_beside(y, fma(w, diff, rest));
  const mask8 near_a = abs(w) < 0.5f;
  const f32x8 less = w - 1.0f;
  const mask8 exact = is_difference(diff, b, a) & (near_a | is_difference(less, w, 1.0f));
  if (__builtin_expect(_mm256_movemask_ps(exact.v) != 0xff, 0)) return lerp_to_odd_again(a, b, w);
  return fma_to_odd(select(near_a, w, less), diff, select(near_a, a, b));
}

// Rounded once, to nearest, or 0 where b - a is not exact.
TILEOPS_FN f32x8 lerp_to_odd_or_zero(f32x8 a, f32x8 b, f32x8 w) {
  const f32x8 diff = b - a;
  return _mm256_and_ps(fma(w, diff, a).v, is_difference(diff, b, a).v);
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

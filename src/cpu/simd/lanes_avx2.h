// Eight floats in a register, with the operations of device/math/common/scalar_lanes.h. What AVX2 has no
// instructions for is done there.
#pragma once

#include <immintrin.h>

#include "tileops/device/math/common/scalar_lanes.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

struct mask8 {
  __m256 v;
};
TILEOPS_FN mask8 operator&(mask8 a, mask8 b) { return {_mm256_and_ps(a.v, b.v)}; }
TILEOPS_FN mask8 operator|(mask8 a, mask8 b) { return {_mm256_or_ps(a.v, b.v)}; }
TILEOPS_FN bool any(mask8 m) { return _mm256_movemask_ps(m.v) != 0; }
TILEOPS_FN bool any_of_two(mask8 a, mask8 b) { return any(a | b); }

struct u32x8 {
  __m256i v;
  TILEOPS_FN u32x8(__m256i x) : v(x) {}
  TILEOPS_FN u32x8(u32 x) : v(_mm256_set1_epi32(static_cast<int>(x))) {}
};
TILEOPS_FN u32x8 operator+(u32x8 a, u32x8 b) { return _mm256_add_epi32(a.v, b.v); }
TILEOPS_FN u32x8 operator-(u32x8 a, u32x8 b) { return _mm256_sub_epi32(a.v, b.v); }
TILEOPS_FN u32x8 operator&(u32x8 a, u32x8 b) { return _mm256_and_si256(a.v, b.v); }
TILEOPS_FN u32x8 operator^(u32x8 a, u32x8 b) { return _mm256_xor_si256(a.v, b.v); }
TILEOPS_FN u32x8 operator<<(u32x8 a, int n) { return _mm256_slli_epi32(a.v, n); }
TILEOPS_FN u32x8 operator>>(u32x8 a, int n) { return _mm256_srli_epi32(a.v, n); }

struct f32x8 {
  static constexpr size_t size = 8;
  __m256 v;
  TILEOPS_FN f32x8(__m256 x) : v(x) {}
  TILEOPS_FN f32x8(float x) : v(_mm256_set1_ps(x)) {}
  static TILEOPS_FN f32x8 load(const float* p) { return _mm256_loadu_ps(p); }
  TILEOPS_FN void store(float* p) const { _mm256_storeu_ps(p, v); }
};
TILEOPS_FN u32x8 to_bits(f32x8 x) { return _mm256_castps_si256(x.v); }
TILEOPS_FN f32x8 from_bits(u32x8 x) { return _mm256_castsi256_ps(x.v); }
TILEOPS_FN f32x8 operator+(f32x8 a, f32x8 b) { return _mm256_add_ps(a.v, b.v); }
TILEOPS_FN f32x8 operator-(f32x8 a, f32x8 b) { return _mm256_sub_ps(a.v, b.v); }
TILEOPS_FN f32x8 operator*(f32x8 a, f32x8 b) { return _mm256_mul_ps(a.v, b.v); }
TILEOPS_FN f32x8 operator/(f32x8 a, f32x8 b) { return _mm256_div_ps(a.v, b.v); }
// Not by bits: of this one compilers make the negating forms of FMA.
TILEOPS_FN f32x8 operator-(f32x8 a) { return -a.v; }
TILEOPS_FN f32x8 fma(f32x8 a, f32x8 b, f32x8 c) { return _mm256_fmadd_ps(a.v, b.v, c.v); }
TILEOPS_FN f32x8 hardware_root(f32x8 x) { return _mm256_sqrt_ps(x.v); }
TILEOPS_FN f32x8 abs(f32x8 x) { return from_bits(to_bits(x) & 0x7fffffffu); }
TILEOPS_FN f32x8 copysign(f32x8 mag, f32x8 sgn) {
  return _mm256_or_ps(abs(mag).v, from_bits(to_bits(sgn) & 0x80000000u).v);
}
TILEOPS_FN f32x8 flip_sign(f32x8 x, u32x8 b) { return from_bits(to_bits(x) ^ (b & 0x80000000u)); }

#define TILEOPS_COMPARE(op, predicate) \
  TILEOPS_FN mask8 operator op(f32x8 a, f32x8 b) { return {_mm256_cmp_ps(a.v, b.v, predicate)}; }
TILEOPS_COMPARE(<, _CMP_LT_OQ)
TILEOPS_COMPARE(<=, _CMP_LE_OQ)
TILEOPS_COMPARE(>, _CMP_GT_OQ)
TILEOPS_COMPARE(>=, _CMP_GE_OQ)
TILEOPS_COMPARE(==, _CMP_EQ_OQ)
TILEOPS_COMPARE(!=, _CMP_NEQ_UQ)
#undef TILEOPS_COMPARE
TILEOPS_FN mask8 operator!=(u32x8 a, u32x8 b) {
  const __m256i same = _mm256_cmpeq_epi32(a.v, b.v);
  return {_mm256_castsi256_ps(_mm256_xor_si256(same, _mm256_set1_epi32(-1)))};
}

TILEOPS_FN f32x8 select(mask8 m, f32x8 yes, f32x8 no) { return _mm256_blendv_ps(no.v, yes.v, m.v); }
// The instruction goes by the sign.
TILEOPS_FN f32x8 select_by_last_bit(u32x8 b, f32x8 yes, f32x8 no) { return select({from_bits(b << 31).v}, yes, no); }
// The instructions return their second operand if one is NaN.
TILEOPS_FN f32x8 at_most(f32x8 x, f32x8 limit) { return _mm256_min_ps(limit.v, x.v); }
TILEOPS_FN f32x8 at_least(f32x8 x, f32x8 limit) { return _mm256_max_ps(limit.v, x.v); }

// Each of two zeros or NaNs comes first once: AND and OR tell zeros apart, and OR keeps a NaN.
TILEOPS_FN f32x8 larger(f32x8 a, f32x8 b) {
  const __m256 number = _mm256_and_ps(_mm256_max_ps(a.v, b.v), _mm256_max_ps(b.v, a.v));
  return _mm256_or_ps(number, _mm256_cmp_ps(a.v, b.v, _CMP_UNORD_Q));
}
TILEOPS_FN f32x8 smaller(f32x8 a, f32x8 b) { return _mm256_or_ps(_mm256_min_ps(a.v, b.v), _mm256_min_ps(b.v, a.v)); }
TILEOPS_FN f32x8 only_where(mask8 m, f32x8 x) { return _mm256_and_ps(m.v, x.v); }

// Within an ulp of 1 / sqrt(m) for positive normal m, given 12 bits by VRSQRTPS (which ones is up to the vendor): of
// residuals below 2^-10 the next term is below 2^-33. NaN for all other m.
TILEOPS_FN mask8 either_nan(f32x8 x, f32x8 y) { return {_mm256_cmp_ps(x.v, y.v, _CMP_UNORD_Q)}; }
TILEOPS_FN bool all_numbers(f32x8 x) { return !any(either_nan(x, x)); }
TILEOPS_FN f32x8 approx_rsqrt(f32x8 m) {
  const f32x8 y = _mm256_rsqrt_ps(m.v);
  const f32x8 e = fma(-(m * y), y, 1.0f);
  return fma(y * e, fma(e, 0.375f, 0.5f), y);
}
namespace f32 {  // device/math/f32/div.h comes after the operations that it uses
template <class V>
TILEOPS_FN V improved_rsqrt(V m, V y);
}
// Where they were not all normal.
TILEOPS_FN f32x8 rsqrt_result(f32x8, f32x8, f32x8 x) {
  const f32x8 y = 1.0f / hardware_root(x);
  return select((x > 0.0f) & (x < limits<float>::inf()), f32::improved_rsqrt(x, y), y);
}

// As AVX-512's of these names (lanes_avx512.h), for results that are rounded to 16 bits: exact ones are 3 ulp or more
// from a tie. The divider is quick enough beside the conversions.
TILEOPS_FN f32x8 approx_inverse(f32x8 x) { return 1.0f / x; }
TILEOPS_FN f32x8 approx_quotient(f32x8 a, f32x8 b) { return a / b; }
// Twice the result, which takes an operation less: 22 bits of it are right, for which 12 of VRSQRTPS are enough. No
// root of bf16 is nearer to a tie than 2^-19, nor an inverse of one than 2^-18 (by taking all).
TILEOPS_FN f32x8 approx_twice_rsqrt(f32x8 x) {
  const f32x8 y = _mm256_rsqrt_ps(x.v);
  return y * fma(-(x * y), y, 3.0f);
}
// 0 is its own root: of numbers from 2^-126 on the inverse is below the limit. Subnormal ones give less than -2^30.
TILEOPS_FN f32x8 approx_twice_sqrt(f32x8 x) {
  const f32x8 y = _mm256_min_ps(f32x8(0x1p100f).v, _mm256_rsqrt_ps(x.v));  // the second if it is NaN
  const f32x8 g = x * y;
  return g * fma(-g, y, 3.0f);
}

TILEOPS_FN u32x8 shift_signed(u32x8 x, int n) { return _mm256_srai_epi32(x.v, n); }
TILEOPS_FN u32x8 min_signed(u32x8 x, u32x8 y) { return _mm256_min_epi32(x.v, y.v); }
TILEOPS_FN f32x8 signed_to_float(u32x8 x) { return _mm256_cvtepi32_ps(x.v); }

// As integers: a number rather than NaN.
TILEOPS_FN f32x8 least_magnitude(f32x8 x, f32x8 y) {
  const u32x8 sign = to_bits(x) & 0x80000000u;
  const u32x8 least = min_signed(to_bits(x) ^ sign, to_bits(abs(y)));
  return _mm256_or_ps(from_bits(least).v, from_bits(sign).v);
}

// By taking all inputs of bf16, and of hardsigmoid those of f16. No result of hardswish is a tie so: next to 1/2, on
// the side on which 1/6 in f32 is not, the sum leaves the exact ties upward.
TILEOPS_FN f32x8 approx_hardsigmoid(f32x8 x) { return at_most(at_least(fma(x, 1.0f / 6.0f, 0.5f), 0.0f), 1.0f); }
TILEOPS_FN f32x8 approx_hardswish(f32x8 x) {
  return x * at_most(at_least(fma(x, 1.0f / 6.0f, 0x1.fffffep-2f), 0.0f), 1.0f);
}
// By taking all inputs of f16. Of 2^-24 alone the product is a tie, of which the exact result is above, as it is above
// x / 2 for all x > 0. NaN at -inf.
TILEOPS_FN f32x8 approx_hardswish_f16(f32x8 x) {
  const f32x8 y = x * at_most(at_least(x + 3.0f, 0.0f), 6.0f) * (1.0f / 6.0f);
  return at_least(y, x * 0x1.000002p-1f);
}

// Blends are three operations on Intel: a formula that sorts out rare numbers by several of them asks first.
constexpr bool kAsksAboutNumbers = true;
TILEOPS_FN mask8 scale_not_normal(f32x8 t) { return {_mm256_cmp_ps(abs(t - kRound).v, f32x8(125.0f).v, _CMP_NLE_UQ)}; }
TILEOPS_FN bool all_scales_normal(f32x8 t) { return __builtin_expect(!any(scale_not_normal(t)), 1); }
// Lanes whose result is 0 are 0 before they are scaled: a product that has to be rounded to 0 takes much longer.
TILEOPS_FN f32x8 scaled_exp(f32x8 p, f32x8 t, f32x8 n, f32x8 x, float limit) {
  return scaled_exp<f32x8>(select(x < limit, f32x8(0.0f), p), t, n, x, limit);
}
// The number of these bits and all above it, as signed integers that begin with it; all others come last.
TILEOPS_FN u32x8 in_order_from(u32 least, f32x8 x) { return to_bits(x) + (0x80000000u - least); }
TILEOPS_FN bool all_finite_from(u32 least, u32x8 order) {
  const u32x8 infinity = 0x80000000u + (0x7f800000u - least);
  return __builtin_expect(_mm256_movemask_ps(from_bits(_mm256_cmpgt_epi32(infinity.v, order.v)).v) == 0xff, 1);
}
constexpr u32 kLeastNormal = 0x00800000u;
TILEOPS_FN bool all_positive_normal(f32x8 x, f32x8 y) {
  const u32x8 a = in_order_from(kLeastNormal, x), b = in_order_from(kLeastNormal, y);
  return all_finite_from(kLeastNormal, _mm256_max_epi32(a.v, b.v));
}
TILEOPS_FN bool all_positive_normal(f32x8 x) { return all_positive_normal(x, x); }

// The square root from that of 1 / x and the exact residual. Correctly rounded given any number within 3/4 of an ulp of
// 1 / sqrt(x), which approx_rsqrt is: all were taken, of all x in [1/2, 2). The divider works beside it (lanes_loop).
// What is less than 2^-100, negative, infinite or NaN is left to the instruction.
template <class V>
TILEOPS_FN V newton_root(V x) {
  const V y = approx_rsqrt(x);
  const V g = x * y;
  return fma(fma(-g, g, x), y * 0.5f, g);
}
TILEOPS_FN bool has_newton_root(f32x8 x) { return all_finite_from(0x0d800000u, in_order_from(0x0d800000u, x)); }
TILEOPS_FN f32x8 sqrt(f32x8 x) { return __builtin_expect(has_newton_root(x), 1) ? newton_root(x) : hardware_root(x); }
TILEOPS_FN f32x8 power_half(f32x8 x) {
  return __builtin_expect(has_newton_root(x), 1) ? newton_root(x) : hardware_power_half(x);
}

TILEOPS_FN bool all_split_as_normal(f32x8 x) { return all_positive_normal(x); }
TILEOPS_FN mask8 not_below(f32x8 x, float limit) { return {_mm256_cmp_ps(x.v, f32x8(limit).v, _CMP_NLT_UQ)}; }
TILEOPS_FN bool all_below(f32x8 x, float limit) { return !any(not_below(x, limit)); }

TILEOPS_FN f32x8 lookup16(const float (&t)[16], u32x8 i) {
  const __m256 low = _mm256_setr_ps(t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7]);
  const __m256 high = _mm256_setr_ps(t[8], t[9], t[10], t[11], t[12], t[13], t[14], t[15]);
  // From the bits in which the halves differ: two operations, where VBLENDVPS is three on Intel.
  const f32x8 differing = _mm256_permutevar8x32_ps(_mm256_xor_ps(low, high), i.v);
  const mask8 upper = {from_bits(shift_signed(i << 28, 31)).v};
  return _mm256_xor_ps(_mm256_permutevar8x32_ps(low, i.v), only_where(upper, differing).v);
}

using mask_register = mask8;
using u32_register = u32x8;
using f32_register = f32x8;

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

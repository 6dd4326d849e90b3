// Sixteen floats in a register, with the operations of device/math/common/scalar_lanes.h.
#pragma once

#include <immintrin.h>

#include "tileops/device/math/common/scalar_lanes.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

struct mask16 {
  __mmask16 k;
};
TILEOPS_FN mask16 operator&(mask16 a, mask16 b) { return {_kand_mask16(a.k, b.k)}; }
TILEOPS_FN mask16 operator|(mask16 a, mask16 b) { return {_kor_mask16(a.k, b.k)}; }
TILEOPS_FN bool any(mask16 m) { return m.k != 0; }
TILEOPS_FN bool any_of_two(mask16 a, mask16 b) { return !_kortestz_mask16_u8(a.k, b.k); }

struct u32x16 {
  __m512i v;
  TILEOPS_FN u32x16(__m512i x) : v(x) {}
  TILEOPS_FN u32x16(u32 x) : v(_mm512_set1_epi32(static_cast<int>(x))) {}
};
TILEOPS_FN u32x16 operator+(u32x16 a, u32x16 b) { return _mm512_add_epi32(a.v, b.v); }
TILEOPS_FN u32x16 operator-(u32x16 a, u32x16 b) { return _mm512_sub_epi32(a.v, b.v); }
TILEOPS_FN u32x16 operator&(u32x16 a, u32x16 b) { return _mm512_and_si512(a.v, b.v); }
TILEOPS_FN u32x16 operator^(u32x16 a, u32x16 b) { return _mm512_xor_si512(a.v, b.v); }
TILEOPS_FN u32x16 operator<<(u32x16 a, unsigned n) { return _mm512_slli_epi32(a.v, n); }
TILEOPS_FN u32x16 operator>>(u32x16 a, unsigned n) { return _mm512_srli_epi32(a.v, n); }
TILEOPS_FN mask16 operator!=(u32x16 a, u32x16 b) { return {_mm512_cmpneq_epi32_mask(a.v, b.v)}; }

struct f32x16 {
  static constexpr size_t size = 16;
  __m512 v;
  TILEOPS_FN f32x16(__m512 x) : v(x) {}
  TILEOPS_FN f32x16(float x) : v(_mm512_set1_ps(x)) {}
  static TILEOPS_FN f32x16 load(const float* p) { return _mm512_loadu_ps(p); }
  TILEOPS_FN void store(float* p) const { _mm512_storeu_ps(p, v); }
};
TILEOPS_FN u32x16 to_bits(f32x16 x) { return _mm512_castps_si512(x.v); }
TILEOPS_FN f32x16 from_bits(u32x16 x) { return _mm512_castsi512_ps(x.v); }
TILEOPS_FN f32x16 operator+(f32x16 a, f32x16 b) { return _mm512_add_ps(a.v, b.v); }
TILEOPS_FN f32x16 operator-(f32x16 a, f32x16 b) { return _mm512_sub_ps(a.v, b.v); }
TILEOPS_FN f32x16 operator*(f32x16 a, f32x16 b) { return _mm512_mul_ps(a.v, b.v); }
TILEOPS_FN f32x16 operator/(f32x16 a, f32x16 b) { return _mm512_div_ps(a.v, b.v); }
// Not by bits: of this one compilers make the negating forms of FMA.
TILEOPS_FN f32x16 operator-(f32x16 a) { return -a.v; }
TILEOPS_FN f32x16 fma(f32x16 a, f32x16 b, f32x16 c) { return _mm512_fmadd_ps(a.v, b.v, c.v); }
TILEOPS_FN f32x16 abs(f32x16 x) { return from_bits(to_bits(x) & 0x7fffffffu); }
TILEOPS_FN f32x16 copysign(f32x16 mag, f32x16 sgn) {  // bits of sgn where the constant has ones
  return from_bits(_mm512_ternarylogic_epi32(_mm512_set1_epi32(static_cast<int>(0x80000000u)), to_bits(sgn).v,
                                             to_bits(mag).v, 0xca));
}
TILEOPS_FN f32x16 flip_sign(f32x16 x, u32x16 b) {  // exclusive or with b and the constant
  return from_bits(
      _mm512_ternarylogic_epi32(to_bits(x).v, b.v, _mm512_set1_epi32(static_cast<int>(0x80000000u)), 0x78));
}

#define TILEOPS_COMPARE(op, predicate) \
  TILEOPS_FN mask16 operator op(f32x16 a, f32x16 b) { return {_mm512_cmp_ps_mask(a.v, b.v, predicate)}; }
TILEOPS_COMPARE(<, _CMP_LT_OQ)
TILEOPS_COMPARE(<=, _CMP_LE_OQ)
TILEOPS_COMPARE(>, _CMP_GT_OQ)
TILEOPS_COMPARE(>=, _CMP_GE_OQ)
TILEOPS_COMPARE(==, _CMP_EQ_OQ)
TILEOPS_COMPARE(!=, _CMP_NEQ_UQ)
#undef TILEOPS_COMPARE

TILEOPS_FN f32x16 select(mask16 m, f32x16 yes, f32x16 no) { return _mm512_mask_blend_ps(m.k, no.v, yes.v); }
// The instructions return their second operand if one is NaN.
TILEOPS_FN f32x16 at_most(f32x16 x, f32x16 limit) { return _mm512_min_ps(limit.v, x.v); }
TILEOPS_FN f32x16 at_least(f32x16 x, f32x16 limit) { return _mm512_max_ps(limit.v, x.v); }

// VRANGEPS orders zeros, but prefers numbers to NaN.
TILEOPS_FN f32x16 larger(f32x16 a, f32x16 b) {
  return _mm512_mask_add_ps(_mm512_range_ps(a.v, b.v, 5), _mm512_cmp_ps_mask(a.v, b.v, _CMP_UNORD_Q), a.v, b.v);
}
TILEOPS_FN f32x16 smaller(f32x16 a, f32x16 b) {
  return _mm512_mask_add_ps(_mm512_range_ps(a.v, b.v, 4), _mm512_cmp_ps_mask(a.v, b.v, _CMP_UNORD_Q), a.v, b.v);
}

TILEOPS_FN u32x16 shift_signed(u32x16 x, unsigned n) { return _mm512_srai_epi32(x.v, n); }
TILEOPS_FN u32x16 min_signed(u32x16 x, u32x16 y) { return _mm512_min_epi32(x.v, y.v); }
TILEOPS_FN f32x16 signed_to_float(u32x16 x) { return _mm512_cvtepi32_ps(x.v); }

TILEOPS_FN f32x16 lookup16(const float (&t)[16], u32x16 i) {
  const __m512 table = _mm512_setr_ps(t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7], t[8], t[9], t[10], t[11], t[12],
                                      t[13], t[14], t[15]);
  return _mm512_permutexvar_ps(i.v, table);
}

// VSCALEFPS knows what to do with n infinite or NaN, given any r that is a number.
TILEOPS_FN f32x16 exponent_held(f32x16 t) { return t; }
TILEOPS_FN f32x16 remainder_held(f32x16 r) {
  return _mm512_range_ps(r.v, _mm512_set1_ps(1.0f), 2);  // the smaller magnitude, r's sign
}
// Lanes whose result is 0 are left out: where VSCALEFPS rounds to 0 itself it takes 87 ns for a register instead of 2.0
// (Sapphire Rapids, November 2026).
TILEOPS_FN f32x16 scaled_exp(f32x16 p, f32x16, f32x16 n, f32x16, float) {
  return _mm512_maskz_scalef_ps(_mm512_cmp_ps_mask(n.v, _mm512_set1_ps(-150.0f), _CMP_NLT_UQ), p.v, n.v);
}
TILEOPS_FN f32x16 magnitude_up_to(f32x16 x, float limit) {
  return _mm512_range_ps(x.v, _mm512_set1_ps(limit), 10);  // the smaller magnitude, no sign
}

TILEOPS_FN f32x16 hardware_root(f32x16 x) { return _mm512_sqrt_ps(x.v); }

// Correctly rounded, in half the time of VSQRTPS and VDIVPS on Sapphire Rapids: two Newton steps, the last from the
// exact residual. lanes_check takes every significand; which bits VRSQRT14PS and VRCP14PS give is up to the vendor.
TILEOPS_FN f32x16 rsqrt14(f32x16 x) { return _mm512_rsqrt14_ps(x.v); }
template <class V>
TILEOPS_FN V newton_root(V x) {
  const V y = rsqrt14(x);
  const V g = x * y, h = y * 0.5f;
  const V e = fma(-g, h, 0.5f);
  const V g1 = fma(g, e, g), h1 = fma(h, e, h);
  return fma(h1, fma(-g1, g1, x), g1);
}
// The inverse of x > 0, where it is normal. Rounded up in between: otherwise the significand 1.11...1 leaves no
// residual that tells on which side of a tie the inverse is.
TILEOPS_FN f32x16 rcp14(f32x16 x) { return _mm512_rcp14_ps(x.v); }
TILEOPS_FN f32x16 fma_up(f32x16 a, f32x16 b, f32x16 c) {
  return _mm512_fmadd_round_ps(a.v, b.v, c.v, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
}
template <class V>
TILEOPS_FN V inverse(V x) {
  const V y = rcp14(x);
  const V e = fma(-x, y, 1.0f);
  const V y1 = fma_up(y, e, y);
  return fma(y1, fma(-x, y1, 1.0f), y1);
}

// Is some bit pattern not in [lo, hi)?
TILEOPS_FN mask16 outside(u32x16 bits, u32 lo, u32 hi) {
  const __m512i width = _mm512_set1_epi32(static_cast<int>(hi - lo));
  return {_mm512_cmpge_epu32_mask((bits - lo).v, width)};
}
template <class U>
TILEOPS_FN bool any_outside(U bits, u32 lo, u32 hi) {
  return any(outside(bits, lo, hi));
}
constexpr u32 kInfinity = 0x7f800000u;

// 0, less than 2^-100, negative, infinite and NaN by the instruction.
template <class V>
TILEOPS_FN V sqrt_of_any(V x) {
  if (__builtin_expect(any_outside(to_bits(x), 0x0d800000u, kInfinity), 0)) return hardware_root(x);
  return newton_root(x);
}
template <class V>
TILEOPS_FN V power_half_of_any(V x) {
  if (__builtin_expect(any_outside(to_bits(x), 0x0d800000u, kInfinity), 0)) return hardware_power_half(x);
  return newton_root(x);
}
template <class V>
TILEOPS_FN V reciprocal_of_any(V x) {
  const V mag = abs(x);
  if (__builtin_expect(any_outside(to_bits(mag), 0x00800000u, 0x7e800001u), 0)) return 1.0f / x;
  return copysign(inverse(mag), x);
}

TILEOPS_FN f32x16 sqrt(f32x16 x) { return sqrt_of_any(x); }
TILEOPS_FN f32x16 power_half(f32x16 x) { return power_half_of_any(x); }
TILEOPS_FN f32x16 reciprocal(f32x16 x) { return reciprocal_of_any(x); }

TILEOPS_FN mantissa_exponent<f32x16> split_around_1(f32x16 x) {
  const __m512 m = _mm512_getmant_ps(x.v, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_src);
  return {m, f32x16(_mm512_getexp_ps(x.v)) - f32x16(_mm512_getexp_ps(m))};
}
// For rsqrt without VSQRTPS and VDIVPS, which are slower.
TILEOPS_FN f32x16 rsqrt_operand(f32x16 x) {
  return _mm512_getmant_ps(x.v, _MM_MANT_NORM_p5_2, _MM_MANT_SIGN_src);  // in [1/2, 2)
}
constexpr bool kAsksAboutNumbers = false;  // its instructions take all numbers alike
TILEOPS_FN mask16 not_positive_normal(f32x16 x) { return {_mm512_fpclass_ps_mask(x.v, 0xff)}; }
TILEOPS_FN bool all_positive_normal(f32x16 x) { return !any(not_positive_normal(x)); }
TILEOPS_FN bool all_positive_normal(f32x16 x, f32x16 y) {
  return !any_of_two(not_positive_normal(x), not_positive_normal(y));
}
TILEOPS_FN mask16 not_below(f32x16 x, float limit) { return {_mm512_cmp_ps_mask(x.v, f32x16(limit).v, _CMP_NLT_UQ)}; }
TILEOPS_FN bool all_below(f32x16 x, float limit) { return !any(not_below(x, limit)); }
// Two registers with one instruction.
TILEOPS_FN mask16 either_nan(f32x16 x, f32x16 y) { return {_mm512_cmp_ps_mask(x.v, y.v, _CMP_UNORD_Q)}; }
TILEOPS_FN bool all_numbers(f32x16 x) { return !any(either_nan(x, x)); }
TILEOPS_FN f32x16 approx_rsqrt(f32x16 m) {
  const f32x16 y = _mm512_rsqrt14_ps(m.v);
  return fma(y * 0.5f, fma(-(m * y), y, 1.0f), y);
}
// VFIXUPIMMPS takes four bits for each kind of x, from the lowest on: quiet NaN, signalling NaN, 0, 1,
// -inf, +inf, negative, positive. They select 0: y, 2: x quieted, 3: a NaN, 4: -inf, 5: +inf,
// 6: infinity of x's sign, 8: 0.
TILEOPS_FN f32x16 rsqrt_result(f32x16 z, f32x16, f32x16 x) {
  const f32x16 half = f32x16(_mm512_getexp_ps(x.v)) * -0.5f;  // VSCALEFPS rounds it down
  return _mm512_fixupimm_ps(_mm512_scalef_ps(z.v, half.v), x.v, _mm512_set1_epi32(0x03830622), 0);
}

// Within an ulp or two after one Newton step, for results that are rounded to 16 bits: exact ones that are
// normal are at least 45 (bf16) or, the inverses, 2 ulp (f16) from a tie. Of 0, infinity and what is below
// 2^-128 the step gives NaN.
TILEOPS_FN f32x16 approx_inverse(f32x16 x) {
  const f32x16 y = _mm512_rcp14_ps(x.v);
  return fma(y, fma(-x, y, 1.0f), y);
}
// Twice as much takes an operation less.
TILEOPS_FN f32x16 approx_twice_rsqrt(f32x16 x) {
  const f32x16 y = _mm512_rsqrt14_ps(x.v);
  return y * fma(-(x * y), y, 3.0f);
}
TILEOPS_FN f32x16 approx_twice_sqrt(f32x16 x) {
  const f32x16 y = _mm512_rsqrt14_ps(x.v);
  const f32x16 g = x * y;
  return g * fma(-g, y, 3.0f);
}
TILEOPS_FN f32x16 approx_quotient(f32x16 a, f32x16 b) { return a * approx_inverse(b); }

TILEOPS_FN f32x16 least_magnitude(f32x16 x, f32x16 y) {
  return _mm512_range_ps(x.v, y.v, 2);  // the smaller magnitude, x's sign; a number rather than NaN
}

// Right for all inputs of bf16 and of f16, which were all tried.
TILEOPS_FN f32x16 approx_hardsigmoid(f32x16 x) { return at_most(at_least(fma(x, 1.0f / 6.0f, 0.5f), 0.0f), 1.0f); }
// hardswish for bf16, whose ties are all to be rounded up. Those of negative x are taken there by the sum, which is
// rounded down: 1/6 is rounded up in f32, so that the sum of positive x is exact. NaN at -inf.
TILEOPS_FN f32x16 approx_hardswish(f32x16 x) {
  const f32x16 line = _mm512_fmadd_round_ps(x.v, f32x16(1.0f / 6.0f).v, f32x16(0.5f).v,
                                            _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
  return x * at_most(at_least(line, 0.0f), 1.0f);
}
// hardswish for f16: no result is a tie, and all are right if the sum is rounded up. NaN at -inf, too.
TILEOPS_FN f32x16 approx_hardswish_f16(f32x16 x) {
  return x * at_most(at_least(fma_up(x, 1.0f / 6.0f, 0.5f), 0.0f), 1.0f);
}
// For 0 < slope < 1. The product is cut off, so that it has a tie's bits only where it is that or more.
TILEOPS_FN f32x16 approx_leaky_relu(f32x16 x, f32x16 slope) {
  return at_least(_mm512_mul_round_ps(x.v, slope.v, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC), x);
}

TILEOPS_FN f32x16 with_log_specials(f32x16 y, f32x16 x) {
  return _mm512_fixupimm_ps(y.v, x.v, _mm512_set1_epi32(0x03530422), 0);
}

using mask_register = mask16;
using u32_register = u32x16;
using f32_register = f32x16;

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

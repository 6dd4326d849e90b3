// Eight floats in a register, with the operations of device/math/scalar_lanes.h. What AVX2 has no
// instructions for is done there.
#pragma once

#include <immintrin.h>

#include "tileops/device/math/scalar_lanes.h"

namespace tileops {
namespace device {
inline namespace TILEOPS_DEVICE_NS {

struct mask8 {
  __m256 v;
};
TILEOPS_FN mask8 operator&(mask8 a, mask8 b) { return {_mm256_and_ps(a.v, b.v)}; }
TILEOPS_FN mask8 operator|(mask8 a, mask8 b) { return {_mm256_or_ps(a.v, b.v)}; }
TILEOPS_FN bool any(mask8 m) { return _mm256_movemask_ps(m.v) != 0; }

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
TILEOPS_FN f32x8 sqrt(f32x8 x) { return _mm256_sqrt_ps(x.v); }
TILEOPS_FN f32x8 abs(f32x8 x) { return from_bits(to_bits(x) & 0x7fffffffu); }
TILEOPS_FN f32x8 copysign(f32x8 mag, f32x8 sgn) {
  return _mm256_or_ps(abs(mag).v, from_bits(to_bits(sgn) & 0x80000000u).v);
}
TILEOPS_FN f32x8 flip_sign(f32x8 x, u32x8 b) {
  return from_bits(to_bits(x) ^ (b & 0x80000000u));
}

#define TILEOPS_COMPARE(op, predicate)                \
  TILEOPS_FN mask8 operator op(f32x8 a, f32x8 b) {    \
    return {_mm256_cmp_ps(a.v, b.v, predicate)};      \
  }
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

TILEOPS_FN f32x8 select(mask8 m, f32x8 yes, f32x8 no) {
  return _mm256_blendv_ps(no.v, yes.v, m.v);
}
// The instructions return their second operand if one is NaN.
TILEOPS_FN f32x8 at_most(f32x8 x, f32x8 limit) { return _mm256_min_ps(limit.v, x.v); }
TILEOPS_FN f32x8 at_least(f32x8 x, f32x8 limit) { return _mm256_max_ps(limit.v, x.v); }

TILEOPS_FN f32x8 hardware_root(f32x8 x) { return sqrt(x); }

TILEOPS_FN u32x8 shift_signed(u32x8 x, int n) { return _mm256_srai_epi32(x.v, n); }
TILEOPS_FN u32x8 min_signed(u32x8 x, u32x8 y) { return _mm256_min_epi32(x.v, y.v); }
TILEOPS_FN f32x8 signed_to_float(u32x8 x) { return _mm256_cvtepi32_ps(x.v); }

TILEOPS_FN f32x8 lookup16(const float (&t)[16], u32x8 i) {
  const __m256 low = _mm256_setr_ps(t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7]);
  const __m256 high = _mm256_setr_ps(t[8], t[9], t[10], t[11], t[12], t[13], t[14], t[15]);
  return _mm256_blendv_ps(_mm256_permutevar8x32_ps(low, i.v), _mm256_permutevar8x32_ps(high, i.v),
                          from_bits(i << 28).v);  // decides by the sign
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device
}  // namespace tileops

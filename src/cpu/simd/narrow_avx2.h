// Between f32 and the 16-bit floats by AVX2: what narrow.h says.
#pragma once

#include "cpu/simd/lanes.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

TILEOPS_INLINE __m128i load_codes(const void* p) { return _mm_loadu_si128(static_cast<const __m128i*>(p)); }
TILEOPS_INLINE f32_lanes widen_lanes(const d::bf16* p) {
  return {_mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(load_codes(p)), 16))};
}
TILEOPS_INLINE f32_lanes widen_lanes(const d::f16* p) { return {_mm256_cvtph_ps(load_codes(p))}; }
// The conversion keeps leading bits of a NaN.
TILEOPS_INLINE __m256 with_usual_nan(__m256 x) {
  return _mm256_blendv_ps(x, _mm256_set1_ps(__builtin_nanf("")), _mm256_cmp_ps(x, x, _CMP_UNORD_Q));
}
TILEOPS_INLINE void narrow_lanes(f32_lanes x, d::f16* p) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm256_cvtps_ph(with_usual_nan(x.v), _MM_FROUND_TO_NEAREST_INT));
}
TILEOPS_INLINE void pack_lanes(f32_lanes x, d::bf16* p) {
  const __m256i r = _mm256_srli_epi32(_mm256_castps_si256(x.v), 16);
  const __m128i packed = _mm_packus_epi32(_mm256_castsi256_si128(r), _mm256_extracti128_si256(r, 1));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p), packed);
}
TILEOPS_INLINE void pack_lanes(f32_lanes x, d::f16* p) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm256_cvtps_ph(x.v, _MM_FROUND_TO_NEAREST_INT));
}
// Two vectors, stored at once.
TILEOPS_INLINE void pack_two(f32_lanes x0, f32_lanes x1, d::f16* p) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p),
                      _mm256_set_m128i(_mm256_cvtps_ph(x1.v, _MM_FROUND_TO_NEAREST_INT),
                                       _mm256_cvtps_ph(x0.v, _MM_FROUND_TO_NEAREST_INT)));
}
TILEOPS_INLINE bool any_nan(__m256 x, __m256 y) { return _mm256_movemask_ps(_mm256_cmp_ps(x, y, _CMP_UNORD_Q)) != 0; }
TILEOPS_INLINE void narrow_two(f32_lanes x0, f32_lanes x1, d::f16* p) {
  if (__builtin_expect(any_nan(x0.v, x1.v), 0)) {
    x0.v = with_usual_nan(x0.v);
    x1.v = with_usual_nan(x1.v);
  }
  pack_two(x0, x1, p);
}
// Rounded to bf16, in the upper half.
TILEOPS_INLINE __m256i rounded(__m256 x) {
  const __m256i u = _mm256_castps_si256(x);
  const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(u, 16), _mm256_set1_epi32(1));
  return _mm256_add_epi32(_mm256_add_epi32(u, _mm256_set1_epi32(0x7fff)), odd);
}
TILEOPS_INLINE __m256i without_nan(__m256i sum, __m256 x) {
  const __m256i nan = _mm256_castps_si256(_mm256_cmp_ps(x, x, _CMP_UNORD_Q));
  return _mm256_blendv_epi8(sum, _mm256_set1_epi32(0x7fc00000), nan);
}
TILEOPS_INLINE void narrow_lanes(f32_lanes x, d::bf16* p) {
  const __m256i r = _mm256_srli_epi32(without_nan(rounded(x.v), x.v), 16);
  const __m128i packed = _mm_packus_epi32(_mm256_castsi256_si128(r), _mm256_extracti128_si256(r, 1));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p), packed);
}
TILEOPS_INLINE void narrow_two(f32_lanes x0, f32_lanes x1, d::bf16* p) {
  __m256i a = rounded(x0.v), b = rounded(x1.v);
  if (__builtin_expect(any_nan(x0.v, x1.v), 0)) {
    a = without_nan(a, x0.v);
    b = without_nan(b, x1.v);
  }
  const __m256i packed = _mm256_packus_epi32(_mm256_srli_epi32(a, 16), _mm256_srli_epi32(b, 16));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm256_permute4x64_epi64(packed, 0xd8));
}
TILEOPS_INLINE d::u32 rounding_test_lanes(f32_lanes x, d::bf16*, int ulp) {
  const __m256i low = _mm256_and_si256(_mm256_castps_si256(x.v), _mm256_set1_epi32(0xffff));
  const __m256i shifted = _mm256_add_epi32(low, _mm256_set1_epi32(ulp - 0x8000));
  const __m256i bound = _mm256_set1_epi32(2 * ulp);
  const __m256i hit = _mm256_cmpeq_epi32(_mm256_min_epu32(shifted, bound), shifted);
  return static_cast<d::u32>(_mm256_movemask_ps(_mm256_castsi256_ps(hit)));
}
TILEOPS_INLINE d::u32 rounding_test_lanes(f32_lanes x, d::f16*, int ulp) {
  const __m256i mag = _mm256_and_si256(_mm256_castps_si256(x.v), _mm256_set1_epi32(0x7fffffff));
  const __m256i step = _mm256_set1_epi32(ulp);
  const __m256i low = _mm256_sub_epi32(_mm256_max_epu32(mag, step), step);
  const __m256i high = _mm256_add_epi32(mag, step);
  const __m128i a = _mm256_cvtps_ph(_mm256_castsi256_ps(low), _MM_FROUND_TO_NEAREST_INT);
  const __m128i b = _mm256_cvtps_ph(_mm256_castsi256_ps(high), _MM_FROUND_TO_NEAREST_INT);
  const __m256i differ = _mm256_cvtepi16_epi32(_mm_cmpeq_epi16(a, b));  // 0 where they do
  const __m256i finite = _mm256_cmpgt_epi32(_mm256_set1_epi32(0x7f800000), mag);
  return static_cast<d::u32>(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_andnot_si256(differ, finite))));
}
TILEOPS_INLINE d::u32 nan_lanes(f32_lanes x) {
  return static_cast<d::u32>(_mm256_movemask_ps(_mm256_cmp_ps(x.v, x.v, _CMP_UNORD_Q)));
}
// As with AVX-512. One look for NaN at all.
TILEOPS_INLINE void narrow_four(const float* src, d::f16* dst) {
  __m256 x[4];
  for (size_t k = 0; k < 4; ++k) x[k] = _mm256_loadu_ps(src + 8 * k);
  const __m256 a = _mm256_cmp_ps(x[0], x[1], _CMP_UNORD_Q), b = _mm256_cmp_ps(x[2], x[3], _CMP_UNORD_Q);
  if (__builtin_expect(_mm256_movemask_ps(_mm256_or_ps(a, b)) != 0, 0))
    for (__m256& v : x) v = with_usual_nan(v);
  for (size_t k = 0; k < 4; ++k) pack_lanes(x[k], dst + 8 * k);
}

// Codes of 4 bits, a byte each, by a table of what they stand for. Returns how many it took.
TILEOPS_INLINE size_t widen_codes(const d::e2m1fn* src, size_t n, float* dst) {
  size_t i = 0;
  // Of their 32 bits the lower half is 0: a table for each byte of the upper one.
  const __m128i low = _mm_setr_epi8(0, 0, -128, -64, 0, 64, -128, -64, 0, 0, -128, -64, 0, 64, -128, -64);
  const __m128i high = _mm_setr_epi8(0, 63, 63, 63, 64, 64, 64, 64, -128, -65, -65, -65, -64, -64, -64, -64);
  for (; i + 16 <= n; i += 16) {
    const __m128i codes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(src + i));
    const __m128i a = _mm_shuffle_epi8(low, codes), b = _mm_shuffle_epi8(high, codes);
    const __m256i first = _mm256_cvtepu16_epi32(_mm_unpacklo_epi8(a, b));
    const __m256i second = _mm256_cvtepu16_epi32(_mm_unpackhi_epi8(a, b));
    _mm256_storeu_ps(dst + i, _mm256_castsi256_ps(_mm256_slli_epi32(first, 16)));
    _mm256_storeu_ps(dst + i + 8, _mm256_castsi256_ps(_mm256_slli_epi32(second, 16)));
  }
  return i;
}

// Toward zero, saturated, NaN to 0. The instruction gives 0x80000000 for what does not fit, which is looked for in two
// vectors at once.
TILEOPS_INLINE void truncate_two(const float* src, d::i32* dst) {
  const __m256i none = _mm256_set1_epi32(-0x7fffffff - 1);
  __m256i r[2];
  for (size_t k = 0; k < 2; ++k) r[k] = _mm256_cvttps_epi32(_mm256_loadu_ps(src + 8 * k));
  const __m256i any = _mm256_or_si256(_mm256_cmpeq_epi32(r[0], none), _mm256_cmpeq_epi32(r[1], none));
  if (__builtin_expect(_mm256_movemask_epi8(any) != 0, 0))
    for (size_t k = 0; k < 2; ++k) {
      const __m256 x = _mm256_loadu_ps(src + 8 * k);
      const __m256 large = _mm256_cmp_ps(x, _mm256_set1_ps(0x1p31f), _CMP_GE_OQ);
      r[k] = _mm256_xor_si256(r[k], _mm256_castps_si256(large));
      r[k] = _mm256_and_si256(r[k], _mm256_castps_si256(_mm256_cmp_ps(x, x, _CMP_ORD_Q)));
    }
  for (size_t k = 0; k < 2; ++k) _mm256_storeu_si256(reinterpret_cast<__m256i*>(dst + 8 * k), r[k]);
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS

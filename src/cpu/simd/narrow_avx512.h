// Between f32 and the 16-bit floats by AVX-512: what narrow.h says.
#pragma once

#include "cpu/simd/lanes.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

TILEOPS_INLINE f32_lanes widen_lanes(const d::bf16* p) {
  const __m512i w = _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
  return {_mm512_castsi512_ps(_mm512_slli_epi32(w, 16))};
}
TILEOPS_INLINE f32_lanes widen_lanes(const d::f16* p) {
  return {_mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)))};
}
// Rounded to bf16, in the upper half.
TILEOPS_INLINE __m512i rounded(__m512 x) {
  const __m512i u = _mm512_castps_si512(x);
  const __mmask16 odd = _mm512_test_epi32_mask(u, _mm512_set1_epi32(0x10000));
  const __m512i down = _mm512_add_epi32(u, _mm512_set1_epi32(0x7fff));
  return _mm512_mask_add_epi32(down, odd, u, _mm512_set1_epi32(0x8000));
}
TILEOPS_INLINE __m512i without_nan(__m512i sum, __m512 x) {
  return _mm512_mask_mov_epi32(sum, _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q), _mm512_set1_epi32(0x7fc00000));
}
// Two vectors were packed 16 bytes of each in turn.
TILEOPS_INLINE __m512i in_order(__m512i packed) {
  return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), packed);
}
TILEOPS_INLINE void narrow_lanes(f32_lanes x, d::bf16* p) {
  const __m512i r = _mm512_srli_epi32(without_nan(rounded(x.v), x.v), 16);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm512_cvtepi32_epi16(r));
}
// The conversion keeps leading bits of a NaN.
TILEOPS_INLINE __m512 with_usual_nan(__m512 x) {
  return _mm512_mask_mov_ps(x, _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q), _mm512_set1_ps(__builtin_nanf("")));
}
TILEOPS_INLINE void pack_lanes(f32_lanes x, d::f16* p) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm512_cvtps_ph(x.v, _MM_FROUND_TO_NEAREST_INT));
}
TILEOPS_INLINE void narrow_lanes(f32_lanes x, d::f16* p) {
  x.v = with_usual_nan(x.v);
  pack_lanes(x, p);
}
TILEOPS_INLINE void pack_lanes(f32_lanes x, d::bf16* p) {
  const __m512i r = _mm512_srli_epi32(_mm512_castps_si512(x.v), 16);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm512_cvtepi32_epi16(r));
}
// Two vectors, stored at once: of memory written in two halves a load of both waits for the cache. One look for
// NaN at both.
TILEOPS_INLINE void pack_two(f32_lanes x0, f32_lanes x1, d::f16* p) {
  const __m256i a = _mm512_cvtps_ph(x0.v, _MM_FROUND_TO_NEAREST_INT);
  const __m256i b = _mm512_cvtps_ph(x1.v, _MM_FROUND_TO_NEAREST_INT);
  _mm512_storeu_si512(p, _mm512_inserti64x4(_mm512_castsi256_si512(a), b, 1));
}
TILEOPS_INLINE void narrow_two(f32_lanes x0, f32_lanes x1, d::f16* p) {
  if (__builtin_expect(_mm512_cmp_ps_mask(x0.v, x1.v, _CMP_UNORD_Q) != 0, 0)) {
    x0.v = with_usual_nan(x0.v);
    x1.v = with_usual_nan(x1.v);
  }
  pack_two(x0, x1, p);
}
TILEOPS_INLINE void narrow_two(f32_lanes x0, f32_lanes x1, d::bf16* p) {
  __m512i a = rounded(x0.v), b = rounded(x1.v);
  if (__builtin_expect(_mm512_cmp_ps_mask(x0.v, x1.v, _CMP_UNORD_Q) != 0, 0)) {
    a = without_nan(a, x0.v);
    b = without_nan(b, x1.v);
  }
  const __m512i packed = _mm512_packus_epi32(_mm512_srli_epi32(a, 16), _mm512_srli_epi32(b, 16));
  _mm512_storeu_si512(p, in_order(packed));
}
TILEOPS_INLINE d::u32 rounding_test_lanes(f32_lanes x, d::bf16*, int ulp) {
  const __m512i low = _mm512_and_si512(_mm512_castps_si512(x.v), _mm512_set1_epi32(0xffff));
  const __m512i shifted = _mm512_add_epi32(low, _mm512_set1_epi32(ulp - 0x8000));
  return _mm512_cmple_epu32_mask(shifted, _mm512_set1_epi32(2 * ulp));
}
TILEOPS_INLINE d::u32 rounding_test_lanes(f32_lanes x, d::f16*, int ulp) {
  const __m512i mag = _mm512_and_si512(_mm512_castps_si512(x.v), _mm512_set1_epi32(0x7fffffff));
  const __m512i step = _mm512_set1_epi32(ulp);
  const __m512i low = _mm512_sub_epi32(_mm512_max_epu32(mag, step), step);
  const __m512i high = _mm512_add_epi32(mag, step);
  const __m256i a = _mm512_cvtps_ph(_mm512_castsi512_ps(low), _MM_FROUND_TO_NEAREST_INT);
  const __m256i b = _mm512_cvtps_ph(_mm512_castsi512_ps(high), _MM_FROUND_TO_NEAREST_INT);
  const __mmask16 finite = _mm512_cmplt_epu32_mask(mag, _mm512_set1_epi32(0x7f800000));
  return _mm256_mask_cmpneq_epi16_mask(finite, a, b);
}
TILEOPS_INLINE d::u32 nan_lanes(f32_lanes x) { return _mm512_cmp_ps_mask(x.v, x.v, _CMP_UNORD_Q); }

// Four vectors, in four stores: unlike the conversion into a register, that into memory leaves port 5 of Intel's cores
// alone. One look for NaN at all.
TILEOPS_INLINE void narrow_four(const float* src, d::f16* dst) {
  __m512 x[4];
  for (size_t k = 0; k < 4; ++k) x[k] = _mm512_loadu_ps(src + 16 * k);
  const __mmask16 a = _mm512_cmp_ps_mask(x[0], x[1], _CMP_UNORD_Q), b = _mm512_cmp_ps_mask(x[2], x[3], _CMP_UNORD_Q);
  if (__builtin_expect(!_kortestz_mask16_u8(a, b), 0))
    for (__m512& v : x) v = with_usual_nan(v);
  // Stored as words: otherwise g++ 12 converts into a register first.
  typedef short words __attribute__((vector_size(32), aligned(2), may_alias));
  for (size_t k = 0; k < 4; ++k)
    *reinterpret_cast<words*>(dst + 16 * k) = reinterpret_cast<words>(_mm512_cvtps_ph(x[k], _MM_FROUND_TO_NEAREST_INT));
}

// Codes of 4 bits, a byte each, by a table of what they stand for. Returns how many it took.
TILEOPS_INLINE size_t widen_codes(const d::e2m1fn* src, size_t n, float* dst) {
  size_t i = 0;
  const __m512 table = _mm512_setr_ps(0, 0.5f, 1, 1.5f, 2, 3, 4, 6, -0.0f, -0.5f, -1, -1.5f, -2, -3, -4, -6);
  for (; i + 16 <= n; i += 16) {
    const __m128i codes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(src + i));
    _mm512_storeu_ps(dst + i, _mm512_permutexvar_ps(_mm512_cvtepu8_epi32(codes), table));
  }
  return i;
}

// Toward zero, saturated, NaN to 0. The instruction gives 0x80000000 for what does not fit, which is looked for in two
// vectors at once.
TILEOPS_INLINE void truncate_two(const float* src, d::i32* dst) {
  const __m512i none = _mm512_set1_epi32(-0x7fffffff - 1);
  __m512i r[2];
  for (size_t k = 0; k < 2; ++k) r[k] = _mm512_cvttps_epi32(_mm512_loadu_ps(src + 16 * k));
  if (__builtin_expect(!_kortestz_mask16_u8(_mm512_cmpeq_epi32_mask(r[0], none), _mm512_cmpeq_epi32_mask(r[1], none)),
                       0))
    for (size_t k = 0; k < 2; ++k) {
      const __m512 x = _mm512_loadu_ps(src + 16 * k);
      const __mmask16 large = _mm512_cmp_ps_mask(x, _mm512_set1_ps(0x1p31f), _CMP_GE_OQ);
      r[k] = _mm512_mask_mov_epi32(r[k], large, _mm512_set1_epi32(0x7fffffff));
      r[k] = _mm512_maskz_mov_epi32(_mm512_cmp_ps_mask(x, x, _CMP_ORD_Q), r[k]);
    }
  for (size_t k = 0; k < 2; ++k) _mm512_storeu_si512(dst + 16 * k, r[k]);
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS

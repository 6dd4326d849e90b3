// Dense conversion between f32 and the 16-bit floats, and the rounding test, by intrinsics where the
// ISA has them: compilers do not find vcvtps2ph, and vectorise the portable forms in twice the
// instructions. Same bits as device/convert.h, which the tails and other ISAs use.
#pragma once

#include <cstddef>

#include "tileops/device/math/common/rounding_test.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace tileops::cpu::TILEOPS_DEVICE_NS {

namespace d = device;

#define TILEOPS_INLINE inline __attribute__((always_inline))

// Element i. A bool is read as its byte: g++ 12 does not vectorise loops that load bool.
template <class T>
TILEOPS_INLINE T element(const T* p, size_t i) {
  if constexpr (d::same_v<T, bool>) return reinterpret_cast<const d::u8*>(p)[i] != 0;
  else return p[i];
}

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__)
#define TILEOPS_LANES 16

struct Lanes {
  __m512 v;
};
TILEOPS_INLINE Lanes load_lanes(const float* p) { return {_mm512_loadu_ps(p)}; }
TILEOPS_INLINE void store_lanes(float* p, Lanes x) { _mm512_storeu_ps(p, x.v); }
TILEOPS_INLINE Lanes widen_lanes(const d::bf16* p) {
  const __m512i w = _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
  return {_mm512_castsi512_ps(_mm512_slli_epi32(w, 16))};
}
TILEOPS_INLINE Lanes widen_lanes(const d::f16* p) {
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
TILEOPS_INLINE void narrow_lanes(Lanes x, d::bf16* p) {
  const __m512i r = _mm512_srli_epi32(without_nan(rounded(x.v), x.v), 16);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm512_cvtepi32_epi16(r));
}
// The conversion keeps leading bits of a NaN.
TILEOPS_INLINE __m512 with_usual_nan(__m512 x) {
  return _mm512_mask_mov_ps(x, _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q), _mm512_set1_ps(__builtin_nanf("")));
}
TILEOPS_INLINE void pack_lanes(Lanes x, d::f16* p) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm512_cvtps_ph(x.v, _MM_FROUND_TO_NEAREST_INT));
}
TILEOPS_INLINE void narrow_lanes(Lanes x, d::f16* p) {
  x.v = with_usual_nan(x.v);
  pack_lanes(x, p);
}
TILEOPS_INLINE void pack_lanes(Lanes x, d::bf16* p) {
  const __m512i r = _mm512_srli_epi32(_mm512_castps_si512(x.v), 16);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm512_cvtepi32_epi16(r));
}
// Two vectors, stored at once: of memory written in two halves a load of both waits for the cache. One look for
// NaN at both.
TILEOPS_INLINE void pack_two(Lanes x0, Lanes x1, d::f16* p) {
  const __m256i a = _mm512_cvtps_ph(x0.v, _MM_FROUND_TO_NEAREST_INT);
  const __m256i b = _mm512_cvtps_ph(x1.v, _MM_FROUND_TO_NEAREST_INT);
  _mm512_storeu_si512(p, _mm512_inserti64x4(_mm512_castsi256_si512(a), b, 1));
}
TILEOPS_INLINE void narrow_two(Lanes x0, Lanes x1, d::f16* p) {
  if (__builtin_expect(_mm512_cmp_ps_mask(x0.v, x1.v, _CMP_UNORD_Q) != 0, 0)) {
    x0.v = with_usual_nan(x0.v);
    x1.v = with_usual_nan(x1.v);
  }
  pack_two(x0, x1, p);
}
TILEOPS_INLINE void narrow_two(Lanes x0, Lanes x1, d::bf16* p) {
  __m512i a = rounded(x0.v), b = rounded(x1.v);
  if (__builtin_expect(_mm512_cmp_ps_mask(x0.v, x1.v, _CMP_UNORD_Q) != 0, 0)) {
    a = without_nan(a, x0.v);
    b = without_nan(b, x1.v);
  }
  const __m512i packed = _mm512_packus_epi32(_mm512_srli_epi32(a, 16), _mm512_srli_epi32(b, 16));
  _mm512_storeu_si512(p, in_order(packed));
}
TILEOPS_INLINE d::u32 rounding_test_lanes(Lanes x, d::bf16*, int ulp) {
  const __m512i low = _mm512_and_si512(_mm512_castps_si512(x.v), _mm512_set1_epi32(0xffff));
  const __m512i shifted = _mm512_add_epi32(low, _mm512_set1_epi32(ulp - 0x8000));
  return _mm512_cmple_epu32_mask(shifted, _mm512_set1_epi32(2 * ulp));
}
TILEOPS_INLINE d::u32 rounding_test_lanes(Lanes x, d::f16*, int ulp) {
  const __m512i mag = _mm512_and_si512(_mm512_castps_si512(x.v), _mm512_set1_epi32(0x7fffffff));
  const __m512i step = _mm512_set1_epi32(ulp);
  const __m512i low = _mm512_sub_epi32(_mm512_max_epu32(mag, step), step);
  const __m512i high = _mm512_add_epi32(mag, step);
  const __m256i a = _mm512_cvtps_ph(_mm512_castsi512_ps(low), _MM_FROUND_TO_NEAREST_INT);
  const __m256i b = _mm512_cvtps_ph(_mm512_castsi512_ps(high), _MM_FROUND_TO_NEAREST_INT);
  const __mmask16 finite = _mm512_cmplt_epu32_mask(mag, _mm512_set1_epi32(0x7f800000));
  return _mm256_mask_cmpneq_epi16_mask(finite, a, b);
}
TILEOPS_INLINE d::u32 nan_lanes(Lanes x) { return _mm512_cmp_ps_mask(x.v, x.v, _CMP_UNORD_Q); }

#elif defined(__AVX2__) && defined(__F16C__)
#define TILEOPS_LANES 8

struct Lanes {
  __m256 v;
};
TILEOPS_INLINE Lanes load_lanes(const float* p) { return {_mm256_loadu_ps(p)}; }
TILEOPS_INLINE void store_lanes(float* p, Lanes x) { _mm256_storeu_ps(p, x.v); }
TILEOPS_INLINE __m128i load_codes(const void* p) { return _mm_loadu_si128(static_cast<const __m128i*>(p)); }
TILEOPS_INLINE Lanes widen_lanes(const d::bf16* p) {
  return {_mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(load_codes(p)), 16))};
}
TILEOPS_INLINE Lanes widen_lanes(const d::f16* p) { return {_mm256_cvtph_ps(load_codes(p))}; }
// The conversion keeps leading bits of a NaN.
TILEOPS_INLINE __m256 with_usual_nan(__m256 x) {
  return _mm256_blendv_ps(x, _mm256_set1_ps(__builtin_nanf("")), _mm256_cmp_ps(x, x, _CMP_UNORD_Q));
}
TILEOPS_INLINE void narrow_lanes(Lanes x, d::f16* p) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm256_cvtps_ph(with_usual_nan(x.v), _MM_FROUND_TO_NEAREST_INT));
}
TILEOPS_INLINE void pack_lanes(Lanes x, d::bf16* p) {
  const __m256i r = _mm256_srli_epi32(_mm256_castps_si256(x.v), 16);
  const __m128i packed = _mm_packus_epi32(_mm256_castsi256_si128(r), _mm256_extracti128_si256(r, 1));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p), packed);
}
TILEOPS_INLINE void pack_lanes(Lanes x, d::f16* p) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm256_cvtps_ph(x.v, _MM_FROUND_TO_NEAREST_INT));
}
// Two vectors, stored at once.
TILEOPS_INLINE void pack_two(Lanes x0, Lanes x1, d::f16* p) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p),
                      _mm256_set_m128i(_mm256_cvtps_ph(x1.v, _MM_FROUND_TO_NEAREST_INT),
                                       _mm256_cvtps_ph(x0.v, _MM_FROUND_TO_NEAREST_INT)));
}
TILEOPS_INLINE bool any_nan(__m256 x, __m256 y) { return _mm256_movemask_ps(_mm256_cmp_ps(x, y, _CMP_UNORD_Q)) != 0; }
TILEOPS_INLINE void narrow_two(Lanes x0, Lanes x1, d::f16* p) {
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
TILEOPS_INLINE void narrow_lanes(Lanes x, d::bf16* p) {
  const __m256i r = _mm256_srli_epi32(without_nan(rounded(x.v), x.v), 16);
  const __m128i packed = _mm_packus_epi32(_mm256_castsi256_si128(r), _mm256_extracti128_si256(r, 1));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p), packed);
}
TILEOPS_INLINE void narrow_two(Lanes x0, Lanes x1, d::bf16* p) {
  __m256i a = rounded(x0.v), b = rounded(x1.v);
  if (__builtin_expect(any_nan(x0.v, x1.v), 0)) {
    a = without_nan(a, x0.v);
    b = without_nan(b, x1.v);
  }
  const __m256i packed = _mm256_packus_epi32(_mm256_srli_epi32(a, 16), _mm256_srli_epi32(b, 16));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm256_permute4x64_epi64(packed, 0xd8));
}
TILEOPS_INLINE d::u32 rounding_test_lanes(Lanes x, d::bf16*, int ulp) {
  const __m256i low = _mm256_and_si256(_mm256_castps_si256(x.v), _mm256_set1_epi32(0xffff));
  const __m256i shifted = _mm256_add_epi32(low, _mm256_set1_epi32(ulp - 0x8000));
  const __m256i bound = _mm256_set1_epi32(2 * ulp);
  const __m256i hit = _mm256_cmpeq_epi32(_mm256_min_epu32(shifted, bound), shifted);
  return static_cast<d::u32>(_mm256_movemask_ps(_mm256_castsi256_ps(hit)));
}
TILEOPS_INLINE d::u32 rounding_test_lanes(Lanes x, d::f16*, int ulp) {
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
TILEOPS_INLINE d::u32 nan_lanes(Lanes x) {
  return static_cast<d::u32>(_mm256_movemask_ps(_mm256_cmp_ps(x.v, x.v, _CMP_UNORD_Q)));
}
#else
#define TILEOPS_LANES 0
#endif

template <class S>
inline constexpr bool is_half_v = d::same_v<S, d::f16> || d::same_v<S, d::bf16>;

template <class S>
TILEOPS_INLINE void widen_dense(const S* src, size_t n, float* dst) {
  size_t i = 0;
#if TILEOPS_LANES
  for (; i + TILEOPS_LANES <= n; i += TILEOPS_LANES) store_lanes(dst + i, widen_lanes(src + i));
#endif
  for (; i < n; ++i) dst[i] = d::widen(src[i]);
}

#if TILEOPS_LANES == 16
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
#elif TILEOPS_LANES == 8
TILEOPS_INLINE void narrow_four(const float* src, d::f16* dst) {
  __m256 x[4];
  for (size_t k = 0; k < 4; ++k) x[k] = _mm256_loadu_ps(src + 8 * k);
  const __m256 a = _mm256_cmp_ps(x[0], x[1], _CMP_UNORD_Q), b = _mm256_cmp_ps(x[2], x[3], _CMP_UNORD_Q);
  if (__builtin_expect(_mm256_movemask_ps(_mm256_or_ps(a, b)) != 0, 0))
    for (__m256& v : x) v = with_usual_nan(v);
  for (size_t k = 0; k < 4; ++k) pack_lanes(Lanes{x[k]}, dst + 8 * k);
}
#endif

// Codes, a byte each, by a table of what they stand for.
TILEOPS_INLINE void widen_fours(const d::e2m1fn* src, size_t n, float* dst) {
  size_t i = 0;
#if TILEOPS_LANES == 16
  const __m512 table = _mm512_setr_ps(0, 0.5f, 1, 1.5f, 2, 3, 4, 6, -0.0f, -0.5f, -1, -1.5f, -2, -3, -4, -6);
  for (; i + 16 <= n; i += 16) {
    const __m128i codes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(src + i));
    _mm512_storeu_ps(dst + i, _mm512_permutexvar_ps(_mm512_cvtepu8_epi32(codes), table));
  }
#elif TILEOPS_LANES == 8
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
#endif
  for (; i < n; ++i) dst[i] = d::widen(src[i]);
}

// `at_once`: what is stored is loaded again soon.
template <bool at_once = false, class S>
TILEOPS_INLINE void narrow_dense(const float* src, size_t n, S* dst) {
  size_t i = 0;
#if TILEOPS_LANES
  constexpr size_t kTwo = 2 * TILEOPS_LANES;
  if constexpr (d::same_v<S, d::f16> && !at_once)
    for (; i + 2 * kTwo <= n; i += 2 * kTwo) narrow_four(src + i, dst + i);
  const auto two = [=](size_t at) { narrow_two(load_lanes(src + at), load_lanes(src + at + TILEOPS_LANES), dst + at); };
  for (; i + 2 * kTwo <= n; i += 2 * kTwo) {
    two(i);
    two(i + kTwo);
  }
  for (; i + kTwo <= n; i += kTwo) two(i);
  for (; i + TILEOPS_LANES <= n; i += TILEOPS_LANES) narrow_lanes(load_lanes(src + i), dst + i);
#endif
  for (; i < n; ++i) dst[i] = d::narrow<S>(src[i]);
}

#if TILEOPS_LANES
// Toward zero, saturated, NaN to 0. The instruction gives 0x80000000 for what does not fit, which is looked for in two
// vectors at once.
TILEOPS_INLINE void truncate_two(const float* src, d::i32* dst) {
#if TILEOPS_LANES == 16
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
#else
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
#endif
}
#endif

TILEOPS_INLINE void truncate_dense(const float* src, size_t n, d::i32* dst) {
  size_t i = 0;
#if TILEOPS_LANES
  for (; i + 2 * TILEOPS_LANES <= n; i += 2 * TILEOPS_LANES) truncate_two(src + i, dst + i);
#endif
  for (; i < n; ++i) dst[i] = d::convert<d::i32>(src[i]);
}

// Values that S represents. A NaN keeps its leading bits.
template <class S>
TILEOPS_INLINE void pack_dense(const float* src, size_t n, S* dst) {
  size_t i = 0;
#if TILEOPS_LANES
  for (; i + TILEOPS_LANES <= n; i += TILEOPS_LANES) pack_lanes(load_lanes(src + i), dst + i);
#endif
  for (; i < n; ++i) {
    const d::u32 bits = d::to_bits(src[i]);
    const bool nan = (bits & 0x7fffffffu) > 0x7f800000u;
    S packed = d::narrow<S>(src[i]);
    if (nan && d::same_v<S, d::bf16>) packed.bits = static_cast<d::u16>(bits >> 16);
    if (nan && d::same_v<S, d::f16>)
      packed.bits = static_cast<d::u16>((bits >> 16 & 0x8000u) | 0x7e00u | (bits >> 13 & 0x3ffu));
    dst[i] = packed;
  }
}

// Bit i: result i of n <= 32 is within `ulp` of a tie of S.
template <class S>
TILEOPS_INLINE d::u32 rounding_test_mask(const float* src, size_t n, int ulp) {
  d::u32 mask = 0;
#if TILEOPS_LANES
  for (size_t i = 0; i < n; i += TILEOPS_LANES)
    mask |= rounding_test_lanes(load_lanes(src + i), static_cast<S*>(nullptr), ulp) << i;
#else
  for (size_t i = 0; i < n; ++i) mask |= d::u32{d::fails_rounding_test<S>(src[i], static_cast<d::u32>(ulp))} << i;
#endif
  return mask;
}

// Bit i: result i of n <= 32 is NaN.
TILEOPS_INLINE d::u32 nan_mask(const float* src, size_t n) {
  d::u32 mask = 0;
#if TILEOPS_LANES
  for (size_t i = 0; i < n; i += TILEOPS_LANES) mask |= nan_lanes(load_lanes(src + i)) << i;
#else
  for (size_t i = 0; i < n; ++i) mask |= d::u32{src[i] != src[i]} << i;
#endif
  return mask;
}

// Lists the indices of results within `ulp` of a tie of S.
template <class S>
TILEOPS_INLINE size_t list_failing(const float* src, size_t n, int ulp, d::u16* list) {
  size_t i = 0, count = 0;
#if TILEOPS_LANES
  if constexpr (is_half_v<S>) {
    for (; i + TILEOPS_LANES <= n; i += TILEOPS_LANES) {
      d::u32 mask = rounding_test_lanes(load_lanes(src + i), static_cast<S*>(nullptr), ulp);
      for (; __builtin_expect(mask != 0, 0); mask &= mask - 1)
        list[count++] = static_cast<d::u16>(i + static_cast<size_t>(__builtin_ctz(mask)));
    }
  }
#endif
  for (; i < n; ++i)
    if (d::fails_rounding_test<S>(src[i], static_cast<d::u32>(ulp))) list[count++] = static_cast<d::u16>(i);
  return count;
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS

// Blocks of 16-bit floats as f32 and back, for loops over blocks in which the order of the elements
// does not matter. With AVX a bf16 block is split into its even and its odd elements: that takes one
// instruction to widen a vector and, with AVX-512, seven to round and pack two; keeping the order takes
// two and ten.
#pragma once

#include "cpu/simd/narrow.h"
#include "cpu/simd/non_temporal.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

// Elements of a block, and the element that is at place p of a widened block or row of blocks.
#if TILEOPS_LANES
constexpr size_t kHalves = 2 * TILEOPS_LANES;
#else
constexpr size_t kHalves = 16;
#endif
template <class S>
constexpr size_t element_at(size_t p) {
#if TILEOPS_LANES
  if constexpr (d::same_v<S, d::bf16>) {
    const size_t lane = p % TILEOPS_LANES, odd = p / TILEOPS_LANES % 2;
    return p - p % kHalves + 2 * lane + odd;
  }
#endif
  return p;
}

// Kinds of floats, as VFPCLASSPS counts them.
constexpr int kNan = 0x81, kZero = 0x06, kInfinite = 0x18, kSubnormal = 0x20;

#if TILEOPS_LANES == 16

TILEOPS_INLINE void widen_block(const d::bf16* src, float* dst) {
  __m512i v = _mm512_loadu_si512(src);
  __asm__("" : "+v"(v));  // one load: g++ 12 may make two of it, as operands of the next instructions
  _mm512_storeu_si512(dst, _mm512_slli_epi32(v, 16));
  _mm512_storeu_si512(dst + 16, _mm512_and_si512(v, _mm512_set1_epi32(static_cast<int>(0xffff0000))));
}
// Upper halves. By a constant that widening has in a register already: g++ 12 loads masks again each time.
TILEOPS_INLINE void merge(__m512i even, __m512i odd, d::bf16* dst) {
  const __m512i upper = _mm512_set1_epi32(static_cast<int>(0xffff0000));
  _mm512_storeu_si512(dst, _mm512_ternarylogic_epi32(_mm512_srli_epi32(even, 16), odd, upper, 0xf8));
}
// No NaN. Rounded up where the lower half is above 0x8000, or the upper one is odd and it is 0x8000.
TILEOPS_INLINE void narrow_number_block(const float* src, d::bf16* dst) {
  const __m512i even = _mm512_loadu_si512(src), odd = _mm512_loadu_si512(src + 16);
  const __m512i upper = _mm512_set1_epi32(static_cast<int>(0xffff0000)), one = _mm512_set1_epi16(1);
  const __m512i high = _mm512_ternarylogic_epi32(_mm512_srli_epi32(even, 16), odd, upper, 0xf8);
  const __m512i low = _mm512_ternarylogic_epi32(_mm512_slli_epi32(odd, 16), even, upper, 0xf4);
  const __m512i lost = _mm512_ternarylogic_epi32(low, high, one, 0xf8);
  const __mmask32 up = _mm512_cmpgt_epu16_mask(lost, _mm512_set1_epi16(static_cast<short>(0x8000)));
  _mm512_storeu_si512(dst, _mm512_mask_add_epi16(high, up, high, one));
}
TILEOPS_INLINE void narrow_block(const float* src, d::bf16* dst) {
  const __m512 even = _mm512_loadu_ps(src), odd = _mm512_loadu_ps(src + 16);
  if (__builtin_expect(_mm512_cmp_ps_mask(even, odd, _CMP_UNORD_Q) == 0, 1)) return narrow_number_block(src, dst);
  merge(without_nan(rounded(even), even), without_nan(rounded(odd), odd), dst);
}
TILEOPS_INLINE void pack_block(const float* src, d::bf16* dst) {
  merge(_mm512_loadu_si512(src), _mm512_loadu_si512(src + 16), dst);
}
TILEOPS_INLINE void narrow_number_block(const float* src, d::f16* dst) {
  pack_two(f32_lanes::load(src), f32_lanes::load(src + 16), dst);
}
// Nor a tie.
TILEOPS_INLINE void narrow_untied_block(const float* src, d::bf16* dst) {
  const __m512i half = _mm512_set1_epi32(0x8000);
  merge(_mm512_add_epi32(_mm512_loadu_si512(src), half), _mm512_add_epi32(_mm512_loadu_si512(src + 16), half), dst);
}
TILEOPS_INLINE void narrow_untied_block(const float* src, d::f16* dst) { narrow_number_block(src, dst); }
// Half of them: with an exponent less by one.
TILEOPS_INLINE void narrow_untied_halves(const float* src, d::bf16* dst) {
  const __m512i half = _mm512_set1_epi32(0x8000 - 0x800000);
  merge(_mm512_add_epi32(_mm512_loadu_si512(src), half), _mm512_add_epi32(_mm512_loadu_si512(src + 16), half), dst);
}
// Is one of a block negative or from 2^97 on, as halves of infinities and NaN are?
TILEOPS_INLINE bool any_negative_or_huge(const d::bf16* block) {
  return _mm512_cmpge_epu16_mask(_mm512_loadu_si512(block), _mm512_set1_epi16(0x7000)) != 0;
}
// Is one of a block's values of these kinds?
template <int kinds>
TILEOPS_INLINE bool any_of_kind(const float* block) {
  const __m512 a = _mm512_loadu_ps(block), b = _mm512_loadu_ps(block + 16);
  if constexpr (kinds == kNan) return _mm512_cmp_ps_mask(a, b, _CMP_UNORD_Q) != 0;
  else return !_kortestz_mask16_u8(_mm512_fpclass_ps_mask(a, kinds), _mm512_fpclass_ps_mask(b, kinds));
}
// Within an ulp of a tie between normal numbers of f16, or 2^-25, the tie of 0 and its least number?
TILEOPS_INLINE __mmask16 near_tie_of_f16(const float* src) {
  const __m512i bits = _mm512_loadu_si512(src);
  const __m512i rest = _mm512_and_si512(_mm512_add_epi32(bits, _mm512_set1_epi32(0x1001)), _mm512_set1_epi32(0x1fff));
  return _kor_mask16(_mm512_cmplt_epu32_mask(rest, _mm512_set1_epi32(3)),
                     _mm512_cmpeq_epi32_mask(bits, _mm512_set1_epi32(0x33000000)));
}
// A tie of bf16, or NaN? The upper half to compare with is one that only a NaN has.
template <class S>
TILEOPS_INLINE bool any_tie(const float* block) {
  if constexpr (d::same_v<S, d::f16>) return !_kortestz_mask16_u8(near_tie_of_f16(block), near_tie_of_f16(block + 16));
  const __m512 even = _mm512_loadu_ps(block), odd = _mm512_loadu_ps(block + 16);
  const __m512i tie = _mm512_set1_epi32(static_cast<int>(0xffff8000));
  const __mmask32 a = _mm512_cmpeq_epi16_mask(_mm512_castps_si512(even), tie);
  const __mmask32 b = _mm512_cmpeq_epi16_mask(_mm512_castps_si512(odd), tie);
  return !_kortestz_mask32_u8(_kor_mask32(a, b), _mm512_cmp_ps_mask(even, odd, _CMP_UNORD_Q));
}

#elif TILEOPS_LANES == 8

TILEOPS_INLINE void widen_block(const d::bf16* src, float* dst) {
  const __m256i v = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(src));
  const __m256i high = _mm256_set1_epi32(static_cast<int>(0xffff0000));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(dst), _mm256_slli_epi32(v, 16));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(dst + 8), _mm256_and_si256(v, high));
}
TILEOPS_INLINE void merge(__m256i even, __m256i odd, d::bf16* dst) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(dst), _mm256_blend_epi16(_mm256_srli_epi32(even, 16), odd, 0xaa));
}
// No NaN.
TILEOPS_INLINE void narrow_number_block(const float* src, d::bf16* dst) {
  merge(rounded(_mm256_loadu_ps(src)), rounded(_mm256_loadu_ps(src + 8)), dst);
}
TILEOPS_INLINE void narrow_block(const float* src, d::bf16* dst) {
  const __m256 even = _mm256_loadu_ps(src), odd = _mm256_loadu_ps(src + 8);
  if (__builtin_expect(!any_nan(even, odd), 1)) return narrow_number_block(src, dst);
  merge(without_nan(rounded(even), even), without_nan(rounded(odd), odd), dst);
}
TILEOPS_INLINE void pack_block(const float* src, d::bf16* dst) {
  merge(_mm256_castps_si256(_mm256_loadu_ps(src)), _mm256_castps_si256(_mm256_loadu_ps(src + 8)), dst);
}
TILEOPS_INLINE void narrow_number_block(const float* src, d::f16* dst) {
  pack_two(f32_lanes::load(src), f32_lanes::load(src + 8), dst);
}
// Nor a tie.
TILEOPS_INLINE void narrow_untied_block(const float* src, d::bf16* dst) {
  const __m256i half = _mm256_set1_epi32(0x8000);
  const auto bits = [=](const float* p) { return _mm256_castps_si256(_mm256_loadu_ps(p)); };
  merge(_mm256_add_epi32(bits(src), half), _mm256_add_epi32(bits(src + 8), half), dst);
}
TILEOPS_INLINE void narrow_untied_block(const float* src, d::f16* dst) { narrow_number_block(src, dst); }
// Half of them: with an exponent less by one. Of 0 it is 0.
TILEOPS_INLINE void narrow_untied_halves(const float* src, d::bf16* dst) {
  narrow_untied_block(src, dst);
  __m256i* const block = reinterpret_cast<__m256i*>(dst);
  _mm256_storeu_si256(block, _mm256_subs_epu16(_mm256_loadu_si256(block), _mm256_set1_epi16(0x80)));
}
// Is one of a block negative or from 2^97 on, as halves of infinities and NaN are?
TILEOPS_INLINE bool any_negative_or_huge(const d::bf16* block) {
  const __m256i codes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(block));
  const __m256i upper = _mm256_adds_epu16(codes, _mm256_set1_epi16(0x1000));
  return _mm256_testz_si256(upper, _mm256_set1_epi16(static_cast<short>(0x8000))) == 0;
}
// Is one of a block's values of these kinds? If kZero is one, or any that has the least or largest exponent.
template <int kinds>
TILEOPS_INLINE bool any_of_kind(const float* block) {
  const __m256 a = _mm256_loadu_ps(block), b = _mm256_loadu_ps(block + 8);
  if constexpr (kinds == kNan) return any_nan(a, b);
  const auto doubled = [](__m256 x) { return _mm256_slli_epi32(_mm256_castps_si256(x), 1); };  // without the sign
  const __m256i da = doubled(a), db = doubled(b);
  __m256i hit;
  if constexpr ((kinds & kZero) != 0) {  // exponent 0 or 255
    const __m256i one = _mm256_set1_epi32(0x01000000), rest = _mm256_set1_epi32(static_cast<int>(0xfe000000));
    const auto next = [=](__m256i x) { return _mm256_and_si256(_mm256_add_epi32(x, one), rest); };
    hit = _mm256_cmpeq_epi32(_mm256_min_epu32(next(da), next(db)), _mm256_setzero_si256());
  } else {
    const __m256i most = _mm256_max_epu32(da, db);
    const d::u32 first = (kinds & kInfinite) != 0 ? 0xff000000u : 0xff000001u;
    hit = _mm256_cmpeq_epi32(_mm256_max_epu32(most, _mm256_set1_epi32(static_cast<int>(first))), most);
  }
  if constexpr ((kinds & kSubnormal) != 0) {
    const __m256i two = _mm256_set1_epi32(2);  // 0 becomes far more than all subnormal numbers
    const __m256i least = _mm256_min_epu32(_mm256_sub_epi32(da, two), _mm256_sub_epi32(db, two));
    const __m256i last = _mm256_set1_epi32(0x01000000 - 4);
    hit = _mm256_or_si256(hit, _mm256_cmpeq_epi32(_mm256_min_epu32(least, last), least));
  }
  return _mm256_movemask_epi8(hit) != 0;
}
// A tie of bf16, or NaN; a tie of f16 or next to one? The upper half to compare with is one that only a NaN has.
template <class S>
TILEOPS_INLINE bool any_tie(const float* block) {
  if constexpr (d::same_v<S, d::f16>) {
    S* of = nullptr;
    return (rounding_test_lanes(f32_lanes::load(block), of, 1) |
            rounding_test_lanes(f32_lanes::load(block + 8), of, 1)) != 0;
  }
  const __m256 even = _mm256_loadu_ps(block), odd = _mm256_loadu_ps(block + 8);
  const __m256i tie = _mm256_set1_epi32(static_cast<int>(0xffff8000));
  const __m256i a = _mm256_cmpeq_epi16(_mm256_castps_si256(even), tie);
  const __m256i b = _mm256_cmpeq_epi16(_mm256_castps_si256(odd), tie);
  const __m256i nan = _mm256_castps_si256(_mm256_cmp_ps(even, odd, _CMP_UNORD_Q));
  return _mm256_movemask_epi8(_mm256_or_si256(_mm256_or_si256(a, b), nan)) != 0;
}

#else

TILEOPS_INLINE void widen_block(const d::bf16* src, float* dst) { widen_dense(src, kHalves, dst); }
TILEOPS_INLINE void narrow_block(const float* src, d::bf16* dst) { narrow_dense(src, kHalves, dst); }
TILEOPS_INLINE void pack_block(const float* src, d::bf16* dst) { pack_dense(src, kHalves, dst); }

#endif

TILEOPS_INLINE void widen_block(const d::f16* src, float* dst) { widen_dense(src, kHalves, dst); }
TILEOPS_INLINE void narrow_block(const float* src, d::f16* dst) { narrow_dense<true>(src, kHalves, dst); }
TILEOPS_INLINE void pack_block(const float* src, d::f16* dst) {
#if TILEOPS_LANES
  pack_two(f32_lanes::load(src), f32_lanes::load(src + TILEOPS_LANES), dst);
#else
  pack_dense(src, kHalves, dst);
#endif
}

// n is a multiple of kHalves. Streamed, a block goes to aligned memory past the cache.
template <class S>
TILEOPS_INLINE void widen_blocks(const S* src, size_t n, float* dst) {
  for (size_t i = 0; i < n; i += kHalves) widen_block(src + i, dst + i);
}
template <class S>
TILEOPS_INLINE void copy_dense(const S* src, size_t n, S* dst) {
  __builtin_memcpy(dst, src, n * sizeof(S));
}
template <class S>
TILEOPS_INLINE void put_block(const S* block, S* dst) {
  static_assert(kHalves * sizeof(S) % kLine == 0);
  put_lines(dst, block, kHalves * sizeof(S));
}
// What is known of the values: nothing; (by loops over registers) that no NaN is among them, nor a tie; that they are
// representable, so that none is rounded.
enum class Values { any, numbers, untied, representable };
template <class S>
TILEOPS_INLINE void store_block(const S* block, S* dst, bool non_temporal) {
  if (non_temporal) return put_block(block, dst);
#if TILEOPS_LANES == 8
  // At once: g++ 12 copies 16 bytes at a time, by way of memory.
  const __m256i codes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(block));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(dst), codes);
#else
  __builtin_memcpy(dst, block, kHalves * sizeof(S));
#endif
}
template <Values values, class S>
TILEOPS_INLINE void narrow_blocks(const float* src, size_t n, S* dst, bool non_temporal) {
  for (size_t i = 0; i < n; i += kHalves) {
    alignas(64) S block[kHalves];
    if constexpr (values == Values::representable) pack_block(src + i, block);
#if TILEOPS_LANES
    else if constexpr (values == Values::numbers) narrow_number_block(src + i, block);
    else if constexpr (values == Values::untied) narrow_untied_block(src + i, block);
#endif
    else narrow_block(src + i, block);
    store_block(block, dst + i, non_temporal);
  }
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS

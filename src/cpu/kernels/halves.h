// Blocks of 16-bit floats as f32 and back, for loops over blocks in which the order of the elements
// does not matter. With AVX a bf16 block is split into its even and its odd elements: that takes one
// instruction to widen a vector and four to round and pack two, half of what keeping the order costs.
#pragma once

#include "cpu/kernels/narrow.h"
#include "cpu/kernels/streamed.h"

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

#if TILEOPS_LANES == 16

TILEOPS_INLINE void widen_block(const d::bf16* src, float* dst) {
  const __m512i v = _mm512_loadu_si512(src);
  _mm512_storeu_si512(dst, _mm512_slli_epi32(v, 16));
  _mm512_storeu_si512(dst + 16, _mm512_and_si512(v, _mm512_set1_epi32(static_cast<int>(0xffff0000))));
}
TILEOPS_INLINE void merge(__m512i even, __m512i odd, d::bf16* dst) {
  _mm512_storeu_si512(dst, _mm512_mask_mov_epi16(_mm512_srli_epi32(even, 16), 0xaaaaaaaau, odd));
}
TILEOPS_INLINE void narrow_block(const float* src, d::bf16* dst) {
  const __m512 even = _mm512_loadu_ps(src), odd = _mm512_loadu_ps(src + 16);
  __m512i a = rounded(even), b = rounded(odd);
  if (__builtin_expect(_mm512_cmp_ps_mask(even, odd, _CMP_UNORD_Q) != 0, 0)) {
    a = without_nan(a, even);
    b = without_nan(b, odd);
  }
  merge(a, b, dst);
}
TILEOPS_INLINE void pack_block(const float* src, d::bf16* dst) {
  merge(_mm512_loadu_si512(src), _mm512_loadu_si512(src + 16), dst);
}

#elif TILEOPS_LANES == 8

TILEOPS_INLINE void widen_block(const d::bf16* src, float* dst) {
  const __m256i v = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(src));
  const __m256i high = _mm256_set1_epi32(static_cast<int>(0xffff0000));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(dst), _mm256_slli_epi32(v, 16));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(dst + 8), _mm256_and_si256(v, high));
}
TILEOPS_INLINE __m256i rounded(const float* p) {
  const __m256 x = _mm256_loadu_ps(p);
  const __m256i u = _mm256_castps_si256(x);
  const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(u, 16), _mm256_set1_epi32(1));
  const __m256i sum = _mm256_add_epi32(_mm256_add_epi32(u, _mm256_set1_epi32(0x7fff)), odd);
  const __m256i nan = _mm256_castps_si256(_mm256_cmp_ps(x, x, _CMP_UNORD_Q));
  return _mm256_blendv_epi8(sum, _mm256_set1_epi32(0x7fc00000), nan);
}
TILEOPS_INLINE void merge(__m256i even, __m256i odd, d::bf16* dst) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(dst),
                      _mm256_blend_epi16(_mm256_srli_epi32(even, 16), odd, 0xaa));
}
TILEOPS_INLINE void narrow_block(const float* src, d::bf16* dst) {
  merge(rounded(src), rounded(src + 8), dst);
}
TILEOPS_INLINE void pack_block(const float* src, d::bf16* dst) {
  merge(_mm256_castps_si256(_mm256_loadu_ps(src)), _mm256_castps_si256(_mm256_loadu_ps(src + 8)), dst);
}

#else

TILEOPS_INLINE void widen_block(const d::bf16* src, float* dst) { widen_dense(src, kHalves, dst); }
TILEOPS_INLINE void narrow_block(const float* src, d::bf16* dst) { narrow_dense(src, kHalves, dst); }
TILEOPS_INLINE void pack_block(const float* src, d::bf16* dst) { pack_dense(src, kHalves, dst); }

#endif

TILEOPS_INLINE void widen_block(const d::f16* src, float* dst) { widen_dense(src, kHalves, dst); }
TILEOPS_INLINE void narrow_block(const float* src, d::f16* dst) { narrow_dense(src, kHalves, dst); }
TILEOPS_INLINE void pack_block(const float* src, d::f16* dst) {
#if TILEOPS_LANES
  pack_two(load_lanes(src), load_lanes(src + TILEOPS_LANES), dst);
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
TILEOPS_INLINE void put_block(const S* block, S* dst) {
  static_assert(kHalves * sizeof(S) % kLine == 0);
  put_lines(dst, block, kHalves * sizeof(S));
}
// `packed`: the values are representable, and are not rounded.
template <bool packed, class S>
TILEOPS_INLINE void narrow_blocks(const float* src, size_t n, S* dst, bool stream) {
  for (size_t i = 0; i < n; i += kHalves) {
    alignas(64) S block[kHalves];
    if constexpr (packed) pack_block(src + i, block);
    else narrow_block(src + i, block);
    if (stream) put_block(block, dst + i);
    else __builtin_memcpy(dst + i, block, sizeof block);
  }
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS

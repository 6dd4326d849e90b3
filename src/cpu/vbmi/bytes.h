// This folder: loops that a byte permutation makes quicker, in the place of those that the set has from AVX-512.
//
// Tables of 256 bytes in four registers, looked up 64 at a time (VPERMI2B).
#pragma once

#include <immintrin.h>

#include <cstddef>

#include "cpu/simd/narrow.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

struct Bytes {
  __m512i part[4];

  static TILEOPS_INLINE Bytes load(const d::u8* table) {
    const auto* p = reinterpret_cast<const __m512i*>(table);
    return {{_mm512_loadu_si512(p), _mm512_loadu_si512(p + 1), _mm512_loadu_si512(p + 2), _mm512_loadu_si512(p + 3)}};
  }
  // Low (0) or high (1) bytes of 256 words.
  static TILEOPS_INLINE Bytes load_half(const d::u16* table, unsigned high) {
    d::u8 half[256];
    for (size_t i = 0; i < 256; ++i) half[i] = static_cast<d::u8>(table[i] >> (8 * high));
    return load(half);
  }

  TILEOPS_INLINE __m512i operator[](__m512i codes) const {
    const __m512i low = _mm512_permutex2var_epi8(part[0], codes, part[1]);
    const __m512i high = _mm512_permutex2var_epi8(part[2], codes, part[3]);
    return _mm512_mask_blend_epi8(_mm512_movepi8_mask(codes), low, high);
  }
};

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS

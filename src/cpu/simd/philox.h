// Philox4x32-10 of many counters at a time. Compilers find VPMULUDQ for it, but not that it ignores the upper halves of
// its operands.
#pragma once

#include "cpu/simd/lanes.h"
#include "tileops/device/math/common/philox.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

#if TILEOPS_LANES
// A 32-bit word in each 64 bits, and anything above it.
#if TILEOPS_LANES == 16
using word_register = __m512i;
TILEOPS_INLINE word_register broadcast_words(uint64_t x) { return _mm512_set1_epi64(static_cast<long long>(x)); }
TILEOPS_INLINE word_register load_words(const uint64_t* p) { return _mm512_loadu_si512(p); }
TILEOPS_INLINE word_register wide_products(word_register a, word_register b) { return _mm512_mul_epu32(a, b); }
TILEOPS_INLINE word_register upper_words(word_register a) { return _mm512_srli_epi64(a, 32); }
TILEOPS_INLINE word_register pairs_of_words(word_register low, word_register high) {
  return _mm512_mask_blend_epi32(0xaaaa, low, _mm512_slli_epi64(high, 32));
}
// a0 b0 a1 b1 ...
TILEOPS_INLINE void store_in_turn(word_register a, word_register b, uint32_t* to) {
  const word_register lower = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
  const word_register upper = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
  _mm512_storeu_si512(to, _mm512_permutex2var_epi64(a, lower, b));
  _mm512_storeu_si512(to + 16, _mm512_permutex2var_epi64(a, upper, b));
}
#else
using word_register = __m256i;
TILEOPS_INLINE word_register broadcast_words(uint64_t x) { return _mm256_set1_epi64x(static_cast<long long>(x)); }
TILEOPS_INLINE word_register load_words(const uint64_t* p) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
}
TILEOPS_INLINE word_register wide_products(word_register a, word_register b) { return _mm256_mul_epu32(a, b); }
TILEOPS_INLINE word_register upper_words(word_register a) { return _mm256_srli_epi64(a, 32); }
TILEOPS_INLINE word_register pairs_of_words(word_register low, word_register high) {
  return _mm256_blend_epi32(low, _mm256_slli_epi64(high, 32), 0xaa);
}
// a0 b0 a1 b1 ...
TILEOPS_INLINE void store_in_turn(word_register a, word_register b, uint32_t* to) {
  const word_register even = _mm256_unpacklo_epi64(a, b), odd = _mm256_unpackhi_epi64(a, b);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm256_permute2x128_si256(even, odd, 0x20));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + 8), _mm256_permute2x128_si256(even, odd, 0x31));
}
#endif
constexpr size_t kCounters = sizeof(word_register) / 8;  // of a register

// Words of `count` counters from counter_low on, four each.
template <size_t count>
TILEOPS_INLINE void philox_run(uint64_t key, uint64_t counter_low, uint64_t counter_high, uint32_t* words) {
  static_assert(count % kCounters == 0);
  constexpr int kRounds = 10;
  word_register keys[kRounds][2];
  uint32_t k0 = static_cast<uint32_t>(key), k1 = static_cast<uint32_t>(key >> 32);
  for (auto& k : keys) {
    k[0] = broadcast_words(k0);
    k[1] = broadcast_words(k1);
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  const word_register m0 = broadcast_words(0xD2511F53u), m1 = broadcast_words(0xCD9E8D57u);
  const word_register high = broadcast_words(counter_high);
  constexpr uint64_t in_turn[] = {0, 1, 2, 3, 4, 5, 6, 7};
  word_register low = broadcast_words(counter_low) + load_words(in_turn);
  for (size_t g = 0; g < count; g += kCounters, low += broadcast_words(kCounters)) {
    word_register c0 = low, c1 = upper_words(low), c2 = high, c3 = upper_words(high);
    TILEOPS_UNROLL
    for (int round = 0; round < kRounds; ++round) {
      const word_register p0 = wide_products(m0, c0), p1 = wide_products(m1, c2);
      c0 = upper_words(p1) ^ c1 ^ keys[round][0];
      c1 = p1;
      c2 = upper_words(p0) ^ c3 ^ keys[round][1];
      c3 = p0;
    }
    store_in_turn(pairs_of_words(c0, c1), pairs_of_words(c2, c3), words + 4 * g);
  }
}
#else
template <size_t count>
TILEOPS_INLINE void philox_run(uint64_t key, uint64_t counter_low, uint64_t counter_high, uint32_t* words) {
#pragma omp simd
  for (size_t g = 0; g < count; ++g) {
    const device::philox_words w = device::philox4x32_10(key, counter_low + g, counter_high);
    words[4 * g] = w.w0;
    words[4 * g + 1] = w.w1;
    words[4 * g + 2] = w.w2;
    words[4 * g + 3] = w.w3;
  }
}
#endif

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS

// Results of 8-bit operands that are looked up: see MemoryKernels::lookup.
#pragma once

#include "cpu/loops/turns.h"
#include "cpu/vbmi/bytes.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

struct ByteResults {
  using Result = d::u8;
  const Bytes table;
  explicit ByteResults(const d::u8* t) : table(Bytes::load(t)) {}
  TILEOPS_INLINE void block(const d::u8* src, d::u8* to) const {
    _mm512_storeu_si512(to, table[_mm512_loadu_si512(src)]);
  }
};

struct WordResults {
  using Result = d::u16;
  const Bytes low, high;
  explicit WordResults(const d::u16* t) : low(Bytes::load_half(t, 0)), high(Bytes::load_half(t, 1)) {}
  TILEOPS_INLINE void block(const d::u8* src, d::u16* to) const {
    // Interleaving takes the halves of each 16 bytes apart: here they are 32 codes from each other.
    const __m512i order = _mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7);
    const __m512i codes = _mm512_permutexvar_epi64(order, _mm512_loadu_si512(src));
    const __m512i l = low[codes], h = high[codes];
    _mm512_storeu_si512(to, _mm512_unpacklo_epi8(l, h));
    _mm512_storeu_si512(to + 32, _mm512_unpackhi_epi8(l, h));
  }
};

// As LookupFn.
template <class Results>
void look_up_bytes(const void* src_, const void* table_, size_t n, void* dst_, bool non_temporal) {
  using E = typename Results::Result;
  constexpr size_t kTurn = 64;
  const d::u8* src = static_cast<const d::u8*>(src_);
  const E* table = static_cast<const E*>(table_);
  E* dst = static_cast<E*>(dst_);
  const auto edge = [=](E* to, size_t at, size_t m) {
    for (size_t i = 0; i < m; ++i) to[i] = table[src[at + i]];
  };
  if (n < kTurn) return edge(dst, 0, n);
  const Results results(table);
  turn_loop<kTurn>(
      dst, n, non_temporal, [&](E* to, size_t at) { results.block(src + at, to); }, edge,
      [=](size_t at) { prefetch<kTurn>(src + at); });
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS

// Non-temporal stores: past the cache, of results too many to be found there later. Done line by line between the
// computations they cost nothing beside these; in bursts of 4 KiB they are waited for.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tileops/device/config.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace tileops::cpu::TILEOPS_DEVICE_NS {

// n bytes, whole lines; dst is a multiple of the line.
#if defined(__AVX512F__)
constexpr size_t kLine = 64;
inline __attribute__((always_inline)) void put_lines(void* dst, const void* src, size_t n) {
  for (size_t i = 0; i < n; i += kLine) {
    _mm512_stream_si512(reinterpret_cast<__m512i*>(static_cast<char*>(dst) + i),
                        _mm512_loadu_si512(static_cast<const char*>(src) + i));
  }
}
#elif defined(__AVX__)
constexpr size_t kLine = 32;
inline __attribute__((always_inline)) void put_lines(void* dst, const void* src, size_t n) {
  for (size_t i = 0; i < n; i += kLine) {
    _mm256_stream_si256(reinterpret_cast<__m256i*>(static_cast<char*>(dst) + i),
                        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(static_cast<const char*>(src) + i)));
  }
}
#elif defined(__SSE2__)
constexpr size_t kLine = 16;
inline __attribute__((always_inline)) void put_lines(void* dst, const void* src, size_t n) {
  for (size_t i = 0; i < n; i += kLine) {
    _mm_stream_si128(reinterpret_cast<__m128i*>(static_cast<char*>(dst) + i),
                     _mm_loadu_si128(reinterpret_cast<const __m128i*>(static_cast<const char*>(src) + i)));
  }
}
#else
constexpr size_t kLine = 16;
inline __attribute__((always_inline)) void put_lines(void* dst, const void* src, size_t n) {
  __builtin_memcpy(dst, src, n);
}
#endif

// The input of a later turn. Hardware prefetchers stop at the end of a page, and a turn that takes long
// does not reach the next page early enough.
template <size_t kTurn, size_t kAhead = 2048, class T>
inline __attribute__((always_inline)) void prefetch(const T* p) {
  constexpr size_t kCacheLine = 64;
  for (size_t at = 0; at < kTurn * sizeof(T); at += kCacheLine)
    __builtin_prefetch(reinterpret_cast<const char*>(p) + kAhead + at);
}
// All inputs of a loop, as far ahead as what one core has on its way from memory at a time. (Loops beside a table that
// is to stay in L1 are best off by 2 KiB.)
template <size_t kTurn, class... P>
inline __attribute__((always_inline)) void prefetch_all(P... p) {
  constexpr size_t kAhead = sizeof...(P) == 1 ? 8192 : sizeof...(P) == 2 ? 4096 : 2048;
  (prefetch<kTurn, kAhead>(p), ...);
}

// How many of n elements from y on lie before the first whole line.
template <class R>
inline __attribute__((always_inline)) size_t before_line(const R* y, size_t n) {
  const size_t head = (kLine - reinterpret_cast<uintptr_t>(y) % kLine) % kLine / sizeof(R);
  return head < n ? head : n;
}

// y = results: `block(to, at)` computes kTurn of them, from the at-th on, into memory that is in L1, and
// `edge(to, at, count)` fewer. Through the cache up to the first whole line and from the last one on, past
// it in between.
template <size_t kTurn, class R, class Block, class Edge>
inline __attribute__((always_inline)) void non_temporal_loop(R* y, size_t n, const Block& block, const Edge& edge) {
  static_assert(kTurn * sizeof(R) % kLine == 0);
  size_t i = before_line(y, n);
  if (i) edge(y, 0, i);
  for (; i + kTurn <= n; i += kTurn) {
    alignas(64) R results[kTurn];
    block(results, i);
    put_lines(y + i, results, sizeof results);
  }
  if (i < n) edge(y + i, i, n - i);
}

// The same through the cache, unless `non_temporal`, where ahead(at) prefetches for the turn at `at`.
template <size_t kTurn, class R, class Block, class Edge, class Ahead>
inline __attribute__((always_inline)) void turn_loop(R* y, size_t n, bool non_temporal, const Block& block,
                                                     const Edge& edge, const Ahead& ahead) {
  if (non_temporal) {
    const auto both = [&](R* to, size_t at) {
      ahead(at);
      block(to, at);
    };
    return non_temporal_loop<kTurn>(y, n, both, edge);
  }
  size_t i = 0;
  for (; i + kTurn <= n; i += kTurn) block(y + i, i);
  if (i < n) edge(y + i, i, n - i);
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS

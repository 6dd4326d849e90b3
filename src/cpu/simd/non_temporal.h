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

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS

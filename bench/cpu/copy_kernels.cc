// Compiled once per instruction set (COPY_ISA). A block reads kBlock elements of every stream,
// folds what it read into the bytes to write with xor, and stores them: nothing can be left out by
// the compiler, and nothing costs more than the loads and stores.
#include "copy_kernels.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace tileops_bench::COPY_ISA {
namespace {

#if defined(__AVX512F__)
inline __m512i load(const char* p) { return _mm512_loadu_si512(p); }
inline __m512i fold(__m512i a, __m512i b) { return _mm512_xor_si512(a, b); }
inline void store(char* p, __m512i v) { _mm512_storeu_si512(p, v); }
inline void stream(char* p, __m512i v) { _mm512_stream_si512(reinterpret_cast<__m512i*>(p), v); }
using Part = __m512i;
#elif defined(__AVX2__)
inline __m256i load(const char* p) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
}
inline __m256i fold(__m256i a, __m256i b) { return _mm256_xor_si256(a, b); }
inline void store(char* p, __m256i v) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), v); }
inline void stream(char* p, __m256i v) { _mm256_stream_si256(reinterpret_cast<__m256i*>(p), v); }
using Part = __m256i;
#elif defined(__x86_64__)
inline __m128i load(const char* p) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)); }
inline __m128i fold(__m128i a, __m128i b) { return _mm_xor_si128(a, b); }
inline void store(char* p, __m128i v) { _mm_storeu_si128(reinterpret_cast<__m128i*>(p), v); }
inline void stream(char* p, __m128i v) { _mm_stream_si128(reinterpret_cast<__m128i*>(p), v); }
using Part = __m128i;
#else
struct alignas(16) Part {
  uint64_t a, b;
};
inline Part load(const char* p) {
  Part v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
inline Part fold(Part x, Part y) { return {x.a ^ y.a, x.b ^ y.b}; }
inline void store(char* p, Part v) { std::memcpy(p, &v, sizeof v); }
inline void stream(char* p, Part v) { store(p, v); }  // no portable streaming store
#endif

constexpr size_t kParts = 64 / sizeof(Part);  // registers of one 64-byte line

template <int Bytes>
inline void read_line(const char* base, size_t block, size_t line, Part* into, bool* used) {
  if constexpr (Bytes != 0) {
    const char* p = base + block * kBlock * Bytes + line * 64;
    for (size_t k = 0; k < kParts; ++k) {
      const Part v = load(p + k * sizeof(Part));
      into[k] = *used ? fold(into[k], v) : v;
    }
    *used = true;
  }
}

// Lines of stream i that go into output line w: all lines l with l mod W == w, and where the
// stream has fewer lines than the output, line w mod Bytes (already in a register or in L1).
template <int Bytes, int W>
inline void gather(const char* base, size_t block, size_t w, Part* into, bool* used) {
  if constexpr (Bytes >= W) {
#pragma GCC unroll 8
    for (int l = 0; l < Bytes / W; ++l)
      read_line<Bytes>(base, block, w + static_cast<size_t>(l) * W, into, used);
  } else if constexpr (Bytes != 0) {
    read_line<Bytes>(base, block, w % Bytes, into, used);
  }
}

template <int R0, int R1, int R2, int W, bool Streaming>
void copy(const char* const* reads, char* const* writes, size_t blocks) {
  const char *a = reads[0], *b = reads[1], *c = reads[2];
  char* const write = writes[0];
  // Not zeros: lines of these a Zen 5 stores past its cache in half the time (89 GB/s; of others 42).
  Part constant;
  std::memset(&constant, 0x5a, sizeof constant);
  for (size_t block = 0; block < blocks; ++block) {
#pragma GCC unroll 8
    for (int w = 0; w < W; ++w) {
      Part line[kParts];
      bool used = false;
      gather<R0, W>(a, block, static_cast<size_t>(w), line, &used);
      gather<R1, W>(b, block, static_cast<size_t>(w), line, &used);
      gather<R2, W>(c, block, static_cast<size_t>(w), line, &used);
      char* out = write + block * kBlock * W + static_cast<size_t>(w) * 64;
      for (size_t k = 0; k < kParts; ++k) {
        const Part v = used ? line[k] : constant;
        if constexpr (Streaming)
          stream(out + k * sizeof(Part), v);
        else
          store(out + k * sizeof(Part), v);
      }
    }
  }
#ifdef __x86_64__
  if (Streaming) _mm_sfence();
#endif
}

// Several results: R streams of Bytes an element are read, W written, and a mask of 1 byte an element.
template <int R, int Bytes, int W, bool Mask, bool Streaming>
void copy_several(const char* const* reads, char* const* writes, size_t blocks) {
  for (size_t block = 0; block < blocks; ++block) {
    Part line[kParts];
    for (size_t l = 0; l < Bytes; ++l) {
      const size_t at = block * kBlock * Bytes + l * 64;
      for (size_t k = 0; k < kParts; ++k) {
        line[k] = load(reads[0] + at + k * sizeof(Part));
        for (int r = 1; r < R; ++r) line[k] = fold(line[k], load(reads[r] + at + k * sizeof(Part)));
        for (int w = 0; w < W; ++w) {
          char* out = writes[w] + at + k * sizeof(Part);
          if constexpr (Streaming) stream(out, line[k]);
          else store(out, line[k]);
        }
      }
    }
    if constexpr (Mask)
      for (size_t k = 0; k < kParts; ++k) {
        char* out = writes[W] + block * kBlock + k * sizeof(Part);
        if constexpr (Streaming) stream(out, line[k]);
        else store(out, line[k]);
      }
  }
#ifdef __x86_64__
  if (Streaming) _mm_sfence();
#endif
}

struct Row {
  int reads[TILEOPS_COPY_MAX_READS], writes[TILEOPS_COPY_MAX_WRITES];
  CopyFn plain, streaming;
};
#define ROW(r0, r1, r2, w) \
  {{r0, r1, r2, 0}, {w, 0, 0}, copy<r0, r1, r2, w, false>, copy<r0, r1, r2, w, true>}
#define SIZES(b) \
  ROW(0, 0, 0, b), ROW(b, 0, 0, b), ROW(b, b, 0, b), ROW(b, b, b, b), ROW(b, 1, 0, b), \
      ROW(b, b, 1, b), ROW(b, 0, 0, 1), ROW(b, b, 0, 1)
#define SEVERAL(b)                                                                                        \
  {{b, b, b, b}, {b, b, b}, copy_several<4, b, 3, false, false>, copy_several<4, b, 3, false, true>},     \
      {{b, b, b, 0}, {b, b, 0}, copy_several<3, b, 2, false, false>, copy_several<3, b, 2, false, true>}, \
      {{b, b, 0, 0}, {b, 1, 0}, copy_several<2, b, 1, true, false>, copy_several<2, b, 1, true, true>}
const Row kRows[] = {
    ROW(0, 0, 0, 1), ROW(1, 0, 0, 1), ROW(1, 1, 0, 1), ROW(1, 1, 1, 1),
    SIZES(2), SIZES(4), SIZES(8), SEVERAL(2), SEVERAL(4),
    // Conversions, and every second element of two operands.
    ROW(1, 0, 0, 2), ROW(1, 0, 0, 4), ROW(1, 1, 0, 4), ROW(2, 0, 0, 4), ROW(2, 2, 0, 4),
    ROW(4, 0, 0, 2), ROW(4, 4, 0, 2), ROW(8, 0, 0, 4), ROW(8, 8, 0, 4), ROW(4, 2, 0, 4),
    ROW(4, 0, 0, 8), ROW(8, 0, 0, 2),
};

}  // namespace

CopyFn find(const int* read_bytes, const int* write_bytes, bool streaming) {
  for (const Row& row : kRows) {
    if (std::equal(row.reads, row.reads + TILEOPS_COPY_MAX_READS, read_bytes) &&
        std::equal(row.writes, row.writes + TILEOPS_COPY_MAX_WRITES, write_bytes))
      return streaming ? row.streaming : row.plain;
  }
  return nullptr;
}

}  // namespace tileops_bench::COPY_ISA

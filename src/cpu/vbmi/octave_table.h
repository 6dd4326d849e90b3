// A table of one octave, of bf16 functions with f(4 x) = 2^k f(x), such as the square root. Between powers of two their
// codes are off a straight line by less than 32: by how much depends on the last eight bits of the operand's code alone
// and is looked up.
//
// With t = x - c, or c - x if f falls, f(x) is t + E for the reciprocal and (t + E) / 2 for roots. Neighbours' roots
// differ by 0 or 1, so that one E serves two of them; for the reciprocal one octave is enough. c is such that the 128
// E differ in their low bytes alone. Operands that t has no room for, by the usual loop with the rest of their turn:
// those that are not normal, or whose results are not, and some of the largest or smallest.
#pragma once

#include "cpu/loops/half/loop.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

template <template <class, class> class BodyT, int ulp>
struct OctaveTable {
  using S = d::bf16;
  using Loop = HalfLoop<BodyT, S, ulp, true, S>;
  static constexpr int scale = Loop::Body::octave_scale;
  static constexpr bool root = scale != -2, falls = scale < 0;
  static_assert(scale == 1 || scale == -1 || (scale == -2 && Loop::Body::odd_function));
  static constexpr d::u16 kOrigin = scale == 1 ? 0x0100 : scale == -1 ? 0x7f00 : 0x8180;  // c
  static constexpr size_t kTurn = 64;
  static constexpr size_t kWorthwhile = 2048;  // the table takes as long as some 500 elements

  const Loop loop;
  __m512i low[2];   // the low bytes of E
  __m512i high[2];  // the high one, in all words' upper halves and in their lower ones

  // In line, so that the loop has the tables in registers.
  TILEOPS_INLINE explicit OctaveTable(const Loop& l) : loop(l) {
    constexpr unsigned kFirst = 0x3f00;  // any multiple of 256 far from the ends
    S x[256], y[256];
    for (unsigned i = 0; i < 256; ++i) {
      const unsigned t = kFirst + i;
      x[i].bits = static_cast<d::u16>(falls ? kOrigin - t : kOrigin + t);
    }
    loop.run(y, 256, x);
    d::u8 bytes[128];
    unsigned e = 0;
    for (unsigned i = 0; i < 128; ++i) {
      // The average is rounded up.
      if constexpr (root) e = y[2 * i].bits + y[2 * i + 1].bits - (kFirst + 2 * i) - 1u;
      else e = y[i].bits - (kFirst + i);
      bytes[i] = static_cast<d::u8>(e);
    }
    low[0] = _mm512_loadu_si512(bytes);
    low[1] = _mm512_loadu_si512(bytes + 64);
    high[0] = words(e & 0xff00);
    high[1] = words(e >> 8 & 0xff);
  }

  void run(S* y, size_t n, const S* x, bool non_temporal) const {
    turn_loop<kTurn>(
        y, n, non_temporal, [=](S* to, size_t at) { block(to, x + at); },
        [=](S* to, size_t at, size_t m) { usual(to, m, x + at); }, [=](size_t at) { prefetch_all<kTurn>(x + at); });
  }

  static void run(const void* const* in, void* const* out, size_t n, const AttrValue* attrs, How how) {
    const typename Loop::Body body(attrs);
    S* y = static_cast<S*>(out[0]);
    const S* x = static_cast<const S*>(in[0]);
    if (n < kWorthwhile) Loop(body, attrs, how.non_temporal).run(y, n, x);
    else OctaveTable(Loop(body, attrs, false)).run(y, n, x, how.non_temporal);
  }

 private:
  __attribute__((noinline)) void usual(S* y, size_t n, const S* x) const { loop.run(y, n, x); }

  static TILEOPS_INLINE __m512i words(unsigned x) { return _mm512_set1_epi16(static_cast<short>(x)); }
  static TILEOPS_INLINE __m512i moved(const S* x) {
    const __m512i codes = _mm512_loadu_si512(x);
    return falls ? _mm512_sub_epi16(words(kOrigin), codes) : _mm512_sub_epi16(codes, words(kOrigin));
  }
  static TILEOPS_INLINE __mmask32 no_room(__m512i t) {
    if constexpr (root) return _mm512_cmpge_epu16_mask(t, words(0x7e80));
    else return _mm512_testn_epi16_mask(t, words(0x7c00));
  }
  TILEOPS_INLINE void block(S* y, const S* x) const {
    const __m512i a = moved(x), b = moved(x + 32);
    if (__builtin_expect(!_kortestz_mask32_u8(no_room(a), no_room(b)), 0)) return usual(y, kTurn, x);
    // The places of a in low bytes, those of b in high ones. The first bit of a byte does not matter.
    const __m512i places = _mm512_shldi_epi16(b, _mm512_slli_epi16(a, 8), root ? 7 : 8);
    const __m512i found = _mm512_permutex2var_epi8(low[0], places, low[1]);
    put(y, a, _mm512_ternarylogic_epi32(found, words(0xff), high[0], 0xea));  // found & 0xff | high
    put(y + 32, b, _mm512_shrdi_epi16(found, high[1], 8));
  }
  static TILEOPS_INLINE void put(S* y, __m512i t, __m512i e) {
    _mm512_storeu_si512(y, root ? _mm512_avg_epu16(t, e) : _mm512_add_epi16(t, e));
  }
};

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS

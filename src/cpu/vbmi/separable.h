// bf16 functions with f(4 x) = 2^k f(x), such as the square root: the last eight bits of a code, which are the
// significand and the parity of the exponent, are looked up, and the rest of the exponent is added k times.
#pragma once

#include "cpu/kernels/fused.h"
#include "cpu/vbmi/bytes.h"

namespace tileops::cpu::TILEOPS_DEVICE_NS {

template <template <class, class> class BodyT, int ulp>
struct Separable {
  using S = d::bf16;
  using Loop = FusedLoop<BodyT, S, ulp, true, S>;
  static constexpr int scale = Loop::Body::scale_of_4;
  static constexpr bool odd = Loop::Body::odd_function;
  static constexpr size_t kTurn = 64;
  static constexpr size_t kWorthwhile = 2048;  // the table takes as long as some 500 elements
  static constexpr d::u16 kFrom = 0x0080;      // operands that the table is for, and their results, are normal
  static constexpr d::u16 kTo = scale == -2 ? 0x7e00 : 0x7f80;

  const Loop loop;
  Bytes table;
  d::u16 offset;

  explicit Separable(const Loop& l) : loop(l) {
    S x[256], y[256];
    for (unsigned i = 0; i < 256; ++i) x[i].bits = static_cast<d::u16>(kReference + i);
    Loop{l.body, l.attrs, false}.run(y, 256, x);
    d::u16 least = y[0].bits;
    for (const S& r : y) least = r.bits < least ? r.bits : least;
    d::u8 bytes[256];
    for (unsigned i = 0; i < 256; ++i) bytes[i] = static_cast<d::u8>(y[i].bits - least);
    table = Bytes::load(bytes);
    offset = static_cast<d::u16>(least - scale * (kReference >> 1));
  }

  // Whole registers of low bytes; those with other operands by the loop.
  void run(S* y, size_t n, const S* x) const {
    size_t i = 0;
    if (loop.stream && (i = before_line(y, n)) != 0) loop.run(y, i, x);
    for (; i + kTurn <= n; i += kTurn) {
      if (loop.stream) prefetch_all<kTurn>(x + i);
      const __m512i a = _mm512_loadu_si512(x + i), b = _mm512_loadu_si512(x + i + 32);
      if (__builtin_expect(!_kortestz_mask32_u8(others(a), others(b)), 0)) {
        loop.run(y + i, kTurn, x + i);
        continue;
      }
      const __mmask64 second = 0xaaaaaaaaaaaaaaaaull;
      const __m512i found = table[_mm512_mask_blend_epi8(second, a, _mm512_slli_epi16(b, 8))];
      put(y + i, a, _mm512_and_si512(found, _mm512_set1_epi16(0xff)));
      put(y + i + 32, b, _mm512_srli_epi16(found, 8));
    }
    if (i < n) loop.run(y + i, n - i, x + i);
  }

  static void run(const void* const* in, void* const* out, size_t n, const AttrValue* attrs, bool stream) {
    const Loop loop{typename Loop::Body(attrs), attrs, stream};
    S* y = static_cast<S*>(out[0]);
    const S* x = static_cast<const S*>(in[0]);
    if (n < kWorthwhile) loop.run(y, n, x);
    else Separable(loop).run(y, n, x);
  }

 private:
  static constexpr d::u16 kReference = 0x3f00;

  static TILEOPS_INLINE __m512i words(unsigned x) { return _mm512_set1_epi16(static_cast<short>(x)); }
  static TILEOPS_INLINE __mmask32 others(__m512i x) {
    const __m512i magnitude = odd ? _mm512_and_si512(x, words(0x7fff)) : x;
    return _mm512_cmpge_epu16_mask(_mm512_sub_epi16(magnitude, words(kFrom)), words(kTo - kFrom));
  }
  TILEOPS_INLINE void put(S* y, __m512i x, __m512i found) const {
    const __m512i exponent = _mm512_and_si512(x, words(0x7f00)), result = _mm512_add_epi16(found, words(offset));
    __m512i r;
    if constexpr (scale == 1) r = _mm512_add_epi16(result, _mm512_srli_epi16(exponent, 1));
    else if constexpr (scale == -1) r = _mm512_sub_epi16(result, _mm512_srli_epi16(exponent, 1));
    else r = _mm512_sub_epi16(result, exponent);
    static_assert(scale == 1 || scale == -1 || scale == -2);
    if constexpr (odd) r = _mm512_ternarylogic_epi32(r, x, words(0x8000), 0xf8);
    if (loop.stream) _mm512_stream_si512(reinterpret_cast<__m512i*>(y), r);
    else _mm512_storeu_si512(y, r);
  }
};

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS

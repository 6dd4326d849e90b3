// Results rounded to odd (device/math/common/round_to_odd.h), a vector at a time: AVX-512 can round each operation
// either way. 4 instructions where the scalar form takes 40. With AVX2: round_to_odd_avx2.h.
#pragma once

#include "cpu/simd/halves.h"
#include "cpu/simd/lanes.h"
#include "tileops/device/math/common/round_to_odd.h"

#if TILEOPS_LANES == 16
namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {

// The odd one of the results rounded down and up, which are neighbours or the same. An exact zero has the sign of `up`,
// which is the usual one.
TILEOPS_FN f32x16 odd_of(__m512 down, __m512 up) {
  const __mmask16 take = _mm512_test_epi32_mask(_mm512_castps_si512(down), _mm512_set1_epi32(1));
  return {_mm512_mask_mov_ps(up, take, down)};
}

constexpr int kDown = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC;
constexpr int kUp = _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC;

TILEOPS_FN f32x16 mul_to_odd(f32x16 a, f32x16 b) {
  return odd_of(_mm512_mul_round_ps(a.v, b.v, kDown), _mm512_mul_round_ps(a.v, b.v, kUp));
}
TILEOPS_FN f32x16 fma_to_odd(f32x16 a, f32x16 b, f32x16 c) {
  return odd_of(_mm512_fmadd_round_ps(a.v, b.v, c.v, kDown), _mm512_fmadd_round_ps(a.v, b.v, c.v, kUp));
}

// The elements of y whose bits are set again by the scalar form.
inline __attribute__((noinline, cold)) f32x16 lerp_to_odd_again(u32 again, f32x16 y, f32x16 a, f32x16 b, f32x16 w) {
  alignas(64) float as[16], bs[16], ws[16], ys[16];
  a.store(as);
  b.store(bs);
  w.store(ws);
  y.store(ys);
  for (; again != 0; again &= again - 1) {
    const int i = __builtin_ctz(again);
    ys[i] = lerp_to_odd(as[i], bs[i], ws[i]);
  }
  return f32x16::load(ys);
}

// a + w(b - a) as part * diff + from, and where diff is not exact. Differences that are are the same rounded up,
// as to zeros too, and down.
struct lerp_terms {
  f32x16 part, diff, from;
  __mmask16 near_b, inexact;
};
TILEOPS_FN lerp_terms lerp_terms_of(f32x16 a, f32x16 b, f32x16 w, f32x16 less) {
  const __mmask16 near_b = _mm512_cmp_ps_mask(abs(w).v, _mm512_set1_ps(0.5f), _CMP_NLT_UQ);
  const __m512 diff = _mm512_sub_round_ps(b.v, a.v, kUp);
  return {{_mm512_mask_mov_ps(w.v, near_b, less.v)},
          {diff},
          {_mm512_mask_mov_ps(a.v, near_b, b.v)},
          near_b,
          _mm512_cmp_ps_mask(diff, _mm512_sub_round_ps(b.v, a.v, kDown), _CMP_NEQ_OQ)};
}

// Where b - a or w - 1 is not exact, which 16-bit operands of similar size never give, by the scalar form.
TILEOPS_FN f32x16 lerp_to_odd(f32x16 a, f32x16 b, f32x16 w) {
  const __m512 one = _mm512_set1_ps(1.0f), less = _mm512_sub_round_ps(w.v, one, kUp);
  const lerp_terms t = lerp_terms_of(a, b, w, {less});
  const u32 again = t.inexact |
                    _mm512_mask_cmp_ps_mask(t.near_b, less, _mm512_sub_round_ps(w.v, one, kDown), _CMP_NEQ_OQ);
  const f32x16 y = fma_to_odd(t.part, t.diff, t.from);
  return __builtin_expect(again != 0, 0) ? lerp_to_odd_again(again, y, a, b, w) : y;
}

// The same, or 0: where b - a is not exact. Infinities and NaN as a + w(b - a) has them.
TILEOPS_FN f32x16 lerp_to_odd_or_zero(f32x16 a, f32x16 b, f32x16 w) {
  const __m512 diff = _mm512_sub_round_ps(b.v, a.v, kUp);
  const __mmask16 exact = _mm512_cmp_ps_mask(diff, _mm512_sub_round_ps(b.v, a.v, kDown), _CMP_EQ_UQ);
  return odd_of(_mm512_maskz_fmadd_round_ps(exact, w.v, diff, a.v, kDown),
                _mm512_maskz_fmadd_round_ps(exact, w.v, diff, a.v, kUp));
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops
#elif TILEOPS_LANES == 8
#include "cpu/simd/round_to_odd_avx2.h"
#endif

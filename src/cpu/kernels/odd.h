// Results rounded to odd (device/math/sticky.h), a vector at a time: AVX-512 can round each operation
// either way, and of the two neighbours of an inexact result one is odd. 5 instructions where the
// scalar form takes 40.
#pragma once

#include "cpu/kernels/halves.h"
#include "cpu/kernels/lanes.h"
#include "tileops/device/math/sticky.h"

#if TILEOPS_LANES == 16
namespace tileops {
namespace device {
inline namespace TILEOPS_DEVICE_NS {

// Of the results rounded down and up. Exact zeros take the sign of `up`, which is the usual one.
TILEOPS_FN f32x16 odd_of(__m512 down, __m512 up) {
  const __m512i bits = _mm512_castps_si512(down);
  const __mmask16 inexact = _mm512_cmp_ps_mask(down, up, _CMP_NEQ_OQ);
  const __mmask16 take = _mm512_mask_test_epi32_mask(inexact, bits, _mm512_set1_epi32(1));
  return {_mm512_mask_mov_ps(up, take, down)};
}

constexpr int kDown = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC;
constexpr int kUp = _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC;

TILEOPS_FN f32x16 fma_odd(f32x16 a, f32x16 b, f32x16 c) {
  return odd_of(_mm512_fmadd_round_ps(a.v, b.v, c.v, kDown),
                _mm512_fmadd_round_ps(a.v, b.v, c.v, kUp));
}

// Where b - a or w - 1 is not exact, which 16-bit operands of similar size never give, by the scalar form.
TILEOPS_FN f32x16 lerp_odd(f32x16 a, f32x16 b, f32x16 w) {
  const __m512 half = _mm512_set1_ps(0.5f), one = _mm512_set1_ps(1.0f);
  const __mmask16 near_a = _mm512_cmp_ps_mask(_mm512_abs_ps(w.v), half, _CMP_LT_OQ);
  const __m512 diff = _mm512_sub_ps(b.v, a.v);
  const __mmask16 inexact = _mm512_cmp_ps_mask(_mm512_sub_round_ps(b.v, a.v, kDown),
                                               _mm512_sub_round_ps(b.v, a.v, kUp), _CMP_NEQ_OQ);
  const f32x16 from = {_mm512_mask_mov_ps(b.v, near_a, a.v)};
  const f32x16 part = {_mm512_mask_mov_ps(_mm512_sub_ps(w.v, one), near_a, w.v)};
  const __mmask16 rounded = _mm512_cmp_ps_mask(_mm512_sub_round_ps(w.v, one, kDown),
                                               _mm512_sub_round_ps(w.v, one, kUp), _CMP_NEQ_OQ);
  f32x16 y = fma_odd(part, {diff}, from);
  u32 again = inexact | (rounded & ~near_a);
  if (__builtin_expect(again != 0, 0)) {
    alignas(64) float as[16], bs[16], ws[16], ys[16];
    a.store(as);
    b.store(bs);
    w.store(ws);
    y.store(ys);
    for (; again != 0; again &= again - 1) {
      const int i = __builtin_ctz(again);
      ys[i] = lerp_odd(as[i], bs[i], ws[i]);
    }
    y = f32x16::load(ys);
  }
  return y;
}

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device
}  // namespace tileops
#endif

namespace tileops::cpu::TILEOPS_DEVICE_NS {

// y[i] = body.odd(x[i]...), for any n and operands of any type.
template <class Body, class... X>
TILEOPS_INLINE void odd_dense_loop(const Body body, float* y, size_t n, const X*... x) {
#pragma omp simd
  for (size_t i = 0; i < n; ++i) y[i] = body.odd(x[i]...);
}

// The same for n a multiple of kHalves and float operands.
template <class Body, class... X>
TILEOPS_INLINE void odd_loop(const Body& body, float* y, size_t n, const X*... x) {
#if TILEOPS_LANES == 16
  if constexpr (Body::odd_lanes) {
    for (size_t i = 0; i < n; i += 16) body.odd(f32_lanes::load(x + i)...).store(y + i);
    return;
  }
#endif
  odd_dense_loop(body, y, n, x...);
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS

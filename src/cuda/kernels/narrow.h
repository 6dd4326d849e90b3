// Conversion of packs between storage and the body's types. Same values as device/convert.h, by
// conversion instructions where the GPU has them; only which NaN a NaN becomes may differ.
#ifndef TILEOPS_KERNELS_NARROW_H
#define TILEOPS_KERNELS_NARROW_H

#include "cuda/kernels/vector.h"

namespace tileops {
namespace kernels {

template <class S>
inline constexpr bool is_e4m3_v = same_v<S, e4m3fn> || same_v<S, e4m3fn_sat>;
template <class S>
inline constexpr bool is_e5m2_v = same_v<S, e5m2> || same_v<S, e5m2_sat>;
template <class S>
inline constexpr bool is_fp8_v = is_e4m3_v<S> || is_e5m2_v<S>;

TILEOPS_DEVICE float widen_f16(u16 bits) {
  float y;
  asm("cvt.f32.f16 %0, %1;" : "=f"(y) : "h"(bits));
  return y;
}

// Two floats as two 16-bit halves, the first one low.
TILEOPS_DEVICE u32 narrow_f16x2(float a, float b) {
  u32 y;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(y) : "f"(b), "f"(a));
  return y;
}
TILEOPS_DEVICE u32 narrow_bf16x2(float a, float b) {
  u32 y;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(y) : "f"(b), "f"(a));
  return y;
}

// Conversion instructions for fp8: from sm_89 on.
#if __CUDA_ARCH__ >= 890
#define TILEOPS_HAS_FP8 true
template <class S>
TILEOPS_DEVICE void widen_fp8x2(u16 two, float* a, float* b) {
  u32 halves;
  if constexpr (is_e4m3_v<S>) asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(halves) : "h"(two));
  else asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(halves) : "h"(two));
  *a = widen_f16(static_cast<u16>(halves));
  *b = widen_f16(static_cast<u16>(halves >> 16));
}

// The instruction saturates; what overflows without that is put right behind it.
template <class S>
TILEOPS_DEVICE u32 unsaturated(u32 code, float x) {
  const u32 bits = to_bits(x), mag = bits & 0x7fffffffu;
  if constexpr (same_v<S, e4m3fn>) return mag > 0x43e80000u ? 0x7fu : code;
  else if constexpr (same_v<S, e5m2>)
    return mag >= 0x47700000u && mag <= 0x7f800000u ? ((bits >> 24) & 0x80u) | 0x7cu : code;
  else return code;
}
template <class S>
TILEOPS_DEVICE u16 narrow_fp8x2(float a, float b) {
  u16 y;
  if constexpr (is_e4m3_v<S>) asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(y) : "f"(b), "f"(a));
  else asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(y) : "f"(b), "f"(a));
  return static_cast<u16>(unsaturated<S>(y & 0xffu, a) | unsaturated<S>(y >> 8, b) << 8);
}
#else
#define TILEOPS_HAS_FP8 false
template <class S>
TILEOPS_DEVICE void widen_fp8x2(u16 two, float* a, float* b);
template <class S>
TILEOPS_DEVICE u16 narrow_fp8x2(float a, float b);
#endif

// One element.
template <class A, class S>
TILEOPS_DEVICE A widen_one(S x) {
  if constexpr (same_v<S, f16> && same_v<A, float>) return widen_f16(x.bits);
  else return convert<A>(x);
}

template <class S>
inline constexpr bool has_pairs_v =
    same_v<S, f16> || same_v<S, bf16> || (is_fp8_v<S> && TILEOPS_HAS_FP8);

// Two elements, the first one in the low half.
template <class S>
TILEOPS_DEVICE u32 narrow_pair(float a, float b) {
  if constexpr (same_v<S, f16>) return narrow_f16x2(a, b);
  else if constexpr (same_v<S, bf16>) return narrow_bf16x2(a, b);
  else return narrow_fp8x2<S>(a, b);
}

template <class A, class S, int N>
TILEOPS_DEVICE void widen_all(const pack<S, N>& x, A (&y)[N]) {
  if constexpr (is_fp8_v<S> && TILEOPS_HAS_FP8 && same_v<A, float> && N % 2 == 0) {
#pragma unroll
    for (int i = 0; i < N; i += 2)
      widen_fp8x2<S>(static_cast<u16>(x.e[i].bits | x.e[i + 1].bits << 8), &y[i], &y[i + 1]);
  } else {
#pragma unroll
    for (int i = 0; i < N; ++i) y[i] = widen_one<A>(x.e[i]);
  }
}

template <class S, class R, int N>
TILEOPS_DEVICE pack<S, N> narrow_all(const R (&x)[N]) {
  pack<S, N> y;
  if constexpr (same_v<R, float> && has_pairs_v<S>) {
    using bits = decltype(S::bits);
#pragma unroll
    for (int i = 0; i < N; i += 2) {
      constexpr int last = N - 1;
      const int j = i < last ? i + 1 : i;
      const u32 two = narrow_pair<S>(x[i], x[j]);
      y.e[i].bits = static_cast<bits>(two);
      if (j > i) y.e[j].bits = static_cast<bits>(two >> 8 * sizeof(S));
    }
  } else {
#pragma unroll
    for (int i = 0; i < N; ++i) y.e[i] = convert<S>(x[i]);
  }
  return y;
}

}  // namespace kernels
}  // namespace tileops

#endif

// Dense conversion between f32 and the 16-bit floats, and the rounding test, by intrinsics where the
// ISA has them: compilers do not find vcvtps2ph, and vectorise the portable forms in twice the
// instructions. Same bits as device/convert.h, which the tails and other ISAs use.
#pragma once

#include "cpu/simd/lanes.h"
#include "tileops/device/math/common/rounding_test.h"

#if TILEOPS_LANES == 16
#include "cpu/simd/narrow_avx512.h"
#elif TILEOPS_LANES == 8
#include "cpu/simd/narrow_avx2.h"
#endif

namespace tileops::cpu::TILEOPS_DEVICE_NS {

template <class S>
inline constexpr bool is_half_v = d::same_v<S, d::f16> || d::same_v<S, d::bf16>;

template <class S>
TILEOPS_INLINE void widen_dense(const S* src, size_t n, float* dst) {
  size_t i = 0;
#if TILEOPS_LANES
  for (; i + TILEOPS_LANES <= n; i += TILEOPS_LANES) widen_lanes(src + i).store(dst + i);
#endif
  for (; i < n; ++i) dst[i] = d::widen(src[i]);
}

// Codes, a byte each.
TILEOPS_INLINE void widen_dense(const d::e2m1fn* src, size_t n, float* dst) {
  size_t i = 0;
#if TILEOPS_LANES
  i = widen_codes(src, n, dst);
#endif
  for (; i < n; ++i) dst[i] = d::widen(src[i]);
}

// `at_once`: what is stored is loaded again soon.
template <bool at_once = false, class S>
TILEOPS_INLINE void narrow_dense(const float* src, size_t n, S* dst) {
  size_t i = 0;
#if TILEOPS_LANES
  constexpr size_t kTwo = 2 * TILEOPS_LANES;
  if constexpr (d::same_v<S, d::f16> && !at_once)
    for (; i + 2 * kTwo <= n; i += 2 * kTwo) narrow_four(src + i, dst + i);
  const auto two = [=](size_t at) {
    narrow_two(f32_lanes::load(src + at), f32_lanes::load(src + at + TILEOPS_LANES), dst + at);
  };
  for (; i + 2 * kTwo <= n; i += 2 * kTwo) {
    two(i);
    two(i + kTwo);
  }
  for (; i + kTwo <= n; i += kTwo) two(i);
  for (; i + TILEOPS_LANES <= n; i += TILEOPS_LANES) narrow_lanes(f32_lanes::load(src + i), dst + i);
#endif
  for (; i < n; ++i) dst[i] = d::narrow<S>(src[i]);
}

TILEOPS_INLINE void truncate_dense(const float* src, size_t n, d::i32* dst) {
  size_t i = 0;
#if TILEOPS_LANES
  for (; i + 2 * TILEOPS_LANES <= n; i += 2 * TILEOPS_LANES) truncate_two(src + i, dst + i);
#endif
  for (; i < n; ++i) dst[i] = d::convert<d::i32>(src[i]);
}

// Values that S represents. A NaN keeps its leading bits.
template <class S>
TILEOPS_INLINE void pack_dense(const float* src, size_t n, S* dst) {
  size_t i = 0;
#if TILEOPS_LANES
  for (; i + TILEOPS_LANES <= n; i += TILEOPS_LANES) pack_lanes(f32_lanes::load(src + i), dst + i);
#endif
  for (; i < n; ++i) {
    const d::u32 bits = d::to_bits(src[i]);
    const bool nan = (bits & 0x7fffffffu) > 0x7f800000u;
    S packed = d::narrow<S>(src[i]);
    if (nan && d::same_v<S, d::bf16>) packed.bits = static_cast<d::u16>(bits >> 16);
    if (nan && d::same_v<S, d::f16>)
      packed.bits = static_cast<d::u16>((bits >> 16 & 0x8000u) | 0x7e00u | (bits >> 13 & 0x3ffu));
    dst[i] = packed;
  }
}

// Bit i: result i of n <= 32 is within `ulp` of a tie of S.
template <class S>
TILEOPS_INLINE d::u32 rounding_test_mask(const float* src, size_t n, int ulp) {
  d::u32 mask = 0;
#if TILEOPS_LANES
  for (size_t i = 0; i < n; i += TILEOPS_LANES)
    mask |= rounding_test_lanes(f32_lanes::load(src + i), static_cast<S*>(nullptr), ulp) << i;
#else
  for (size_t i = 0; i < n; ++i) mask |= d::u32{d::fails_rounding_test<S>(src[i], static_cast<d::u32>(ulp))} << i;
#endif
  return mask;
}

// Bit i: result i of n <= 32 is NaN.
TILEOPS_INLINE d::u32 nan_mask(const float* src, size_t n) {
  d::u32 mask = 0;
#if TILEOPS_LANES
  for (size_t i = 0; i < n; i += TILEOPS_LANES) mask |= nan_lanes(f32_lanes::load(src + i)) << i;
#else
  for (size_t i = 0; i < n; ++i) mask |= d::u32{src[i] != src[i]} << i;
#endif
  return mask;
}

// Lists the indices of results within `ulp` of a tie of S.
template <class S>
TILEOPS_INLINE size_t list_failing(const float* src, size_t n, int ulp, d::u16* list) {
  size_t i = 0, count = 0;
#if TILEOPS_LANES
  if constexpr (is_half_v<S>) {
    for (; i + TILEOPS_LANES <= n; i += TILEOPS_LANES) {
      d::u32 mask = rounding_test_lanes(f32_lanes::load(src + i), static_cast<S*>(nullptr), ulp);
      for (; __builtin_expect(mask != 0, 0); mask &= mask - 1)
        list[count++] = static_cast<d::u16>(i + static_cast<size_t>(__builtin_ctz(mask)));
    }
  }
#endif
  for (; i < n; ++i)
    if (d::fails_rounding_test<S>(src[i], static_cast<d::u32>(ulp))) list[count++] = static_cast<d::u16>(i);
  return count;
}

}  // namespace tileops::cpu::TILEOPS_DEVICE_NS

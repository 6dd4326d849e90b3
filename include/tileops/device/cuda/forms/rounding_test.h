// SPDX-License-Identifier: Apache-2.0
// The rounding test (device/math/common/rounding_test.h) of packs.
#ifndef TILEOPS_DEVICE_CUDA_FORMS_ROUNDING_TEST_H
#define TILEOPS_DEVICE_CUDA_FORMS_ROUNDING_TEST_H

#include "../../math/common/rounding_test.h"
#include "../common/narrow.h"

namespace tileops {
namespace kernels {

// The exact test, by the GPU's conversions.
template <class S>
TILEOPS_DEVICE bool fails_test(float x, u32 ulp) {
  return fails_rounding_test<S>(x, ulp, [](float low, float high) {
    if constexpr (has_pairs_v<S>) {
      const u32 two = narrow_pair<S>(low, high);
      return ((two ^ two >> 8 * sizeof(S)) & ((1u << 8 * sizeof(S)) - 1u)) != 0u;
    } else {
      return narrow<S>(low).bits != narrow<S>(high).bits;
    }
  });
}

// A pack of results in storage, and whether some of them must be looked at again: where any fails
// the test, or overflows fp8 that does not saturate. The storage is right where there is none.
// `differs` is not 0 for an element whose ends differ, where they were compared.
template <class S, int N>
struct first_look {
  raw_pack<S, N> y;
  bool any;
  raw_pack<S, N> differs;
};

// fp8 and f16: both ends of what the exact result may be are rounded, 3 instructions an element and no
// special case of subnormal results.
template <class S, u32 ulp, int N>
TILEOPS_DEVICE first_look<S, N> look_at_ends(const float (&r)[N]) {
  constexpr float rel = (ulp + 1) * 0x1p-23f;
  constexpr bool watches = is_fp8_v<S> && !saturates_v<S>;
  float low[N], high[N], peak = 0.0f;
#pragma unroll
  for (int i = 0; i < N; ++i) {
    low[i] = r[i] * (1.0f - rel);
    high[i] = r[i] * (1.0f + rel);
    if constexpr (watches) peak = ::fmaxf(peak, ::fabsf(r[i]));
  }
  using saturating = typename choose<is_fp8_v<S>, typename choose<is_e4m3_v<S>, e4m3fn_sat, e5m2_sat>::type, S>::type;
  const raw_pack<saturating, N> a = narrow_all<saturating>(low), b = narrow_all<saturating>(high);
  u32 difference = 0;
  raw_pack<S, N> differs;
#pragma unroll
  for (int i = 0; i < raw_pack<S, N>::words; ++i) {
    differs.w[i] = a.w[i] ^ b.w[i];
    difference |= static_cast<u32>(differs.w[i]);
  }
  return {__builtin_bit_cast(raw_pack<S, N>, a), (difference != 0u) | (watches && peak > 0.99f * overflow_v<S>),
          differs};
}

// bf16: the dropped halves of two results beside each other, their distance from the tie compared by
// 16-bit operations.
template <u32 ulp, int N>
TILEOPS_DEVICE first_look<bf16, N> look_at_halves(const float (&r)[N]) {
  u32 least = 0xffffffffu;
  static_assert(ulp < 0x4000u, "");
  constexpr u32 shift = 0x10000u - (0x8000u - ulp);
#pragma unroll
  for (int i = 0; i < N; i += 2) {
    const u32 two = __byte_perm(to_bits(r[i]), to_bits(r[i + 1]), 0x5410);
    u32 place;
    asm("add.u16x2 %0, %1, %2;" : "=r"(place) : "r"(two), "r"(shift * 0x10001u));
    asm("min.u16x2 %0, %1, %2;" : "=r"(least) : "r"(least), "r"(place));
  }
  return {narrow_all<bf16>(r), (((least & 0xffffu) <= 2 * ulp) | ((least >> 16) <= 2 * ulp)) != 0, {}};
}

template <class S>
inline constexpr bool compares_ends_v = !same_v<S, bf16> && (has_pairs_v<S> || is_packed_v<S>);

template <class S, u32 ulp, int N>
TILEOPS_DEVICE first_look<S, N> look_at(const float (&r)[N]) {
  if constexpr (compares_ends_v<S>) return look_at_ends<S, ulp>(r);
#if __CUDA_ARCH__ >= 900
  else if constexpr (N % 2 == 0) return look_at_halves<ulp>(r);
#endif
  else {
    bool any = false;
#pragma unroll
    for (int i = 0; i < N; ++i) any |= near_tie<S>(r[i], ulp);
    return {narrow_all<S>(r), any, {}};
  }
}

// Is this result one of those? An overflow is.
template <class S>
TILEOPS_DEVICE bool needs_recompute(float x, u32 ulp) {
  bool hit = fails_test<S>(x, ulp);
  if constexpr (is_fp8_v<S> && !saturates_v<S>) {
    const float ax = ::fabsf(x);
    hit |= (ax > 0.99f * overflow_v<S>)&(ax < 1.01f * overflow_v<S>);
  }
  return hit;
}

// Does the first look say which elements it means? Of fp8 that does not saturate it knows that some overflow.
template <class S>
inline constexpr bool says_which_v = compares_ends_v<S> && !(is_fp8_v<S> && !saturates_v<S>);

// The elements to look at again as bits of a mask: of the first 32, or those from First on.
template <class S, u32 ulp, int First = 0, int N>
TILEOPS_DEVICE u32 which_ones(const first_look<S, N>& look, const float (&r)[N]) {
  u32 mask = 0;
#pragma unroll
  for (int i = 0; i < (N - First < 32 ? N - First : 32); ++i) {
    bool hit;
    if constexpr (says_which_v<S>) hit = look.differs.get(First + i) != 0;
    else hit = needs_recompute<S>(r[First + i], ulp);
    mask |= hit ? 1u << i : 0u;
  }
  return mask;
}

}  // namespace kernels
}  // namespace tileops

#endif

// SPDX-License-Identifier: Apache-2.0
// Forms of bodies of positions that suit a GPU better, with the same results.
#ifndef TILEOPS_DEVICE_CUDA_FORMS_POSITION_FORMS_H
#define TILEOPS_DEVICE_CUDA_FORMS_POSITION_FORMS_H

#include "../common/approximations.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
// Is there no room in registers for the first operands of `late` while `early` is computed?
template <class Body>
inline constexpr bool long_early_v = false;
template <class P, class T>
inline constexpr bool long_early_v<op::rope_rescaled<P, T>> = true;

namespace op {

// Given sines and cosines serve as many heads as computed ones.
template <>
struct rope_table<bit_exact, float> : rope_table<portable, float> {
  using rope_table<portable, float>::rope_table;
  __device__ __forceinline__ results<float, float> early(float c, float s) const { return {c, s}; }
  __device__ __forceinline__ results<float, float> late(float x1, float x2, float c, float s) const {
    return (*this)(x1, x2, c, s);
  }
};

// One Philox block for four neighbours, and a division by the plan's constant through its reciprocal. What depends
// on p alone is found by the host (dropout_words.cc), in two words after the five attributes: in f64 on every thread
// it took longer than four elements do.
template <>
struct dropout<bit_exact, float> : body {
  static constexpr bool packs = true;
  float keep_probability, inverse;
  u32 threshold;
  bool drop_all, product_is_right;
  __device__ __forceinline__ explicit dropout(const AttrValue* a)
      : keep_probability(from_bits(static_cast<u32>(a[5].i64))),
        inverse(from_bits(static_cast<u32>(a[5].i64 >> 32))),
        threshold(static_cast<u32>(a[6].i64)),
        drop_all((a[6].i64 >> 32 & 1) != 0),
        product_is_right((a[6].i64 >> 33 & 1) != 0) {}

  // x / keep_probability, correctly rounded (Markstein) where nothing under- or overflows. Signs are such
  // that a zero keeps its own.
  __device__ __forceinline__ float scaled(float x) const {
    const float q = x * inverse;
    return fma(fma(q, keep_probability, -x), -inverse, q);
  }
  template <int N>
  __device__ __forceinline__ bool ordinary(const float (&x)[N]) const {
    float most = 0.0f;
    u32 least = 0xffffffffu;
#pragma unroll
    for (int i = 0; i < N; ++i) {
      most = ::fmaxf(most, ::fabsf(x[i]));
      const u32 twice = 2u * to_bits(x[i]) - 1u;  // the largest of all for 0
      least = least < twice ? least : twice;
    }
    return (most < 0x1p80f) & (least > 2u * 0x21800000u) & (keep_probability > 0x1p-40f);  // 2^-60
  }

  __device__ __forceinline__ results<float, bool> operator()(float x, i64 index, i64 seed, i64 offset) const {
    return alone(x, index, seed, offset, keep_probability, threshold, drop_all);
  }
  // Out of line: few packs need it.
  static __device__ __noinline__ results<float, bool> alone(float x, i64 index, i64 seed, i64 offset,
                                                            float keep_probability, u32 threshold, bool drop_all) {
    const philox_words w = philox4x32_10(static_cast<u64>(seed), static_cast<u64>(index) >> 2,
                                         static_cast<u64>(offset));
    const bool keep = (word_of(w, static_cast<u32>(index) & 3) >= threshold) & !drop_all;
    return {keep ? x / keep_probability : 0.0f, keep};
  }

  // Elements from `index` on, four of a block at a time.
  template <bool plain, int N>
  __device__ __forceinline__ void quarters(float (&y)[N], bool (&mask)[N], const float (&x)[N], i64 index, i64 seed,
                                           i64 offset) const {
    constexpr int kEach = N % 4 == 0 ? 4 : 1;
#pragma unroll
    for (int i = 0; i < N; i += kEach) {
      const philox_words w = philox4x32_10(static_cast<u64>(seed), (static_cast<u64>(index) >> 2) + i / 4,
                                           static_cast<u64>(offset));
      const u32 words[4] = {w.w0, w.w1, w.w2, w.w3};
#pragma unroll
      for (int k = 0; k < kEach; ++k) {
        const bool keep = (words[k] >= threshold) & !drop_all;
        y[i + k] = keep ? (plain ? x[i + k] * inverse : scaled(x[i + k])) : 0.0f;
        mask[i + k] = keep;
      }
    }
  }
  template <int N>
  __device__ __forceinline__ void pack(float (&y)[N], bool (&mask)[N], const float (&x)[N], const i64 (&index)[N],
                                       const i64 (&seed)[N], const i64 (&offset)[N]) const {
    constexpr int kEach = N % 4 == 0 ? 4 : 1;
    bool usual = kEach == 4 && (index[0] & 3) == 0 && index[N - 1] - index[0] == N - 1;
    if (!product_is_right) usual &= ordinary(x);
    if (usual) {
      if (product_is_right) quarters<true>(y, mask, x, index[0], seed[0], offset[0]);
      else quarters<false>(y, mask, x, index[0], seed[0], offset[0]);
    } else {
#pragma unroll
      for (int i = 0; i < N; ++i) {
        const results<float, bool> r = alone(x[i], index[i], seed[0], offset[0], keep_probability, threshold, drop_all);
        y[i] = result<0>(r);
        mask[i] = result<1>(r);
      }
    }
  }
};

// The same in f64, whose packs may have two elements: half of a block. The host's words are 1 - p, its reciprocal, and
// the threshold with the flags.
template <>
struct dropout<bit_exact, double> : body {
  static constexpr bool packs = true;
  double keep_probability, inverse;
  u32 threshold;
  bool drop_all, product_is_right, may_scale;
  __device__ __forceinline__ explicit dropout(const AttrValue* a)
      : keep_probability(a[5].f64),
        inverse(a[6].f64),
        threshold(static_cast<u32>(a[7].i64)),
        drop_all((a[7].i64 >> 32 & 1) != 0),
        product_is_right((a[7].i64 >> 33 & 1) != 0),
        may_scale((a[7].i64 >> 34 & 1) != 0) {}

  __device__ __forceinline__ results<double, bool> operator()(double x, i64 index, i64 seed, i64 offset) const {
    return of_word(
        x, word_of(philox4x32_10(static_cast<u64>(seed), static_cast<u64>(index) >> 2, static_cast<u64>(offset)),
                   static_cast<u32>(index) & 3));
  }
  __device__ __forceinline__ results<double, bool> of_word(double x, u32 word) const {
    const bool keep = (word >= threshold) & !drop_all;
    return {keep ? quotient(x) : 0.0, keep};
  }
  // x / keep_probability, correctly rounded (Markstein) for 2^-511 <= |x| < 2^513 and zeros, of which it keeps the
  // sign.
  __device__ __forceinline__ double quotient(double x) const {
    const double q = x * inverse;
    if (product_is_right) return q;
    const u32 high = approx::upper(x) & 0x7fffffffu;
    if (may_scale & ((high - 0x20000000u < 0x40000000u) | (x == 0.0)))
      return fma(fma(q, keep_probability, -x), -inverse, q);
    return x / keep_probability;
  }

  template <int N>
  __device__ __forceinline__ void pack(double (&y)[N], bool (&mask)[N], const double (&x)[N], const i64 (&index)[N],
                                       const i64 (&seed)[N], const i64 (&offset)[N]) const {
    constexpr int kEach = N % 4 == 0 ? 4 : N % 2 == 0 ? 2 : 1;
    if (kEach > 1 && (index[0] & (kEach - 1)) == 0 && index[N - 1] - index[0] == N - 1) {
      philox_words w;
#pragma unroll
      for (int i = 0; i < N; ++i) {
        if (i % kEach == 0)
          w = philox4x32_10(static_cast<u64>(seed[0]), static_cast<u64>(index[0] + i) >> 2,
                            static_cast<u64>(offset[0]));
        const u32 first = kEach == 4 ? 0u : static_cast<u32>(index[0]) & 2;
        const results<double, bool> r = of_word(x[i], word_of(w, first + i % kEach));
        y[i] = result<0>(r);
        mask[i] = result<1>(r);
      }
    } else {
#pragma unroll
      for (int i = 0; i < N; ++i) {
        const results<double, bool> r = (*this)(x[i], index[i], seed[i], offset[i]);
        y[i] = result<0>(r);
        mask[i] = result<1>(r);
      }
    }
  }
};

// What dropout keeps, one Philox block for four neighbours.
template <>
struct dropout_mask<bit_exact, float> : body {
  static constexpr bool packs_apart = true;
  dropout<portable, float> whole;
  __device__ __forceinline__ explicit dropout_mask(const AttrValue* a) : whole(in_training(a[0])) {}
  __device__ __forceinline__ bool operator()(i64 index, i64 seed, i64 offset) const {
    return result<1>(whole(0.0f, index, seed, offset));
  }
  template <int N>
  __device__ __forceinline__ bool all(bool (&mask)[N], const i64 (&index)[N], const i64 (&seed)[N],
                                      const i64 (&offset)[N]) const {
    constexpr int kEach = N % 4 == 0 ? 4 : 1;
    if (kEach == 4 && (index[0] & 3) == 0 && index[N - 1] - index[0] == N - 1) {
#pragma unroll
      for (int i = 0; i < N; i += kEach) {
        const philox_words w = philox4x32_10(static_cast<u64>(seed[0]), static_cast<u64>(index[0] + i) >> 2,
                                             static_cast<u64>(offset[0]));
#pragma unroll
        for (int k = 0; k < kEach; ++k) mask[i + k] = whole.keeps(word_of(w, k));
      }
    } else {
#pragma unroll
      for (int i = 0; i < N; ++i) mask[i] = (*this)(index[i], seed[i], offset[i]);
    }
    return false;
  }

 private:
  static __device__ __forceinline__ dropout<portable, float> in_training(AttrValue p) {
    AttrValue a[4] = {p, {}, {}, {}};
    a[3].i64 = 1;
    return dropout<portable, float>(a);
  }
};

}  // namespace op
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

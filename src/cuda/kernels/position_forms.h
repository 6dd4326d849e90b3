// Forms of bodies of positions that suit a GPU better, with the same results.
#ifndef TILEOPS_KERNELS_POSITION_FORMS_H
#define TILEOPS_KERNELS_POSITION_FORMS_H

#include "cuda/kernels/fast.h"

namespace tileops {
namespace device {
inline namespace TILEOPS_DEVICE_NS {
namespace op {

// One Philox block for four neighbours, and a division by the plan's constant through its reciprocal.
template <>
struct dropout<same_bits, float> : dropout<portable, float> {
  using base = dropout<portable, float>;
  static constexpr bool packs = true;
  float inverse;
  __device__ __forceinline__ explicit dropout(const AttrValue* a)
      : base(a), inverse(1.0f / keep_probability) {}

  // x / keep_probability, correctly rounded (Markstein) where nothing under- or overflows.
  __device__ __forceinline__ float scaled(float x) const {
    const float q = x * inverse;
    const float rest = fma(-q, keep_probability, x);
    return copysign(fma(rest, inverse, q), x);
  }
  __device__ __forceinline__ bool ordinary(float x) const {
    const float ax = device::abs(x);
    return ((ax < 0x1p80f) & (ax > 0x1p-60f) & (keep_probability > 0x1p-40f)) | (x == 0.0f);
  }

  // Out of line: few packs need it.
  __device__ __noinline__ pair2<float, bool> alone(float x, i64 index, i64 seed, i64 offset) const {
    return (*this)(x, index, seed, offset);
  }

  template <int N>
  __device__ __forceinline__ void pack(float (&y)[N], bool (&mask)[N], const float (&x)[N],
                                       const i64 (&index)[N], const i64 (&seed)[N],
                                       const i64 (&offset)[N]) const {
    constexpr int kEach = N % 4 == 0 ? 4 : 1;
    bool usual = kEach == 4 && (index[0] & 3) == 0 && index[N - 1] - index[0] == N - 1;
#pragma unroll
    for (int i = 0; i < N; ++i) usual &= ordinary(x[i]);
    if (usual) {
#pragma unroll
      for (int i = 0; i < N; i += kEach) {
        const philox_words w =
            philox4x32_10(static_cast<u64>(seed[0]), static_cast<u64>(index[i]) >> 2,
                          static_cast<u64>(offset[0]));
        const u32 words[4] = {w.w0, w.w1, w.w2, w.w3};
#pragma unroll
        for (int k = 0; k < kEach; ++k) {
          const bool keep = (words[k] >= threshold) & !drop_all;
          y[i + k] = keep ? scaled(x[i + k]) : 0.0f;
          mask[i + k] = keep;
        }
      }
    } else {
#pragma unroll
      for (int i = 0; i < N; ++i) {
        const pair2<float, bool> r = alone(x[i], index[i], seed[0], offset[0]);
        y[i] = r.first;
        mask[i] = r.second;
      }
    }
  }
};

}  // namespace op
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device
}  // namespace tileops

#endif

// SPDX-License-Identifier: Apache-2.0
// Powers of the policy `bounded` (forms/bounded.h): positive normal numbers with moderate results in one go, all else
// by the general power; which of them it is is asked once a pack, and then, not to depend on neighbours, for each
// element. Coefficients: tools/minimax_gpu.py.
#ifndef TILEOPS_DEVICE_CUDA_MATH_BOUNDED_POW_H
#define TILEOPS_DEVICE_CUDA_MATH_BOUNDED_POW_H

#include "bounded_math64.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace table_free {

// 2^(y log2 x), x = m 2^e with m between sqrt(1/2) and sqrt(2), log m = u + u^3 P(u^2), u = 2 (m - 1) / (m + 1), all
// but P in two terms. It is right where is_moderate(place_of(x), exponent), and so for a pack if it is for the largest.
template <class T, class Exponent>
struct power {
  T value;
  Exponent exponent;
};

// Positive normal x, |y| <= 62.5, exponents up to 125. 1.82 ulp over 10^7 pairs.
static __device__ __forceinline__ u32 place_of(float x) { return to_bits(x) - 0x00800000u; }
static __device__ __forceinline__ bool is_moderate(u32 place, float exponent) {
  return (place < 0x7f000000u) & (exponent <= 125.0f);
}
static __device__ __forceinline__ float larger(float a, float b) { return approx::max_nan(a, b); }
static __device__ __forceinline__ power<float, float> moderate_power(float x, float y) {
  const u32 k = (to_bits(x) - f32::kSqrtHalfBits) & 0xff800000u;
  const float m = from_bits(to_bits(x) - k);
  const float e = from_bits(to_bits(kRound) + static_cast<u32>(static_cast<i32>(k) >> 23)) - kRound;
  const float f = m - 1.0f, twice = f + f;
  const float inv = approx::rcp_ftz(m + 1.0f);
  const float u = twice * inv;
  const float u_lo = fma(-u, f, fma(-2.0f, u, twice)) * inv;  // the rest of the division is exact
  const float z = u * u;
  float p = fma(0x1.31e24p-9f, z, 0x1.995eccp-7f);
  p = fma(p, z, 0x1.55557ap-4f) * z;
  const float l = fma(u, p, u);
  const float l_lo = fma(u, p, u - l) + u_lo;
  const float g = l * f32::kLog2e;
  const float g_lo = fma(l_lo, f32::kLog2e, fma(l, 0x1.4ae0cp-26f, fma(l, f32::kLog2e, -g)));
  const float s = e + g, s_lo = ((e - s) + g) + g_lo;
  const float t = y * s, t_lo = fma(y, s_lo, fma(y, s, -t));
  const float rounded = t + kRound;
  const float r = (t - (rounded - kRound)) + t_lo;
  const float v = fma(f32::exp2_q(r), r, 1.0f);
  return {from_bits(to_bits(v) + (to_bits(rounded) << 23)), larger(approx::abs(t), 2.0f * approx::abs(y))};
}

// Positive normal x, exponents up to 40: P as a single number leaves 2^-60 of log x. 1.5 ulp over 10^7 pairs; 52 f64
// instructions, where the general power takes 108.
static __device__ __forceinline__ u32 place_of(double x) { return approx::upper(x) - 0x00100000u; }
static __device__ __forceinline__ bool is_moderate(u32 place, u32 exponent) {
  return (place < 0x7fe00000u) & (exponent < approx::upper(40.0));
}
static __device__ __forceinline__ u32 larger(u32 a, u32 b) { return a > b ? a : b; }
TILEOPS_COEFFICIENTS kLog[] = {0x1.745cdef738096p-14, 0x1.c71c7253789d2p-12, 0x1.24924924348fep-9, 0x1.9999999999d29p-7,
                               0x1.5555555555555p-4};
TILEOPS_COEFFICIENTS kExp2[] = {0x1.62c025f3b229ep-20, 0x1.ffcbfc7a2b138p-17, 0x1.430912f4f2134p-13,
                                0x1.5d87fe789bef9p-10, 0x1.3b2ab6fba6e4bp-7,  0x1.c6b08d704a13dp-5,
                                0x1.ebfbdff82c57ap-3,  0x1.62e42fefa39efp-1};

static __device__ __forceinline__ power<double, u32> moderate_power(double x, double y) {
  const u32 high = approx::upper(x);
  const u32 k = (high - 0x3fe6a09eu) & 0xfff00000u;
  const double m = approx::with_upper(high - k, x);
  const double e = from_bits(u64{0x43300000u} << 32 | static_cast<u32>((static_cast<i32>(k) >> 20) + 2048)) -
                   (0x1p52 + 2048.0);
  const double f = m - 1.0, twice = f + f, d = m + 1.0, d_lo = m - (d - 1.0);
  const double inv = approx::rcp_normal(d);
  const double u = twice * inv;
  const double u_lo = fma(-u, d_lo, fma(-u, d, twice)) * inv;
  const double z = u * u;
  double p = fma(0x1.0f60fp-20, z, 0x1.0f5d1p-18);
  p = fma(p, z, 0x1.3b20ap-16);
  p = horner(p, z, kLog) * z;
  const double l = fma(u, p, u), l_lo = fma(u, p, u - l) + u_lo;
  constexpr double log2e = 0x1.71547652b82fep+0, log2e_lo = 0x1.777d0ffda0d24p-56;
  const double g = l * log2e, g_lo = fma(l_lo, log2e, fma(l, log2e_lo, fma(l, log2e, -g)));
  const double s = e + g, s_lo = ((e - s) + g) + g_lo;
  const double t = y * s, t_lo = fma(y, s_lo, fma(y, s, -t));
  const double rounded = t + f64::kRoundMagic;
  const double r = (t - (rounded - f64::kRoundMagic)) + t_lo;
  double q = fma(0x1.c4b8ep-36, r, 0x1.ea04ap-32);
  q = fma(q, r, 0x1.e4ceep-28);
  q = fma(q, r, 0x1.b524ep-24);
  q = horner(q, r, kExp2);
  const double v = fma(q, r, 1.0);
  return {approx::with_upper(approx::upper(v) + (static_cast<u32>(to_bits(rounded)) << 20), v),
          approx::upper(t) & 0x7fffffffu};
}

}  // namespace table_free

namespace op {

template <class T>
struct pow_of_packs : pow<bit_exact, T> {
  using pow<bit_exact, T>::pow;
  static constexpr bool packs_apart = true;
  template <int N>
  __device__ __forceinline__ bool all(T (&r)[N], const T (&x)[N], const T (&y)[N]) const {
    u32 most = 0;
    decltype(table_free::moderate_power(x[0], y[0]).exponent) exponent[N], largest = 0;
#pragma unroll
    for (int i = 0; i < N; ++i) {
      const auto p = table_free::moderate_power(x[i], y[i]);
      r[i] = p.value;
      exponent[i] = p.exponent;
      most = table_free::larger(most, table_free::place_of(x[i]));
      largest = table_free::larger(largest, p.exponent);
    }
    if (!table_free::is_moderate(most, largest)) {
#pragma unroll
      for (int i = 0; i < N; ++i)
        if (!table_free::is_moderate(table_free::place_of(x[i]), exponent[i])) r[i] = (*this)(x[i], y[i]);
    }
    return false;
  }
};

}  // namespace op
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

// SPDX-License-Identifier: Apache-2.0
// Approximations by the special function unit and other instructions that only a GPU has, and the policy `bit_exact`,
// which uses those that change no bit.
#ifndef TILEOPS_DEVICE_CUDA_COMMON_APPROXIMATIONS_H
#define TILEOPS_DEVICE_CUDA_COMMON_APPROXIMATIONS_H

#include "../../bodies.h"
#include "pack.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace approx {

#define TILEOPS_APPROX(name, instruction)                 \
  static __device__ __forceinline__ float name(float x) { \
    float y;                                              \
    asm(instruction " %0, %1;" : "=f"(y) : "f"(x));       \
    return y;                                             \
  }
// 2 ulp each, log2 2^-22 where the result is small. The plain ones keep subnormal numbers.
TILEOPS_APPROX(exp2, "ex2.approx.f32")
TILEOPS_APPROX(exp2_ftz, "ex2.approx.ftz.f32")
TILEOPS_APPROX(log2_ftz, "lg2.approx.ftz.f32")
TILEOPS_APPROX(rcp, "rcp.approx.f32")
TILEOPS_APPROX(rcp_ftz, "rcp.approx.ftz.f32")
TILEOPS_APPROX(sqrt, "sqrt.approx.f32")
TILEOPS_APPROX(rsqrt, "rsqrt.approx.f32")
TILEOPS_APPROX(tanh, "tanh.approx.f32")  // 134 ulp on sm_90; PTX promises 2^-11 only, and so it is used there alone
#undef TILEOPS_APPROX

// 2 ulp for all operands, the quotients of subnormal ones and of those above 2^126 among them.
static __device__ __forceinline__ float quotient(float a, float b) {
  float y;
  asm("div.full.f32 %0, %1, %2;" : "=f"(y) : "f"(a), "f"(b));
  return y;
}

// A modifier of the instructions that use it, where the integer form takes one of its own.
static __device__ __forceinline__ float abs(float x) { return ::fabsf(x); }
// NaN if either is.
static __device__ __forceinline__ float max_nan(float a, float b) {
  float y;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(y) : "f"(a), "f"(b));
  return y;
}

static __device__ __forceinline__ float min_nan(float a, float b) {
  float y;
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(y) : "f"(a), "f"(b));
  return y;
}
// a > b ? yes : no, both computed: of a conditional expression the compiler makes a branch an element,
// which every warp of ordinary data takes both ways (elu in bf16: 22 branches for 16 elements).
static __device__ __forceinline__ float if_above(float a, float b, float yes, float no) {
  float y;
  asm("{\n .reg .pred p;\n setp.gt.f32 p, %1, %2;\n selp.f32 %0, %3, %4, p;\n}"
      : "=f"(y)
      : "f"(a), "f"(b), "f"(yes), "f"(no));
  return y;
}

static __device__ __forceinline__ double if_above(double a, double b, double yes, double no) {
  double y;
  asm("{\n .reg .pred p;\n setp.gt.f64 p, %1, %2;\n selp.f64 %0, %3, %4, p;\n}"
      : "=d"(y)
      : "d"(a), "d"(b), "d"(yes), "d"(no));
  return y;
}

static __device__ __forceinline__ u32 upper(double x) { return static_cast<u32>(to_bits(x) >> 32); }
static __device__ __forceinline__ double with_upper(u32 upper, double lower) {
  return from_bits(u64{upper} << 32 | (to_bits(lower) & 0xffffffffu));
}

// 1 / x for 2^-1022 <= |x| <= 2^1022: twenty bits from the upper half of x, then one cubic step.
static __device__ __forceinline__ double rcp_start(double x) {
  double y;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  return y;
}
static __device__ __forceinline__ double rcp_normal(double x) {
  const double y = rcp_start(x);
  const double e = fma(-x, y, 1.0);
  return fma(y, fma(e, e, e), y);
}

constexpr float kAll = -0x1.fffffep+127f;  // no operand is below that but -infinity
constexpr float kLog2e = 0x1.715476p+0f;
constexpr float kLn2 = 0x1.62e43p-1f;

// exp(x) for -87 < x < 88.7. The rounding of x log2(e) costs up to 64 ulp at the ends, and less the
// smaller |x| is: 15 at |x| = 17, beyond which f16 has no numbers.
static __device__ __forceinline__ float exp(float x) { return exp2_ftz(x * kLog2e); }

}  // namespace approx

// The portable primitives by instructions that only a GPU has: the same bits.
struct bit_exact : portable {
  // Orders numbers by magnitude, by one instruction: -0 comes first, +0 last. place_of: of the power of two whose
  // biased exponent is given.
  static __device__ __forceinline__ u32 place(float x) { return __funnelshift_l(to_bits(x), to_bits(x), 1) - 1u; }
  static constexpr __device__ u32 place_of(u32 exponent) { return (exponent << 24) - 1u; }

  // |b| <= 2^126: the reciprocal of more is subnormal.
  static __device__ __forceinline__ bool fmod_rare(float a, float b) {
    const float aa = abs(a), ab = abs(b);
    return !((aa < 0x1p21f * ab) & (ab <= 0x1p126f) & (ab >= 0x1p-100f));
  }

  // Given magnitudes, the truncated quotient n and the rest, 0 <= rest < |b|, both exact for |a / b| < 2^21.
  // The estimate of n is off by one at most; the rest of a wrong one may be rounded, so that only its sign
  // and whether it reaches |b| are asked.
  struct truncated {
    float quotient, rest;
  };
  static __device__ __forceinline__ truncated divided(float a, float b) {
    const float aa = abs(a), ab = abs(b);
    const float n = trunc_(aa * approx::rcp_ftz(ab));
    const float r = fma(-n, ab, aa);
    const float less = approx::if_above(0.0f, r, 1.0f, 0.0f);
    const float more = approx::if_above(ab, r, 0.0f, 1.0f);
    const float quotient = (n - less) + more;
    return {quotient, fma(-quotient, ab, aa)};
  }
  static __device__ __forceinline__ float fmod(float a, float b) { return copysign(divided(a, b).rest, a); }
};

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

// Fast forms of heavy bodies for 16-bit results; see fast.h.
#ifndef TILEOPS_KERNELS_FAST_FORMS_H
#define TILEOPS_KERNELS_FAST_FORMS_H

#include "cuda/kernels/fast.h"

namespace tileops {
namespace device {
inline namespace TILEOPS_DEVICE_NS {
namespace approx {

#define TILEOPS_FORM static __device__ __forceinline__ float

// log2(e) in a part whose product with a 16-bit float is exact, 24 bits less its digits, and a rest, of
// which the exponential is 1 + c x. For finite results that are normal numbers.
template <class S>
TILEOPS_FORM exp_form(float x) {
  constexpr float part = same_v<S, bf16> ? 0x1.7154p+0f : 0x1.715p+0f;
  constexpr float rest = same_v<S, bf16> ? 0x1.480fb6p-18f : 0x1.8be626p-15f;
  const float y = exp2_ftz(x * part);
  return fma(y, x * rest, y);
}

// (expm1(x) - x) / x^2, so that expm1 is right to 2^-21 for |x| < 0.34; to 2^-26 on the left with four
// coefficients of its own.
TILEOPS_FORM expm1_form_q(float x) {
  float q = fma(0x1.11385ap-7f, x, 0x1.56f526p-5f);
  q = fma(q, x, 0x1.55562p-3f);
  return fma(q, x, 0x1.fffe8cp-2f);
}
// A polynomial where 1 would cancel.
template <class S>
TILEOPS_FORM expm1_form(float x) {
  const float small = copysign(fma(x * x, expm1_form_q(x), x), x);  // copysign for -0
  return if_above(abs(x), 0.34f, exp_form<S>(x) - 1.0f, small);
}
// For the units that are linear from 0 on: x <= 0.
TILEOPS_FORM expm1_left(float x) {
  float q = fma(0x1.dbe272p-8f, x, 0x1.52dea8p-5f);
  q = fma(q, x, 0x1.55439ep-3f);
  q = fma(q, x, 0x1.ffffbp-2f);
  const float small = x * fma(q, x, 1.0f);
  return if_above(-0.34f, x, exp(x) - 1.0f, small);
}

// log(1 + f) / f for |f| < 1/5, to 2^-21.4.
TILEOPS_FORM log_near(float f) {
  float q = fma(-0x1.66a98p-3f, f, 0x1.aa7c3cp-3f);
  q = fma(q, f, -0x1.ffb162p-3f);
  q = fma(q, f, 0x1.553a44p-2f);
  q = fma(q, f, -0x1.000012p-1f);
  return fma(q, f, 1.0f);
}
// log(1 + e) / e for 0 <= e <= 1, to 2^-22.
TILEOPS_FORM log1p_ratio(float e) {
  float p = fma(-0x1.185916p-7f, e, 0x1.69b07cp-5f);
  p = fma(p, e, -0x1.b972dcp-4f);
  p = fma(p, e, 0x1.6b9222p-3f);
  p = fma(p, e, -0x1.f5ba7p-3f);
  p = fma(p, e, 0x1.54bf54p-2f);
  p = fma(p, e, -0x1.fff95ap-2f);
  return fma(p, e, 0x1.fffffap-1f);
}
TILEOPS_FORM log_form(float x) {
  const float f = x - 1.0f;  // exact where it is used
  return if_above(abs(f), 0.2f, log2_ftz(x) * kLn2, f * log_near(f));
}
TILEOPS_FORM log1p_form(float x) {
  return if_above(abs(x), 0.2f, log2_ftz(1.0f + x) * kLn2, x * log_near(x));
}

// x + x P(x^2) up to 0.85, 1 - 2^E from there; 2^-21 both.
TILEOPS_FORM erf_form(float x) {
  const float ax = abs(x), z = ax * ax, t = ax < 4.0f ? ax : 4.0f;
  float p = fma(0x1.ff5332p-9f, z, -0x1.ab18a8p-6f);
  p = fma(p, z, 0x1.cd5a4ep-4f);
  p = fma(p, z, -0x1.812276p-2f);
  p = fma(p, z, 0x1.06eb84p-3f);
  float e = fma(0x1.46ef6ep-7f, t, -0x1.90f41ap-4f);
  e = fma(e, t, -0x1.f713fap-1f);
  e = fma(e, t, -0x1.969fap+0f);
  e = fma(e, t, -0x1.3930eep-7f);
  const float large = copysign(1.0f - exp2_ftz(e), x);
  return if_above(ax, 0.85f, large, fma(x, p, x));  // NaN takes the second
}

// f16: its range is that of the exponential's first part. Infinity times 0 must not come up there.
template <class S>
TILEOPS_FORM logistic_exp(float x) {
  return same_v<S, bf16> ? exp(-x) : exp_form<f16>(-min_nan(x, 60.0f));
}
template <class S>
TILEOPS_FORM sigmoid_form(float x) {
  return rcp_ftz(1.0f + logistic_exp<S>(x));
}
template <class S>
TILEOPS_FORM silu_form(float x) {
  return x * rcp_ftz(1.0f + logistic_exp<S>(x));
}

// tanh(x) = x + x^3 P(x^2) up to 0.4, to 2^-23; 1 - 2 / (1 + exp(2x)) from there.
TILEOPS_FORM tanh_form(float x) {
  const float ax = abs(x), z = ax * ax;
  float p = fma(-0x1.87888p-5f, z, 0x1.0fed12p-3f);
  p = fma(p, z, -0x1.555188p-2f);
  const float small = fma(ax * z, p, ax);
  const float large = fma(-2.0f, rcp_ftz(1.0f + exp(ax + ax)), 1.0f);
  return copysign(if_above(ax, 0.4f, large, small), x);
}

// x sigmoid(2u), 2u = sqrt(8/pi) (x + 0.044715 x^3); the constants times log2(e).
TILEOPS_FORM gelu_tanh_form(float x) {
  const float v = x * fma(0x1.a5a7dp-4f, x * x, 0x1.26aec2p+1f);
  return x * rcp_ftz(1.0f + exp2_ftz(-v));
}

// 2 t Phi(-t) / exp(-t^2 / 2) as a quotient A / (1 + c A + t N), A = t + t^2 M: all coefficients are
// positive, so nothing cancels.
TILEOPS_FORM gelu_quotient(float t, float square) {
  float m = fma(0x1.05d732p-7f, t, 0x1.463d2p-4f);
  m = fma(m, t, 0x1.725dc8p-2f);
  m = fma(m, t, 0x1.bd8564p-1f);
  const float a = fma(square, m, t);
  float p = fma(0x1.2cac82p-17f, t, 0x1.42e166p-7f);
  p = fma(p, t, 0x1.a1e224p-4f);
  p = fma(p, t, 0x1.a8b38p-2f);
  const float d = fma(p, t, fma(0x1.40d8p+0f, a, 1.0f));
  return a * rcp_ftz(d);
}

// max(x, 0) - |x| Phi(-|x|), Phi(-t) = 2^P(t): the last factor is right to 2^-18.6 (f16: 2^-21.7) up to
// t = 4, and beyond as much as the difference needs.
template <class S>
TILEOPS_FORM gelu_form(float x) {
  const float ax = abs(x), t = ax < 5.5f ? ax : 5.5f;
  float p;
  if constexpr (same_v<S, bf16>) {
    p = fma(-0x1.3b1504p-20f, t, 0x1.ab2882p-15f);
    p = fma(p, t, -0x1.c4e5d8p-11f);
    p = fma(p, t, 0x1.101aacp-7f);
    p = fma(p, t, -0x1.b7706ap-5f);
    p = fma(p, t, -0x1.d5b5bep-2f);
    p = fma(p, t, -0x1.26b3d4p+0f);
    p = fma(p, t, -0x1p+0f);
  } else {
    p = fma(0x1.224f8p-23f, t, -0x1.bb38fcp-19f);
    p = fma(p, t, 0x1.0b846cp-15f);
    p = fma(p, t, -0x1.05a84ep-13f);
    p = fma(p, t, -0x1.58773cp-12f);
    p = fma(p, t, 0x1.e28b86p-8f);
    p = fma(p, t, -0x1.b0035ap-5f);
    p = fma(p, t, -0x1.d6237ap-2f);
    p = fma(p, t, -0x1.26af8ap+0f);
    p = fma(p, t, -0x1p+0f);
  }
  return fma(-t, exp2_ftz(p), max_nan(x, -0.0f));
}

// 2^(t + t_lo) for |t| < 126, 4 ulp.
static __device__ __forceinline__ float exp2_of(float t, float t_lo) {
  const float y = exp2_ftz(t);
  return fma(y, t_lo * kLn2, y);
}

// The gates, for gates that are 16-bit floats: their squares are exact. f16 needs better ones than bf16,
// whose plain forms have 8, 10 and 7 ulp right of the gated forms' tails.
template <class S>
TILEOPS_FORM silu_gate(float x) {
  if constexpr (same_v<S, bf16>) return silu_form<bf16>(x);
  const float c = x < -80.0f ? -80.0f : x > 80.0f ? 80.0f : x;
  const float t = c * -kLog2e;
  const float e = exp2_of(t, fma(c, -0x1.4ae0cp-26f, fma(c, -kLog2e, -t)));
  return x * rcp_ftz(1.0f + e);
}

template <class S>
TILEOPS_FORM gelu_gate(float x) {
  if constexpr (same_v<S, bf16>) return gelu_form<f16>(x);
  const float ax = abs(x), s = ax < 12.0f ? ax : 12.0f;
  const float square = s * s;
  constexpr float k = -0.5f * kLog2e, k_lo = -0x1.4ae0cp-27f;
  const float t = square * k;
  const float e = exp2_of(t, fma(square, k_lo, fma(square, k, -t)));
  return fma(-0.5f, e * gelu_quotient(s, square), max_nan(x, -0.0f));
}

// n / (n + 2), n = e (e + 2), e = exp(x); from 20 on it is 1.
template <class S>
TILEOPS_FORM mish_form(float x) {
  const float e = (same_v<S, bf16> ? exp : exp_form<f16>)(x < 20.0f ? x : 20.0f);
  const float n = fma(e, e, e + e);
  return x * (n * rcp_ftz(n + 2.0f));
}

// sin(r) / r for |r| <= pi/2, to 2^-27.
TILEOPS_FORM sine_ratio(float r) {
  const float z = r * r;
  float p = fma(0x1.5dc848p-19f, z, -0x1.9f70eap-13f);
  p = fma(p, z, 0x1.110edap-7f);
  p = fma(p, z, -0x1.55554cp-3f);
  return fma(p, z, 1.0f);
}
// x minus `halves` half turns, pi in three parts of one sign so that -0 stays. |x| <= 2^17.
TILEOPS_FORM less_half_turns(float x, float halves) {
  float r = fma(halves, -0x1.921fb4p+1f, x);
  r = fma(halves, -0x1.4442dp-23f, r);
  return fma(halves, -0x1.846988p-47f, r);
}
TILEOPS_FORM sin_form(float x) {
  const float k = fma(x, 0x1.45f306p-2f, kRound);
  const float r = less_half_turns(x, k - kRound);
  return from_bits(to_bits(r * sine_ratio(r)) ^ (to_bits(k) << 31));
}
TILEOPS_FORM cos_form(float x) {
  const float k = fma(x, 0x1.45f306p-2f, 0.5f) + kRound;
  const float r = less_half_turns(x, (k - kRound) - 0.5f);
  return from_bits(to_bits(r * sine_ratio(r)) ^ (to_bits(k) << 31));
}

#undef TILEOPS_FORM

}  // namespace approx

namespace op {

TILEOPS_FAST_FROM(exp, 8, 8, 1, 1, -87.0f, -65504.0f, approx::exp_form<S>(x))
TILEOPS_FAST_FROM(log, 12, 12, 0, 1, 0x1p-126f, approx::kAll, approx::log_form(x))
TILEOPS_FAST(log1p, 12, 12, 0, 3, approx::log1p_form(x))
TILEOPS_FAST_FROM(expm1, 16, 16, 0, 1, -87.0f, -65504.0f, approx::expm1_form<S>(x))
TILEOPS_FAST(erf, 12, 12, 0, 3, approx::erf_form(x))
TILEOPS_FAST(rsqrt, 4, 4, 0, 0, approx::rsqrt(x))
TILEOPS_FAST_FROM(sigmoid, 72, 16, 0, 2, -87.0f, approx::kAll, approx::sigmoid_form<S>(x))
TILEOPS_FAST_FROM(silu, 72, 16, 1, 1, -87.0f, -65504.0f, approx::silu_form<S>(x))
TILEOPS_FAST_FROM(gelu, 44, 18, 1, 17, -4.0f, -4.0f, approx::gelu_form<S>(x))
TILEOPS_FAST_FROM(gelu_tanh, 24, 24, 1, 1, -3.5f, -3.5f, approx::gelu_tanh_form(x))
TILEOPS_FAST_FROM(mish, 76, 20, 0, 3, -87.0f, -65504.0f, approx::mish_form<S>(x))

// Beyond the range of the reduction, which f16 does not leave.
#define TILEOPS_FAST_TRIG(name)                                                                \
  template <class S>                                                                           \
  struct name<fast<S>, float> : body {                                                         \
    using body::body;                                                                          \
    static constexpr u32 ulp = bound_of<S>({12, 12, 0, 1});                                    \
    static __device__ __forceinline__ bool rare(float x) {                                     \
      return fast<S>::wide_range && !(approx::abs(x) <= f32::kTrigFastMax);                    \
    }                                                                                          \
    static __device__ __forceinline__ float slow(float x) { return x; }                        \
    __device__ __forceinline__ float operator()(float x) const { return approx::name##_form(x); } \
  };
TILEOPS_FAST_TRIG(sin)
TILEOPS_FAST_TRIG(cos)

// The instruction alone will do for bf16.
template <class S>
struct tanh<fast<S>, float> : body {
  using body::body;
  static constexpr u32 ulp = bound_of<S>({160, 24, 0, 0});
  __device__ __forceinline__ float operator()(float x) const {
    return fast<S>::wide_range ? approx::tanh(x) : approx::tanh_form(x);
  }
};

template <class S>
struct elu<fast<S>, float> : body {
  float alpha;
  static constexpr u32 ulp = 6;
  __device__ __forceinline__ explicit elu(const AttrValue* a) : alpha(static_cast<float>(a[0].f64)) {}
  // alpha times 0 must be 0, and nothing subnormal.
  __device__ __forceinline__ bool rare(float) const {
    return !(approx::abs(alpha) <= 0x1p64f) | !(approx::abs(alpha) >= 0x1p-64f);
  }
  __device__ __forceinline__ float slow(float x) const { return x; }
  __device__ __forceinline__ float operator()(float x) const {
    return fma(alpha, approx::expm1_left(::fminf(x, 0.0f)), approx::max_nan(x, -0.0f));
  }
};

template <class S>
struct selu<fast<S>, float> : body {
  using body::body;
  static constexpr u32 ulp = bound_of<S>({6, 6, 0, 0});
  __device__ __forceinline__ float operator()(float x) const {
    using k = selu_constants<float>;
    return fma(k::scale_alpha, approx::expm1_left(::fminf(x, 0.0f)), k::scale * approx::max_nan(x, -0.0f));
  }
};

// max(x, 0) + log1p(exp(-|beta x|)) / beta.
template <class S>
struct softplus<fast<S>, float> : body {
  float beta, threshold, inverse;
  static constexpr u32 ulp = 14;
  __device__ __forceinline__ explicit softplus(const AttrValue* a)
      : beta(static_cast<float>(a[0].f64)), threshold(static_cast<float>(a[1].f64)), inverse(1.0f / beta) {}
  __device__ __forceinline__ bool rare(float x) const {
    return !(beta >= 0x1p-64f) | !(beta <= 0x1p64f) | (beta * x < -11.0f);
  }
  __device__ __forceinline__ float slow(float x) const { return x; }
  __device__ __forceinline__ float operator()(float x) const {
    const float y = beta * x;
    const float e = approx::exp(-approx::abs(y));
    const float value = fma(e * approx::log1p_ratio(e), inverse, x > 0.0f ? x : 0.0f);
    return approx::if_above(y, threshold, x, value);
  }
};

// act(gate) * value. The forms of the gate are better than those above, since what the test sends away is
// computed in f64 here: there is no table of pairs.
#define TILEOPS_FAST_GATED(name, bound_bf16, bound_f16, tail_bf16, tail_f16, activation)                                  \
  template <class S>                                                                       \
  struct name<fast<S>, float> : body {                                                     \
    using body::body;                                                                      \
    static constexpr u32 ulp = fast<S>::wide_range ? bound_bf16 : bound_f16;               \
    static constexpr float tail = fast<S>::wide_range ? tail_bf16 : tail_f16;              \
    static __device__ __forceinline__ bool rare(float gate, float) {                       \
      const bool tiny = (approx::abs(gate) < 0x1p-100f) & (gate != 0.0f);                  \
      return (gate < tail) | (fast<S>::wide_range & tiny);                                 \
    }                                                                                      \
    static __device__ __forceinline__ float slow(float gate, float) { return gate; }       \
    __device__ __forceinline__ float operator()(float gate, float value) const {           \
      return activation(gate) * value;                                                     \
    }                                                                                      \
  };
TILEOPS_FAST_GATED(silu_and_mul, 10, 5, -11.0f, -80.0f, approx::silu_gate<S>)
TILEOPS_FAST_GATED(gelu_and_mul, 14, 6, -4.0f, -12.0f, approx::gelu_gate<S>)
TILEOPS_FAST_GATED(gelu_tanh_and_mul, 9, 9, -3.5f, -3.5f, approx::gelu_tanh_form)

// The gates' activations in f64, of which a table is made: what is too close to a tie in f32 is such an
// entry times the value. (Infinity less a hair would be NaN.) Where the activation underflows the sign of a product with infinity is left.
#define TILEOPS_GATE(name, activation)                                                     \
  template <class P, class T>                                                              \
  struct name : body {                                                                     \
    using body::body;                                                                      \
    __device__ __forceinline__ T operator()(T x) const {                                   \
      const T y = activation<P, T>()(x);                                                   \
      const bool lost = (y == T(0)) & (x < T(0)) & (x > -limits<T>::inf());                \
      return x == limits<T>::inf() ? x : lost ? T(-0x1p-1074) : y;                         \
    }                                                                                      \
  };
TILEOPS_GATE(silu_gate, silu)
TILEOPS_GATE(gelu_gate, gelu)
TILEOPS_GATE(gelu_tanh_gate, gelu_tanh)

// Of 8-bit floats, whose quotient is exact or far from everything that it could be rounded to wrongly:
// where the remainder of the estimate is a number, one correction makes it right.
template <class S>
struct short_quotient : body {
  using body::body;
  __device__ __forceinline__ float operator()(float a, float b) const {
    const float inverse = approx::rcp_ftz(b), q = a * inverse, rest = fma(-q, b, a);
    const bool usable = (rest < 0.0f) | (rest > 0.0f);  // keeps zeros' signs, infinities and NaN
    return usable ? fma(rest, inverse, q) : q;
  }
};
template <>
struct div<fast<e4m3fn>, float> : short_quotient<e4m3fn> {
  using short_quotient<e4m3fn>::short_quotient;
};
template <>
struct div<fast<e5m2>, float> : short_quotient<e5m2> {
  using short_quotient<e5m2>::short_quotient;
};

// PyTorch's definition of the quotient, by way of (a - mod) / b, comes to the integer below a / b: that
// quotient is right to within n 2^-22 and is then rounded. Zeros keep the sign of a (remainder) or of the
// quotient (floor_divide).
template <class P>
struct floored_remainder : remainder<portable, float> {
  using remainder<portable, float>::remainder;
  static __device__ __forceinline__ bool rare(float a, float b) { return same_bits::fmod_rare(a, b); }
  __device__ __forceinline__ float operator()(float a, float b) const {
    const float r = copysign(same_bits::divided(a, b).rest, a);
    const bool apart = static_cast<i32>(to_bits(a) ^ to_bits(b)) < 0;
    return apart & (r != 0.0f) ? r + b : r;
  }
};
template <class P>
struct floored_quotient : floor_divide<portable, float> {
  using floor_divide<portable, float>::floor_divide;
  static __device__ __forceinline__ bool rare(float a, float b) { return same_bits::fmod_rare(a, b); }
  __device__ __forceinline__ float operator()(float a, float b) const {
    const same_bits::truncated d = same_bits::divided(a, b);
    const u32 sign = (to_bits(a) ^ to_bits(b)) & 0x80000000u;
    const float n = d.quotient + ((sign != 0u) & (d.rest > 0.0f) ? 1.0f : 0.0f);
    return from_bits(to_bits(n) | sign);
  }
};
#define TILEOPS_FLOORED(policy)                                             \
  template <>                                                               \
  struct remainder<policy, float> : floored_remainder<policy> {             \
    using floored_remainder<policy>::floored_remainder;                     \
  };                                                                        \
  template <>                                                               \
  struct floor_divide<policy, float> : floored_quotient<policy> {           \
    using floored_quotient<policy>::floored_quotient;                       \
  };
TILEOPS_FLOORED(same_bits)
TILEOPS_FLOORED(fast<f16>)
TILEOPS_FLOORED(fast<bf16>)
TILEOPS_FLOORED(fast<e4m3fn>)
TILEOPS_FLOORED(fast<e5m2>)

// 2^(y log2|x|), logarithm and product in two terms: 2^-25 of the logarithm is left. Packs of positive
// numbers and moderate exponents take instructions instead.
template <class S>
struct pow<fast<S>, float> : body {
  using body::body;
  static constexpr bool packs_apart = true;
  static constexpr u32 ulp = same_v<S, f16> ? 12 : 20;

  // For |y log2 x| <= 16, which is returned too.
  struct power {
    float value, exponent;
  };
  static __device__ __forceinline__ power moderate(float x, float y) {
    if constexpr (!same_v<S, f16>) {
      const float t = y * approx::log2_ftz(x);
      return {approx::exp2_ftz(t), t};
    } else {
      // y e is exact.
      const u32 k = (to_bits(x) - f32::kSqrtHalfBits) & 0xff800000u;
      const float l = approx::log2_ftz(from_bits(to_bits(x) - k));
      const float whole = y * static_cast<float>(static_cast<i32>(k) >> 23), part = y * l;
      const float t = whole + part, rounded = t + kRound;
      const float fraction = approx::exp2_ftz((whole - (rounded - kRound)) + part);
      return {from_bits(to_bits(fraction) + (to_bits(rounded) << 23)), t};
    }
  }
  // Returns whether some elements may be rare.
  template <int N>
  __device__ __forceinline__ bool all(float (&r)[N], const float (&x)[N], const float (&y)[N]) const {
    u32 most = 0;
    float largest = 0.0f, exponent = 0.0f;
#pragma unroll
    for (int i = 0; i < N; ++i) {
      const u32 place = to_bits(x[i]) - 0x00800000u;  // below 0x7f000000: positive and normal
      most = most > place ? most : place;
      exponent = approx::max_nan(exponent, approx::abs(y[i]));
      const power p = moderate(x[i], y[i]);
      largest = ::fmaxf(largest, approx::abs(p.exponent));
      r[i] = p.value;
    }
    const bool usual = (most < 0x7f000000u) & (exponent <= 4.0f) & (largest <= 16.0f);
    if (!usual) {
#pragma unroll
      for (int i = 0; i < N; ++i) r[i] = (*this)(x[i], y[i]);
    }
    return !usual;
  }
  // Zero, infinity and NaN, and exponents whose product with the logarithm might be NaN.
  static __device__ __forceinline__ bool rare(float x, float y) {
    const u32 mag = to_bits(x) & 0x7fffffffu;
    return (mag - 1u >= 0x7f7fffffu) | !(approx::abs(y) < 0x1p64f);
  }
  static __device__ __forceinline__ float slow(float x, float) { return x; }
  __device__ __forceinline__ float operator()(float x, float y) const {
    const float ax = approx::abs(x);
    const f32::mant_exp s = f32::split(ax);
    const float f = s.m - 1.0f;
    const float p = f * approx::kLog2e;
    const float rest = f * f * f32::log_q(f);
    const float p_lo = fma(f, 0x1.4ae0cp-26f, fma(rest, approx::kLog2e, fma(f, approx::kLog2e, -p)));
    const float sum = s.e + p, tail = ((s.e - sum) + p) + p_lo;
    const float hi = sum + tail, lo = (sum - hi) + tail;
    const float t = y * hi, t_lo = fma(y, hi, -t) + y * lo;
    const float z0 = approx::exp2(t);
    const float z = z0 < limits<float>::inf() ? fma(z0, t_lo * approx::kLn2, z0) : z0;
    // Integer and odd y. From 2^23 on y is an integer, from 2^24 on an even one.
    const float ay = approx::abs(y), yr = ay + 0x1p23f;
    const bool integer = (ay >= 0x1p23f) | (yr - 0x1p23f == ay);
    const u32 odd = (ay >= 0x1p23f ? to_bits(ay) : to_bits(yr)) << 31;
    const u32 sign = ay < 0x1p24f ? to_bits(x) & odd : 0u;
    const float signed_z = from_bits(to_bits(z) | sign);
    return (x < 0.0f) & !integer ? limits<float>::nan() : signed_z;
  }
};

}  // namespace op
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device
}  // namespace tileops

#endif

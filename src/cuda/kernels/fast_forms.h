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
// log(1 + e) / e for 0 <= e <= 1, to 2^-19.6.
TILEOPS_FORM log1p_ratio(float e) {
  float p = fma(0x1.cf86bap-7f, e, -0x1.100ba8p-4f);
  p = fma(p, e, 0x1.31a6bcp-3f);
  p = fma(p, e, -0x1.e16256p-3f);
  p = fma(p, e, 0x1.530b64p-2f);
  p = fma(p, e, -0x1.ffddf4p-2f);
  return fma(p, e, 0x1.ffffd6p-1f);
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

// max(x, 0) - |x| Phi(-|x|), Phi(-t) = 2^P(t): the last factor is right to 2^-18.8 (f16: 2^-19.9) up to
// t = 4, and beyond as much as the difference needs.
template <class S>
TILEOPS_FORM gelu_form(float x) {
  const float ax = abs(x), t = ax < 5.5f ? ax : 5.5f;
  float p;
  if constexpr (same_v<S, bf16>) {
    p = fma(-0x1.5a3d5ep-20f, t, 0x1.bbf01cp-15f);
    p = fma(p, t, -0x1.cc0692p-11f);
    p = fma(p, t, 0x1.11a022p-7f);
    p = fma(p, t, -0x1.b81ffp-5f);
    p = fma(p, t, -0x1.d5a1ccp-2f);
    p = fma(p, t, -0x1.26b5c6p+0f);
    p = fma(p, t, -0x1.ffff96p-1f);
  } else {
    p = fma(-0x1.94a7fcp-22f, t, 0x1.7c93a8p-18f);
    p = fma(p, t, 0x1.5a57b6p-20f);
    p = fma(p, t, -0x1.649112p-11f);
    p = fma(p, t, 0x1.04131cp-7f);
    p = fma(p, t, -0x1.b44fa6p-5f);
    p = fma(p, t, -0x1.d5e46ep-2f);
    p = fma(p, t, -0x1.26b25cp+0f);
    p = fma(p, t, -0x1.ffffdp-1f);
  }
  return fma(-t, exp2_ftz(p), max_nan(x, -0.0f));
}

// 2^(t + t_lo) for |t| < 126, 4 ulp.
static __device__ __forceinline__ float exp2_of(float t, float t_lo) {
  const float y = exp2_ftz(t);
  return fma(y, t_lo * kLn2, y);
}

// The three gates, 12 to 16 ulp, for gates that are 16-bit floats: their squares are exact.
TILEOPS_FORM silu_gate(float x) {
  const float c = x < -80.0f ? -80.0f : x > 80.0f ? 80.0f : x;
  const float t = c * -kLog2e;
  const float e = exp2_of(t, fma(c, -0x1.4ae0cp-26f, fma(c, -kLog2e, -t)));
  return x * rcp_ftz(1.0f + e);
}

TILEOPS_FORM gelu_gate(float x) {
  const float ax = abs(x), s = ax < 12.0f ? ax : 12.0f;
  const float square = s * s;
  constexpr float k = -0.5f * kLog2e, k_lo = -0x1.4ae0cp-27f;
  const float t = square * k;
  const float e = exp2_of(t, fma(square, k_lo, fma(square, k, -t)));
  return fma(-0.5f, e * gelu_quotient(s, square), max_nan(x, -0.0f));
}

// v = x (linear + cubic x^2) log2(e) in two terms.
TILEOPS_FORM gelu_tanh_gate(float x) {
  const float c = x < -7.0f ? -7.0f : x > 7.0f ? 7.0f : x;
  constexpr float linear = 0x1.26aec2p+1f, linear_lo = 0x1.bce75ap-27f;
  constexpr float cubic = 0x1.a5a7dp-4f, cubic_lo = -0x1.151aaep-29f;
  const float square = c * c;
  const float w = cubic * square, w_lo = fma(cubic, square, -w) + cubic_lo * square;
  const float m = linear + w, m_lo = ((linear - m) + w) + (w_lo + linear_lo);
  const float v = c * m, v_lo = fma(c, m_lo, fma(c, m, -v));
  return x * rcp_ftz(1.0f + exp2_of(-v, -v_lo));
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

TILEOPS_FAST_FROM(exp, 8, 8, -87.0f, -65504.0f, approx::exp_form<S>(x))
TILEOPS_FAST_FROM(log, 12, 12, 0x1p-126f, approx::kAll, approx::log_form(x))
TILEOPS_FAST(log1p, 12, 12, approx::log1p_form(x))
TILEOPS_FAST_FROM(expm1, 16, 16, -87.0f, -65504.0f, approx::expm1_form<S>(x))
TILEOPS_FAST(erf, 12, 12, approx::erf_form(x))
TILEOPS_FAST(rsqrt, 4, 4, approx::rsqrt(x))
TILEOPS_FAST_FROM(sigmoid, 72, 16, -87.0f, approx::kAll, approx::sigmoid_form<S>(x))
TILEOPS_FAST_FROM(silu, 72, 16, -87.0f, -65504.0f, approx::silu_form<S>(x))
TILEOPS_FAST_FROM(gelu, 40, 24, -4.0f, -4.0f, approx::gelu_form<S>(x))
TILEOPS_FAST_FROM(gelu_tanh, 24, 24, -3.5f, -3.5f, approx::gelu_tanh_form(x))
TILEOPS_FAST_FROM(mish, 76, 20, -87.0f, -65504.0f, approx::mish_form<S>(x))

// Beyond the range of the reduction, which f16 does not leave.
#define TILEOPS_FAST_TRIG(name)                                                                \
  template <class S>                                                                           \
  struct name<fast<S>, float> : body {                                                         \
    using body::body;                                                                          \
    static constexpr u32 ulp = 12;                                                             \
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
  static constexpr u32 ulp = fast<S>::wide_range ? 160 : 24;
  __device__ __forceinline__ float operator()(float x) const {
    return fast<S>::wide_range ? approx::tanh(x) : approx::tanh_form(x);
  }
};

template <class S>
struct elu<fast<S>, float> : body {
  float alpha;
  static constexpr u32 ulp = 16;
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
  static constexpr u32 ulp = 16;
  __device__ __forceinline__ float operator()(float x) const {
    using k = selu_constants<float>;
    return fma(k::scale_alpha, approx::expm1_left(::fminf(x, 0.0f)), k::scale * approx::max_nan(x, -0.0f));
  }
};

// max(x, 0) + log1p(exp(-|beta x|)) / beta.
template <class S>
struct softplus<fast<S>, float> : body {
  float beta, threshold, inverse;
  static constexpr u32 ulp = 20;
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
#define TILEOPS_FAST_GATED(name, bound, tail, activation)                                  \
  template <class S>                                                                       \
  struct name<fast<S>, float> : body {                                                     \
    using body::body;                                                                      \
    static constexpr u32 ulp = bound;                                                      \
    static __device__ __forceinline__ bool rare(float gate, float) {                       \
      const bool tiny = (approx::abs(gate) < 0x1p-100f) & (gate != 0.0f);                  \
      return (gate < tail) | (fast<S>::wide_range & tiny);                                 \
    }                                                                                      \
    static __device__ __forceinline__ float slow(float gate, float) { return gate; }       \
    __device__ __forceinline__ float operator()(float gate, float value) const {           \
      return activation(gate) * value;                                                     \
    }                                                                                      \
  };
TILEOPS_FAST_GATED(silu_and_mul, 14, -80.0f, approx::silu_gate)
TILEOPS_FAST_GATED(gelu_and_mul, 18, -12.0f, approx::gelu_gate)
TILEOPS_FAST_GATED(gelu_tanh_and_mul, 18, -7.0f, approx::gelu_tanh_gate)

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

// 2^(y log2|x|), logarithm and product in two terms: 2^-25 of the logarithm is left.
template <class S>
struct pow<fast<S>, float> : body {
  using body::body;
  static constexpr u32 ulp = fast<S>::wide_range ? 56 : 16;
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

// Fast forms of heavy bodies for 16-bit results; see fast.h.
#ifndef TILEOPS_KERNELS_FAST_FORMS_H
#define TILEOPS_KERNELS_FAST_FORMS_H

#include "cuda/kernels/fast.h"

namespace tileops {
namespace device {
inline namespace TILEOPS_DEVICE_NS {
namespace approx {

#define TILEOPS_FORM static __device__ __forceinline__ float

TILEOPS_FORM exp_form(float x) { return exp2(x * kLog2e); }

TILEOPS_FORM log_form(float x) {
  const float f = x - 1.0f;  // exact where it is used
  const float near = fma(f * f, f32::log_q(f), f);
  return abs(x - 1.0605f) < 0.35f ? near : log2(x) * kLn2;
}

TILEOPS_FORM log1p_form(float x) {
  const float near = fma(x * x, f32::log_q(x), x);
  return abs(x - 0.0605f) < 0.35f ? near : log2(1.0f + x) * kLn2;
}

TILEOPS_FORM erf_form(float x) {
  const float ax = abs(x);
  const float large = 1.0f - exp(f32::erfc_log(ax < 4.0f ? ax : 4.0f));
  return ax > 0.85f ? copysign(large, x) : f32::erf_near(x, ax * ax);  // NaN takes this
}

TILEOPS_FORM sigmoid_form(float x) { return rcp_ftz(1.0f + exp(-x)); }
TILEOPS_FORM silu_form(float x) { return x * rcp_ftz(1.0f + exp(-x)); }

// tanh(x) = x + x^3 P(x^2) up to 0.4, P by Chebyshev interpolation; 1 - 2 / (1 + exp(2x)) from there.
TILEOPS_FORM tanh_form(float x) {
  const float ax = abs(x), z = ax * ax;
  float p = fma(-0x1.e80974p-8f, z, 0x1.62db6cp-6f);
  p = fma(p, z, -0x1.ba004p-5f);
  p = fma(p, z, 0x1.1110eap-3f);
  p = fma(p, z, -0x1.555556p-2f);
  const float small = fma(ax * z, p, ax);
  const float large = fma(-2.0f, rcp_ftz(1.0f + exp(ax + ax)), 1.0f);
  return copysign(ax < 0.4f ? small : large, x);
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

TILEOPS_FORM gelu_form(float x) {
  const float ax = abs(x), t = ax < 14.5f ? ax : 14.5f;
  const float square = t * t;
  const float tail = exp2_ftz(square * (-0.5f * kLog2e)) * gelu_quotient(t, square);
  return fma(-0.5f, tail, max_nan(x, -0.0f));
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
TILEOPS_FORM mish_form(float x) {
  const float e = exp(x < 20.0f ? x : 20.0f);
  const float n = fma(e, e, e + e);
  return x * (n * rcp_ftz(n + 2.0f));
}

// One polynomial for both, its coefficients chosen by the quadrant. |x| <= 2^17.
static __device__ __forceinline__ float sine_form(float x, u32 quarter, u32 sign) {
  const float ax = abs(x);
  const float k = fma(ax, 0x1.45f306p-1f, kRound);
  const float n = k - kRound;
  float r = fma(n, -0x1.921fb6p+0f, ax);
  r = fma(n, 0x1.777a5cp-25f, r);
  r = fma(n, 0x1.ee59dap-50f, r);
  const u32 q = to_bits(k) + quarter;
  const bool cosine = (q & 1u) != 0u;
  const float z = r * r;
  float p = fma(cosine ? 0x1.99e0ecp-16f : -0x1.995406p-13f, z, cosine ? -0x1.6c0c1ap-10f : 0x1.110778p-7f);
  p = fma(p, z, cosine ? 0x1.55554ap-5f : -0x1.555546p-3f);
  const float sine = fma(r * z, p, r), cos = fma(z * z, p, fma(-0.5f, z, 1.0f));
  return from_bits(to_bits(cosine ? cos : sine) ^ ((q & 2u) << 30) ^ sign);
}
TILEOPS_FORM sin_form(float x) { return sine_form(x, 0u, to_bits(x) & 0x80000000u); }
TILEOPS_FORM cos_form(float x) { return sine_form(x, 1u, 0u); }

#undef TILEOPS_FORM

}  // namespace approx

namespace op {

TILEOPS_FAST(exp, 80, 24, false, approx::exp_form)
TILEOPS_FAST(log, 16, 16, false, approx::log_form)
TILEOPS_FAST(log1p, 16, 16, false, approx::log1p_form)
TILEOPS_FAST(expm1, 72, 20, false, approx::expm1)
TILEOPS_FAST(erf, 8, 8, false, approx::erf_form)
TILEOPS_FAST(rsqrt, 4, 4, false, approx::rsqrt)
TILEOPS_FAST(sin, 12, 12, !(approx::abs(x) <= f32::kTrigFastMax), approx::sin_form)
TILEOPS_FAST(cos, 12, 12, !(approx::abs(x) <= f32::kTrigFastMax), approx::cos_form)
TILEOPS_FAST(sigmoid, 72, 24, x < -87.0f, approx::sigmoid_form)
TILEOPS_FAST(silu, 72, 24, x < -87.0f, approx::silu_form)
TILEOPS_FAST(gelu, 88, 24, x < -12.9f, approx::gelu_form)
TILEOPS_FAST(gelu_tanh, 120, 64, x < -7.0f, approx::gelu_tanh_form)
TILEOPS_FAST(mish, 76, 28, x < -87.0f, approx::mish_form)

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
  static constexpr u32 ulp = fast<S>::wide_range ? 76 : 24;
  __device__ __forceinline__ explicit elu(const AttrValue* a) : alpha(static_cast<float>(a[0].f64)) {}
  __device__ __forceinline__ float operator()(float x) const {
    return x > 0.0f ? x : alpha * approx::expm1(x);
  }
};

template <class S>
struct selu<fast<S>, float> : body {
  using body::body;
  static constexpr u32 ulp = fast<S>::wide_range ? 76 : 24;
  __device__ __forceinline__ float operator()(float x) const {
    using k = selu_constants<float>;
    return x > 0.0f ? k::scale * x : k::scale_alpha * approx::expm1(x);
  }
};

// max(x, 0) + log1p(exp(-|beta x|)) / beta.
template <class S>
struct softplus<fast<S>, float> : body {
  float beta, threshold, inverse;
  static constexpr u32 ulp = fast<S>::wide_range ? 144 : 48;
  __device__ __forceinline__ explicit softplus(const AttrValue* a)
      : beta(static_cast<float>(a[0].f64)), threshold(static_cast<float>(a[1].f64)), inverse(1.0f / beta) {}
  __device__ __forceinline__ bool rare(float x) const {
    return !(beta >= 0x1p-64f) | !(beta <= 0x1p64f) | (beta * x < -87.0f);
  }
  __device__ __forceinline__ float slow(float x) const { return x; }
  __device__ __forceinline__ float operator()(float x) const {
    const float y = beta * x;
    const float e = approx::exp(-approx::abs(y));
    const float l = fma(e * e, f32::log1p_q(e - 0.5f), e);
    const float value = fma(l, inverse, x > 0.0f ? x : 0.0f);
    return y > threshold || x != x ? x : value;
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
      return (gate < tail) | tiny;                                                         \
    }                                                                                      \
    static __device__ __forceinline__ float slow(float gate, float) { return gate; }       \
    __device__ __forceinline__ float operator()(float gate, float value) const {           \
      return activation(gate) * value;                                                     \
    }                                                                                      \
  };
TILEOPS_FAST_GATED(silu_and_mul, 14, -80.0f, approx::silu_gate)
TILEOPS_FAST_GATED(gelu_and_mul, 18, -12.0f, approx::gelu_gate)
TILEOPS_FAST_GATED(gelu_tanh_and_mul, 18, -7.0f, approx::gelu_tanh_gate)

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

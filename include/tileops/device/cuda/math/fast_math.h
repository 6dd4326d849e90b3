// SPDX-License-Identifier: Apache-2.0
// The formulas of the fast forms: instructions of the special function unit and short polynomials (Lawson's
// algorithm, tools/minimax_gpu.py). What they are good for, and how good they must be: fast.h.
#ifndef TILEOPS_DEVICE_CUDA_MATH_FAST_MATH_H
#define TILEOPS_DEVICE_CUDA_MATH_FAST_MATH_H

#include "../common/approximations.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace approx {

#define TILEOPS_FORM static __device__ __forceinline__ float

// A constant by the dtype of operand and result. Where constants of one are a little off the others it is for the
// few of all 2^16 results that lay on the wrong side of a tie (sm_90; tools/nudge_constants.cu).
template <class S>
constexpr __device__ float by(float of_bf16, float of_f16) {
  return same_v<S, bf16> ? of_bf16 : of_f16;
}

// log2(e) in a part whose product with a 16-bit float is exact, 24 bits less its digits, and a rest, of
// which the exponential is 1 + c x. For finite results that are normal numbers. `nudge` moves all of them.
template <class S>
constexpr float rest_v = by<S>(0x1.480fb6p-18f, 0x1.8be626p-15f);
template <class S>
TILEOPS_FORM exp_form(float x, float nudge = -0.0f, float rest = rest_v<S>) {
  constexpr float part = by<S>(0x1.7154p+0f, 0x1.715p+0f);
  const float y = exp2_ftz(fma(x, part, nudge));
  return fma(y, x * rest, y);
}

// (expm1(x) - x) / x^2, so that expm1 is right to 2^-21 for |x| < 0.34 (f16: 0.24, and to 2^-19 from there); to
// 2^-26 on the left with four coefficients of its own.
template <class S>
TILEOPS_FORM expm1_form_q(float x) {
  float q = fma(by<S>(0x1.11385ap-7f, 0x1.1214ecp-7f), x, by<S>(0x1.56f526p-5f, 0x1.56d48ep-5f));
  q = fma(q, x, by<S>(0x1.55562p-3f, 0x1.5557bap-3f));
  return fma(q, x, by<S>(0x1.fffe8cp-2f, 0x1.ffff0cp-2f));
}
// A polynomial where 1 would cancel.
template <class S>
TILEOPS_FORM expm1_form(float x) {
  const float small = copysign(fma(x * x, expm1_form_q<S>(x), x), x);  // copysign for -0
  const float e = exp_form<S>(x, by<S>(-0.0f, 0x1.3p-22f), by<S>(rest_v<S>, 0x1.8c1354p-15f));
  return if_above(abs(x), by<S>(0.34f, 0x1.e8fcdep-3f), e - by<S>(1.0f, 0x1.fffffep-1f), small);
}
// For the units that are linear from 0 on: x <= 0.
TILEOPS_FORM expm1_left(float x, float log2e = kLog2e) {
  float q = fma(0x1.dbe272p-8f, x, 0x1.52dea8p-5f);
  q = fma(q, x, 0x1.55439ep-3f);
  q = fma(q, x, 0x1.ffffbp-2f);
  const float small = x * fma(q, x, 1.0f);
  return if_above(-0.34f, x, exp2_ftz(x * log2e) - 1.0f, small);
}

// log(1 + f) / f for |f| < 1/5, to 2^-21.4; the constants of f16 are those of log1p below 0.14.
template <class S>
TILEOPS_FORM log_near(float f) {
  float q = fma(by<S>(-0x1.66a98p-3f, -0x1.668cbep-3f), f, by<S>(0x1.aa7c3cp-3f, 0x1.aabb48p-3f));
  q = fma(q, f, by<S>(-0x1.ffb162p-3f, -0x1.001c1cp-2f));
  q = fma(q, f, by<S>(0x1.553a44p-2f, 0x1.555e34p-2f));
  q = fma(q, f, by<S>(-0x1.000012p-1f, -0x1.ffffa2p-2f));
  return fma(q, f, by<S>(1.0f, 0x1.fffffep-1f));
}
// log(1 + e) / e for 0 <= e <= 1, to 2^-21.6.
TILEOPS_FORM log1p_ratio(float e) {
  float p = fma(-0x1.18592cp-7f, e, 0x1.69b042p-5f);
  p = fma(p, e, -0x1.b97298p-4f);
  p = fma(p, e, 0x1.6b921ep-3f);
  p = fma(p, e, -0x1.f5ba92p-3f);
  p = fma(p, e, 0x1.54bf7p-2f);
  p = fma(p, e, -0x1.fff968p-2f);
  return fma(p, e, 0x1.fffff8p-1f);
}
TILEOPS_FORM log_form(float x) {
  const float f = x - 1.0f;  // exact where it is used
  return if_above(abs(f), 0.2f, log2_ftz(x) * kLn2, f * log_near<bf16>(f));
}
template <class S>
TILEOPS_FORM log1p_form(float x) {
  const float far = fma(log2_ftz(1.0f + x), by<S>(kLn2, 0x1.62e432p-1f), by<S>(-0.0f, -0x1.cp-26f));
  return if_above(abs(x), by<S>(0.2f, 0x1.17f322p-3f), far, x * log_near<S>(x));
}

// x + x P(x^2) up to 0.85, 1 - 2^E from there; 2^-21 both, of f16 2^-18.
template <class S>
TILEOPS_FORM erf_form(float x) {
  const float ax = abs(x), z = ax * ax, t = ax < 4.0f ? ax : 4.0f;
  float p = fma(by<S>(0x1.ff5332p-9f, 0x1.fb7828p-9f), z, by<S>(-0x1.ab18a8p-6f, -0x1.aab092p-6f));
  p = fma(p, z, by<S>(0x1.cd5a4ep-4f, 0x1.cd5afp-4f));
  p = fma(p, z, by<S>(-0x1.812276p-2f, -0x1.8122e2p-2f));
  p = fma(p, z, by<S>(0x1.06eb84p-3f, 0x1.06ebap-3f));
  float e = fma(by<S>(0x1.46ef6ep-7f, 0x1.456868p-7f), t, by<S>(-0x1.90f41ap-4f, -0x1.90b2ccp-4f));
  e = fma(e, t, by<S>(-0x1.f713fap-1f, -0x1.f7175p-1f));
  e = fma(e, t, by<S>(-0x1.969fap+0f, -0x1.96a082p+0f));
  e = fma(e, t, by<S>(-0x1.3930eep-7f, -0x1.394886p-7f));
  const float large = copysign(by<S>(1.0f, 0x1.ffffcap-1f) - exp2_ftz(e), x);
  return if_above(ax, by<S>(0.85f, 0x1.ca67d8p-1f), large, fma(x, p, x));  // NaN takes the second
}

// f16: its range is that of the exponential's first part. Infinity times 0 must not come up there.
template <class S>
TILEOPS_FORM logistic_exp(float x, float nudge = -0.0f, float rest = rest_v<f16>) {
  return same_v<S, bf16> ? exp(-x) : exp_form<f16>(-min_nan(x, 60.0f), nudge, rest);
}
template <class S>
TILEOPS_FORM sigmoid_form(float x) {
  return rcp_ftz(1.0f + logistic_exp<S>(x));
}
template <class S>
TILEOPS_FORM silu_form(float x) {
  return x * rcp_ftz(by<S>(1.0f, 0x1.fffffcp-1f) + logistic_exp<S>(x, 0x1.4p-23f, 0x1.8bcd22p-15f));
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

// x sigmoid(2u), 2u = sqrt(8/pi) (x + 0.044715 x^3); the constants times log2(e). From -10 on: the reciprocal
// must not be subnormal.
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

// Phi(-t) / exp(-t^2 / 2), a rational function whose coefficients are positive, so that nothing cancels: right
// to 2^-23.5 up to t = 6.5, or to 2^-21.3 up to 14.
template <bool far>
TILEOPS_FORM mills(float t) {
  float n = fma(far ? 0x1.174ffp-6f : 0x1.c7c29ep-7f, t, far ? 0x1.e99adep-4f : 0x1.b1307cp-4f);
  n = fma(n, t, far ? 0x1.72a8f6p-2f : 0x1.5921aep-2f);
  n = fma(n, t, far ? 0x1.fffff4p-2f : 0x1.fffffep-2f);
  float d = fma(far ? 0x1.5e1b62p-5f : 0x1.1dc182p-5f, t, far ? 0x1.329b5ep-2f : 0x1.0ef06cp-2f);
  d = fma(d, t, far ? 0x1.e829c4p-1f : 0x1.c5a3eap-1f);
  d = fma(d, t, far ? 0x1.85956ap+0f : 0x1.78d2bap+0f);
  return n * rcp_ftz(fma(d, t, 1.0f));
}

// max(x, 0) - |x| Phi(-|x|), for operands whose squares are exact; left of the ranges of `mills` it rounds to -0.
// bf16: the exponential is held 2^64 higher, since results are subnormal from -13.2 on.
template <class S>
TILEOPS_FORM gelu_form(float x) {
  constexpr float k = -0.5f * kLog2e;
  const float ax = abs(x), right = max_nan(x, -0.0f);
  if constexpr (same_v<S, bf16>) {
    const float t = ax < 14.0f ? ax : 14.0f;
    const float e = exp2_ftz(fma(t * t, k, 64.0f));
    return fma(t * e * mills<true>(t), -0x1p-64f, right);
  } else {
    const float t = ax < 6.5f ? ax : 6.5f;
    return fma(-t * exp2_ftz(t * t * k), mills<false>(t), right);
  }
}

// 2^(t + t_lo) for |t| < 126, 4 ulp.
static __device__ __forceinline__ float exp2_of(float t, float t_lo) {
  const float y = exp2_ftz(t);
  return fma(y, t_lo * kLn2, y);
}

// The gates, for gates that are 16-bit floats: their squares are exact. f16 needs better ones than bf16,
// whose plain forms of silu and gelu have 7 and 13 ulp right of the gated forms' tails.
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

// As gelu_tanh_form, the exponent in two terms: b - p is exact from -6.2 on.
TILEOPS_FORM gelu_tanh_gate(float x) {
  constexpr float a = 0x1.a5a7dp-4f, a_lo = -0x1.151aaep-29f, b = 0x1.26aec2p+1f, b_lo = 0x1.bce75ap-27f;
  const float c = min_nan(x, 16.0f), square = c * c, p = fma(a, square, b);
  const float p_lo = fma(a, square, b - p) + fma(a_lo, square, b_lo);
  const float v = c * p, v_lo = fma(c, p_lo, fma(c, p, -v));
  return x * rcp_ftz(1.0f + exp2_of(-v, -v_lo));
}

// n / (n + 2), n = e (e + 2), e = exp(x); from 20 on it is 1.
template <class S>
TILEOPS_FORM mish_form(float x) {
  const float c = x < 20.0f ? x : 20.0f;
  const float e = same_v<S, bf16> ? exp(c) : exp_form<f16>(c, -0x1.5bp-20f, 0x1.8b8d6p-15f);
  const float n = fma(e, e, e + e);
  return x * (n * rcp_ftz(n + by<S>(2.0f, 0x1.ffffdep+0f)));
}

// sin(r) / r for |r| <= pi/2, to 2^-27; the constants of f16 are those of sin. `last` is the highest one.
template <class S>
TILEOPS_FORM sine_ratio(float r, float last = by<S>(0x1.5dc848p-19f, 0x1.5be678p-19f)) {
  const float z = r * r;
  float p = fma(last, z, by<S>(-0x1.9f70eap-13f, -0x1.9f8d6cp-13f));
  p = fma(p, z, by<S>(0x1.110edap-7f, 0x1.1112bcp-7f));
  p = fma(p, z, by<S>(-0x1.55554cp-3f, -0x1.5555a4p-3f));
  return fma(p, z, by<S>(1.0f, 0x1.000002p+0f));
}
// x minus `halves` half turns, pi in three parts of one sign so that -0 stays. |x| <= 2^17.
TILEOPS_FORM less_half_turns(float x, float halves, float second = -0x1.4442dp-23f) {
  float r = fma(halves, -0x1.921fb4p+1f, x);
  r = fma(halves, second, r);
  return fma(halves, -0x1.846988p-47f, r);
}
template <class S>
TILEOPS_FORM sin_form(float x) {
  const float k = fma(x, 0x1.45f306p-2f, kRound);
  const float r = less_half_turns(x, k - kRound);
  return from_bits(to_bits(r * sine_ratio<S>(r)) ^ (to_bits(k) << 31));
}
template <class S>
TILEOPS_FORM cos_form(float x) {
  const float k = fma(x, 0x1.45f306p-2f, 0.5f) + kRound;
  const float r = less_half_turns(x, (k - kRound) - 0.5f, by<S>(-0x1.4442dp-23f, -0x1.4442cp-23f));
  const float ratio = sine_ratio<bf16>(r, by<S>(0x1.5dc848p-19f, 0x1.5e28dp-19f));
  return from_bits(to_bits(r * ratio) ^ (to_bits(k) << 31));
}

#undef TILEOPS_FORM

}  // namespace approx

}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

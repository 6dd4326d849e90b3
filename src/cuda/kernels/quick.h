// The policy of f32 results that need not have the CPU's bits: forms without tables, where those of
// the CPU take sixteen entries at a time out of vector registers, which a GPU thread does not have.
// The bounds are maxima over all 2^32 inputs.
#ifndef TILEOPS_KERNELS_QUICK_H
#define TILEOPS_KERNELS_QUICK_H

#include "cuda/kernels/fast_pairs.h"
#include "cuda/kernels/position_forms.h"

namespace tileops {
namespace device {
inline namespace TILEOPS_DEVICE_NS {
namespace table_free {

#define TILEOPS_FORM static __device__ __forceinline__ float

// As divide_terms (math/terms.h): what the reciprocal's last bit does to the quotient, the remainder sees.
// b in [2^-126, 2^126]. A division is ten instructions and a branch.
TILEOPS_FORM divide_terms(float a, float a_lo, float b, float b_lo) {
  const float inv = approx::rcp_ftz(b);
  const float q = a * inv;
  const float rest = fma(-q, b, a) + fma(-q, b_lo, a_lo);
  return fma(rest, inv, q);
}

// 0.50 ulp: one Newton step with the residual 1 - x y^2 in full.
TILEOPS_FORM rsqrt(float x) {
  const float y = approx::rsqrt(x);
  const float h = x * y, h_lo = fma(x, y, -h);
  const float e = fma(-h_lo, y, fma(-h, y, 1.0f));
  const float z = fma(0.5f * y, e, y);
  return (x > 0.0f) & (x < limits<float>::inf()) ? z : y;
}

// n / (1 + exp(-x - x_lo)) as in math/f32_logistic.h. -110 <= x <= 30 or NaN. From e^16 on the sum with 1 loses up
// to 1.4 ulp, which gelu_tanh gets back: 1.09 ulp instead of 2.16, where silu and sigmoid have 1.6.
template <bool keeps_one>
TILEOPS_FORM over_one_plus_exp(float n, float x, float x_lo) {
  constexpr float scale = 0x1p-36f, round = kRound + (127.0f - 36.0f);
  const float t = fma(x, -f32::kLog2e, round);
  const float k = t - round;
  const float r_hi = fma(k, -f32::kLn2Hi, -x);
  const float r = keeps_one ? r_hi + fma(k, -f32::kLn2Lo, -x_lo) : fma(k, -f32::kLn2Lo, r_hi);
  const float p = fma(r * r, f32::exp_q(r), r);
  const float s = power_of_biased(t);
  const float a = s + scale;
  const float d = fma(s, p, a);
  float d_lo = fma(s, p, a - d);
  if constexpr (keeps_one) d_lo += scale - (a - s);
  const float inv = approx::rcp_ftz(d);
  const float q = n * inv;
  return fma(fma(-q, d_lo, fma(-q, d, n)), inv, q) * scale;
}
TILEOPS_FORM sigmoid(float x) {
  return approx::if_above(x, 30.0f, 1.0f, over_one_plus_exp<false>(1.0f, approx::max_nan(x, -110.0f), 0.0f));
}
TILEOPS_FORM silu(float x) {
  const float c = approx::max_nan(x, -110.0f);
  return approx::if_above(x, 30.0f, x, copysign(over_one_plus_exp<false>(c, c, 0.0f), x));  // copysign for -0
}

// The exponent reaches -107 where results vanish, and 25 where they are x.
TILEOPS_FORM gelu_tanh(float x) {
  const float c = approx::max_nan(x, -10.8f);
  const two_terms<float> v = gelu_tanh_argument(c);
  return approx::if_above(x, 6.0f, x, copysign(over_one_plus_exp<true>(c, v.hi, v.lo), x));
}

// As in math/formulas.h, whose two sides this computes without branches.
TILEOPS_FORM mish(float x) {
  const float c = min_bits(abs(x), 110.0f);
  const u32 left = sign_mask(x);
  const exp_parts_t<float> e = f32::exp_parts(-c, 0.0f);
  const float s = e.s1 * e.s2;
  const float b = s * e.hi, b_lo = s * e.lo;
  const float twice = pick(left, 1.0f, 2.0f), base = pick(left, 2.0f, 1.0f);
  const float m = fma(twice, b, 2.0f);
  const float m_lo = fma(twice, b_lo, fma(twice, b, 2.0f - m));
  const float d = fma(b, m, base);
  const float d_lo = fma(b, m, base - d) + fma(b, m_lo, b_lo * m);
  const two_terms<float> l = two_prod(e.hi, m);
  const float f = pick(left, l.hi, m - 1.0f);
  const float f_lo = pick(left, l.lo + fma(e.hi, m_lo, e.lo * m), m_lo);
  const two_terms<float> n = two_prod(c, f);
  const float q = divide_terms(n.hi, fma(c, f_lo, n.lo), d, d_lo);
  const float y = copysign(q * pick(left, e.s1, 1.0f) * pick(left, e.s2, 1.0f), x);
  const float far = approx::if_above(0.0f, x, -0.0f, x);
  return x != x ? x : approx::if_above(abs(x), 110.0f, far, y);
}

// 0.88 ulp.
TILEOPS_FORM log(float x) {
  const f32::mant_exp s = f32::split(x);
  const float f = s.m - 1.0f;
  // e * ln2 + f in two terms; |e * ln2| >= |f| unless e = 0.
  const float a = s.e * f32::kLn2Hi;
  const float hi = a + f;
  const float lo = (a - hi) + f;
  const float y = hi + (lo + fma(f * f, f32::log_q(f), s.e * f32::kLn2Lo));
  const float r = x > 0.0f ? y : (x == 0.0f ? -limits<float>::inf() : limits<float>::nan());
  return x < limits<float>::inf() ? r : x;
}

// tanh = h / (h + 1) with h = expm1(2|x|) / 2; 1 from 9.02 on. 0.77 ulp.
TILEOPS_FORM tanh(float x) {
  const float ax = abs(x);
  const two_terms<float> e = f32::half_expm1(2.0f * min_bits(ax, 10.0f));
  const float h = e.hi + e.lo;
  const float h_lo = (e.hi - h) + e.lo;
  const float d = 1.0f + h;
  // Fast2Sum needs the larger term first; h may be either.
  const float d_lo = (h > 1.0f ? (h - d) + 1.0f : (1.0f - d) + h) + h_lo;
  const float y = divide_terms(h, h_lo, d, d_lo);
  return ax >= 0x1p-13f ? copysign(y, x) : x;
}

// Roughly 1 / x, within 7%, for a positive normal x. Enough to apply a correction.
TILEOPS_FORM rough_inverse(float x) { return from_bits(0x7ef00000u - to_bits(x)); }

// max(x, 0) - |x| Phi(-|x|), where for t = |x| <= 13.3, with a relative error of 2^-27.3,
//   t Phi(-t) = exp(-t^2/2) / 2 * A / (1 + c A + t N),  A = t + t^2/2 M.
// Every coefficient is positive, so nothing cancels. 1.93 ulp.
TILEOPS_FORM gelu(float x) {
  const float t = min_bits(abs(x), 14.5f);  // Phi(-14.5) * 14.5 < 2^-151
  // -t^2/2 = n ln2 + r0 + u. The fma takes the square unrounded: one rounding of it would cost 50 ulp
  // at the end. The low bits of k hold n + 63, so that the scale is a normal number.
  constexpr float kRound63 = kRound + 63.0f;
  const float h = -0.5f * t;
  const float z = h * t;
  const float k = fma(z, f32::kLog2e, kRound63);
  const float n = k - kRound63;
  const float r0 = fma(h, t, n * -f32::kLn2Hi);
  const float u = n * -f32::kLn2Lo;
  const float r = r0 + u;
  float m = fma(0x1.05d732p-6f, t, 0x1.463d2p-3f);
  m = fma(m, t, 0x1.725dc8p-1f);
  m = fma(m, t, 0x1.bd8564p+0f);
  const float a = fma(z, -m, t);
  float p = fma(0x1.2cac82p-17f, t, 0x1.42e166p-7f);
  p = fma(p, t, 0x1.a1e224p-4f);
  p = fma(p, t, 0x1.a8b38p-2f);
  p = p * t;
  constexpr float c = 0x1.40d8p+0f;
  const float b = fma(c, a, p);
  const float b_lo = fma(c, a, p - b);
  const float d = 1.0f + b;
  const float d_lo = ((1.0f - d) + b) + b_lo;
  const float inner = fma(r * r, f32::exp_q(r), u);
  // a / d, its relative error so far, and the exponential: q (1 + error) (1 + r0 + inner).
  const float s = from_bits(to_bits(d) - (to_bits(k) << 23));  // d * 2^-(n + 63)
  // The division, rounded as such: an ulp more here is 0.1 ulp of the result.
  const float inv = approx::rcp_ftz(s), q0 = a * inv;
  const float q = fma(fma(-q0, s, a), inv, q0);
  const float error = fma(fma(-q, s, a), rough_inverse(a), -(d_lo * rough_inverse(d)));
  const float tail = fma(q, r0 + fma(error, 1.0f + r0, inner), q);
  const float right = x < 0.0f ? -0.0f : x;  // also keeps NaN and -0
  return fma(-tail, 0x1p-64f, right);        // where this is subnormal, it rounds last
}

#undef TILEOPS_FORM

}  // namespace table_free

struct quick : same_bits {
  static __device__ __forceinline__ float rsqrt(float x) { return table_free::rsqrt(x); }
  static __device__ __forceinline__ float log(float x) { return table_free::log(x); }
  static __device__ __forceinline__ float tanh(float x) { return table_free::tanh(x); }
  static __device__ __forceinline__ float gelu(float x) { return table_free::gelu(x); }
};

// nvcc takes these for host functions too, as the templates are, and so must not see what they call.
#if defined(__CUDA_ARCH__)
#define TILEOPS_QUICK(name)                                            \
  template <>                                                          \
  __device__ __forceinline__ float name<quick, float>(float x) {       \
    return table_free::name(x);                                        \
  }
TILEOPS_QUICK(sigmoid)
TILEOPS_QUICK(silu)
TILEOPS_QUICK(gelu_tanh)
TILEOPS_QUICK(mish)
#undef TILEOPS_QUICK
#endif

namespace op {

template <>
struct remainder<quick, float> : remainder<same_bits, float> {
  using base = remainder<same_bits, float>;
  using base::base;
};
template <>
struct floor_divide<quick, float> : floor_divide<same_bits, float> {
  using base = floor_divide<same_bits, float>;
  using base::base;
};
template <>
struct rope_table<quick, float> : rope_table<same_bits, float> {
  using base = rope_table<same_bits, float>;
  using base::base;
};
template <>
struct dropout<quick, float> : dropout<same_bits, float> {
  using base = dropout<same_bits, float>;
  using base::base;
};

}  // namespace op
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device
}  // namespace tileops

#endif

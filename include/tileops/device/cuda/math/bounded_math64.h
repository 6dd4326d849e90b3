// SPDX-License-Identifier: Apache-2.0
// The formulas of the policy `bounded` (forms/bounded.h) in f64, exponentials and what is made of them: without
// branches, IEEE divisions, and sums in two terms where one will do. A multiprocessor of an H200 has time for 62 f64
// instructions and 124 of all kinds while it reads and writes an element, and every f64 constant costs two a thread
// (from constant memory one) unless it has 21 bits, which an instruction holds: coefficients of the highest powers do.
// Coefficients: tools/minimax_gpu.py.
//
// The bounds are the largest errors over 2^24 inputs (tests/gpu/f64_errors.cu says which), computed on a CPU with
// reciprocals to start from that were off by up to 2^-18.7; the f64 instructions are those of an element, DSETP
// included, beside what the portable forms take.
#ifndef TILEOPS_DEVICE_CUDA_MATH_BOUNDED_MATH64_H
#define TILEOPS_DEVICE_CUDA_MATH_BOUNDED_MATH64_H

#include "../common/approximations.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace table_free {

#define TILEOPS_FORM static __device__ __forceinline__ double

// 21 bits each but the last; errors of a multiple of ln2 in r do not matter.
constexpr double kShortLog2e = 0x1.71547p+0, kShortLn2 = 0x1.62e43p-1, kShortLn2Lo = -0x1.05c610ca86c39p-29;

// ((p x + k[0]) x + k[1]) ... with coefficients in constant memory, which saves an instruction for each.
#define TILEOPS_COEFFICIENTS static __constant__ double
template <int N>
TILEOPS_FORM horner(double p, double x, const double (&k)[N]) {
#pragma unroll
  for (int i = 0; i < N; ++i) p = fma(p, x, k[i]);
  return p;
}

// The smaller of two numbers of one sign in magnitude, but of the limit 21 bits; x where the signs differ and x is
// positive. NaN may be lost.
TILEOPS_FORM held(double x, double limit) {
  const u32 a = approx::upper(x), b = approx::upper(limit);
  return approx::with_upper(a < b ? a : b, x);
}

// 2^k, where t = k + kRoundMagic, times a power of two.
TILEOPS_FORM power_of(double t, double times = 1.0) { return from_bits((to_bits(t) << 52) + to_bits(times)); }

TILEOPS_COEFFICIENTS kExpm1Tail[] = {0x1.a01998b49609p-16, 0x1.a01a01299565ap-13, 0x1.6c16c184a3db6p-10,
                                     0x1.1111111128841p-7, 0x1.555555555065p-5,   0x1.55555555554f4p-3,
                                     0x1.000000000000ap-1};

// (e^r - 1 - r) / r^2 for |r| <= ln2/2, to 2^-57.7 of e^r.
TILEOPS_FORM expm1_tail(double r) {
  double q = fma(0x1.ad92p-26, r, 0x1.28aecp-22);
  q = fma(q, r, 0x1.71df2p-19);
  return horner(q, r, kExpm1Tail);
}
TILEOPS_FORM expm1_near(double r) { return fma(r * r, expm1_tail(r), r); }

// e^(x + lo) = power / times e^r = power / times (1 + rest). The power must be normal.
struct reduced {
  double power, r;
};
struct exponential {
  double power, rest;
};
template <class... Lo>
static __device__ __forceinline__ reduced reduce(double times, double x, Lo... lo) {
  const double t = fma(x, kShortLog2e, f64::kRoundMagic);
  const double k = t - f64::kRoundMagic;
  const double r = fma(-k, kShortLn2Lo, fma(-k, kShortLn2, x));  // the inner one is exact
  return {power_of(t, times), (r + ... + lo)};
}
template <class... Lo>
static __device__ __forceinline__ exponential exp_of(double times, double x, Lo... lo) {
  const reduced e = reduce(times, x, lo...);
  return {e.power, expm1_near(e.r)};
}

// 1 / d = start (1 + rest), where the start has so few bits that its product with one such number is exact.
struct inverse {
  double start, rest;
};
static __device__ __forceinline__ inverse inverse_of(double d, double d_lo) {
  const double y = approx::rcp_start(d);
  const double e = fma(-d_lo, y, fma(-d, y, 1.0));
  return {y, fma(e, e, e)};
}
// (n + n_lo) times that; 0 keeps its sign.
TILEOPS_FORM times(double n, double n_lo, inverse i) {
  const double a = n * i.start;
  const double excess = fma(-n_lo, i.start, fma(-n, i.start, a));
  return a - fma(-a, i.rest, excess);
}
TILEOPS_FORM times(double n, inverse i) {
  const double a = n * i.start;
  return a - fma(-a, i.rest, fma(-n, i.start, a));
}

// 1 / (1 + e^(-x - lo)) as multiples of 2^-100, for -770 <= x <= 60 or NaN: where a result is subnormal it is
// rounded by the product with that.
template <class... Lo>
static __device__ __forceinline__ inverse logistic(double x, Lo... lo) {
  constexpr double one = 0x1p-100;
  const exponential e = exp_of(one, -x, -lo...);
  const double d = fma(e.power, e.rest, e.power + one);
  return inverse_of(d, fma(e.power, e.rest, e.power - d) + one);
}

// 1.49 ulp, 27 of 52.
TILEOPS_FORM sigmoid(double x) {
  const double c = approx::if_above(-760.0, x, -760.0, x);
  const inverse i = logistic(approx::if_above(c, 40.0, 40.0, c));
  return fma(i.start, i.rest, i.start) * 0x1p-100;
}
// 1.49 ulp, 29 of 53.
TILEOPS_FORM silu(double x) {
  const double c = held(x, -760.0);
  return approx::if_above(40.0, x, times(c, logistic(c)) * 0x1p-100, x);
}

// x / (1 + e^-v), v = x (linear + cubic x^2) in two terms. `linear` has so few digits that what the sum with it
// loses is a number. 1.48 ulp, 41 of 73.
TILEOPS_FORM gelu_tanh(double x) {
  constexpr double linear = 0x1.9884533d44p+0, linear_lo = -0x1.35ee5e0698760p-41;
  using k = gelu_tanh_constants<double>;
  const double c = held(x, -21.75);  // v = -769
  const double z = c * c, z_lo = fma(c, c, -z);
  const double m = fma(k::cubic, z, linear);
  const double m_lo = fma(k::cubic, z, linear - m) + fma(k::cubic, z_lo, fma(k::cubic_lo, z, linear_lo));
  const double v = c * m, v_lo = fma(c, m_lo, fma(c, m, -v));
  return approx::if_above(12.0, x, times(c, logistic(v, v_lo)) * 0x1p-100, x);
}

// x n / (n + 2), n = e (e + 2), e = exp(x) in two terms; on the left as multiples of 2^-100. 1.10 ulp, 43 of 68.
TILEOPS_FORM mish(double x) {
  constexpr double scale = 0x1p-100;
  const double c = held(x, -760.0);
  const exponential p = exp_of(0x1p100, c);
  const double e = fma(p.power, p.rest, p.power), e_lo = fma(p.power, p.rest, p.power - e);
  const double m = fma(e, scale, 2.0);
  const double m_lo = fma(e_lo, scale, fma(e, scale, 2.0 - m));
  const double n = e * m, n_lo = fma(e_lo, m, fma(e, m_lo, fma(e, m, -n)));
  const double d = fma(n, scale, 2.0);
  const double d_lo = fma(n_lo, scale, fma(n, scale, 2.0 - d));
  const double a = c * n, a_lo = fma(c, n_lo, fma(c, n, -a));
  return approx::if_above(20.0, x, times(a, a_lo, inverse_of(d, d_lo)) * scale, x);
}

// Half of e^x - 1. With e^x = 2 s e^r: the sum of s r and s - 1/2 keeps what r alone would lose against the rest of
// e^r - 1.
static __device__ __forceinline__ two_terms<double> half_expm1(double x) {
  const double low = approx::if_above(-40.0, x, -40.0, x);
  const reduced e = reduce(0.5, approx::if_above(low, 710.0, 710.0, low));  // 2^1023 is the largest power
  const double lead = fma(e.power, e.r, e.power - 0.5), rest = e.r * e.r * expm1_tail(e.r);
  const double y = fma(e.power, rest, lead);
  return {y, fma(e.power, rest, lead - y)};
}
// Twice that; x itself keeps -0, and the last bit of a subnormal number.
TILEOPS_FORM doubled(double half, double x) { return approx::if_above(0x1p-54, abs(x), x, half + half); }
// 1.51 ulp, 22 of 41.
TILEOPS_FORM expm1(double x) { return doubled(half_expm1(x).hi, x); }

// The factor would make more than 2 ulp of the error of e^x - 1 as one number. 1.27 ulp.
TILEOPS_FORM selu(double x) {
  using k = selu_constants<double>;
  const two_terms<double> half = half_expm1(x);
  const double e = doubled(half.hi, x);
  const double y = fma(e, k::scale_alpha, fma(e, k::scale_alpha_lo, 2.0 * k::scale_alpha * half.lo));
  const double z = fma(x, k::scale, x * k::scale_lo);
  const double p = x < limits<double>::inf() ? z : x;
  return x > 0.0 ? p : (x < 0.0 ? y : x);
}

// -n / (2 + n), n = expm1(-2|x|). 1.47 ulp, 33 of 58.
TILEOPS_FORM tanh(double x) {
  const double ax = abs(x);
  const exponential e = exp_of(1.0, -2.0 * approx::if_above(ax, 20.0, 20.0, ax));
  const double b = e.power - 1.0;
  const double n = fma(e.power, e.rest, b), n_lo = fma(e.power, e.rest, b - n);
  const double d = 2.0 + n, d_lo = ((2.0 - d) + n) + n_lo;
  return copysign(times(n, n_lo, inverse_of(d, d_lo)), x);
}

#undef TILEOPS_FORM

}  // namespace table_free
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

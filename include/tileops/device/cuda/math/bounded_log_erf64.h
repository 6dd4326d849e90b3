// SPDX-License-Identifier: Apache-2.0
// The formulas of the policy `bounded` in f64, logarithms and the normal distribution; see bounded_math64.h, also for
// the figures.
#ifndef TILEOPS_DEVICE_CUDA_MATH_BOUNDED_LOG_ERF64_H
#define TILEOPS_DEVICE_CUDA_MATH_BOUNDED_LOG_ERF64_H

#include "bounded_math64.h"

namespace tileops {
namespace device_detail {
inline namespace TILEOPS_DEVICE_NS {
namespace table_free {

#define TILEOPS_FORM static __device__ __forceinline__ double

TILEOPS_COEFFICIENTS kSoftplus[] = {0x1.106818088dfdap-18, 0x1.3b1dd5666bfe1p-16, 0x1.745cb4441b901p-14,
                                    0x1.c71c741ab96dep-12, 0x1.249249208f317p-9,  0x1.99999999a071cp-7,
                                    0x1.5555555555535p-4};

// log1p(E) / beta, E = e^-|y|, and x where y = beta x > 0; x above the threshold. log1p(E) = g + g z R(z), g = E / (1 +
// E/2), z = g^2, to 2^-59.4; E as a multiple of 2^-100. 1.14 ulp for beta = 1, 1.68 for 3e-5 (subnormal results); 60 of
// 138.
TILEOPS_FORM softplus(double x, double beta, double threshold) {
  // These depend on beta alone. Of a tiny 1 / beta there is nothing to scale: results vanish before E does.
  const double abs_beta = abs(beta), inv = 1.0 / beta;
  const bool tiny = abs(inv) < 0x1p-900;
  const double scale = tiny ? 1.0 : 0x1p-100, power = tiny ? 1.0 : 0x1p100, inv_scaled = inv * scale;
  const bool finite = abs(inv) < limits<double>::inf();  // beta may be 0: no inf * 0
  const double inv_error = finite ? fma(-inv, beta, 1.0) * inv_scaled : 0.0;
  const double inv_finite = finite ? inv_scaled : 0.0;
  const double end = (tiny ? 300.0 : 760.0) * abs(inv);
  const double c = held(abs(x), end);
  const double t = fma(abs_beta * c, -kShortLog2e, f64::kRoundMagic);
  const double k = t - f64::kRoundMagic;
  const double r = fma(-k, kShortLn2Lo, fma(-abs_beta, c, k * -kShortLn2));  // the product unrounded
  const double p = expm1_near(r), s = power_of(t, power);
  const double e = fma(s, p, s), e_lo = fma(s, p, s - e);
  const double d = fma(e, 0.5 * scale, 1.0), d_lo = fma(e, 0.5 * scale, 1.0 - d);
  const inverse i = inverse_of(d, d_lo);
  const double start = e * i.start;
  const double correction = fma(start, i.rest, fma(e_lo, i.start, fma(e, i.start, -start)));
  const double g = start + correction, g_lo = (start - g) + correction;
  const double w = g * scale;
  const double z = w * w;
  double q = fma(0x1.5c626p-24, z, 0x1.55c8dp-23);
  q = fma(q, z, 0x1.efd3p-21);
  q = horner(q, z, kSoftplus);
  const double rest = fma(g * z, q, g_lo);
  const double right = static_cast<i64>(to_bits(beta) ^ to_bits(x)) < 0 ? 0.0 : x;  // y > 0
  const double more = inv_error == 0.0 ? right : fma(g, inv_error, right);
  const double value = fma(g, inv_scaled, fma(rest, inv_finite, more));
  return product_beyond(x, beta, threshold) <= 0.0 ? value : x;  // NaN is x, too
}

TILEOPS_COEFFICIENTS kLogMantissa[] = {0x1.74664008cfde9p-3, 0x1.c71c52045c58dp-3, 0x1.24924941f397ap-2,
                                       0x1.999999997fe45p-2, 0x1.5555555555592p-1};

// log(1 + f) = lead + lo: f - f^2/2 is kept in two terms, the rest is below 5 % of the result. As f64::log_mantissa,
// to 2^-58.
static __device__ __forceinline__ f64::pair log_mantissa(double f) {
  const double s = f * approx::rcp_normal(2.0 + f);
  const double z = s * s;
  double p = fma(0x1.2f065p-3, z, 0x1.39a1ap-3);
  p = horner(p, z, kLogMantissa);
  const double half = 0.5 * f;
  const double square = half * f;
  const double lead = f - square;
  return {lead, fma(s, fma(z, p, square), (f - lead) - square)};
}

// 0.67 ulp, 34 of 40.
TILEOPS_FORM log(double x) {
  const f64::split_double d = f64::split_exponent(x);
  return f64::log_specials(x, f64::add_k_ln2(d.exponent, log_mantissa(d.mantissa - 1.0)));
}

// 1 + x = 2^k (1 + f), where f = 2^-k x + (2^-k - 1) is rounded once, and is x for k = 0. By way of 2^(2 - k), which
// is normal. 1.37 ulp, 35 of 59.
TILEOPS_FORM log1p(double x) {
  const u64 k = (to_bits(1.0 + x) - 0x3fe6a09e667f3bcdull) & 0xfff0000000000000ull;
  const double power = from_bits((u64{1025} << 52) - k);
  const double f = fma(0.25 * x, power, fma(power, 0.25, -1.0));
  // k as an integer in the low bits of a number.
  const u64 low_bits = static_cast<u64>(static_cast<i64>(k) >> 52);
  const double exponent = from_bits(f64::kRoundMagicBits + low_bits) - f64::kRoundMagic;
  const double y = f64::add_k_ln2(exponent, log_mantissa(f));
  const double low = x == -1.0 ? -limits<double>::inf() : limits<double>::nan();
  const double r = approx::if_above(x, -1.0, y, low);
  return (abs(x) < 0x1p-54) | !(x < limits<double>::inf()) ? x : r;
}

TILEOPS_COEFFICIENTS kErfSmall[] = {-0x1.f4bda0cf1e8ebp-17, 0x1.f9a24365e3cf3p-14, -0x1.c02dada05a8f2p-11,
                                    0x1.565bccf0d3fcfp-8,   -0x1.b82ce311db32dp-6, 0x1.ce2f21a04065p-4,
                                    -0x1.812746b0379aap-2,  0x1.06eba8214db68p-3};
TILEOPS_COEFFICIENTS kErfLarge[] = {-0x1.b5e725e00b826p-20, 0x1.f268f0db4d48dp-18,  -0x1.b97e1ebb09b27p-16,
                                    0x1.25530c496174dp-14,  -0x1.fd24133e3c443p-14, 0x1.4bb482be2ea9ap-15,
                                    0x1.1562fc561d085p-11,  -0x1.b0a017ab7f312p-10, 0x1.7d6290fe3403fp-13,
                                    0x1.399b7142e998p-6,    -0x1.a4f971356ddb4p-4,  -0x1.45f2e39d271c9p-1,
                                    -0x1.20dd77ae577a4p+0,  0x1.8418dc39a2bd2p-27};

// x (1 + P(x^2)) below 0.8, to 2^-56; from there 1 - e^L, L = log(erfc(x)).
// 1.13 ulp, 48 of 106.
TILEOPS_FORM erf(double x) {
  const double ax = abs(x), z = x * x;
  double p = fma(0x1.7c312p-27, z, -0x1.53cd2p-23);
  p = fma(p, z, 0x1.b8ad1p-20);
  p = horner(p, z, kErfSmall);
  const double small = fma(x, p, x);
  const double c = held(ax, 5.9375);  // log(erfc) < -36.9
  double l = fma(-0x1.f8222p-43, c, 0x1.8134fp-37);
  l = fma(l, c, -0x1.157f9p-32);
  l = fma(l, c, 0x1.f52f6p-29);
  l = fma(l, c, -0x1.3df0dp-25);
  l = fma(l, c, 0x1.2ca94p-22);
  l = horner(l, c, kErfLarge);
  // e^L is below 0.26, and takes no second term of ln2.
  const double t = fma(l, kShortLog2e, f64::kRoundMagic);
  const double rest = expm1_near(fma(t - f64::kRoundMagic, -0x1.62e42fefa39efp-1, l)), power = power_of(t);
  const double large = fma(-power, rest, 1.0 - power);
  return approx::if_above(ax, 0.8, copysign(large, x), small);
}

TILEOPS_COEFFICIENTS kGeluM[] = {0x1.2060898d6a967p-15, 0x1.0b0946923a006p-11, 0x1.3cf4bf85a6cf6p-8,
                                 0x1.08dbd2ae20f9bp-5,  0x1.442a05bf36b63p-3,  0x1.25bba6471677bp-1,
                                 0x1.857d1c0e184acp+0,  0x1.6b1ae5b983c15p+1,  0x1.b18368fafc532p+1};
TILEOPS_COEFFICIENTS kGeluN[] = {0x1.696d561ab735dp-16, 0x1.4d2cbf8e77ac3p-12, 0x1.879923d980dfap-9,
                                 0x1.419c266747b08p-6,  0x1.7e5590ed77889p-4,  0x1.49dbe14a29c42p-2,
                                 0x1.914a35c67155bp-1,  0x1.3cec609a3b957p+0};

// As in f32 (bounded_math.h), to 2^-57.7; with the square root of pi/2 for c, N is a degree less than M. 1.88 ulp, 54
// of 120.
TILEOPS_FORM gelu(double x) {
  const double t = held(abs(x), 38.625);  // 38.625 Phi(-38.625) < 2^-1076
  const double h = -0.5 * t, z = h * t;
  const double shifted = fma(z, kShortLog2e, f64::kRoundMagic);
  const double k = shifted - f64::kRoundMagic;
  const double r = fma(k, -kShortLn2Lo, fma(h, t, k * -kShortLn2));  // the square enters unrounded
  const double rest = r * r * expm1_tail(r);                         // e^r - 1 - r
  const double m = horner(0x1.33822b245f362p-20, t, kGeluM);
  const double a = fma(z, -m, t);
  const double p = horner(0x1.81679b522d068p-21, t, kGeluN);
  constexpr double c = 0x1.40d931ff62706p+0;
  const double d = fma(c, a, fma(p, t, 1.0));
  const inverse i = inverse_of(d, fma(p, t, fma(c, a, 1.0 - d)));
  const double start = a * i.start, more = fma(start, i.rest, fma(a, i.start, -start));
  const double q = start + more, tail = start + fma(q, r, fma(q, rest, more));
  // Where this is subnormal, it rounds last.
  return fma(-(tail * power_of(shifted, 0x1p99)), 0x1p-100, approx::if_above(0.0, x, -0.0, x));
}

#undef TILEOPS_FORM

}  // namespace table_free
}  // namespace TILEOPS_DEVICE_NS
}  // namespace device_detail
}  // namespace tileops

#endif

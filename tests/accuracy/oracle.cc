#include "oracle.h"

#include <cmath>
#include <cstring>

namespace {

// Composed ops work with this many bits before the last step.
constexpr mpfr_prec_t kWork = 512;
// Enough for sums and integer quotients of doubles without any rounding: exponents differ by at
// most 2098, lerp multiplies three numbers.
constexpr mpfr_prec_t kWide = 6600;

class Number {
 public:
  explicit Number(mpfr_prec_t precision = kWork) { mpfr_init2(v_, precision); }
  Number(double x, mpfr_prec_t precision) {
    mpfr_init2(v_, precision);
    mpfr_set_d(v_, x, MPFR_RNDN);
  }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  ~Number() { mpfr_clear(v_); }
  operator mpfr_ptr() { return v_; }

 private:
  mpfr_t v_;
};

// MPFR has these as macros, which do not see through Number.
int Sign(mpfr_srcptr v) { return mpfr_sgn(v); }
bool IsZero(mpfr_srcptr v) { return mpfr_zero_p(v) != 0; }
bool IsNumber(mpfr_srcptr v) { return mpfr_number_p(v) != 0; }
bool IsNan(mpfr_srcptr v) { return mpfr_nan_p(v) != 0; }
bool IsInf(mpfr_srcptr v) { return mpfr_inf_p(v) != 0; }
mpfr_exp_t Exponent(mpfr_srcptr v) { return mpfr_get_exp(v); }

// Rounding to odd, given a value cut toward zero and MPFR's ternary value of that operation.
void MakeOdd(mpfr_t v, int ternary) {
  if (ternary == 0 || !mpfr_regular_p(v)) return;
  if (mpfr_min_prec(v) == mpfr_get_prec(v)) return;  // the last bit is set already
  if (mpfr_signbit(v)) {
    mpfr_nextbelow(v);
  } else {
    mpfr_nextabove(v);
  }
}

void SetOdd(mpfr_t out, mpfr_t v) { MakeOdd(out, mpfr_set(out, v, MPFR_RNDZ)); }

using Unary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

void Apply(mpfr_t out, Unary f, double x) {
  Number v(x, 53);
  MakeOdd(out, f(out, v, MPFR_RNDZ));
}

bool Finite(double x) { return std::isfinite(x); }

// x - x*t for x > 0 and 0 < t < 1, cut properly even where t is far below the last bit of x.
void TimesOneMinus(mpfr_t out, double x, mpfr_t t) {
  Number xt;
  mpfr_mul_d(xt, t, x, MPFR_RNDN);
  Number v(x, 53);
  MakeOdd(out, mpfr_sub(out, v, xt, MPFR_RNDZ));
}

// x * s(u) for finite x, s the logistic function.
void TimesSigmoid(mpfr_t out, double x, mpfr_t u) {
  Number e;
  if (Sign(u) > 0) {  // x (1 - e/(1+e)), e = exp(-u)
    mpfr_neg(e, u, MPFR_RNDN);
    mpfr_exp(e, e, MPFR_RNDN);
    Number d;
    mpfr_add_ui(d, e, 1, MPFR_RNDN);
    mpfr_div(e, e, d, MPFR_RNDN);
    if (IsZero(e)) mpfr_set_ui_2exp(e, 1, -1000000, MPFR_RNDN);
    if (x > 0) {
      TimesOneMinus(out, x, e);
    } else {
      mpfr_ui_sub(e, 1, e, MPFR_RNDN);
      MakeOdd(out, mpfr_mul_d(out, e, x, MPFR_RNDZ));
    }
  } else {
    mpfr_exp(e, u, MPFR_RNDN);
    if (IsZero(e)) mpfr_set_ui_2exp(e, 1, -1000000, MPFR_RNDN);
    Number d;
    mpfr_add_ui(d, e, 1, MPFR_RNDN);
    mpfr_div(e, e, d, MPFR_RNDN);
    MakeOdd(out, mpfr_mul_d(out, e, x, MPFR_RNDZ));
  }
}

void Gelu(mpfr_t out, double x) {
  if (!Finite(x) || x == 0) {
    mpfr_set_d(out, x < 0 ? -0.0 : x, MPFR_RNDN);
    return;
  }
  // x P(N < x); the tail of |x| first.
  Number t;
  mpfr_sqrt_ui(t, 2, MPFR_RNDN);
  mpfr_d_div(t, std::fabs(x), t, MPFR_RNDN);
  if (std::fabs(x) > 1e4) {  // exp(-x^2/2) is below MPFR's exponents soon
    mpfr_set_ui_2exp(t, 1, -1000000, MPFR_RNDN);
  } else {
    mpfr_erfc(t, t, MPFR_RNDN);
    mpfr_div_2ui(t, t, 1, MPFR_RNDN);
  }
  if (x > 0) {
    TimesOneMinus(out, x, t);
  } else {
    MakeOdd(out, mpfr_mul_d(out, t, x, MPFR_RNDZ));
  }
}

// 0.5 x (1 + tanh(u)) = x * logistic(2u), u = sqrt(2/pi) (x + 0.044715 x^3). 0.044715 is decimal
// in the definition, so it is taken as that rational number.
void GeluTanh(mpfr_t out, double x) {
  if (!Finite(x) || x == 0) {
    mpfr_set_d(out, x < 0 ? -0.0 : x, MPFR_RNDN);
    return;
  }
  Number v(x, kWork), c, k;
  mpfr_sqr(c, v, MPFR_RNDN);
  mpfr_mul_ui(c, c, 44715, MPFR_RNDN);
  mpfr_div_ui(c, c, 1000000, MPFR_RNDN);
  mpfr_add_ui(c, c, 1, MPFR_RNDN);
  mpfr_mul(c, c, v, MPFR_RNDN);
  mpfr_const_pi(k, MPFR_RNDN);
  mpfr_ui_div(k, 8, k, MPFR_RNDN);  // (2 sqrt(2/pi))^2
  mpfr_sqrt(k, k, MPFR_RNDN);
  mpfr_mul(c, c, k, MPFR_RNDN);
  TimesSigmoid(out, x, c);
}

void Silu(mpfr_t out, double x) {
  if (!Finite(x) || x == 0) {
    mpfr_set_d(out, x < 0 ? -0.0 : x, MPFR_RNDN);
    return;
  }
  Number u(x, kWork);
  TimesSigmoid(out, x, u);
}

// tanh(log(1+e)) = n/(n+2) with n = e(e+2), e = exp(x); for x > 0 x - x*2/(n+2).
void Mish(mpfr_t out, double x) {
  if (!Finite(x) || x == 0) {
    mpfr_set_d(out, x < 0 ? -0.0 : x, MPFR_RNDN);
    return;
  }
  Number e(x, kWork), n, d;
  mpfr_exp(e, e, MPFR_RNDN);
  if (IsInf(e)) mpfr_set_ui_2exp(e, 1, 1000000, MPFR_RNDN);
  mpfr_add_ui(n, e, 2, MPFR_RNDN);
  mpfr_mul(n, n, e, MPFR_RNDN);
  mpfr_add_ui(d, n, 2, MPFR_RNDN);
  if (x > 0) {
    mpfr_ui_div(n, 2, d, MPFR_RNDN);
    TimesOneMinus(out, x, n);
  } else {
    mpfr_div(n, n, d, MPFR_RNDN);
    MakeOdd(out, mpfr_mul_d(out, n, x, MPFR_RNDZ));
  }
}

void Softplus(mpfr_t out, double x, const OracleAttrs& a) {
  Number bx(x, kWork);
  mpfr_mul_d(bx, bx, a.beta, MPFR_RNDN);
  if (IsNan(bx) || mpfr_cmp_d(bx, a.threshold) > 0) {
    mpfr_set_d(out, IsNan(bx) ? NAN : x, MPFR_RNDN);
    return;
  }
  Number t;
  if (Sign(bx) > 0 && IsNumber(bx)) {  // x + log1p(exp(-bx)) / beta
    mpfr_neg(t, bx, MPFR_RNDN);
    mpfr_exp(t, t, MPFR_RNDN);
    mpfr_log1p(t, t, MPFR_RNDN);
    if (IsZero(t)) mpfr_set_ui_2exp(t, 1, -1000000, MPFR_RNDN);
    mpfr_div_d(t, t, a.beta, MPFR_RNDN);
    Number v(x, 53);
    MakeOdd(out, mpfr_add(out, v, t, MPFR_RNDZ));
  } else {
    mpfr_exp(t, bx, MPFR_RNDN);
    mpfr_log1p(t, t, MPFR_RNDN);
    MakeOdd(out, mpfr_div_d(out, t, a.beta, MPFR_RNDZ));
  }
}

// factor * expm1(x), factor exact to kWork bits.
void ScaledExpm1(mpfr_t out, double x, mpfr_t factor) {
  Number e(x, kWork);
  mpfr_expm1(e, e, MPFR_RNDN);
  MakeOdd(out, mpfr_mul(out, e, factor, MPFR_RNDZ));
}

double Clamp(double x, double low, double high) {
  if (std::isnan(x)) return x;
  if (std::isnan(low) || std::isnan(high)) return NAN;
  x = x < low ? low : x;
  return x > high ? high : x;
}

void Add(mpfr_t out, double x, double y, double alpha) {
  Number t(y, kWide), v(x, 53);
  mpfr_mul_d(t, t, alpha, MPFR_RNDN);
  MakeOdd(out, mpfr_add(out, v, t, MPFR_RNDZ));
  // The sign of an exact zero is that of round to nearest.
  if (IsZero(out)) mpfr_set_d(out, x + (alpha * y == 0 ? alpha * y : -x), MPFR_RNDN);
}

void Lerp(mpfr_t out, double x, double y, double w) {
  // The sign of zero is that of the two branches.
  if (!Finite(x) || !Finite(y) || !Finite(w) || (x == 0 && y == 0)) {
    mpfr_set_d(out, std::fabs(w) < 0.5 ? x + w * (y - x) : y - (y - x) * (1 - w), MPFR_RNDN);
    return;
  }
  Number t(y, kWide), v(x, 53);
  mpfr_sub(t, t, v, MPFR_RNDN);
  mpfr_mul_d(t, t, w, MPFR_RNDN);
  MakeOdd(out, mpfr_add(out, t, v, MPFR_RNDZ));
}

// The integer part of x/y, toward minus infinity or toward zero. y finite and not 0.
void IntegerQuotient(mpfr_t out, double x, double y, bool floor) {
  Number q(x, kWide), d(y, 53);
  // Rounding the quotient the same way as the integer part afterwards cannot step over an integer.
  mpfr_div(q, q, d, floor ? MPFR_RNDD : MPFR_RNDZ);
  if (floor) {
    mpfr_floor(q, q);
  } else {
    mpfr_trunc(q, q);
  }
  SetOdd(out, q);
}

// PyTorch's div_floor_floating with exact steps.
void FloorDivide(mpfr_t out, double x, double y) {
  if (y == 0) {
    mpfr_set_d(out, x / y, MPFR_RNDN);
  } else if (std::isnan(x) || std::isnan(y) || std::isinf(x)) {
    mpfr_set_nan(out);
  } else if (std::isinf(y)) {
    // fmod(x, inf) = x: 0, or -1 if the signs differ.
    mpfr_set_d(out, x != 0 && (x < 0) != (y < 0) ? -1.0 : x / y, MPFR_RNDN);
  } else {
    IntegerQuotient(out, x, y, true);
    if (IsZero(out)) mpfr_set_d(out, std::copysign(0.0, x) * std::copysign(1.0, y), MPFR_RNDN);
  }
}

void Remainder(mpfr_t out, double x, double y) {
  if (std::isnan(x) || std::isnan(y) || std::isinf(x) || y == 0) {
    mpfr_set_nan(out);
    return;
  }
  Number m(x, kWide), d(y, 53);
  mpfr_fmod(m, m, d, MPFR_RNDN);
  if (IsZero(m)) {
    mpfr_set_d(out, std::copysign(0.0, x), MPFR_RNDN);
  } else if ((y < 0) != (Sign(m) < 0)) {
    MakeOdd(out, mpfr_add(out, m, d, MPFR_RNDZ));
  } else {
    SetOdd(out, m);
  }
}

void Divide(mpfr_t out, double x, double y, OracleAttrs::Rounding rounding) {
  if (rounding == OracleAttrs::kFloor) {
    FloorDivide(out, x, y);
  } else if (rounding == OracleAttrs::kTrunc && Finite(x) && Finite(y) && y != 0) {
    IntegerQuotient(out, x, y, false);
    if (IsZero(out)) mpfr_set_d(out, std::copysign(0.0, x) * std::copysign(1.0, y), MPFR_RNDN);
  } else {
    Number v(x, 53), d(y, 53);
    MakeOdd(out, mpfr_div(out, v, d, MPFR_RNDZ));
  }
}

// PyTorch's maximum and minimum, with max(-0, +0) = +0 and min(+0, -0) = -0.
double Extreme(double x, double y, bool maximum) {
  if (std::isnan(x) || std::isnan(y)) return NAN;
  if (x == y) return std::signbit(x) == maximum ? y : x;
  return (x > y) == maximum ? x : y;
}

void Round(mpfr_t out, double x, int decimals) {
  if (!Finite(x) || x == 0) {
    mpfr_set_d(out, x, MPFR_RNDN);
    return;
  }
  Number power, v(x, kWide);
  mpfr_ui_pow_ui(power, 10, static_cast<unsigned long>(std::abs(decimals)), MPFR_RNDN);
  if (decimals > 0) {
    mpfr_mul(v, v, power, MPFR_RNDN);
  } else if (decimals < 0) {
    mpfr_div(v, v, power, MPFR_RNDN);
  }
  mpfr_rint(v, v, MPFR_RNDN);
  if (IsZero(v)) {
    mpfr_set_d(out, std::copysign(0.0, x), MPFR_RNDN);
  } else if (decimals > 0) {
    MakeOdd(out, mpfr_div(out, v, power, MPFR_RNDZ));
  } else {
    if (decimals < 0) mpfr_mul(v, v, power, MPFR_RNDN);
    SetOdd(out, v);
  }
}

// Newton's method for erf(y) = x, or from 1/2 on erfc(y) = 1 - x; its steps double the digits.
void ErfInv(mpfr_t out, double x) {
  const double a = std::fabs(x);
  if (!(a < 1) || a == 0) {
    mpfr_set_d(out, a == 0 ? x : a == 1 ? std::copysign(HUGE_VAL, x) : NAN, MPFR_RNDN);
    return;
  }
  Number y(0.0, kWork), e, slope, k, rest(1.0, kWork);
  mpfr_sub_d(rest, rest, a, MPFR_RNDN);
  // It starts left of the root, where erf is concave: y = a sqrt(pi) / 2, or for large a less than the tail's
  // sqrt(-log(1 - a)).
  mpfr_set_d(y, a < 0.75 ? a * 0.886 : std::sqrt(-std::log(1 - a)) - 0.6, MPFR_RNDN);
  mpfr_const_pi(k, MPFR_RNDN);
  mpfr_sqrt(k, k, MPFR_RNDN);
  mpfr_div_2ui(k, k, 1, MPFR_RNDN);
  for (int step = 0; step < 16; ++step) {
    if (a < 0.5) {
      mpfr_erf(e, y, MPFR_RNDN);
      mpfr_d_sub(e, a, e, MPFR_RNDN);
    } else {
      mpfr_erfc(e, y, MPFR_RNDN);
      mpfr_sub(e, e, rest, MPFR_RNDN);
    }
    mpfr_sqr(slope, y, MPFR_RNDN);
    mpfr_exp(slope, slope, MPFR_RNDN);
    mpfr_mul(slope, slope, k, MPFR_RNDN);
    mpfr_mul(e, e, slope, MPFR_RNDN);
    mpfr_add(y, y, e, MPFR_RNDN);
    if (IsZero(e) || Exponent(e) < Exponent(y) - 300) break;
  }
  mpfr_setsign(y, y, std::signbit(x), MPFR_RNDN);
  SetOdd(out, y);
}

// sin(pi x) / (pi x).
void Sinc(mpfr_t out, double x) {
  if (!Finite(x) || x == 0) {
    mpfr_set_d(out, std::isnan(x) ? x : x == 0 ? 1.0 : 0.0, MPFR_RNDN);
    return;
  }
  const double rest = std::remainder(x, 2.0);  // exact
  Number pi, r(rest, kWork), d(x, kWork);
  mpfr_const_pi(pi, MPFR_RNDN);
  mpfr_mul(d, d, pi, MPFR_RNDN);
  if (std::fabs(rest) > 0.5) mpfr_d_sub(r, std::copysign(1.0, rest), r, MPFR_RNDN);
  mpfr_mul(r, r, pi, MPFR_RNDN);
  mpfr_sin(r, r, MPFR_RNDN);
  if (IsZero(r)) mpfr_set_d(out, 0.0, MPFR_RNDN);
  else MakeOdd(out, mpfr_div(out, r, d, MPFR_RNDZ));
}

// -softplus(-x) without a threshold.
void LogSigmoid(mpfr_t out, double x) {
  OracleAttrs all;
  all.threshold = HUGE_VAL;
  Softplus(out, -x, all);
  mpfr_neg(out, out, MPFR_RNDN);
}

void Softsign(mpfr_t out, double x) {
  if (!Finite(x)) {
    mpfr_set_d(out, std::isnan(x) ? x : std::copysign(1.0, x), MPFR_RNDN);
    return;
  }
  Number v(x, 53), d(std::fabs(x), kWide);
  mpfr_add_ui(d, d, 1, MPFR_RNDN);
  MakeOdd(out, mpfr_div(out, v, d, MPFR_RNDZ));
}

// alpha expm1(x / alpha) on the left.
void Celu(mpfr_t out, double x, double alpha) {
  if (x > 0) {
    mpfr_set_d(out, x, MPFR_RNDN);
    return;
  }
  Number e(x, kWork);
  mpfr_div_d(e, e, alpha, MPFR_RNDN);
  mpfr_expm1(e, e, MPFR_RNDN);
  MakeOdd(out, mpfr_mul_d(out, e, alpha, MPFR_RNDZ));
}

// x - tanh(x), which is no number of doubles far out, though x - 1 may be.
void Tanhshrink(mpfr_t out, double x) {
  if (!Finite(x) || x == 0) {
    mpfr_set_d(out, x, MPFR_RNDN);
    return;
  }
  Number t(std::fabs(x), kWide), v(std::fabs(x), 53);
  if (std::fabs(x) < 1000) {
    mpfr_tanh(t, t, MPFR_RNDN);
  } else {  // 1 less what is below every digit
    mpfr_set_ui_2exp(t, 1, -3000, MPFR_RNDN);
    mpfr_ui_sub(t, 1, t, MPFR_RNDN);
  }
  MakeOdd(out, mpfr_sub(out, v, t, MPFR_RNDZ));
  mpfr_setsign(out, out, std::signbit(x), MPFR_RNDN);
}

// max + log1p(e^-|x - y|).
void LogAddExp(mpfr_t out, double x, double y) {
  if (!Finite(x) || !Finite(y)) {
    mpfr_set_d(out, std::isnan(x) || std::isnan(y) ? NAN : std::fmax(x, y) + 0.0, MPFR_RNDN);
    return;
  }
  Number v(std::fmax(x, y), 53), t(std::fmin(x, y), kWide);
  mpfr_sub(t, t, v, MPFR_RNDN);
  mpfr_exp(t, t, MPFR_RNDN);
  if (IsZero(t)) mpfr_set_ui_2exp(t, 1, -1000000, MPFR_RNDN);
  mpfr_log1p(t, t, MPFR_RNDN);
  MakeOdd(out, mpfr_add(out, v, t, MPFR_RNDZ));
  if (IsZero(out)) mpfr_set_d(out, 0.0, MPFR_RNDN);
}

// base^(-2 i / dim)
void PlainFrequency(mpfr_t f, double i, const OracleAttrs& a) {
  Number base(a.base, kWork);
  mpfr_set_d(f, -2.0 * i, MPFR_RNDN);
  mpfr_div_ui(f, f, static_cast<unsigned long>(a.dim), MPFR_RNDN);
  mpfr_pow(f, base, f, MPFR_RNDN);
}

double OriginalMaxPosition(const OracleAttrs& a) {
  if (a.original_max_position != 0) return a.original_max_position;
  return a.rope == OracleAttrs::kLlama31 ? 8192.0 : 4096.0;
}

// d ln(orig / (2 pi r)) / (2 ln base)
void YarnDim(mpfr_t out, double r, const OracleAttrs& a) {
  Number t;
  mpfr_const_pi(t, MPFR_RNDN);
  mpfr_mul_d(t, t, 2 * r, MPFR_RNDN);
  mpfr_d_div(t, OriginalMaxPosition(a), t, MPFR_RNDN);
  mpfr_log(t, t, MPFR_RNDN);
  mpfr_mul_d(t, t, a.dim, MPFR_RNDN);
  Number base(a.base, kWork);
  mpfr_log(base, base, MPFR_RNDN);
  mpfr_mul_2ui(base, base, 1, MPFR_RNDN);
  mpfr_div(out, t, base, MPFR_RNDN);
}

void RopeFrequency(mpfr_t f, double i, const OracleAttrs& a) {
  PlainFrequency(f, i, a);
  if (a.rope == OracleAttrs::kLongrope) {
    mpfr_div_d(f, f, a.rescale_factor, MPFR_RNDN);
  } else if (a.rope == OracleAttrs::kLlama31) {
    // cycles = orig / wavelength = orig f / (2 pi): above high_freq_factor the frequency stays,
    // below low_freq_factor it is divided, in between the two are mixed.
    Number cycles, t;
    mpfr_const_pi(t, MPFR_RNDN);
    mpfr_mul_2ui(t, t, 1, MPFR_RNDN);
    mpfr_mul_d(cycles, f, OriginalMaxPosition(a), MPFR_RNDN);
    mpfr_div(cycles, cycles, t, MPFR_RNDN);
    if (mpfr_cmp_d(cycles, a.high_freq_factor) > 0) return;
    if (mpfr_cmp_d(cycles, a.low_freq_factor) < 0) {
      mpfr_div_d(f, f, a.scale_factor, MPFR_RNDN);
      return;
    }
    Number smooth;
    mpfr_sub_d(smooth, cycles, a.low_freq_factor, MPFR_RNDN);
    mpfr_div_d(smooth, smooth, a.high_freq_factor - a.low_freq_factor, MPFR_RNDN);
    mpfr_ui_sub(t, 1, smooth, MPFR_RNDN);
    mpfr_div_d(t, t, a.scale_factor, MPFR_RNDN);
    mpfr_add(t, t, smooth, MPFR_RNDN);
    mpfr_mul(f, f, t, MPFR_RNDN);
  } else if (a.rope == OracleAttrs::kYarn) {
    Number low, high, ramp;
    YarnDim(low, a.beta_fast, a);
    YarnDim(high, a.beta_slow, a);
    mpfr_floor(low, low);
    mpfr_ceil(high, high);
    if (Sign(low) < 0) mpfr_set_ui(low, 0, MPFR_RNDN);
    if (mpfr_cmp_si(high, a.dim - 1) > 0) mpfr_set_si(high, a.dim - 1, MPFR_RNDN);
    if (mpfr_equal_p(low, high)) mpfr_add_d(high, high, 0.001, MPFR_RNDN);
    Number width;
    mpfr_sub(width, high, low, MPFR_RNDN);
    mpfr_d_sub(ramp, i, low, MPFR_RNDN);
    mpfr_div(ramp, ramp, width, MPFR_RNDN);
    if (Sign(ramp) < 0) mpfr_set_ui(ramp, 0, MPFR_RNDN);
    if (mpfr_cmp_ui(ramp, 1) > 0) mpfr_set_ui(ramp, 1, MPFR_RNDN);
    // f ramp / scale + f (1 - ramp)
    Number t;
    mpfr_div_d(t, ramp, a.scale, MPFR_RNDN);
    mpfr_ui_sub(ramp, 1, ramp, MPFR_RNDN);
    mpfr_add(t, t, ramp, MPFR_RNDN);
    mpfr_mul(f, f, t, MPFR_RNDN);
  }
}

void Rope(mpfr_t out, double position, double i, const OracleAttrs& a, bool cosine) {
  Number angle;
  RopeFrequency(angle, i, a);
  mpfr_mul_d(angle, angle, position, MPFR_RNDN);
  if (cosine) {
    mpfr_cos(angle, angle, MPFR_RNDN);
  } else {
    mpfr_sin(angle, angle, MPFR_RNDN);
  }
  if (a.rope == OracleAttrs::kYarn) mpfr_mul_d(angle, angle, a.attn_factor, MPFR_RNDN);
  if (a.rope == OracleAttrs::kLongrope && a.max_position > OriginalMaxPosition(a)) {
    Number s(a.max_position, kWork), l(OriginalMaxPosition(a), kWork);
    mpfr_div(s, s, l, MPFR_RNDN);
    mpfr_log(s, s, MPFR_RNDN);
    mpfr_log(l, l, MPFR_RNDN);
    mpfr_div(s, s, l, MPFR_RNDN);
    mpfr_add_ui(s, s, 1, MPFR_RNDN);
    mpfr_sqrt(s, s, MPFR_RNDN);
    mpfr_mul(angle, angle, s, MPFR_RNDN);
  }
  SetOdd(out, angle);
}

int Floor(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t) { return mpfr_floor(out, x), 0; }
int Ceil(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t) { return mpfr_ceil(out, x), 0; }
int Trunc(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t) { return mpfr_trunc(out, x), 0; }

int LogGamma(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t rounding) {
  int sign;
  return mpfr_lgamma(out, &sign, x, rounding);
}

// Logistic function with a sticky last step: 1/(1+e), or 1 - e/(1+e) for x > 0.
void Sigmoid(mpfr_t out, double x) {
  if (!Finite(x)) {
    mpfr_set_d(out, std::isnan(x) ? x : (x > 0 ? 1.0 : 0.0), MPFR_RNDN);
    return;
  }
  Number u(x, kWork);
  TimesSigmoid(out, 1.0, u);
}

// Decimal in the definition, hence taken as those rational numbers.
constexpr char kSeluScale[] = "1.0507009873554805";
constexpr char kSeluAlpha[] = "1.6732632423543772";

bool Evaluate(const char* op, const double* in, int nin, const OracleAttrs& a, mpfr_t out) {
  auto is = [op](const char* name) { return std::strcmp(op, name) == 0; };
  const double x = nin > 0 ? in[0] : 0, y = nin > 1 ? in[1] : 0, z = nin > 2 ? in[2] : 0;
  auto set = [&](double v) { mpfr_set_d(out, v, MPFR_RNDN); };

  static const struct {
    const char* name;
    Unary f;
  } kDirect[] = {{"exp", mpfr_exp},     {"log", mpfr_log},     {"sqrt", mpfr_sqrt},   {"sin", mpfr_sin},
                 {"cos", mpfr_cos},     {"erf", mpfr_erf},     {"log1p", mpfr_log1p}, {"expm1", mpfr_expm1},
                 {"tanh", mpfr_tanh},   {"floor", Floor},      {"ceil", Ceil},        {"trunc", Trunc},
                 {"exp2", mpfr_exp2},   {"log2", mpfr_log2},   {"erfc", mpfr_erfc},   {"tan", mpfr_tan},
                 {"asin", mpfr_asin},   {"acos", mpfr_acos},   {"atan", mpfr_atan},   {"sinh", mpfr_sinh},
                 {"cosh", mpfr_cosh},   {"asinh", mpfr_asinh}, {"acosh", mpfr_acosh}, {"atanh", mpfr_atanh},
                 {"log10", mpfr_log10}, {"cbrt", mpfr_cbrt},   {"lgamma", LogGamma}};
  if (nin == 1) {
    for (const auto& d : kDirect) {
      if (is(d.name)) return Apply(out, d.f, x), true;
    }
    if (is("rsqrt")) {
      // MPFR gives +inf for -0; IEEE 754 and PyTorch give -inf.
      if (x == 0) return set(1 / x), true;
      return Apply(out, mpfr_rec_sqrt, x), true;
    }
    if (is("reciprocal")) return Divide(out, 1.0, x, OracleAttrs::kNone), true;
    if (is("abs")) return set(std::fabs(x)), true;
    if (is("neg")) return set(-x), true;
    if (is("sign")) return set(x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0), true;
    if (is("round")) return Round(out, x, a.decimals), true;
    if (is("erfinv")) return ErfInv(out, x), true;
    if (is("sinc")) return Sinc(out, x), true;
    if (is("logsigmoid")) return LogSigmoid(out, x), true;
    if (is("softsign")) return Softsign(out, x), true;
    if (is("celu")) return Celu(out, x, a.alpha), true;
    if (is("tanhshrink")) return Tanhshrink(out, x), true;
    if (is("relu")) return set(std::isnan(x) ? x : x > 0 ? x : 0.0), true;
    if (is("gelu")) return a.approximate_tanh ? GeluTanh(out, x) : Gelu(out, x), true;
    if (is("silu")) return Silu(out, x), true;
    if (is("sigmoid")) return Sigmoid(out, x), true;
    if (is("mish")) return Mish(out, x), true;
    if (is("softplus")) return Softplus(out, x, a), true;
    if (is("leaky_relu")) {
      if (x > 0) return set(x), true;
      return Add(out, -0.0, x, a.negative_slope), true;
    }
    if (is("elu")) {
      if (x > 0) return set(x), true;
      Number factor(a.alpha, kWork);
      return ScaledExpm1(out, x, factor), true;
    }
    if (is("selu")) {
      Number scale, factor;
      mpfr_set_str(scale, kSeluScale, 10, MPFR_RNDN);
      mpfr_set_str(factor, kSeluAlpha, 10, MPFR_RNDN);
      mpfr_mul(factor, factor, scale, MPFR_RNDN);
      if (x > 0) return MakeOdd(out, mpfr_mul_d(out, scale, x, MPFR_RNDZ)), true;
      return ScaledExpm1(out, x, factor), true;
    }
    if (is("hardsigmoid") || is("hardswish")) {
      if (std::isnan(x)) return set(x), true;
      const bool swish = is("hardswish");
      if (x <= -3) return set(swish ? -0.0 : 0.0), true;
      if (x >= 3) return set(swish ? x : 1.0), true;
      Number t(x, kWide);
      mpfr_add_ui(t, t, 3, MPFR_RNDN);
      if (swish) mpfr_mul_d(t, t, x, MPFR_RNDN);
      return MakeOdd(out, mpfr_div_ui(out, t, 6, MPFR_RNDZ)), true;
    }
    if (is("hardtanh")) return set(Clamp(x, a.min_val, a.max_val)), true;
    if (is("nan_to_num")) {
      return set(std::isnan(x) ? a.nan : std::isinf(x) ? (x > 0 ? a.posinf : a.neginf) : x), true;
    }
    if (is("dropout")) {
      Number v(x, 53), keep(1.0, kWide);
      mpfr_sub_d(keep, keep, a.p, MPFR_RNDN);
      return MakeOdd(out, mpfr_div(out, v, keep, MPFR_RNDZ)), true;
    }
    if (is("rope_frequency")) {
      Number f;
      return RopeFrequency(f, x, a), SetOdd(out, f), true;
    }
  }
  if (is("clamp") && nin >= 1 && nin <= 3) {
    double low = a.has_min ? a.min : -INFINITY, high = a.has_max ? a.max : INFINITY;
    if (nin > 1) low = y;
    if (nin > 2) high = z;
    return set(Clamp(x, low, high)), true;
  }
  if (is("lerp") && (nin == 2 || nin == 3)) return Lerp(out, x, y, nin == 3 ? z : a.weight), true;
  if (nin == 2) {
    if (is("add")) return Add(out, x, y, a.alpha), true;
    if (is("sub")) return Add(out, x, y, -a.alpha), true;
    if (is("mul")) {
      Number v(x, 53), w(y, 53);
      return MakeOdd(out, mpfr_mul(out, v, w, MPFR_RNDZ)), true;
    }
    if (is("div")) return Divide(out, x, y, a.rounding), true;
    if (is("remainder")) return Remainder(out, x, y), true;
    if (is("floor_divide")) return FloorDivide(out, x, y), true;
    if (is("fmod")) {
      Number v(x, 53), w(y, 53);
      return MakeOdd(out, mpfr_fmod(out, v, w, MPFR_RNDZ)), true;
    }
    if (is("atan2") || is("hypot")) {
      Number v(x, 53), w(y, 53);
      return MakeOdd(out, (is("atan2") ? mpfr_atan2 : mpfr_hypot)(out, v, w, MPFR_RNDZ)), true;
    }
    if (is("copysign")) return set(std::copysign(x, std::isnan(y) ? 0 : y)), true;
    if (is("logaddexp")) return LogAddExp(out, x, y), true;
    if (is("pow")) {
      Number v(x, 53), w(y, 53);
      return MakeOdd(out, mpfr_pow(out, v, w, MPFR_RNDZ)), true;
    }
    if (is("maximum")) return set(Extreme(x, y, true)), true;
    if (is("minimum")) return set(Extreme(x, y, false)), true;
    if (is("prelu")) {
      if (x > 0) return set(x), true;
      return Add(out, -0.0, x, y), true;
    }
    if (is("silu_and_mul") || is("gelu_and_mul") || is("gelu_tanh_and_mul")) {
      Number g;
      is("silu_and_mul") ? Silu(g, x) : is("gelu_and_mul") ? Gelu(g, x) : GeluTanh(g, x);
      return MakeOdd(out, mpfr_mul_d(out, g, y, MPFR_RNDZ)), true;
    }
    if (is("rope_cos")) return Rope(out, x, y, a, true), true;
    if (is("rope_sin")) return Rope(out, x, y, a, false), true;
    if (is("sinusoidal")) {
      OracleAttrs plain = a;
      plain.rope = OracleAttrs::kPlain;
      const bool cosine = std::fmod(y, 2.0) != 0;
      return Rope(out, x, std::floor(y / 2), plain, cosine), true;
    }
  }
  if (is("alibi") && nin == 3) {
    const double distance = std::fabs(x - y);  // small integers: exact
    return Add(out, -0.0, distance, -z), true;
  }
  return false;
}

struct FormatInfo {
  const char* name;
  int precision, min_exponent;  // with the hidden bit; of the least normal number 1.0 * 2^e
  double max;
  enum Overflow { kInfinity, kSaturate, kNaN } overflow;
  int exponent_bits, mantissa_bits;
};

const FormatInfo& Info(OracleFormat format) {
  static const FormatInfo kInfo[] = {
      {"f64", 53, -1022, 1.7976931348623157e308, FormatInfo::kInfinity, 11, 52},
      {"f32", 24, -126, 0x1.fffffep127, FormatInfo::kInfinity, 8, 23},
      {"f16", 11, -14, 65504.0, FormatInfo::kInfinity, 5, 10},
      {"bf16", 8, -126, 0x1.fep127, FormatInfo::kInfinity, 8, 7},
      {"e4m3fn", 4, -6, 448.0, FormatInfo::kSaturate, 4, 3},
      {"e4m3fn_nonsaturating", 4, -6, 448.0, FormatInfo::kNaN, 4, 3},
      {"e5m2", 3, -14, 57344.0, FormatInfo::kInfinity, 5, 2},
      {"e5m2_saturating", 3, -14, 57344.0, FormatInfo::kSaturate, 5, 2},
  };
  return kInfo[static_cast<int>(format)];
}

double Overflowed(double sign, const FormatInfo& f) {
  if (f.overflow == FormatInfo::kNaN) return NAN;
  return std::copysign(f.overflow == FormatInfo::kSaturate ? f.max : INFINITY, sign);
}

// log2 of the distance of two neighbours around a regular number.
mpfr_exp_t Quantum(mpfr_t v, const FormatInfo& f) {
  const mpfr_exp_t e = Exponent(v) - 1;
  return (e < f.min_exponent ? f.min_exponent : e) - (f.precision - 1);
}

}  // namespace

bool OracleAttrs::Set(const char* name, double value) {
  const struct {
    const char* name;
    double* field;
  } fields[] = {{"alpha", &alpha},
                {"beta", &beta},
                {"threshold", &threshold},
                {"negative_slope", &negative_slope},
                {"min_val", &min_val},
                {"max_val", &max_val},
                {"min", &min},
                {"max", &max},
                {"weight", &weight},
                {"nan", &nan},
                {"posinf", &posinf},
                {"neginf", &neginf},
                {"p", &p},
                {"base", &base},
                {"scale_factor", &scale_factor},
                {"low_freq_factor", &low_freq_factor},
                {"high_freq_factor", &high_freq_factor},
                {"original_max_position", &original_max_position},
                {"scale", &scale},
                {"beta_fast", &beta_fast},
                {"beta_slow", &beta_slow},
                {"attn_factor", &attn_factor},
                {"max_position", &max_position},
                {"rescale_factor", &rescale_factor}};
  if (std::strcmp(name, "min") == 0) has_min = true;
  if (std::strcmp(name, "max") == 0) has_max = true;
  if (std::strcmp(name, "decimals") == 0) return decimals = static_cast<int>(value), true;
  if (std::strcmp(name, "dim") == 0 || std::strcmp(name, "rotary_dim") == 0) {
    return dim = static_cast<int>(value), true;
  }
  for (const auto& f : fields) {
    if (std::strcmp(name, f.name) == 0) return *f.field = value, true;
  }
  return false;
}

bool OracleAttrs::Set(const char* name, const char* value) {
  if (std::strcmp(name, "approximate") == 0) {
    approximate_tanh = std::strcmp(value, "tanh") == 0;
    return approximate_tanh || std::strcmp(value, "none") == 0;
  }
  if (std::strcmp(name, "rounding") == 0 || std::strcmp(name, "rounding_mode") == 0) {
    rounding = std::strcmp(value, "trunc") == 0 ? kTrunc : std::strcmp(value, "floor") == 0 ? kFloor : kNone;
    return rounding != kNone || std::strcmp(value, "none") == 0;
  }
  return false;
}

bool oracle_eval(const char* op, const double* in, int nin, const OracleAttrs& attrs, mpfr_t out) {
  mpfr_set_prec(out, kOraclePrecision);
  return Evaluate(op, in, nin, attrs, out);
}

bool oracle_format_from_name(const char* name, OracleFormat* format) {
  for (int i = 0; i < 8; ++i) {
    if (std::strcmp(name, Info(static_cast<OracleFormat>(i)).name) == 0) {
      *format = static_cast<OracleFormat>(i);
      return true;
    }
  }
  return false;
}

double oracle_round(mpfr_t exact, OracleFormat format) {
  const FormatInfo& f = Info(format);
  if (IsNan(exact)) return NAN;
  const double sign = mpfr_signbit(exact) ? -1.0 : 1.0;
  if (IsZero(exact)) return std::copysign(0.0, sign);
  if (IsInf(exact)) return Overflowed(sign, f);
  if (Exponent(exact) > 1025) return Overflowed(sign, f);
  if (Exponent(exact) < -1080) return std::copysign(0.0, sign);
  // As an integer count of the spacing, rounded to the even one on a tie: at most 2^53.
  const mpfr_exp_t quantum = Quantum(exact, f);
  Number t(mpfr_get_prec(exact) + 64);
  mpfr_mul_2si(t, exact, -quantum, MPFR_RNDN);
  mpfr_rint(t, t, MPFR_RNDN);
  const double value = std::ldexp(mpfr_get_d(t, MPFR_RNDN), static_cast<int>(quantum));
  if (std::fabs(value) > f.max) return Overflowed(sign, f);
  return std::copysign(std::fabs(value), sign);
}

uint64_t oracle_encode(mpfr_t exact, OracleFormat format) {
  const FormatInfo& f = Info(format);
  const double v = oracle_round(exact, format);
  const int bits = f.exponent_bits + f.mantissa_bits;
  const uint64_t sign = std::signbit(v) ? uint64_t{1} << bits : 0;
  const uint64_t exponents = ((uint64_t{1} << f.exponent_bits) - 1) << f.mantissa_bits;
  const bool e4m3 = f.exponent_bits == 4;  // all ones is the NaN, and there is no infinity
  if (std::isnan(v)) {
    return exponents | (e4m3 ? 7 : uint64_t{1} << (f.mantissa_bits - 1));
  }
  if (std::isinf(v)) return sign | exponents;
  if (v == 0) return sign;
  int e;
  const double m = std::frexp(std::fabs(v), &e);  // in [1/2, 1)
  --e;
  if (e < f.min_exponent) {
    return sign | static_cast<uint64_t>(std::ldexp(m, e + 1 - (f.min_exponent - f.mantissa_bits)));
  }
  const uint64_t mantissa = static_cast<uint64_t>(std::ldexp(m, f.mantissa_bits + 1)) -
                            (uint64_t{1} << f.mantissa_bits);
  return sign | (static_cast<uint64_t>(e - f.min_exponent + 1) << f.mantissa_bits) | mantissa;
}

double oracle_decode(uint64_t code, OracleFormat format) {
  const FormatInfo& f = Info(format);
  const int bits = f.exponent_bits + f.mantissa_bits;
  const double sign = (code >> bits) & 1 ? -1.0 : 1.0;
  const uint64_t mantissa = code & ((uint64_t{1} << f.mantissa_bits) - 1);
  const uint64_t top = (uint64_t{1} << f.exponent_bits) - 1;
  const uint64_t e = (code >> f.mantissa_bits) & top;
  if (f.exponent_bits == 4) {
    if (e == top && mantissa == 7) return NAN;
  } else if (e == top) {
    return mantissa != 0 ? NAN : sign * INFINITY;
  }
  const int least = f.min_exponent - f.mantissa_bits;
  if (e == 0) return sign * std::ldexp(static_cast<double>(mantissa), least);
  return sign *
         std::ldexp(static_cast<double>(mantissa | (uint64_t{1} << f.mantissa_bits)), least + static_cast<int>(e) - 1);
}

double oracle_ulp(mpfr_t exact, OracleFormat format) {
  const FormatInfo& f = Info(format);
  if (!IsNumber(exact)) return NAN;
  const int least = f.min_exponent - (f.precision - 1);
  if (IsZero(exact) || Exponent(exact) < -1080) return std::ldexp(1.0, least);
  const mpfr_exp_t quantum = Quantum(exact, f);
  int e = 0;
  std::frexp(f.max, &e);
  const int most = e - f.precision;  // beyond the range: the spacing of the last binade
  return std::ldexp(1.0, static_cast<int>(quantum < most ? quantum : most));
}

double ulp_error(mpfr_t exact, double got, OracleFormat format) {
  const FormatInfo& f = Info(format);
  const double want = oracle_round(exact, format);
  if (std::isnan(want) && std::isnan(got)) return 0;
  if (std::isnan(want) || std::isnan(got)) return INFINITY;
  if (want == got && (std::isinf(want) || IsInf(exact) || IsZero(exact))) return 0;
  if (IsInf(exact)) return INFINITY;
  if (want == got && std::fabs(want) == f.max && mpfr_cmpabs_ui(exact, 0) != 0) {
    Number limit(f.max, 64);
    if (mpfr_cmpabs(exact, limit) > 0) return 0;  // saturated, or rounded down to the largest
  }
  Number d(kOraclePrecision + 64);
  if (std::isinf(got)) {  // counts as the first number beyond the range, 2^e
    int e = 0;
    std::frexp(f.max, &e);
    mpfr_set_si_2exp(d, got > 0 ? 1 : -1, e, MPFR_RNDN);
    mpfr_sub(d, d, exact, MPFR_RNDN);
  } else {
    mpfr_d_sub(d, got, exact, MPFR_RNDN);
  }
  // Divided in MPFR: an ulp of a subnormal double times a small number would underflow.
  mpfr_div_d(d, d, oracle_ulp(exact, format), MPFR_RNDN);
  return std::fabs(mpfr_get_d(d, MPFR_RNDN));
}

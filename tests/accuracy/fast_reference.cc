#include "fast_reference.h"

#include <cmath>
#include <cstdlib>

#include "clones.h"
#include "quotients.h"

// Vector forms of libm (glibc 2.35 on), 4 ulp.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#if __GLIBC_PREREQ(2, 35)
#define VECTOR __attribute__((__simd__("notinbranch")))
extern "C" {
VECTOR double exp(double) noexcept;
VECTOR double log(double) noexcept;
VECTOR double sin(double) noexcept;
VECTOR double cos(double) noexcept;
VECTOR double erf(double) noexcept;
VECTOR double erfc(double) noexcept;
VECTOR double log1p(double) noexcept;
VECTOR double expm1(double) noexcept;
VECTOR double tanh(double) noexcept;
VECTOR double tan(double) noexcept;
VECTOR double asin(double) noexcept;
VECTOR double acos(double) noexcept;
VECTOR double atan(double) noexcept;
VECTOR double sinh(double) noexcept;
VECTOR double cosh(double) noexcept;
VECTOR double asinh(double) noexcept;
VECTOR double acosh(double) noexcept;
VECTOR double atanh(double) noexcept;
VECTOR double exp2(double) noexcept;
VECTOR double log2(double) noexcept;
VECTOR double log10(double) noexcept;
VECTOR double cbrt(double) noexcept;
VECTOR double atan2(double, double) noexcept;
VECTOR double hypot(double, double) noexcept;
}
#endif
#endif

namespace {

constexpr double kInf = __builtin_inf();
constexpr double kNan = __builtin_nan("");
constexpr double kPi = 3.14159265358979323846;

// libm's vector functions leave overflow and NaN to the scalar ones, which takes long. No finite
// number of the narrower dtypes is beyond e^700, nor 0 < x < e^-700.
inline double bounded(double x) { return x > 700 ? 700 : x < -700 ? -700 : x; }

// -x / sqrt(2), no further out than erfc() reaches.
inline double tail_of(double x) { return (x < -36 ? -36 : x) * -0.70710678118654752440; }

// tanh(x) - x by its series, which is good for |x| < 0.3, where x - tanh(x) cancels; of x^2.
inline double tanh_tail(double z) {
  double s = 0;
  for (const double c :
       {-6.451689215655431e-06, 1.5918905069328964e-05, -3.927832388331683e-05, 9.691537956929451e-05,
        -0.00023912911424355248, 0.000590027440945586, -0.0014558343870513183, 0.003592128036572481,
        -0.008863235529902197, 0.021869488536155203, -0.05396825396825397, 0.13333333333333333, -0.3333333333333333})
    s = s * z + c;
  return s * z;
}

// One of Halley's steps from y towards erfinv(a).
inline double nearer_to_erfinv(double y, double a) {
  const double slope = 1.1283791670955126 * ::exp(-y * y);
  const double near = ::erf(y) - a, far = (1 - a) - ::erfc(y);
  const double u = (a < 0.5 ? near : far) / slope;
  return y - u / (1 + y * u);
}
// From an estimate of three digits (Winitzki), near 0 from the series.
inline double erfinv_of(double a) {
  const double w = ::log((1 - a) * (1 + a)), b = 4.330746750799873 + 0.5 * w;
  const double far = __builtin_sqrt(__builtin_sqrt(b * b - w * 6.802721088435374) - b);
  const double near = a * 0.8862269254527580 * (1 + a * a * (0.2617993877991494 + a * a * 0.1439317308492208));
  const double y = nearer_to_erfinv(a < 0.25 ? near : far, a);
  return nearer_to_erfinv(nearer_to_erfinv(y, a), a);
}

double log_of_gamma(double x, double, double) { return std::lgamma(x); }

// Everything is computed for every element, then selected, so that the loops vectorise.
#define REFERENCE(name, ...)                                                                                     \
  CLONES void name(const double* xs, [[maybe_unused]] const double* ys, [[maybe_unused]] const FastAttrs& attrs, \
                   double* out, size_t n) {                                                                      \
    [[maybe_unused]] const double k0 = attrs.k0, k1 = attrs.k1;                                                  \
    _Pragma("omp simd") for (size_t i = 0; i < n; ++i) {                                                         \
      const double x = xs[i];                                                                                    \
      __VA_ARGS__                                                                                                \
    }                                                                                                            \
  }

REFERENCE(ref_exp, out[i] = ::exp(bounded(x));)
REFERENCE(ref_log, const double t = ::log(__builtin_fabs(x)); out[i] = x < 0 ? kNan : t;)
REFERENCE(ref_sqrt, out[i] = __builtin_sqrt(x);)
REFERENCE(ref_rsqrt, out[i] = 1 / __builtin_sqrt(x);)
REFERENCE(ref_reciprocal, out[i] = 1 / x;)
REFERENCE(ref_sin, out[i] = ::sin(x);)
REFERENCE(ref_cos, out[i] = ::cos(x);)
REFERENCE(ref_erf, out[i] = ::erf(x);)
REFERENCE(ref_log1p, const double t = ::log1p(x < -1 ? 1 : x); out[i] = x < -1 ? kNan : t;)
REFERENCE(ref_expm1, out[i] = ::expm1(bounded(x));)
REFERENCE(ref_tanh, out[i] = ::tanh(x);)
REFERENCE(ref_tan, out[i] = ::tan(x);)
REFERENCE(ref_asin, const double t = ::asin(__builtin_fabs(x) > 1 ? 0 : x); out[i] = __builtin_fabs(x) > 1 ? kNan : t;)
REFERENCE(ref_acos, const double t = ::acos(__builtin_fabs(x) > 1 ? 0 : x); out[i] = __builtin_fabs(x) > 1 ? kNan : t;)
REFERENCE(ref_atan, out[i] = ::atan(x);)
REFERENCE(ref_sinh, out[i] = ::sinh(bounded(x));)
REFERENCE(ref_cosh, out[i] = ::cosh(bounded(x));)
REFERENCE(ref_asinh, out[i] = ::asinh(x);)
REFERENCE(ref_acosh, const double t = ::acosh(x < 1 ? 1 : x); out[i] = x < 1 ? kNan : t;)
REFERENCE(ref_atanh, const double t = ::atanh(__builtin_fabs(x) > 1 ? 0 : x);
          out[i] = __builtin_fabs(x) > 1 ? kNan : t;)
REFERENCE(ref_exp2, out[i] = ::exp2(bounded(x));)
REFERENCE(ref_log2, const double t = ::log2(__builtin_fabs(x)); out[i] = x < 0 ? kNan : t;)
REFERENCE(ref_log10, const double t = ::log10(__builtin_fabs(x)); out[i] = x < 0 ? kNan : t;)
REFERENCE(ref_cbrt, out[i] = ::cbrt(x);)
REFERENCE(ref_sinc, const double n = __builtin_rint(x); const double r = ::sin(kPi * (x - n)) / (kPi * x);
          const double t = __builtin_rint(0.5 * n) == 0.5 * n ? r : -r;
          out[i] = x == 0                        ? 1
                   : __builtin_fabs(x) >= 0x1p52 ? 0
                                                 : t + 0.0;)
REFERENCE(ref_logsigmoid, const double e = ::log1p(::exp(-bounded(__builtin_fabs(x)))); out[i] = x < 0 ? x - e : -e;)
REFERENCE(ref_softsign, const double t = x / (1 + __builtin_fabs(x));
          out[i] = __builtin_fabs(x) == kInf ? __builtin_copysign(1, x) : t;)
REFERENCE(ref_celu, const double t = k0 * ::expm1(bounded(x / k0)); out[i] = x > 0 ? x : t;)
REFERENCE(ref_tanhshrink, const double t = x - ::tanh(x); const double s = -x * tanh_tail(x * x);
          out[i] = __builtin_fabs(x) < 0.3 ? s : t;)
REFERENCE(ref_erfc, const double t = ::erfc(x > 27 ? 27 : x < -7 ? -7 : x); out[i] = x > 27 ? 0 : t;)
REFERENCE(ref_erfinv, const double a = __builtin_fabs(x); const double t = erfinv_of(a < 1 ? a : 0.5);
          out[i] = __builtin_copysign(a < 1    ? t
                                      : a == 1 ? kInf
                                               : kNan,
                                      x);)
REFERENCE(ref_abs, out[i] = __builtin_fabs(x);)
REFERENCE(ref_neg, out[i] = -x;)
REFERENCE(ref_sign, out[i] = x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0;)
REFERENCE(ref_floor, out[i] = __builtin_floor(x);)
REFERENCE(ref_ceil, out[i] = __builtin_ceil(x);)
REFERENCE(ref_trunc, out[i] = __builtin_trunc(x);)
REFERENCE(ref_round, out[i] = __builtin_rint(x);)
REFERENCE(ref_round_2, out[i] = __builtin_rint(x * 100) / 100;)  // of an f32 x the product is exact
REFERENCE(ref_round_tens, out[i] = __builtin_rint(x / 10) * 10;)
REFERENCE(ref_relu, out[i] = x <= 0 ? 0.0 : x;)
REFERENCE(ref_leaky_relu, const double t = k0 * x; out[i] = x > 0 ? x : t;)
REFERENCE(ref_hardtanh, const double t = x < k0 ? k0 : x; out[i] = t > k1 ? k1 : t;)
REFERENCE(ref_hardsigmoid, const double t = (x + 3) / 6; const double u = x >= 3 ? 1.0 : t; out[i] = x <= -3 ? 0.0 : u;)
REFERENCE(ref_hardswish, const double t = x * (x + 3) / 6; const double u = x >= 3 ? x : t;
          out[i] = x <= -3 ? -0.0 : u;)
REFERENCE(ref_sigmoid, out[i] = 1 / (1 + ::exp(-bounded(x)));)
REFERENCE(ref_silu, const double t = x / (1 + ::exp(-bounded(x))); out[i] = x == -kInf ? -0.0 : t;)
REFERENCE(ref_gelu, const double t = 0.5 * x * ::erfc(tail_of(x)); out[i] = x == -kInf ? -0.0 : t;)
REFERENCE(ref_gelu_tanh, const double v = 1.5957691216057307117 * (x + 0.044715 * x * x * x);
          const double t = x / (1 + ::exp(-bounded(v))); out[i] = x == -kInf ? -0.0 : t;)
REFERENCE(ref_mish, const double e = ::exp(bounded(x > 50 ? 50 : x)); const double m = e * (e + 2);
          const double t = x * (m / (m + 2)); out[i] = x == -kInf ? -0.0 : t;)
REFERENCE(ref_elu, const double t = k0 * ::expm1(bounded(x)); out[i] = x > 0 ? x : t;)
REFERENCE(ref_selu, const double t = 1.0507009873554805 * 1.6732632423543772 * ::expm1(bounded(x));
          out[i] = x > 0 ? 1.0507009873554805 * x : t;)
REFERENCE(ref_softplus, const double v = x * k0; const double t = ::log1p(::exp(bounded(v))) / k0;
          out[i] = v > k1 ? x : t;)
REFERENCE(ref_pow_scalar, out[i] = std::pow(x, k0);)

REFERENCE(ref_pow, out[i] = std::pow(x, ys[i]);)
REFERENCE(ref_silu_and_mul, const double t = x / (1 + ::exp(-bounded(x))); out[i] = (x == -kInf ? -0.0 : t) * ys[i];)
REFERENCE(ref_gelu_and_mul, const double t = 0.5 * x * ::erfc(tail_of(x)); out[i] = (x == -kInf ? -0.0 : t) * ys[i];)
REFERENCE(ref_gelu_tanh_and_mul, const double v = 1.5957691216057307117 * (x + 0.044715 * x * x * x);
          const double t = x / (1 + ::exp(-bounded(v))); out[i] = (x == -kInf ? -0.0 : t) * ys[i];)
REFERENCE(ref_atan2, out[i] = ::atan2(x, ys[i]);)
REFERENCE(ref_hypot, out[i] = ::hypot(x, ys[i]);)
REFERENCE(ref_mul, out[i] = x * ys[i];)
REFERENCE(ref_add, out[i] = x + ys[i];)
REFERENCE(ref_sub, out[i] = x - ys[i];)
REFERENCE(ref_div, out[i] = x / ys[i];)

// Not vectorised.
#define SCALAR(name, value)                                                                      \
  void name(const double* xs, const double* ys, const FastAttrs& attrs, double* out, size_t n) { \
    for (size_t i = 0; i < n; ++i) out[i] = value(xs[i], ys[i], attrs.k0);                       \
  }
SCALAR(ref_add_scaled, add_scaled)
SCALAR(ref_lerp, lerp)
SCALAR(ref_remainder, remainder_like_python)
SCALAR(ref_floor_divide, floor_divide)
SCALAR(ref_div_trunc, divide_trunc)
SCALAR(ref_fmod, fmod_like_c)
SCALAR(ref_lgamma, log_of_gamma)
SCALAR(ref_maximum, maximum)
SCALAR(ref_minimum, minimum)

const struct {
  const char* name;
  FastReference function;
} kReferences[] = {
    {"exp", ref_exp},
    {"log", ref_log},
    {"sqrt", ref_sqrt},
    {"rsqrt", ref_rsqrt},
    {"reciprocal", ref_reciprocal},
    {"sin", ref_sin},
    {"cos", ref_cos},
    {"erf", ref_erf},
    {"log1p", ref_log1p},
    {"expm1", ref_expm1},
    {"tanh", ref_tanh},
    {"abs", ref_abs},
    {"neg", ref_neg},
    {"sign", ref_sign},
    {"floor", ref_floor},
    {"ceil", ref_ceil},
    {"trunc", ref_trunc},
    {"round", ref_round},
    {"round(decimals=2)", ref_round_2},
    {"round(decimals=-1)", ref_round_tens},
    {"relu", ref_relu},
    {"gelu", ref_gelu},
    {"gelu(approximate=tanh)", ref_gelu_tanh},
    {"silu", ref_silu},
    {"sigmoid", ref_sigmoid},
    {"leaky_relu", ref_leaky_relu},
    {"elu", ref_elu},
    {"selu", ref_selu},
    {"hardswish", ref_hardswish},
    {"hardsigmoid", ref_hardsigmoid},
    {"hardtanh", ref_hardtanh},
    {"softplus", ref_softplus},
    {"mish", ref_mish},
    {"tan", ref_tan},
    {"asin", ref_asin},
    {"acos", ref_acos},
    {"atan", ref_atan},
    {"sinh", ref_sinh},
    {"cosh", ref_cosh},
    {"asinh", ref_asinh},
    {"acosh", ref_acosh},
    {"atanh", ref_atanh},
    {"exp2", ref_exp2},
    {"log2", ref_log2},
    {"log10", ref_log10},
    {"cbrt", ref_cbrt},
    {"sinc", ref_sinc},
    {"erfc", ref_erfc},
    {"erfinv", ref_erfinv},
    {"lgamma", ref_lgamma},
    {"tanhshrink", ref_tanhshrink},
    {"logsigmoid", ref_logsigmoid},
    {"softsign", ref_softsign},
    {"celu", ref_celu},
    {"atan2", ref_atan2},
    {"hypot", ref_hypot},
    {"fmod", ref_fmod},
    {"pow", ref_pow},
    {"silu_and_mul", ref_silu_and_mul},
    {"gelu_and_mul", ref_gelu_and_mul},
    {"gelu_tanh_and_mul", ref_gelu_tanh_and_mul},
    {"add", ref_add},
    {"sub", ref_sub},
    {"mul", ref_mul},
    {"div", ref_div},
    {"lerp", ref_lerp},
    {"add(alpha=0.3)", ref_add_scaled},
    {"div(rounding=trunc)", ref_div_trunc},
    {"div(rounding=floor)", ref_floor_divide},
    {"floor_divide", ref_floor_divide},
    {"remainder", ref_remainder},
    {"maximum", ref_maximum},
    {"minimum", ref_minimum},
};

}  // namespace

FastReference fast_reference(const std::string& name) {
  if (name.rfind("pow(", 0) == 0) return ref_pow_scalar;
  for (const auto& r : kReferences) {
    if (name == r.name) return r.function;
  }
  return nullptr;
}

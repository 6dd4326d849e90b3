// Samples every double-precision primitive of include/tileops/device/math/f64/primitives.h against MPFR and
// prints one JSON object per line: the largest error in ulp, how many results are not correctly
// rounded, and the worst input. Exit status 1 if a bound is exceeded or a special value is wrong.
//
//   f64_sample [log2 of the points per function, default 20] [function...]
//
// Half of the points have a uniform exponent (so tiny and huge arguments count as much as ordinary
// ones), half are uniform in the range where the function does something. Points where a primitive
// says it is rare go to its slow form, as the kernels do.
//
// Build: g++ -std=c++17 -O2 -march=native -ffp-contract=off -fno-math-errno -Iinclude
//            tests/accuracy/f64_sample.cc -lmpfr -lgmp
#include <mpfr.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include <tileops/device/math/functions/inverse_trig.h>
#include <tileops/device/math/functions/logarithms.h>
#include <tileops/device/math/functions/roots.h>
#include <tileops/device/math/functions/tan.h>
#include "tileops/device/math/f64/primitives.h"

namespace {

using tileops::device::portable_f64;
using P = portable_f64;

constexpr mpfr_prec_t kPrecision = 160;

struct Random {
  uint64_t state;
  uint64_t next() {  // splitmix64
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
};

double FromBits(uint64_t b) {
  double d;
  std::memcpy(&d, &b, sizeof d);
  return d;
}

// Uniform exponent in [low, high] (-1075 stands for all subnormals), random mantissa and sign.
double RandomExponent(Random& r, int low, int high, bool negative) {
  const int e = low + static_cast<int>(r.next() % static_cast<uint64_t>(high - low + 1));
  const uint64_t mantissa = r.next() & 0xfffffffffffffu;
  double x;
  if (e < -1022) {
    x = FromBits(mantissa >> (r.next() % 52));
  } else {
    x = FromBits((static_cast<uint64_t>(e + 1023) << 52) | mantissa);
  }
  return negative && (r.next() & 1) ? -x : x;
}

// log2 of the distance of two neighbouring doubles around the value.
mpfr_exp_t UlpExponent(mpfr_t exact) {
  const mpfr_exp_t e = mpfr_get_exp(exact);
  return e < -1021 ? -1074 : e - 53;
}

// |got - exact| in ulp of exact; 0 for matching special values, infinity for mismatching ones.
double UlpError(mpfr_t exact, double got, bool* correctly_rounded) {
  const double want = mpfr_get_d(exact, MPFR_RNDN);
  *correctly_rounded = std::memcmp(&want, &got, sizeof got) == 0;
  if (std::isnan(want) || std::isnan(got)) {
    *correctly_rounded = std::isnan(want) && std::isnan(got);
    return *correctly_rounded ? 0.0 : INFINITY;
  }
  if (std::isinf(want) || std::isinf(got) || mpfr_zero_p(exact)) {
    return *correctly_rounded ? 0.0 : INFINITY;
  }
  if (std::signbit(want) != std::signbit(got)) return INFINITY;
  static mpfr_t diff;
  static bool ready = false;
  if (!ready) {
    mpfr_init2(diff, 64);
    ready = true;
  }
  mpfr_sub_d(diff, exact, got, MPFR_RNDN);
  // Scaled before it becomes a double: half an ulp of a subnormal number is none.
  mpfr_mul_2si(diff, diff, -UlpExponent(exact), MPFR_RNDN);
  return std::fabs(mpfr_get_d(diff, MPFR_RNDN));
}

struct Point {
  double x, y;
};

struct Function {
  const char* name;
  double bound;  // ulp
  std::function<double(Point)> evaluate;
  std::function<void(mpfr_t, Point)> exact;
  int low_exponent, high_exponent;  // of x
  bool negative;                    // x may be negative
  double from, to;                  // the range of ordinary arguments
  int arguments;
};

template <class F>
std::function<void(mpfr_t, Point)> Exact(F f) {
  return [f](mpfr_t out, Point p) {
    mpfr_set_d(out, p.x, MPFR_RNDN);
    f(out, out, MPFR_RNDN);
  };
}

// erfc(a / sqrt 2) / 2 * factor
void ExactNormalTail(mpfr_t out, double a, double factor) {
  static mpfr_t t;
  static bool ready = false;
  if (!ready) {
    mpfr_init2(t, 240);
    ready = true;
  }
  mpfr_sqrt_ui(t, 2, MPFR_RNDN);
  mpfr_d_div(t, a, t, MPFR_RNDN);
  mpfr_erfc(out, t, MPFR_RNDN);
  mpfr_mul_d(out, out, 0.5, MPFR_RNDN);
  mpfr_mul_d(out, out, factor, MPFR_RNDN);
}

void ExactTurn(mpfr_t out, double phase_bits, bool sine) {
  static mpfr_t t, pi;
  static bool ready = false;
  if (!ready) {
    mpfr_init2(t, 300);
    mpfr_init2(pi, 300);
    mpfr_const_pi(pi, MPFR_RNDN);
    ready = true;
  }
  uint64_t phase;
  std::memcpy(&phase, &phase_bits, sizeof phase);
  mpfr_set_ui(t, static_cast<unsigned long>(phase), MPFR_RNDN);
  // At multiples of a quarter the exact value is 0, 1 or -1.
  if ((phase << 2) == 0) {
    const int q = static_cast<int>(phase >> 62);
    static const int sines[] = {0, 1, 0, -1};
    mpfr_set_si(out, sines[(q + (sine ? 0 : 1)) & 3], MPFR_RNDN);
    return;
  }
  mpfr_mul(t, t, pi, MPFR_RNDN);
  mpfr_div_2ui(t, t, 63, MPFR_RNDN);
  if (sine) {
    mpfr_sin(out, t, MPFR_RNDN);
  } else {
    mpfr_cos(out, t, MPFR_RNDN);
  }
}

double Turn(double phase_bits, bool sine) {
  unsigned long long phase;
  std::memcpy(&phase, &phase_bits, sizeof phase);
  double s, c;
  P::sincos_turn(phase, s, c);
  // The sign of a zero is not part of the contract of sincos_turn.
  const double v = sine ? s : c;
  return v == 0.0 ? 0.0 : v;
}

double Fmod(double a, double b) { return P::fmod_rare(a, b) ? P::fmod_slow(a, b) : P::fmod(a, b); }
double Sin(double x) { return P::sin_rare(x) ? P::sin_slow(x) : P::sin(x); }
namespace dev = tileops::device;
double Tan(double x) { return dev::tan_rare(x) ? dev::tan_slow(x) : dev::tan(x); }
double Cos(double x) { return P::cos_rare(x) ? P::cos_slow(x) : P::cos(x); }

std::vector<Function> Functions() {
  using std::function;
  auto one = [](double (*f)(double)) { return [f](Point p) { return f(p.x); }; };
  return {
      {"exp", 1, one(P::exp), Exact(mpfr_exp), -60, 10, true, -750, 715, 1},
      {"exp2", 1, one(P::exp2), Exact(mpfr_exp2), -60, 11, true, -1080, 1030, 1},
      {"expm1", 1, one(P::expm1), Exact(mpfr_expm1), -1075, 10, true, -5, 5, 1},
      {"log", 1, one(P::log), Exact(mpfr_log), -1075, 1023, false, 0, 2.5, 1},
      {"log2", 1, one(dev::log2), Exact(mpfr_log2), -1075, 1023, false, 0, 2.5, 1},
      {"log10", 1, one(dev::log10), Exact(mpfr_log10), -1075, 1023, false, 0, 2.5, 1},
      {"sinh", 1, one(dev::sinh<double>), Exact(mpfr_sinh), -1075, 10, true, -3, 3, 1},
      {"cosh", 1, one(dev::cosh<double>), Exact(mpfr_cosh), -60, 10, true, -3, 3, 1},
      {"asinh", 1, one(dev::asinh<double>), Exact(mpfr_asinh), -1075, 1023, true, -3, 3, 1},
      {"acosh", 1, one(dev::acosh<double>), Exact(mpfr_acosh), 0, 1023, false, 1, 3, 1},
      {"atanh", 1, one(dev::atanh<double>), Exact(mpfr_atanh), -1075, 0, true, -1, 1, 1},
      {"asin", 1, one(dev::asin<double>), Exact(mpfr_asin), -1075, 0, true, -1, 1, 1},
      {"acos", 1, one(dev::acos<double>), Exact(mpfr_acos), -60, 0, true, -1, 1, 1},
      {"atan", 1.5, one(dev::atan<double>), Exact(mpfr_atan), -1075, 1023, true, -3, 3, 1},
      {"tan", 1, one(Tan), Exact(mpfr_tan), -1075, 1023, true, -30, 30, 1},
      {"cbrt", 1, one(dev::cbrt), Exact(mpfr_cbrt), -1075, 1023, true, -4, 4, 1},
      {"log1p", 1, one(P::log1p), Exact(mpfr_log1p), -1075, 1023, true, -1, 3, 1},
      {"sqrt", 0.5, one(P::sqrt), Exact(mpfr_sqrt), -1075, 1023, false, 0, 4, 1},
      {"rsqrt", 0.51, one(P::rsqrt),
       [](mpfr_t out, Point p) {
         mpfr_set_d(out, p.x, MPFR_RNDN);
         mpfr_rec_sqrt(out, out, MPFR_RNDN);
         if (p.x == 0) mpfr_set_d(out, 1 / p.x, MPFR_RNDN);  // IEEE 754: -inf at -0; MPFR: +inf
       },
       -1075, 1023, false, 0, 4, 1},
      {"rcp", 0.5, one(P::rcp),
       [](mpfr_t out, Point p) {
         mpfr_set_d(out, p.x, MPFR_RNDN);
         mpfr_ui_div(out, 1, out, MPFR_RNDN);
       },
       -1075, 1023, true, -4, 4, 1},
      {"tanh", 1, one(P::tanh), Exact(mpfr_tanh), -1075, 6, true, -5, 5, 1},
      {"erf", 1, one(P::erf), Exact(mpfr_erf), -1075, 4, true, -6.1, 6.1, 1},
      {"erfc", 1, one(P::erfc), Exact(mpfr_erfc), -60, 4, true, -6, 27.4, 1},
      {"normal_tail", 1, one(P::normal_tail), [](mpfr_t out, Point p) { ExactNormalTail(out, p.x, 1.0); }, -60, 5, true,
       -9, 38.8, 1},
      // x Phi(x) as gelu calls it: a = -x, and a factor that stays small where the tail is 0.
      {"normal_tail_times", 1, [](Point p) { return P::normal_tail_times(-p.x, p.x < -40.0 ? -40.0 : p.x); },
       [](mpfr_t out, Point p) {
         if (std::isinf(p.x) || p.x == 0) {
           mpfr_set_d(out, p.x < 0 ? -0.0 : p.x, MPFR_RNDN);
         } else {
           ExactNormalTail(out, -p.x, p.x);
           // MPFR rounds a result below its own range to the least number.
           if (p.x < -1e6) mpfr_set_d(out, -0.0, MPFR_RNDN);
         }
       },
       -1075, 5, true, -38.8, 9, 1},
      {"sin", 1, one(Sin), Exact(mpfr_sin), -1075, 1023, true, -30, 30, 1},
      {"cos", 1, one(Cos), Exact(mpfr_cos), -60, 1023, true, -30, 30, 1},
      {"sin_fast_range", 1, one(Sin), Exact(mpfr_sin), -30, 19, true, -1048576, 1048576, 1},
      {"cos_fast_range", 1, one(Cos), Exact(mpfr_cos), -30, 19, true, -1048576, 1048576, 1},
      {"sin_turn", 1, [](Point p) { return Turn(p.x, true); }, [](mpfr_t out, Point p) { ExactTurn(out, p.x, true); },
       0, 0, false, 0, 0, 0},
      {"cos_turn", 1, [](Point p) { return Turn(p.x, false); }, [](mpfr_t out, Point p) { ExactTurn(out, p.x, false); },
       0, 0, false, 0, 0, 0},
      {"pow", 1, [](Point p) { return P::pow(p.x, p.y); },
       [](mpfr_t out, Point p) {
         static mpfr_t y;
         static bool ready = false;
         if (!ready) {
           mpfr_init2(y, 53);
           ready = true;
         }
         mpfr_set_d(out, p.x, MPFR_RNDN);
         mpfr_set_d(y, p.y, MPFR_RNDN);
         mpfr_pow(out, out, y, MPFR_RNDN);
       },
       -1075, 1023, false, 0, 3, 2},
      {"fmod", 0, [](Point p) { return Fmod(p.x, p.y); },
       [](mpfr_t out, Point p) {
         static mpfr_t y;
         static bool ready = false;
         if (!ready) {
           mpfr_init2(y, 53);
           ready = true;
         }
         mpfr_set_d(out, p.x, MPFR_RNDN);
         mpfr_set_d(y, p.y, MPFR_RNDN);
         mpfr_fmod(out, out, y, MPFR_RNDN);
       },
       -1075, 1023, true, -100, 100, 2},
  };
}

// clang-format off: as many a line as there is room for
const double kEdges[] = {
    0.0, 0x1p-1074, 0x1.fffffffffffffp-1023, 0x1p-1022, 0x1p-600, 0x1p-60, 0x1p-54, 0x1p-53,
    0x1p-30, 0x1p-27, 0x1p-10, 0.25, 0.5, 0x1.62e42fefa39efp-2, 0x1.6a09e667f3bccp-1,
    0x1.6a09e667f3bcdp-1, 0x1.fffffffffffffp-1, 1.0, 0x1.0000000000001p+0, 0x1.6a09e667f3bcdp+0,
    0x1.921fb54442d18p-1, 0x1.921fb54442d18p+0, 0x1.921fb54442d18p+1, 1.5, 2.0, 3.0, 0.8, 4.0, 5.92,
    5.93, 6.0, 18.0, 19.0, 20.0, 22.0, 26.5, 26.54, 26.6, 27.2, 27.22, 27.23, 27.3, 28.0, 37.5,
    38.0, 38.4, 38.45, 38.5, 38.6, 39.0, 100.0, 255.0, 707.0, 708.3, 708.4, 709.7, 709.78, 709.79,
    710.0, 744.4, 745.1, 745.13, 745.14, 746.0, 1021.0, 1022.0, 1023.0, 1023.5, 1024.0, 1073.5,
    1074.0, 1074.5, 1075.0, 1075.5, 1076.0, 0x1.fffffffffffffp19, 0x1p20, 0x1p31, 0x1p52, 0x1p53,
    0x1.6ac5b262ca1ffp+849 /* within 2^-60 of a multiple of pi/2 */, 0x1p1000,
    0x1.fffffffffffffp+1023, INFINITY, NAN};
// clang-format on

}  // namespace

int main(int argc, char** argv) {
  int log2_points = 20;
  std::vector<std::string> wanted;
  for (int i = 1; i < argc; ++i) {
    char* end = nullptr;
    const long n = std::strtol(argv[i], &end, 10);
    if (*end == '\0') {
      log2_points = static_cast<int>(n);
    } else {
      wanted.push_back(argv[i]);
    }
  }
  mpfr_set_default_prec(kPrecision);
  bool ok = true;
  for (const Function& f : Functions()) {
    bool skip = !wanted.empty();
    for (const std::string& w : wanted) skip = skip && w != f.name;
    if (skip) continue;
    Random random{12345};
    mpfr_t exact;
    mpfr_init2(exact, kPrecision);
    double worst = -1;
    Point worst_point = {0, 0};
    double worst_got = 0;
    uint64_t points = 0, misrounded = 0;
    auto check = [&](Point p) {
      const double got = f.evaluate(p);
      bool exact_rounding = true;
      f.exact(exact, p);
      const double error = UlpError(exact, got, &exact_rounding);
      ++points;
      misrounded += exact_rounding ? 0 : 1;
      if (error > worst) {
        worst = error;
        worst_point = p;
        worst_got = got;
      }
    };
    if (f.arguments == 1) {
      for (double x : kEdges) {
        check({x, 0});
        check({-x, 0});
      }
    } else if (f.arguments == 2) {
      for (double x : kEdges) {
        for (double y : kEdges) {
          check({x, y});
          check({-x, y});
          check({x, -y});
          check({-x, -y});
        }
      }
    } else {
      for (uint64_t base = 0; base < 8; ++base) {
        for (int64_t d = -3; d <= 3; ++d) {
          check({FromBits((base << 61) + static_cast<uint64_t>(d)), 0});
        }
      }
    }
    const uint64_t n = uint64_t{1} << log2_points;
    for (uint64_t i = 0; i < n; ++i) {
      Point p = {0, 0};
      if (f.arguments == 0) {
        // A phase; every other one close to a multiple of an eighth of a turn.
        uint64_t phase = random.next();
        if (i & 1) {
          phase = (phase & (uint64_t{7} << 61)) + ((phase & ~(uint64_t{7} << 61)) >> (i % 61));
        }
        p.x = FromBits(phase);
      } else {
        p.x = (i & 1) ? RandomExponent(random, f.low_exponent, f.high_exponent, f.negative)
                      : f.from + (f.to - f.from) * random.unit();
        if (std::strstr(f.name, "fast_range") != nullptr && (i & 3) == 1) {
          // The double next to a multiple of pi/2, where the reduction cancels most.
          p.x = std::floor(667543 * random.unit()) * 0x1.921fb54442d18p+0;
        }
        if (std::strcmp(f.name, "pow") == 0) {
          // Half of the exponents such that the result neither overflows nor underflows.
          const double limit = 745 / std::fabs(std::log(p.x));
          p.y = (i & 2) ? RandomExponent(random, -60, 12, true)
                        : (2 * random.unit() - 1) * (limit < 1e300 ? limit : 1e300);
          if (i % 16 == 3) p.y = std::rint(p.y), p.x = -p.x;
        } else if (f.arguments == 2) {
          p.y = (i & 2) ? RandomExponent(random, f.low_exponent, f.high_exponent, true)
                        : f.from + (f.to - f.from) * random.unit();
        }
      }
      check(p);
    }
    const bool good = worst <= f.bound;
    ok = ok && good;
    std::printf("{\"op\": \"%s\", \"points\": %llu, \"max_ulp\": %.4f, "
                "\"not_correctly_rounded\": %llu, \"worst_input\": [\"%a\"",
                f.name, static_cast<unsigned long long>(points), worst, static_cast<unsigned long long>(misrounded),
                worst_point.x);
    if (f.arguments == 2) std::printf(", \"%a\"", worst_point.y);
    std::printf("], \"got\": \"%a\", \"bound\": %g, \"ok\": %s}\n", worst_got, f.bound, good ? "true" : "false");
    std::fflush(stdout);
    mpfr_clear(exact);
  }
  return ok ? 0 : 1;
}

// Binary operators on f32 (or narrower) numbers in double, each within 2^-50 of the exact result.
#ifndef TILEOPS_TESTS_ACCURACY_QUOTIENTS_H
#define TILEOPS_TESTS_ACCURACY_QUOTIENTS_H

#include <cmath>
#include <limits>

inline double maximum(double x, double y, double) {
  if (x != x || y != y) return std::numeric_limits<double>::quiet_NaN();
  return x > y || (x == y && std::signbit(y)) ? x : y;
}

inline double minimum(double x, double y, double) {
  if (x != x || y != y) return std::numeric_limits<double>::quiet_NaN();
  return x < y || (x == y && std::signbit(x)) ? x : y;
}

inline double add_scaled(double x, double y, double alpha) { return std::fma(alpha, y, x); }

// b - a may cancel against a, and x and y may be far apart: 113 bits.
inline double lerp(double x, double y, double w) {
  if (!std::isfinite(x) || !std::isfinite(y) || (x == 0 && y == 0)) {
    return std::fabs(w) < 0.5 ? x + w * (y - x) : y - (y - x) * (1 - w);
  }
#ifdef __SIZEOF_FLOAT128__
  using Wide = __float128;
#else
  using Wide = long double;
#endif
  return static_cast<double>(Wide(x) + Wide(w) * (Wide(y) - Wide(x)));
}

inline double fmod_like_c(double x, double y, double) { return std::fmod(x, y); }

inline double remainder_like_python(double x, double y, double) {
  const double m = std::fmod(x, y);
  return m != 0 && (y < 0) != (m < 0) ? m + y : m;
}

// x - m is a multiple of y, so a quotient below 2^50 is an integer up to its rounding.
inline double whole(double q) { return std::fabs(q) < 0x1p50 ? std::rint(q) : q; }

inline double floor_divide(double x, double y, double) {
  if (y == 0) return x / y;
  if (x != x || y != y || std::isinf(x)) return std::numeric_limits<double>::quiet_NaN();
  if (std::isinf(y)) return x != 0 && (x < 0) != (y < 0) ? -1.0 : x / y;
  const double m = std::fmod(x, y);
  const double q = whole((x - m) / y);
  const double f = m != 0 && (y < 0) != (m < 0) ? q - 1 : q;
  return f == 0 ? std::copysign(0.0, x) * std::copysign(1.0, y) : f;
}

inline double divide_trunc(double x, double y, double) {
  if (!std::isfinite(x) || !std::isfinite(y) || y == 0) return x / y;
  const double q = whole((x - std::fmod(x, y)) / y);
  return q == 0 ? std::copysign(0.0, x) * std::copysign(1.0, y) : q;
}

#endif

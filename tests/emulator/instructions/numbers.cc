#include "instructions/numbers.h"

#include <algorithm>

namespace emulator {

double decode(const Format& f, uint32_t bits) {
  const int m = f.mantissa_bits, bias = (1 << (f.exponent_bits - 1)) - 1;
  const uint32_t magnitudes = (1u << (m + f.exponent_bits)) - 1, magnitude = bits & magnitudes;
  const int exponent = static_cast<int>(magnitude >> m);
  const uint32_t mantissa = magnitude & ((1u << m) - 1);
  double x;
  if (f.top == Format::Top::infinity && exponent == (1 << f.exponent_bits) - 1) x = mantissa == 0 ? INFINITY : NAN;
  else if (f.top == Format::Top::one_nan && magnitude == magnitudes) x = NAN;
  else if (exponent == 0) x = std::ldexp(mantissa, 1 - bias - m);
  else x = std::ldexp(mantissa + (1u << m), exponent - bias - m);
  return bits > magnitudes ? -x : x;
}

uint32_t encode(const Format& f, double x, int mode, bool finite) {
  const int m = f.mantissa_bits, bias = (1 << (f.exponent_bits - 1)) - 1;
  const uint32_t sign = std::signbit(x) ? 1u << (m + f.exponent_bits) : 0;
  const uint32_t magnitudes = (1u << (m + f.exponent_bits)) - 1;
  const bool has_infinity = f.top == Format::Top::infinity;
  if (std::isnan(x)) return magnitudes;  // e2m1, which has none, takes its largest number
  const double largest = sign ? -f.largest : f.largest;
  const uint32_t beyond = finite ? sign | encode(f, f.largest) : sign | (magnitudes >> m << m);
  if (std::isinf(x)) return has_infinity || finite ? beyond : sign | magnitudes;
  // In units of the last place of its exponent it is rounded to an integer.
  int e = 0;
  std::frexp(x, &e);
  const int place = std::max(e - 1, 1 - bias) - m;
  const RoundingMode rounding(mode);
  const double rounded = std::ldexp(opaque(std::nearbyint(opaque(std::ldexp(x, -place)))), place);
  if (std::fabs(rounded) > f.largest) {
    if (!finite && (mode == FE_TOWARDZERO || (mode == FE_DOWNWARD && !sign) || (mode == FE_UPWARD && sign)))
      return encode(f, largest);
    return has_infinity || finite ? beyond : sign | magnitudes;
  }
  if (rounded == 0) return sign;
  std::frexp(rounded, &e);
  const int exponent = e - 1 + bias;
  const double magnitude = std::fabs(rounded);
  if (exponent <= 0) return sign | static_cast<uint32_t>(std::ldexp(magnitude, bias - 1 + m));
  const auto mantissa = static_cast<uint32_t>(std::ldexp(magnitude, m - (e - 1))) - (1u << m);
  return sign | static_cast<uint32_t>(exponent) << m | mantissa;
}

int rounding_of(const Mnemonic& m) {
  if (m.has("rz") || m.has("rzi")) return FE_TOWARDZERO;
  if (m.has("rm") || m.has("rmi")) return FE_DOWNWARD;
  if (m.has("rp") || m.has("rpi")) return FE_UPWARD;
  return FE_TONEAREST;
}

double odd_fma(double a, double b, double c) {
  const RoundingMode rounding(FE_TOWARDZERO);
  std::feclearexcept(FE_INEXACT);
  const double r = opaque(std::fma(opaque(a), opaque(b), opaque(c)));
  const bool inexact = std::fetestexcept(FE_INEXACT) != 0;
  return inexact && std::isfinite(r) ? get<double>(put(r) | 1) : r;
}

}  // namespace emulator

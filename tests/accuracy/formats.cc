#include "formats.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <vector>

namespace {

const Format kFormats[] = {
    {"f16", {kDLFloat, 16, 1}, OracleFormat::kF16, 2, 5, 10, 0x7bff, 0x7c00, 0x7c00},
    {"bf16", {kDLBfloat, 16, 1}, OracleFormat::kBF16, 2, 8, 7, 0x7f7f, 0x7f80, 0x7f80},
    {"e4m3fn", {10, 8, 1}, OracleFormat::kE4M3FN, 1, 4, 3, 0x7e, 0x7e, 0x7e},
    {"e5m2", {12, 8, 1}, OracleFormat::kE5M2, 1, 5, 2, 0x7b, 0x7c, 0x7c},
    {"f32", {kDLFloat, 32, 1}, OracleFormat::kF32, 4, 8, 23, 0x7f7fffff, 0x7f800000, 0x7f800000},
    {"f64",
     {kDLFloat, 64, 1},
     OracleFormat::kF64,
     8,
     11,
     52,
     0x7fefffffffffffff,
     0x7ff0000000000000,
     0x7ff0000000000000},
};

uint64_t bits_of(double v) {
  uint64_t bits;
  std::memcpy(&bits, &v, sizeof bits);
  return bits;
}

double power_of_two(int e) {  // -1022 <= e <= 1023
  const uint64_t bits = static_cast<uint64_t>(e + 1023) << 52;
  double v;
  std::memcpy(&v, &bits, sizeof v);
  return v;
}

// The value of every code of a narrow dtype.
std::vector<double> values_of(const Format& f) {
  std::vector<double> values(size_t{1} << (8 * f.size));
  for (size_t code = 0; code < values.size(); ++code) values[code] = oracle_decode(code, f.oracle);
  return values;
}

// Exponent of the spacing around v, v != 0 and finite.
int quantum(const Format& f, double v) {
  const int e = static_cast<int>((bits_of(v) >> 52) & 0x7ff) - 1023;
  const int least = 1 - f.bias();
  return (e < least ? least : e) - f.mantissa_bits;
}

}  // namespace

const Format* find_format(const char* name) {
  for (const Format& f : kFormats) {
    if (std::strcmp(f.name, name) == 0) return &f;
  }
  return nullptr;
}

double decode(const Format& f, uint64_t code) {
  static const std::vector<double> tables[] = {values_of(kFormats[0]), values_of(kFormats[1]), values_of(kFormats[2]),
                                               values_of(kFormats[3])};
  if (f.narrow()) return tables[&f - kFormats][code];
  if (f.size == 8) {
    double v;
    std::memcpy(&v, &code, sizeof v);
    return v;
  }
  const uint32_t low = static_cast<uint32_t>(code);
  float v;
  std::memcpy(&v, &low, sizeof v);
  return v;
}

void decode(const Format& f, const uint64_t* codes, double* values, size_t n) {
  if (f.size != 4) {
    for (size_t i = 0; i < n; ++i) values[i] = decode(f, codes[i]);
    return;
  }
  for (size_t i = 0; i < n; ++i) {
    const uint32_t low = static_cast<uint32_t>(codes[i]);
    float v;
    std::memcpy(&v, &low, sizeof v);
    values[i] = v;
  }
}

void pack(const Format& f, const uint64_t* codes, void* elements, size_t n) {
  const auto as = [&](auto* to) {
    using T = std::remove_reference_t<decltype(*to)>;
    for (size_t i = 0; i < n; ++i) to[i] = static_cast<T>(codes[i]);
  };
  switch (f.size) {
    case 1: return as(static_cast<uint8_t*>(elements));
    case 2: return as(static_cast<uint16_t*>(elements));
    case 4: return as(static_cast<uint32_t*>(elements));
    default: return as(static_cast<uint64_t*>(elements));
  }
}

uint64_t encode(const Format& f, double v) {
  if (f.size == 8) return std::isnan(v) ? bits_of(NAN) : bits_of(v);
  const uint64_t sign = std::signbit(v) ? f.sign_bit() : 0;
  if (std::isnan(v)) {
    const uint64_t quiet = uint64_t{1} << (f.mantissa_bits - 1);
    return f.exponent_bits == 4 ? f.nan_above + 1 : f.nan_above + quiet;
  }
  if (v == 0) return sign;
  if (std::isinf(v)) return sign | f.overflow;
  const double a = std::fabs(v);
  const int q = quantum(f, a);
  const uint64_t count = static_cast<uint64_t>(std::nearbyint(a * power_of_two(-q)));
  const uint64_t steps = static_cast<uint64_t>(q + f.mantissa_bits - (1 - f.bias()));
  // count has the hidden bit where the number is normal; a carry moves on to the next exponent.
  const uint64_t code = (steps << f.mantissa_bits) + count;
  return sign | (code > f.largest ? f.overflow : code);
}

double ulp_of(const Format& f, double v) {
  const int least = 1 - f.bias() - f.mantissa_bits;
  if (f.size == 8) return std::ldexp(1.0, v == 0 ? least : std::max(least, std::ilogb(v) - 52));
  if (v == 0) return power_of_two(least);
  const int most = quantum(f, decode(f, f.largest));
  const int q = quantum(f, v);
  return power_of_two(q < most ? q : most);
}

bool formats_agree() {
  mpfr_t exact;
  mpfr_init2(exact, kOraclePrecision);
  bool ok = true;
  for (const Format& f : kFormats) {
    if (!f.narrow()) continue;
    for (uint64_t code = 0; code < 2 * f.sign_bit(); ++code) {
      const double v = decode(f, code);
      if (std::isnan(v)) {
        ok = ok && f.is_nan(code) && f.is_nan(encode(f, v));
        continue;
      }
      ok = ok && !f.is_nan(code) && encode(f, v) == code;
      const double next = decode(f, code + 1 < 2 * f.sign_bit() ? code + 1 : code);
      for (double x : {v, v / 2 + next / 2, std::nextafter(v / 2 + next / 2, 0.0),
                       std::nextafter(v / 2 + next / 2, next), v * 1.0625, v * 1e30, v * 1e-30}) {
        if (std::isnan(x)) continue;
        mpfr_set_d(exact, x, MPFR_RNDN);
        ok = ok && encode(f, x) == oracle_encode(exact, f.oracle);
      }
    }
  }
  mpfr_clear(exact);
  return ok;
}

#include "dtypes.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

namespace optest {
namespace {

constexpr DtInfo kInfo[kNumDt] = {
    {"float16", {kDLFloat, 16, 1}, 2, 'f', OracleFormat::kF16},
    {"bfloat16", {kDLBfloat, 16, 1}, 2, 'f', OracleFormat::kBF16},
    {"float32", {kDLFloat, 32, 1}, 4, 'f', OracleFormat::kF32},
    {"float64", {kDLFloat, 64, 1}, 8, 'f', OracleFormat::kF64},
    {"float8_e4m3fn", {10, 8, 1}, 1, 'f', OracleFormat::kE4M3FN},
    {"float8_e5m2", {12, 8, 1}, 1, 'f', OracleFormat::kE5M2},
    {"int8", {kDLInt, 8, 1}, 1, 'i', OracleFormat::kF64},
    {"int16", {kDLInt, 16, 1}, 2, 'i', OracleFormat::kF64},
    {"int32", {kDLInt, 32, 1}, 4, 'i', OracleFormat::kF64},
    {"int64", {kDLInt, 64, 1}, 8, 'i', OracleFormat::kF64},
    {"uint8", {kDLUInt, 8, 1}, 1, 'u', OracleFormat::kF64},
    {"uint16", {kDLUInt, 16, 1}, 2, 'u', OracleFormat::kF64},
    {"uint32", {kDLUInt, 32, 1}, 4, 'u', OracleFormat::kF64},
    {"uint64", {kDLUInt, 64, 1}, 8, 'u', OracleFormat::kF64},
    {"bool", {kDLBool, 8, 1}, 1, 'b', OracleFormat::kF64},
    {"float8_e8m0fnu", {14, 8, 1}, 1, 's', OracleFormat::kF64},
    {"float4_e2m1fn", {17, 4, 1}, 1, 'p', OracleFormat::kF64},
};

struct Limits {
  Int128 min, max;
};

Limits LimitsOf(Dt t) {
  const int bits = Info(t).size * 8;
  if (Info(t).kind == 'i') return {-(Int128{1} << (bits - 1)), (Int128{1} << (bits - 1)) - 1};
  return {0, (Int128{1} << bits) - 1};
}

uint64_t Mask(uint64_t bits, int size) { return size == 8 ? bits : bits & ((uint64_t{1} << (size * 8)) - 1); }

// Decoding through a table: 16-bit operands are read millions of times.
double DecodeNarrow(Dt t, uint64_t bits) {
  static const auto* tables = [] {
    auto* all = new std::array<std::vector<double>, kNumDt>;
    for (Dt d : {Dt::kF16, Dt::kBF16, Dt::kE4M3, Dt::kE5M2}) {
      auto& table = (*all)[static_cast<int>(d)];
      table.resize(size_t{1} << (Info(d).size * 8));
      for (size_t b = 0; b < table.size(); ++b) table[b] = oracle_decode(b, Info(d).format);
    }
    return all;
  }();
  return (*tables)[static_cast<int>(t)][bits];
}

uint64_t RoundToFormat(double v, Dt t, Overflow overflow) {
  if (t == Dt::kF64) {
    uint64_t bits;
    std::memcpy(&bits, &v, 8);
    return bits;
  }
  mpfr_t exact;
  mpfr_init2(exact, 53);
  mpfr_set_d(exact, v, MPFR_RNDN);
  const uint64_t bits = oracle_encode(exact, FormatOf(t, overflow));
  mpfr_clear(exact);
  return bits;
}

// An integer rounded once to a float format; up to 65 significant bits.
uint64_t RoundInteger(Int128 v, Dt t, Overflow overflow) {
  mpfr_t exact;
  mpfr_init2(exact, 128);
  const bool negative = v < 0;
  const Int128 m = negative ? -v : v;
  mpfr_set_uj(exact, static_cast<uint64_t>(m >> 32), MPFR_RNDN);
  mpfr_mul_2ui(exact, exact, 32, MPFR_RNDN);
  mpfr_add_ui(exact, exact, static_cast<unsigned long>(m & 0xffffffff), MPFR_RNDN);
  if (negative) mpfr_neg(exact, exact, MPFR_RNDN);
  const uint64_t bits = oracle_encode(exact, FormatOf(t, overflow));
  mpfr_clear(exact);
  return bits;
}

constexpr double kFours[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};

// The nearest of them, of two the one with an even code; what is larger is the largest, NaN is 0.
uint64_t EncodeFour(long double value) {
  if (std::isnan(value)) return 0;
  const long double magnitude = std::fabs(value);
  uint64_t code = 0;
  for (; code < 7; ++code) {
    const long double middle = (static_cast<long double>(kFours[code]) + kFours[code + 1]) / 2;
    if (magnitude < middle || (magnitude == middle && code % 2 == 0)) break;
  }
  return code | (std::signbit(value) ? 8 : 0);
}

// The power of two nearest to the magnitude, or the next one down or up, among 2^-127 to 2^127.
uint64_t EncodeScale(long double value, Overflow overflow, int64_t rounding) {
  if (std::isnan(value)) return 255;
  const long double magnitude = std::fabs(value);
  int code = 0;  // the last power that is not above
  while (code < 254 && std::ldexp(1.0L, code + 1 - 127) <= magnitude) ++code;
  const long double below = std::ldexp(1.0L, code - 127), above = 2 * below;
  const bool upper = rounding == 0   ? magnitude >= (below + above) / 2
                     : rounding == 3 ? magnitude > below
                                     : std::isinf(magnitude);
  code += upper;
  return code < 255 ? code : overflow == Overflow::kSaturate ? 254 : 255;
}

}  // namespace

const DtInfo& Info(Dt t) { return kInfo[static_cast<int>(t)]; }

const std::vector<Dt>& AllDtypes() {
  static const auto* all = [] {
    auto* v = new std::vector<Dt>;
    for (int i = 0; i < kNumDt; ++i)
      if (!IsPacked(static_cast<Dt>(i))) v->push_back(static_cast<Dt>(i));
    return v;
  }();
  return *all;
}

bool Promote(Dt a, Dt b, Dt* out) {
  if (a == b) return *out = a, true;
  const char ka = Info(a).kind, kb = Info(b).kind;
  const int sa = Info(a).size, sb = Info(b).size;
  const auto rank = [](char k) { return k == 'f' ? 2 : k == 'b' ? 0 : 1; };
  if (rank(ka) != rank(kb)) return *out = rank(ka) > rank(kb) ? a : b, true;
  if (ka == 'f') {
    if (sa != sb) return *out = sa > sb ? a : b, true;
    return *out = sa == 1 ? Dt::kF16 : Dt::kF32, true;
  }
  if (ka == kb) return *out = sa > sb ? a : b, true;
  const Dt s = ka == 'i' ? a : b, u = ka == 'i' ? b : a;
  if (Info(s).size > Info(u).size) return *out = s, true;
  switch (u) {
    case Dt::kU8: return *out = Dt::kI16, true;
    case Dt::kU16: return *out = Dt::kI32, true;
    case Dt::kU32: return *out = Dt::kI64, true;
    default: return false;
  }
}

Dt ComputeType(Dt t) { return IsNarrow(t) || IsScale(t) || IsPacked(t) ? Dt::kF32 : t; }

OracleFormat FormatOf(Dt t, Overflow overflow) {
  if (t == Dt::kE4M3 && overflow == Overflow::kNonsaturating) return OracleFormat::kE4M3FNNonsaturating;
  if (t == Dt::kE5M2 && overflow == Overflow::kSaturate) return OracleFormat::kE5M2Saturating;
  return Info(t).format;
}

Num Decode(Dt t, uint64_t bits) {
  switch (t) {
    case Dt::kF32: {
      const uint32_t b = static_cast<uint32_t>(bits);
      float f;
      std::memcpy(&f, &b, 4);
      return Num::Float(f);
    }
    case Dt::kF64: {
      double d;
      std::memcpy(&d, &bits, 8);
      return Num::Float(d);
    }
    case Dt::kBool: return Num::Integer(bits != 0);
    case Dt::kE2M1: return Num::Float((bits & 8 ? -1 : 1) * kFours[bits & 7]);
    case Dt::kE8M0: return Num::Float(bits == 255 ? NAN : std::ldexp(1.0, static_cast<int>(bits) - 127));
    default: break;
  }
  if (IsFloat(t)) return Num::Float(DecodeNarrow(t, bits));
  if (Info(t).kind == 'u') return Num::Integer(static_cast<Int128>(bits));
  const int shift = 64 - Info(t).size * 8;
  return Num::Integer(static_cast<int64_t>(bits << shift) >> shift);
}

uint64_t Encode(const Num& value, Dt t, Overflow overflow, int64_t rounding) {
  if (t == Dt::kBool) return value.Truth();
  if (IsPacked(t)) return EncodeFour(value.is_float ? value.d : static_cast<long double>(value.i));
  if (IsScale(t))  // a long double holds 64-bit integers exactly
    return EncodeScale(value.is_float ? value.d : static_cast<long double>(value.i), overflow, rounding);
  if (IsFloat(t)) {
    return value.is_float ? RoundToFormat(value.d, t, overflow) : RoundInteger(value.i, t, overflow);
  }
  if (!value.is_float) return Mask(static_cast<uint64_t>(value.i), Info(t).size);
  const Limits limits = LimitsOf(t);
  Int128 v;
  if (std::isnan(value.d)) v = 0;
  else if (value.d >= 0x1p100) v = limits.max;
  else if (value.d <= -0x1p100) v = limits.min;
  else v = static_cast<Int128>(std::trunc(value.d));
  v = v < limits.min ? limits.min : v > limits.max ? limits.max : v;
  return Mask(static_cast<uint64_t>(v), Info(t).size);
}

bool IsNanBits(Dt t, uint64_t bits) { return IsFloat(t) && std::isnan(Decode(t, bits).d); }

std::string ToString(Dt t, uint64_t bits) {
  char text[80];
  const Num v = Decode(t, bits);
  const int digits = Info(t).size * 2;
  if (v.is_float) {
    std::snprintf(text, sizeof text, "%.17g (0x%0*llx)", v.d, digits, static_cast<unsigned long long>(bits));
  } else if (v.i < 0) {
    std::snprintf(text, sizeof text, "%lld", static_cast<long long>(v.i));
  } else {
    std::snprintf(text, sizeof text, "%llu", static_cast<unsigned long long>(v.i));
  }
  return text;
}

int UlpExponent(Dt t, long double magnitude) {
  static constexpr struct {
    int precision, min_exponent;
  } kFormat[] = {{11, -14}, {8, -126}, {24, -126}, {53, -1022}, {4, -6}, {3, -14}};
  const auto& f = kFormat[static_cast<int>(t)];
  int e = f.min_exponent;
  if (magnitude != 0 && std::isfinite(magnitude)) {
    int x;
    std::frexp(magnitude, &x);
    if (x - 1 > e) e = x - 1;
  }
  return e - (f.precision - 1);
}

uint64_t LoadBits(const void* p, int size) {
  uint64_t bits = 0;
  std::memcpy(&bits, p, static_cast<size_t>(size));
  return bits;
}

void StoreBits(void* p, int size, uint64_t bits) { std::memcpy(p, &bits, static_cast<size_t>(size)); }

}  // namespace optest

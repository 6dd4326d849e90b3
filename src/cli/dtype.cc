#include "cli/dtype.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace tileops::cli {

static_assert(std::numeric_limits<long double>::digits >= 64,
              "the reference needs a long double that holds 64-bit integers");

const std::vector<DtypeRow>& all_dtypes() {
  static const std::vector<DtypeRow> rows = {
#define TILEOPS_DTYPE(id, constant, name, label, code, bits, lanes, category, exponent, fraction, largest, compute, \
                      storage, saturating, npy, doc)                                                                \
  {label, name, {code, bits, 1}, #category[0], npy},
#include <tileops/dtypes.def>
  };
  return rows;
}

std::string dtype_name(DLDataType dtype) {
  for (const DtypeRow& row : all_dtypes()) {
    if (row.dtype == dtype) return row.name;
  }
  return "dtype(" + std::to_string(dtype.code) + "," + std::to_string(dtype.bits) + ")";
}

std::string dtype_list() {
  std::string text;
  for (const DtypeRow& row : all_dtypes()) text += std::string(text.empty() ? "" : ", ") + row.name;
  return text;
}

DLDataType parse_dtype(const std::string& text, const char* what) {
  for (const DtypeRow& row : all_dtypes()) {
    if (text == row.name || text == row.long_name) return row.dtype;
  }
  throw UsageError(std::string(what) + ": unknown dtype '" + text + "' (need one of " + dtype_list() + ")");
}

namespace {
char category_of(DLDataType dtype) {
  for (const DtypeRow& row : all_dtypes()) {
    if (row.dtype == dtype) return row.category;
  }
  return '\0';
}
}  // namespace

bool is_float(DLDataType dtype) { return category_of(dtype) == 'F' || dtype == kE8M0 || is_packed(dtype); }
bool is_int(DLDataType dtype) { return category_of(dtype) == 'I'; }

void pack(unsigned char* elements, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const auto half = static_cast<unsigned char>((elements[i] & 15) << i % 2 * 4);
    elements[i / 2] = static_cast<unsigned char>(i % 2 ? elements[i / 2] | half : half);
  }
}

void unpack(unsigned char* elements, size_t n) {
  for (size_t i = n; i-- > 0;) elements[i] = static_cast<unsigned char>(elements[i / 2] >> i % 2 * 4 & 15);
}

std::vector<DLDataType> dtypes_of(uint32_t set) {
  std::vector<DLDataType> list;
  for (const DtypeRow& row : all_dtypes()) {
    const uint32_t bit = row.category == 'F'   ? TILEOPS_DTYPES_FLOAT
                         : row.category == 'I' ? TILEOPS_DTYPES_INT
                         : row.category == 'S' ? TILEOPS_DTYPES_SCALE
                         : row.category == 'P' ? TILEOPS_DTYPES_PACKED
                                               : TILEOPS_DTYPES_BOOL;
    if ((set & bit) != 0) list.push_back(row.dtype);
  }
  return list;
}

namespace {

int category(DLDataType dtype) { return is_float(dtype) ? 2 : is_int(dtype) ? 1 : 0; }

std::optional<DLDataType> promote_pair(DLDataType a, DLDataType b) {
  if (a == b) return a;
  const int ca = category(a), cb = category(b);
  if (ca != cb) return ca > cb ? a : b;
  if (ca == 2) {
    if (a.bits != b.bits) return a.bits > b.bits ? a : b;
    return a.bits == 8 ? kF16 : kF32;  // the two fp8 formats; float16 with bfloat16
  }
  if (a.code == b.code) return a.bits > b.bits ? a : b;
  const DLDataType s = a.code == kDLInt ? a : b, u = a.code == kDLInt ? b : a;
  if (s.bits > u.bits) return s;
  if (u.bits == 64) return std::nullopt;
  return DLDataType{kDLInt, static_cast<uint8_t>(2 * u.bits), 1};
}

}  // namespace

std::optional<DLDataType> promote(const std::vector<PromotionOperand>& operands) {
  std::optional<DLDataType> dim, zero;
  for (const PromotionOperand& operand : operands) {
    std::optional<DLDataType>& group = operand.zero_dim ? zero : dim;
    if (!group) {
      group = operand.dtype;
    } else if (!(group = promote_pair(*group, operand.dtype))) {
      return std::nullopt;
    }
  }
  if (!dim || !zero) return dim ? dim : zero;
  // A 0-d operand raises the category of the result, never the width within one.
  return category(*zero) > category(*dim) ? promote_pair(*dim, *zero) : dim;
}

namespace {

// Binary formats narrower than float32.
struct Format {
  int exponent_bits, mantissa_bits, bias;
  uint32_t nan;
  uint32_t max_finite;  // bit pattern
  bool has_infinity;
};

Format format_of(DLDataType dtype) {
  if (dtype == kE2M1) return {2, 1, 1, 0, 7, false};
  if (dtype == kE8M0) return {8, 0, 127, 0xff, 0xfe, false};
  if (dtype == kF16) return {5, 10, 15, 0x7e00, 0x7bff, true};
  if (dtype == kBF16) return {8, 7, 127, 0x7fc0, 0x7f7f, true};
  if (dtype == kE5M2) return {5, 2, 15, 0x7e, 0x7b, true};
  return {4, 3, 7, 0x7f, 0x7e, false};  // e4m3fn
}

uint32_t encode_small(const Format& f, long double value, bool saturate) {
  const int sign_shift = f.exponent_bits + f.mantissa_bits;
  const uint32_t sign = std::signbit(value) ? 1u << sign_shift : 0;
  if (std::isnan(value)) return f.nan ? sign | f.nan : 0;  // without a NaN 0
  const uint32_t overflow = sign | (saturate ? f.max_finite : f.has_infinity ? f.max_finite + 1 : f.nan);
  const long double a = std::fabs(value);
  if (std::isinf(a)) return overflow;
  if (a == 0) return sign;
  int exponent = 0;
  std::frexp(a, &exponent);
  int quantum = std::max(exponent - 1, 1 - f.bias) - f.mantissa_bits;
  auto mantissa = static_cast<uint64_t>(std::nearbyint(std::ldexp(a, -quantum)));
  if (mantissa >> (f.mantissa_bits + 1) != 0) {  // rounded up to the next power of two
    mantissa >>= 1;
    ++quantum;
  }
  const uint64_t hidden = uint64_t{1} << f.mantissa_bits;
  if (mantissa < hidden) return sign | static_cast<uint32_t>(mantissa);  // subnormal
  const int64_t field = int64_t{quantum} + f.mantissa_bits + f.bias;
  const uint64_t bits = (static_cast<uint64_t>(field) << f.mantissa_bits) | (mantissa - hidden);
  return bits > f.max_finite ? overflow : sign | static_cast<uint32_t>(bits);
}

long double decode_small(const Format& f, uint32_t bits) {
  const int sign_shift = f.exponent_bits + f.mantissa_bits;
  const bool negative = (bits >> sign_shift) & 1;
  const uint32_t magnitude = bits & ((1u << sign_shift) - 1);
  long double value;
  if (magnitude > f.max_finite) {
    value = f.has_infinity && magnitude == f.max_finite + 1 ? std::numeric_limits<long double>::infinity()
                                                            : std::numeric_limits<long double>::quiet_NaN();
  } else {
    const int field = static_cast<int>(magnitude >> f.mantissa_bits);
    const uint32_t hidden = 1u << f.mantissa_bits;
    const uint32_t fraction = magnitude & (hidden - 1);
    value = field == 0 ? std::ldexp(static_cast<long double>(fraction), 1 - f.bias - f.mantissa_bits)
                       : std::ldexp(static_cast<long double>(fraction + hidden), field - f.bias - f.mantissa_bits);
  }
  return negative ? -value : value;
}

// The nearest power of two, of two the larger one; of the magnitude, from 2^-127 on.
uint8_t encode_scale(long double value, bool saturate) {
  if (std::isnan(value)) return 255;
  int exponent = 200;
  if (std::isfinite(value) && std::frexp(std::fabs(value), &exponent) < 0.75L) --exponent;
  if (value == 0) exponent = -127;
  if (exponent > 127) return saturate ? 254 : 255;
  return static_cast<uint8_t>(std::max(exponent, -127) + 127);
}

long double decode_scale(uint8_t code) {
  return code == 255 ? std::numeric_limits<long double>::quiet_NaN() : std::ldexp(1.0L, code - 127);
}

template <class T>
long double load(const void* element) {
  T value;
  std::memcpy(&value, element, sizeof(T));
  return static_cast<long double>(value);
}

template <class T>
void store(long double value, void* element) {
  T result;
  if constexpr (std::numeric_limits<T>::is_integer) {
    using Limits = std::numeric_limits<T>;
    if (std::isnan(value)) {
      result = 0;
    } else if (value <= static_cast<long double>(Limits::min())) {
      result = Limits::min();
    } else if (value >= static_cast<long double>(Limits::max())) {
      result = Limits::max();
    } else {
      result = static_cast<T>(value);
    }
  } else {
    result = static_cast<T>(value);
  }
  std::memcpy(element, &result, sizeof(T));
}

}  // namespace

long double decode(DLDataType dtype, const void* element) {
  if (dtype == kF32) return load<float>(element);
  if (dtype == kF64) return load<double>(element);
  if (dtype == kBool) return load<uint8_t>(element) != 0;
  if (dtype == kE8M0) return decode_scale(*static_cast<const uint8_t*>(element));
  if (is_float(dtype)) {
    uint32_t bits = 0;
    if (dtype.bits == 16) {
      uint16_t half;
      std::memcpy(&half, element, 2);
      bits = half;
    } else {
      uint8_t byte;
      std::memcpy(&byte, element, 1);
      bits = byte;
    }
    return decode_small(format_of(dtype), bits);
  }
  const bool is_signed = dtype.code == kDLInt;
  switch (dtype.bits) {
    case 8: return is_signed ? load<int8_t>(element) : load<uint8_t>(element);
    case 16: return is_signed ? load<int16_t>(element) : load<uint16_t>(element);
    case 32: return is_signed ? load<int32_t>(element) : load<uint32_t>(element);
    default: return is_signed ? load<int64_t>(element) : load<uint64_t>(element);
  }
}

void encode(DLDataType dtype, long double value, void* element, Fp8Overflow overflow) {
  if (dtype == kF32) return store<float>(value, element);
  if (dtype == kF64) return store<double>(value, element);
  if (dtype == kBool) return store<uint8_t>(value != 0, element);  // NaN is true
  if (dtype == kE8M0) {
    *static_cast<uint8_t*>(element) = encode_scale(value, overflow == Fp8Overflow::kSaturate);
    return;
  }
  if (is_float(dtype)) {
    const bool saturate = is_packed(dtype) ||
                          (dtype.bits == 8 &&
                           (overflow == Fp8Overflow::kDefault ? dtype == kE4M3 : overflow == Fp8Overflow::kSaturate));
    const uint32_t bits = encode_small(format_of(dtype), value, saturate);
    if (dtype.bits == 16) {
      const auto half = static_cast<uint16_t>(bits);
      std::memcpy(element, &half, 2);
    } else {
      const auto byte = static_cast<uint8_t>(bits);
      std::memcpy(element, &byte, 1);
    }
    return;
  }
  const bool is_signed = dtype.code == kDLInt;
  switch (dtype.bits) {
    case 8: return is_signed ? store<int8_t>(value, element) : store<uint8_t>(value, element);
    case 16: return is_signed ? store<int16_t>(value, element) : store<uint16_t>(value, element);
    case 32: return is_signed ? store<int32_t>(value, element) : store<uint32_t>(value, element);
    default: return is_signed ? store<int64_t>(value, element) : store<uint64_t>(value, element);
  }
}

long double rounded(DLDataType dtype, long double value, Fp8Overflow overflow) {
  unsigned char element[8] = {};
  encode(dtype, value, element, overflow);
  return decode(dtype, element);
}

long double ulp(DLDataType dtype, long double value) {
  if (!is_float(dtype)) return 1;
  int mantissa_bits, min_exponent;
  if (dtype == kF32) {
    mantissa_bits = 23, min_exponent = -126;
  } else if (dtype == kF64) {
    mantissa_bits = 52, min_exponent = -1022;
  } else {
    const Format f = format_of(dtype);
    mantissa_bits = f.mantissa_bits, min_exponent = 1 - f.bias;
  }
  int exponent = min_exponent + 1;
  if (value != 0 && std::isfinite(value)) std::frexp(value, &exponent);
  return std::ldexp(1.0L, std::max(exponent - 1, min_exponent) - mantissa_bits);
}

long double int_min(DLDataType dtype) { return dtype.code == kDLInt ? -std::ldexp(1.0L, dtype.bits - 1) : 0; }

long double int_max(DLDataType dtype) {
  if (dtype == kBool) return 1;
  return std::ldexp(1.0L, dtype.code == kDLInt ? dtype.bits - 1 : dtype.bits) - 1;
}

}  // namespace tileops::cli

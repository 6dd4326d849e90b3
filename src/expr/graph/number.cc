#include "expr/graph/number.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace tileops::expr {

Number Number::of(bool v) {
  Number c;
  c.type = Type::boolean;
  c.i64 = v;
  return c;
}

Number Number::of(int64_t v) {
  Number c;
  c.i64 = v;
  return c;
}

Number Number::of(double v) {
  Number c;
  c.type = Type::f64;
  c.f64 = std::isnan(v) ? std::numeric_limits<double>::quiet_NaN() : v;
  return c;
}

double Number::as_f64() const { return type == Type::f64 ? f64 : static_cast<double>(i64); }

int64_t Number::as_i64() const { return i64; }

std::string Number::text() const {
  if (type == Type::boolean) return i64 ? "true" : "false";
  if (type == Type::i64) return std::to_string(i64);
  if (std::isnan(f64)) return "nan";
  if (std::isinf(f64)) return f64 < 0 ? "-inf" : "inf";
  char buffer[32];  // the shortest digits that read back as this number take at most 24
  std::string s(buffer, std::to_chars(buffer, buffer + sizeof buffer, f64).ptr);
  if (s.find_first_of(".e") == std::string::npos) s += ".0";
  return s;
}

bool same(const Number& a, const Number& b) { return a.type == b.type && a.i64 == b.i64; }

const char* type_name(Number::Type type) {
  switch (type) {
    case Number::Type::boolean: return "bool";
    case Number::Type::i64: return "an integer";
    case Number::Type::f64: return "a float";
  }
  return "?";
}

bool fits(int64_t value, Dtype dtype) {
  const int bits = static_cast<int>(8 * dtype_size(dtype));
  if (!is_signed_integer(dtype)) return value >= 0 && (bits == 64 || value < int64_t{1} << bits);
  return bits == 64 || (value >= -(int64_t{1} << (bits - 1)) && value < int64_t{1} << (bits - 1));
}

}  // namespace tileops::expr

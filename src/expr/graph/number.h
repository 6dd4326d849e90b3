// A number of an expression: a literal, a default, a folded subexpression, the value of a scalar.
#pragma once

#include <cstdint>
#include <string>

#include "op/dtype.h"

namespace tileops::expr {

struct Number {
  enum class Type : uint8_t { boolean, i64, f64 };  // in the order in which they promote
  Type type = Type::i64;
  union {
    int64_t i64 = 0;  // 0 or 1 of bool
    double f64;
  };

  static Number of(bool v);
  static Number of(int64_t v);
  static Number of(double v);  // every NaN is the same one

  double as_f64() const;   // rounded once where i64 is beyond 2^53
  int64_t as_i64() const;  // of bool and i64
  bool is(int64_t v) const { return type == Type::i64 && i64 == v; }

  // As it is written in a text; read back, it is the same constant.
  std::string text() const;
};

// They are of one type and have the same bits: 1 is not 1.0, and 0.0 is not -0.0.
bool same(const Number& a, const Number& b);

// "an integer", for messages.
const char* type_name(Number::Type type);

// Is an integer one that the dtype, of integers, has?
bool fits(int64_t value, Dtype dtype);

}  // namespace tileops::expr

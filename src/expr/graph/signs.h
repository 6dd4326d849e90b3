// Functions that have a sign, and how tightly it binds.
#pragma once

#include <string_view>

#include "expr/graph/function.h"

namespace tileops::expr {

// From loose to tight, as the grammar nests.
enum class Level { expr, arith, term, unary, power, primary };

struct Sign {
  const char* text;
  const char* function;
  Level level;  // of the whole; `power` takes a primary and a unary, the others two of the next level
};

inline constexpr Sign kBinarySigns[] = {
    {"+", "add", Level::arith},
    {"-", "sub", Level::arith},
    {"*", "mul", Level::term},
    {"/", "div", Level::term},
    {"//", "floor_divide", Level::term},
    {"%", "remainder", Level::term},
    {"**", "pow", Level::power},
    {"<", "lt", Level::expr},
    {"<=", "le", Level::expr},
    {">", "gt", Level::expr},
    {">=", "ge", Level::expr},
    {"==", "eq", Level::expr},
    {"!=", "ne", Level::expr},
    {"&", "bitwise_and", Level::expr},
    {"|", "bitwise_or", Level::expr},
    {"<<", "bitwise_left_shift", Level::expr},
    {">>", "bitwise_right_shift", Level::expr},
};
// Those that languages put at different levels: what stands beside them is in parentheses, unless it is the same sign.
inline constexpr std::string_view kAloneSigns[] = {"&", "|", "<<", ">>"};
inline constexpr Sign kUnarySigns[] = {{"-", "neg", Level::unary}, {"~", "bitwise_not", Level::unary}};

template <size_t N>
const Sign* find_sign(const Sign (&signs)[N], std::string_view text) {
  for (const Sign& s : signs)
    if (text == s.text) return &s;
  return nullptr;
}

inline bool stands_alone(std::string_view sign) {
  for (std::string_view s : kAloneSigns)
    if (sign == s) return true;
  return false;
}

}  // namespace tileops::expr

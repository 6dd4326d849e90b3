#include "expr/graph/hint.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "expr/graph/function.h"

namespace tileops::expr {
namespace {

// What other libraries call it. Where there is no such function at all, a name that is close would mislead.
struct Alias {
  std::string_view name;
  const char* meant;  // a function, or NULL
};
constexpr Alias kAliases[] = {
    {"max", "maximum"},
    {"min", "minimum"},
    {"fmax", "maximum"},
    {"fmin", "minimum"},
    {"swish", "silu"},
    {"logistic", "sigmoid"},
    {"clip", "clamp"},
    {"select", "where"},
    {"ifelse", "where"},
    {"if", "where"},
    {"cond", "where"},
    {"power", "pow"},
    {"mod", "remainder"},
    {"fabs", "abs"},
    {"absolute", "abs"},
    {"negative", "neg"},
    {"negate", "neg"},
    {"subtract", "sub"},
    {"multiply", "mul"},
    {"divide", "div"},
    {"true_divide", "div"},
    {"recip", "reciprocal"},
    {"mix", "lerp"},
    {"astype", "cast"},
    {"cat", "concat"},
    {"concatenate", "concat"},
    {"split", "chunk"},
    {"floordiv", "floor_divide"},
    {"floor_div", "floor_divide"},
    {"ceiling", "ceil"},
    {"rint", "round"},
    {"sgn", "sign"},
    {"sigm", "sigmoid"},
    {"shape", "extent"},
    {"size", "extent"},
    {"sinh", nullptr},
    {"cosh", nullptr},
    {"tan", nullptr},
    {"asin", nullptr},
    {"acos", nullptr},
    {"atan", nullptr},
    {"atan2", nullptr},
    {"asinh", nullptr},
    {"acosh", nullptr},
    {"atanh", nullptr},
    {"log10", nullptr},
    {"exp10", nullptr},
    {"cbrt", nullptr},
    {"erfc", nullptr},
    {"fmod", nullptr},
    {"glu", nullptr},
    {"celu", nullptr},
    {"sinc", nullptr},
};

// What is a sign or several functions here.
struct Instead {
  std::string_view name;
  const char* text;
  bool is_word;  // stands between values elsewhere, or before one
};
constexpr Instead kInstead[] = {
    {"square", "write x ** 2", false},
    {"sqr", "write x ** 2", false},
    {"cube", "write x ** 3", false},
    {"relu6", "write clamp(x, 0, 6)", false},
    {"quick_gelu", "write x * sigmoid(1.702 * x)", false},
    {"logical_xor", "write bitwise_xor(a, b), or '!=' between values of bool", false},
    {"and", "write '&' between values of bool, or logical_and(a, b)", true},
    {"or", "write '|' between values of bool, or logical_or(a, b)", true},
    {"not", "write '~' before a value of bool, or logical_not(x)", true},
    {"xor", "write bitwise_xor(a, b), or '!=' between values of bool", true},
    {"if", "write where(condition, a, b)", true},
    {"else", "write where(condition, a, b)", true},
};

size_t distance(std::string_view a, std::string_view b) {  // Levenshtein's
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0]++;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t changed = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

std::string nearest_function(std::string_view name) {
  size_t least = 3;
  std::string found;
  if (name.size() > 32) return found;
  for (const Function& f : function_table()) {
    const size_t d = distance(name, f.name);
    if (d >= least || 2 * d >= name.size()) continue;
    least = d;
    found = f.name;
  }
  return found;
}

std::string is_meant(std::string_view function) {
  return function.empty() ? "" : "is '" + std::string(function) + "' meant?";
}

}  // namespace

std::string hint_for(std::string_view name) {
  for (const Alias& a : kAliases)
    if (name == a.name) return is_meant(a.meant ? a.meant : "");
  for (const Instead& i : kInstead)
    if (name == i.name) return i.text;
  return is_meant(nearest_function(name));
}

std::string hint_for_word(std::string_view word) {
  for (const Instead& i : kInstead)
    if (i.is_word && word == i.name) return i.text;
  return "";
}

}  // namespace tileops::expr

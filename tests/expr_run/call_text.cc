#include "call_text.h"

#include <cmath>
#include <cstdio>
#include <sstream>

namespace exprtest {

using namespace optest;

const std::vector<OpRow>& MapRows() {
  static const auto* rows = [] {
    auto* all = new std::vector<OpRow>;
    for (const OpRow& row : OpRows())
      if (row.name != "cast" && (row.is_map() || row.rule == "masked_fill" || row.rule == "nan_to_num"))
        all->push_back(row);
    const auto function = [&](tileops_op op, const char* name, const char* operands, bool ints, const char* compute,
                              int ulp, double lo) {
      OpRow row{op,   name, "unary_math", "map", compute, {}, {{"y", false, {}, ""}},
                true, ints, ints,         false, ulp,     lo, 5};
      std::istringstream names(operands);
      for (std::string operand; names >> operand;) row.inputs.push_back({operand, false, {}, ""});
      all->push_back(row);
    };
    function(TILEOPS_OP_FMA, "fma", "a b c", false, "promote", 0, -5);
    return all;
  }();
  return *rows;
}

std::string NumberText(double value, bool integer) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char text[64];
  std::snprintf(text, sizeof text, integer ? "%.0f" : "%.17g", value);
  std::string s = text;
  if (!integer && s.find_first_of(".e") == std::string::npos) s += ".0";
  return s;
}

std::string Label(Dt dtype) {
  const std::string name = Info(dtype).name;
  for (const auto& [full, label] : {std::pair<const char*, const char*>{"float8_e4m3fn", "e4m3fn"},
                                    {"float8_e5m2", "e5m2"},
                                    {"float8_e8m0fnu", "e8m0fnu"}})
    if (name == full) return label;
  return name;
}

namespace {

std::string AttrText(const OpRow& row, const Attr& a) {
  tileops_op_info info = TILEOPS_OP_INFO_INIT;
  tileops_function_describe(row.op, &info);
  for (int i = 0; i < info.num_attrs; ++i) {
    const tileops_attr_info& known = info.attrs[i];
    if (a.name != known.name || !known.choices) continue;
    std::istringstream choices(known.choices);
    std::string choice;
    for (int64_t k = 0; k <= a.i; ++k) std::getline(choices, choice, '|');
    return choice;
  }
  // A float among integers would give float32, which the operator with the same attribute does not.
  const bool integral = a.name == "exponent" && a.d == std::floor(a.d);
  return NumberText(a.d, a.integer || integral);
}

}  // namespace

std::string CallText(const OpRow& row, const std::vector<std::string>& arguments, const Attrs& attrs) {
  std::string text;
  for (size_t k = 0; k < arguments.size(); ++k)
    if (!arguments[k].empty()) text += (text.empty() ? "" : ", ") + row.inputs[k].name + " = " + arguments[k];
  for (const Attr& a : attrs) text += ", " + a.name + " = " + AttrText(row, a);
  return row.name + "(" + text + ")";
}

}  // namespace exprtest

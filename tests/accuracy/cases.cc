#include "cases.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

struct Setting {
  const char* name;
  double value;
};

// Choices of named attributes are given by index.
bool is_choice(const char* name) { return std::strcmp(name, "approximate") == 0 || std::strcmp(name, "rounding") == 0; }

const char* choice(const char* name, double index) {
  static const char* const kRoundings[] = {"none", "trunc", "floor"};
  if (std::strcmp(name, "rounding") == 0) return kRoundings[static_cast<int>(index)];
  return index != 0 ? "tanh" : "none";
}

tileops_attr to_attr(const tileops_op_info& info, const Setting& setting) {
  for (int32_t i = 0; i < info.num_attrs; ++i) {
    if (std::strcmp(info.attrs[i].name, setting.name) != 0) continue;
    tileops_attr a;
    a.key = info.attrs[i].key;
    a.kind = info.attrs[i].kind;
    if (a.kind == TILEOPS_ATTR_I64) a.value.i64 = static_cast<int64_t>(setting.value);
    else a.value.f64 = setting.value;
    return a;
  }
  std::fprintf(stderr, "%s has no attribute %s\n", info.name, setting.name);
  std::exit(2);
}

std::string format_number(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", v);
  return text;
}

// PyTorch's formulas, whose first rounding may cancel or step over an integer, promise none.
bool is_unbounded(const std::string& name) {
  return name.rfind("lerp", 0) == 0 || name.rfind("div(", 0) == 0 || name == "floor_divide";
}

double f32_bound(const std::string& op, const std::string& category) {
  if (op == "lgamma" || op == "logaddexp") return 3;
  if (op == "pow" || op == "sinc" || op == "erfinv") return 2;
  if (category == "unary_math" || op == "atan2" || op == "hypot") return 1;
  if (category == "activation") return op == "prelu" ? 0.5 : 2;
  return category == "fused_gated" ? 3 : 0.5;
}

Case make_case(const char* op, int arity, const std::vector<Setting>& settings) {
  Case c;
  c.op = c.name = op;
  c.id = tileops_op_from_name(op);
  tileops_op_info info = TILEOPS_OP_INFO_INIT;
  if (tileops_op_describe(c.id, &info) != TILEOPS_STATUS_OK) {
    std::fprintf(stderr, "no operator %s\n", op);
    std::exit(2);
  }
  c.arity = arity;
  c.gated = std::strcmp(info.category, "fused_gated") == 0;
  c.has_second = false;
  c.second = 0;
  std::string text;
  for (const Setting& s : settings) {
    c.attrs.push_back(to_attr(info, s));
    text += (text.empty() ? "" : ",") + std::string(s.name) + "=" +
            (is_choice(s.name) ? choice(s.name, s.value) : format_number(s.value));
    if (std::strcmp(s.name, "exponent") == 0) {
      c.has_second = true;
      c.second = s.value;
    }
  }
  if (!text.empty()) c.name += "(" + text + ")";
  const bool unbounded = is_unbounded(c.name);
  c.f32_bound = unbounded ? INFINITY : f32_bound(op, info.category);
  // Next to zeros these two are right beside their operands or 1, not beside themselves; float32 is computed in float64
  // there.
  c.f64_bound = unbounded || c.op == "lgamma" || c.op == "logaddexp" ? INFINITY : 2;
  c.fast = fast_reference(c.name);
  if (!c.fast && c.op != "round") c.fast = fast_reference(c.op);  // attributes are its arguments
  return c;
}

std::vector<Case> make_cases() {
  std::vector<Case> cases;
  const auto add = [&](int arity, const char* op, std::vector<Setting> settings = {}) {
    cases.push_back(make_case(op, arity, settings));
  };
  for (const char* op :
       {"exp",   "log",   "sqrt", "rsqrt", "reciprocal", "sin",  "cos",  "erf",  "log1p",  "expm1", "abs",  "neg",
        "sign",  "floor", "ceil", "trunc", "round",      "tan",  "asin", "acos", "atan",   "sinh",  "cosh", "asinh",
        "acosh", "atanh", "exp2", "log2",  "log10",      "cbrt", "sinc", "erfc", "erfinv", "lgamma"})
    add(1, op);
  add(1, "round", {{"decimals", 2}});
  add(1, "round", {{"decimals", -1}});
  for (const char* op : {"relu", "gelu", "silu", "sigmoid", "tanh", "leaky_relu", "elu", "selu", "hardswish",
                         "hardsigmoid", "hardtanh", "softplus", "mish", "logsigmoid", "softsign", "celu", "tanhshrink"})
    add(1, op);
  add(1, "gelu", {{"approximate", 1}});
  add(1, "leaky_relu", {{"negative_slope", 0.3}});
  add(1, "elu", {{"alpha", 0.5}});
  add(1, "elu", {{"alpha", 1.7}});
  add(1, "celu", {{"alpha", 1.7}});
  add(1, "softplus", {{"beta", 2}});
  add(1, "softplus", {{"beta", 0.7}, {"threshold", 5}});
  add(1, "hardtanh", {{"min_val", -0.3}, {"max_val", 2.5}});
  for (double exponent : {0.5, 2.0, 3.0, -0.5, -1.0, -2.0, 1.5}) add(1, "pow", {{"exponent", exponent}});

  for (const char* op : {"silu_and_mul", "gelu_and_mul", "gelu_tanh_and_mul"}) add(2, op);
  add(2, "add");
  add(2, "add", {{"alpha", 0.3}});
  add(2, "sub");
  add(2, "mul");
  for (double rounding : {0.0, 1.0, 2.0}) {
    if (rounding == 0) add(2, "div");
    else add(2, "div", {{"rounding", rounding}});
  }
  for (const char* op :
       {"remainder", "floor_divide", "pow", "lerp", "maximum", "minimum", "atan2", "hypot", "fmod", "logaddexp"})
    add(2, op);
  add(2, "lerp", {{"weight", 0.3}});
  return cases;
}

}  // namespace

const std::vector<Case>& all_cases() {
  static const std::vector<Case> cases = make_cases();
  return cases;
}

OracleAttrs Case::oracle_attrs(bool f64) const {
  OracleAttrs attrs;
  if (!f64) attrs.negative_slope = 0.01f;
  tileops_op_info info = TILEOPS_OP_INFO_INIT;
  tileops_op_describe(id, &info);
  for (const tileops_attr& a : this->attrs) {
    for (int32_t i = 0; i < info.num_attrs; ++i) {
      if (info.attrs[i].key != a.key) continue;
      const char* key = info.attrs[i].name;
      if (is_choice(key)) attrs.Set(key, choice(key, static_cast<double>(a.value.i64)));
      else if (a.kind == TILEOPS_ATTR_I64) attrs.Set(key, static_cast<double>(a.value.i64));
      else attrs.Set(key, f64 ? a.value.f64 : static_cast<float>(a.value.f64));
    }
  }
  return attrs;
}

FastAttrs Case::fast_attrs(bool f64) const {
  const OracleAttrs a = oracle_attrs(f64);
  if (has_second) return {second, 0};
  if (op == "leaky_relu") return {a.negative_slope, 0};
  if (op == "hardtanh") return {a.min_val, a.max_val};
  if (op == "softplus") return {a.beta, a.threshold};
  if (op == "lerp") return {a.weight, 0};
  return {a.alpha, 0};
}

bool Case::exact(const double* in, const OracleAttrs& attrs, mpfr_t out) const {
  const double v[2] = {in[0], has_second ? second : arity > 1 ? in[1] : 0};
  return oracle_eval(op.c_str(), v, has_second ? 2 : arity, attrs, out);
}

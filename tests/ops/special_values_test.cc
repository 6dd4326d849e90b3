// Special values, operator by operator, as a table: what docs and ops.def promise about NaN, signed
// zeros, infinities, subnormals, extremes and division by zero. Written down, not computed.
#include <gtest/gtest.h>

#include <cmath>

#include "cases.h"
#include "runner.h"

namespace optest {
namespace {

const double kInf = HUGE_VAL, kNan = NAN, kTiny = 0x1p-149, kMax = 0x1.fffffep127;

struct Row {
  const char* op;
  std::vector<double> in;
  double want;  // NaN: any NaN. Zeros count with their sign.
  Attrs attrs = {};
};

// Checked in f32, and in f64 and the 16-bit floats as far as the values exist there.
const std::vector<Row>& FloatRows() {
  static const auto* rows = new std::vector<Row>{
      {"exp", {-0.0}, 1},
      {"exp", {kInf}, kInf},
      {"exp", {-kInf}, 0},
      {"exp", {kNan}, kNan},
      {"log", {1}, 0},
      {"log", {0}, -kInf},
      {"log", {-0.0}, -kInf},
      {"log", {-1}, kNan},
      {"log", {kInf}, kInf},
      {"log", {-kInf}, kNan},
      {"log", {kNan}, kNan},
      {"sqrt", {-0.0}, -0.0},
      {"sqrt", {0}, 0},
      {"sqrt", {-1}, kNan},
      {"sqrt", {kInf}, kInf},
      {"sqrt", {kNan}, kNan},
      {"sqrt", {4}, 2},
      {"rsqrt", {0}, kInf},
      {"rsqrt", {-0.0}, -kInf},
      {"rsqrt", {kInf}, 0},
      {"rsqrt", {-1}, kNan},
      {"rsqrt", {4}, 0.5},
      {"rsqrt", {kNan}, kNan},
      {"reciprocal", {0}, kInf},
      {"reciprocal", {-0.0}, -kInf},
      {"reciprocal", {kInf}, 0},
      {"reciprocal", {-kInf}, -0.0},
      {"reciprocal", {kNan}, kNan},
      {"reciprocal", {4}, 0.25},
      {"sin", {-0.0}, -0.0},
      {"sin", {kInf}, kNan},
      {"sin", {-kInf}, kNan},
      {"sin", {kNan}, kNan},
      {"cos", {-0.0}, 1},
      {"cos", {kInf}, kNan},
      {"cos", {kNan}, kNan},
      {"erf", {-0.0}, -0.0},
      {"erf", {kInf}, 1},
      {"erf", {-kInf}, -1},
      {"erf", {kNan}, kNan},
      {"log1p", {-0.0}, -0.0},
      {"log1p", {-1}, -kInf},
      {"log1p", {-2}, kNan},
      {"log1p", {kInf}, kInf},
      {"log1p", {kNan}, kNan},
      {"expm1", {-0.0}, -0.0},
      {"expm1", {-kInf}, -1},
      {"expm1", {kInf}, kInf},
      {"expm1", {kNan}, kNan},
      {"tan", {-0.0}, -0.0},
      {"tan", {kInf}, kNan},
      {"tan", {kNan}, kNan},
      {"asin", {-0.0}, -0.0},
      {"asin", {1.5}, kNan},
      {"asin", {kNan}, kNan},
      {"acos", {1}, 0},
      {"acos", {-1.5}, kNan},
      {"acos", {kNan}, kNan},
      {"atan", {-0.0}, -0.0},
      {"atan", {kNan}, kNan},
      {"sinh", {-0.0}, -0.0},
      {"sinh", {-kInf}, -kInf},
      {"sinh", {kNan}, kNan},
      {"cosh", {0}, 1},
      {"cosh", {-kInf}, kInf},
      {"cosh", {kNan}, kNan},
      {"asinh", {-0.0}, -0.0},
      {"asinh", {-kInf}, -kInf},
      {"asinh", {kNan}, kNan},
      {"acosh", {1}, 0},
      {"acosh", {0.5}, kNan},
      {"acosh", {-4}, kNan},
      {"acosh", {kInf}, kInf},
      {"acosh", {kNan}, kNan},
      {"atanh", {-0.0}, -0.0},
      {"atanh", {1}, kInf},
      {"atanh", {-1}, -kInf},
      {"atanh", {1.5}, kNan},
      {"atanh", {kNan}, kNan},
      {"exp2", {-kInf}, 0},
      {"exp2", {3}, 8},
      {"log2", {0}, -kInf},
      {"log2", {-1}, kNan},
      {"log2", {8}, 3},
      {"log10", {-0.0}, -kInf},
      {"log10", {-1}, kNan},
      {"log10", {100}, 2},
      {"log10", {kInf}, kInf},
      {"cbrt", {-0.0}, -0.0},
      {"cbrt", {-27}, -3},
      {"cbrt", {-kInf}, -kInf},
      {"cbrt", {kNan}, kNan},
      {"sinc", {0}, 1},
      {"sinc", {-3}, 0},
      {"sinc", {kInf}, 0},
      {"sinc", {kNan}, kNan},
      {"erfc", {kInf}, 0},
      {"erfc", {-kInf}, 2},
      {"erfc", {kNan}, kNan},
      {"erfinv", {-0.0}, -0.0},
      {"erfinv", {1}, kInf},
      {"erfinv", {-1}, -kInf},
      {"erfinv", {2}, kNan},
      {"lgamma", {1}, 0},
      {"lgamma", {2}, 0},
      {"lgamma", {0}, kInf},
      {"lgamma", {-0.0}, kInf},
      {"lgamma", {-3}, kInf},
      {"lgamma", {-kInf}, kInf},
      {"lgamma", {kNan}, kNan},
      {"softsign", {kInf}, 1},
      {"softsign", {-kInf}, -1},
      {"softsign", {-0.0}, -0.0},
      {"celu", {-kInf}, -2, {{"alpha", 2.0}}},
      {"tanhshrink", {-0.0}, -0.0},
      {"tanhshrink", {-kInf}, -kInf},
      {"logsigmoid", {kInf}, -0.0},
      {"logsigmoid", {-kInf}, -kInf},
      {"atan2", {-0.0, 0}, -0.0},
      {"atan2", {0, 1}, 0},
      {"atan2", {kNan, 1}, kNan},
      {"hypot", {kInf, kNan}, kInf},
      {"hypot", {kNan, -kInf}, kInf},
      {"hypot", {kNan, 1}, kNan},
      {"hypot", {3, -4}, 5},
      {"fmod", {-7, 3}, -1},
      {"fmod", {7, -3}, 1},
      {"fmod", {-6, 3}, -0.0},
      {"fmod", {1, 0}, kNan},
      {"fmod", {kInf, 2}, kNan},
      {"fmod", {-3, kInf}, -3},
      {"copysign", {3, -0.0}, -3},
      {"copysign", {-kInf, 2}, kInf},
      {"copysign", {-3, kNan}, 3},
      {"copysign", {-3, -kNan}, 3},
      {"logaddexp", {-kInf, -kInf}, -kInf},
      {"logaddexp", {kInf, -kInf}, kInf},
      {"logaddexp", {kNan, 1}, kNan},
      {"nextafter", {kNan, 1}, kNan},
      {"nextafter", {0, -0.0}, -0.0},
      {"nextafter", {2, 2}, 2},
      {"abs", {-0.0}, 0},
      {"abs", {-kInf}, kInf},
      {"abs", {kNan}, kNan},
      {"neg", {0}, -0.0},
      {"neg", {-0.0}, 0},
      {"neg", {kInf}, -kInf},
      {"neg", {kNan}, kNan},
      {"sign", {kNan}, 0},
      {"sign", {-0.0}, 0},
      {"sign", {-kInf}, -1},
      {"sign", {kInf}, 1},
      {"floor", {-0.5}, -1},
      {"floor", {-0.0}, -0.0},
      {"floor", {kInf}, kInf},
      {"floor", {kNan}, kNan},
      {"floor", {0.5}, 0},
      {"ceil", {-0.5}, -0.0},
      {"ceil", {0.5}, 1},
      {"ceil", {-kInf}, -kInf},
      {"ceil", {kNan}, kNan},
      {"trunc", {-1.5}, -1},
      {"trunc", {-0.5}, -0.0},
      {"trunc", {1.5}, 1},
      {"trunc", {kNan}, kNan},
      {"round", {0.5}, 0},
      {"round", {1.5}, 2},
      {"round", {2.5}, 2},
      {"round", {-0.5}, -0.0},
      {"round", {-2.5}, -2},
      {"round", {kInf}, kInf},
      {"round", {kNan}, kNan},
      {"round", {25}, 20, {{"decimals", -1}}},
      {"round", {35}, 40, {{"decimals", -1}}},
      {"round", {kInf}, kInf, {{"decimals", 2}}},
      {"round", {kNan}, kNan, {{"decimals", 2}}},
      {"round", {1.5}, 1.5, {{"decimals", 1}}},
      {"add", {kInf, -kInf}, kNan},
      {"add", {-0.0, -0.0}, -0.0},
      {"add", {0, -0.0}, 0},
      {"add", {1, -1}, 0},
      {"add", {kNan, 1}, kNan},
      {"add", {1, 2}, 7, {{"alpha", 3.0}}},
      {"sub", {kInf, kInf}, kNan},
      {"sub", {-0.0, 0}, -0.0},
      {"sub", {1, 1}, 0},
      {"sub", {1, 2}, -5, {{"alpha", 3.0}}},
      {"mul", {kInf, 0}, kNan},
      {"mul", {-0.0, 5}, -0.0},
      {"mul", {-kInf, -2}, kInf},
      {"div", {1, 0}, kInf},
      {"div", {-1, 0}, -kInf},
      {"div", {1, -0.0}, -kInf},
      {"div", {0, 0}, kNan},
      {"div", {kInf, kInf}, kNan},
      {"div", {1, kInf}, 0},
      {"div", {-7, 2}, -3, {{"rounding", 1}}},
      {"div", {-7, 2}, -4, {{"rounding", 2}}},
      {"div", {1, 0}, kInf, {{"rounding", 1}}},
      {"div", {-1, 0}, -kInf, {{"rounding", 2}}},
      {"div", {0, 0}, kNan, {{"rounding", 2}}},
      {"remainder", {5, 3}, 2},
      {"remainder", {-5, 3}, 1},
      {"remainder", {5, -3}, -1},
      {"remainder", {-5, -3}, -2},
      {"remainder", {1, 0}, kNan},
      {"remainder", {kInf, 3}, kNan},
      {"remainder", {3, kInf}, 3},
      {"remainder", {-3, kInf}, kInf},
      {"remainder", {3, -kInf}, -kInf},
      {"remainder", {-3, -kInf}, -3},
      {"remainder", {kNan, 3}, kNan},
      {"remainder", {3, kNan}, kNan},
      {"floor_divide", {7, 2}, 3},
      {"floor_divide", {-7, 2}, -4},
      {"floor_divide", {7, -2}, -4},
      {"floor_divide", {1, 0}, kInf},
      {"floor_divide", {-1, 0}, -kInf},
      {"floor_divide", {0, 0}, kNan},
      {"floor_divide", {kInf, 2}, kNan},
      {"floor_divide", {1, kInf}, 0},
      {"floor_divide", {-1, kInf}, -1},
      {"floor_divide", {kNan, 1}, kNan},
      {"pow", {0, 0}, 1},
      {"pow", {kNan, 0}, 1},
      {"pow", {1, kNan}, 1},
      {"pow", {kNan, 1}, kNan},
      {"pow", {2, kNan}, kNan},
      {"pow", {0, -1}, kInf},
      {"pow", {-0.0, -1}, -kInf},
      {"pow", {-0.0, -2}, kInf},
      {"pow", {-0.0, 3}, -0.0},
      {"pow", {-0.0, 2}, 0},
      {"pow", {-0.0, 0.5}, 0},
      {"pow", {-kInf, 0.5}, kInf},
      {"pow", {-2, 0.5}, kNan},
      {"pow", {-2, 3}, -8},
      {"pow", {-1, kInf}, 1},
      {"pow", {-1, -kInf}, 1},
      {"pow", {2, kInf}, kInf},
      {"pow", {2, -kInf}, 0},
      {"pow", {0.5, kInf}, 0},
      {"pow", {0.5, -kInf}, kInf},
      {"pow", {-kInf, 3}, -kInf},
      {"pow", {-kInf, -3}, -0.0},
      {"pow", {kInf, -1}, 0},
      {"pow", {-kInf, 2}, kInf},
      {"lerp", {1, 5, 0}, 1},
      {"lerp", {1, 5, 1}, 5},
      {"lerp", {1, 5, 0.5}, 3},
      {"lerp", {kNan, 5, 0.5}, kNan},
      {"maximum", {0, -0.0}, 0},
      {"maximum", {-0.0, 0}, 0},
      {"maximum", {kNan, 1}, kNan},
      {"maximum", {1, kNan}, kNan},
      {"maximum", {-kInf, kInf}, kInf},
      {"maximum", {-0.0, -0.0}, -0.0},
      {"minimum", {0, -0.0}, -0.0},
      {"minimum", {-0.0, 0}, -0.0},
      {"minimum", {kNan, 1}, kNan},
      {"minimum", {1, kNan}, kNan},
      {"minimum", {-kInf, kInf}, -kInf},
      {"minimum", {0, 0}, 0},
      {"relu", {kNan}, kNan},
      {"relu", {-kInf}, 0},
      {"relu", {kInf}, kInf},
      {"relu", {-1}, 0},
      {"gelu", {kInf}, kInf},
      {"gelu", {-kInf}, -0.0},
      {"gelu", {0}, 0},
      {"gelu", {-0.0}, -0.0},
      {"gelu", {kNan}, kNan},
      {"gelu", {kInf}, kInf, {{"approximate", 1}}},
      {"gelu", {-kInf}, -0.0, {{"approximate", 1}}},
      {"gelu", {kNan}, kNan, {{"approximate", 1}}},
      {"silu", {kInf}, kInf},
      {"silu", {-kInf}, -0.0},
      {"silu", {kNan}, kNan},
      {"silu", {-0.0}, -0.0},
      {"sigmoid", {kInf}, 1},
      {"sigmoid", {-kInf}, 0},
      {"sigmoid", {0}, 0.5},
      {"sigmoid", {kNan}, kNan},
      {"tanh", {kInf}, 1},
      {"tanh", {-kInf}, -1},
      {"tanh", {-0.0}, -0.0},
      {"tanh", {kNan}, kNan},
      {"leaky_relu", {kNan}, kNan},
      {"leaky_relu", {-kInf}, -kInf},
      {"leaky_relu", {kInf}, kInf},
      {"leaky_relu", {-4}, -2, {{"negative_slope", 0.5}}},
      {"leaky_relu", {-0.0}, -0.0},
      {"elu", {-kInf}, -1},
      {"elu", {kInf}, kInf},
      {"elu", {kNan}, kNan},
      {"elu", {0}, 0},
      {"elu", {-kInf}, -2, {{"alpha", 2.0}}},
      {"selu", {kInf}, kInf},
      {"selu", {kNan}, kNan},
      {"selu", {0}, 0},
      {"hardswish", {-kInf}, -0.0},
      {"hardswish", {kInf}, kInf},
      {"hardswish", {kNan}, kNan},
      {"hardswish", {3}, 3},
      {"hardswish", {-3}, -0.0},
      {"hardswish", {-4}, -0.0},
      {"hardsigmoid", {-kInf}, 0},
      {"hardsigmoid", {kInf}, 1},
      {"hardsigmoid", {kNan}, kNan},
      {"hardsigmoid", {0}, 0.5},
      {"hardtanh", {kNan}, kNan},
      {"hardtanh", {-kInf}, -1},
      {"hardtanh", {kInf}, 1},
      {"softplus", {-kInf}, 0},
      {"softplus", {kInf}, kInf},
      {"softplus", {kNan}, kNan},
      {"softplus", {21}, 21},
      {"softplus", {100}, 100},
      {"mish", {kInf}, kInf},
      {"mish", {-kInf}, -0.0},
      {"mish", {kNan}, kNan},
      {"mish", {0}, 0},
      {"silu_and_mul", {kNan, 1}, kNan},
      {"silu_and_mul", {1, kNan}, kNan},
      {"silu_and_mul", {kInf, 2}, kInf},
      {"silu_and_mul", {0, 5}, 0},
      {"gelu_and_mul", {kNan, 1}, kNan},
      {"gelu_and_mul", {kInf, -2}, -kInf},
      {"gelu_tanh_and_mul", {kNan, 1}, kNan},
      {"gelu_tanh_and_mul", {kInf, 2}, kInf},
      {"clamp", {kNan}, kNan, {{"min", 0.0}, {"max", 1.0}}},
      {"clamp", {5}, 1, {{"min", 0.0}, {"max", 1.0}}},
      {"clamp", {5}, 1, {{"min", 2.0}, {"max", 1.0}}},
      {"clamp", {-kInf}, 0, {{"min", 0.0}}},
      {"clamp", {kInf}, 1, {{"max", 1.0}}},
      {"clamp", {1, kNan, 2}, kNan},
      {"clamp", {1, 0, kNan}, kNan},
      {"nan_to_num", {kNan}, 0},
      {"nan_to_num", {kNan}, 7, {{"nan", 7.0}}},
      {"nan_to_num", {kInf}, 2, {{"posinf", 2.0}}},
      {"nan_to_num", {-kInf}, -2, {{"neginf", -2.0}}},
      {"nan_to_num", {-0.0}, -0.0},
      {"where", {1, -0.0, 3}, -0.0},
      {"where", {0, 2, kNan}, kNan},
      {"cast", {-0.0}, -0.0},
      {"cast", {kInf}, kInf},
      {"cast", {kNan}, kNan},
  };
  return *rows;
}

// Operands of any dtype; results bool.
const std::vector<Row>& TruthRows() {
  static const auto* rows = new std::vector<Row>{
      {"eq", {kNan, kNan}, 0},      {"ne", {kNan, kNan}, 1},        {"eq", {0, -0.0}, 1},
      {"lt", {-0.0, 0}, 0},         {"gt", {kNan, 1}, 0},           {"lt", {kNan, 1}, 0},
      {"ge", {kNan, kNan}, 0},      {"le", {kNan, kNan}, 0},        {"ge", {kInf, kInf}, 1},
      {"lt", {-kInf, kInf}, 1},     {"logical_and", {kNan, 1}, 1},  {"logical_and", {kNan, 0}, 0},
      {"logical_or", {-0.0, 0}, 0}, {"logical_or", {kNan, 0}, 1},   {"logical_not", {kNan}, 0},
      {"logical_not", {-0.0}, 1},   {"logical_and", {kTiny, 1}, 1}, {"isnan", {kNan}, 1},
      {"isnan", {kInf}, 0},         {"isinf", {-kInf}, 1},          {"isinf", {kNan}, 0},
      {"isinf", {kMax}, 0},         {"isfinite", {kMax}, 1},        {"isfinite", {kInf}, 0},
      {"isfinite", {kNan}, 0},
  };
  return *rows;
}

Array One(Dt t, double v) { return Array{true, t, {1}, {Encode(Num::Float(v), t)}}; }

void CheckRow(const Row& row, Dt t, Dt out) {
  Call call;
  call.row = &RowOf(row.op);
  call.attrs = row.attrs;
  for (size_t k = 0; k < row.in.size(); ++k) {
    const bool cond = std::string(row.op) == "where" && k == 0;
    call.inputs.push_back(One(cond ? Dt::kBool : t, row.in[k]));
  }
  call.outputs = {Array{true, out, {1}, {}}};
  Expected expected;
  Want want;
  want.bits = Encode(Num::Float(row.want), out);
  want.exact = row.want;
  expected.elements = {want};
  CheckAgainst(call, Placement{}, {expected});
}

TEST(SpecialValues, Floats) {
  for (const Row& row : FloatRows())
    for (Dt t : {Dt::kF32, Dt::kF64, Dt::kF16, Dt::kBF16}) CheckRow(row, t, t);
}

TEST(SpecialValues, Truth) {
  for (const Row& row : TruthRows())
    for (Dt t : {Dt::kF32, Dt::kF64}) CheckRow(row, t, Dt::kBool);
}

TEST(SpecialValues, SubnormalsAreKept) {
  for (const char* op : {"abs", "relu", "leaky_relu", "cast", "hardtanh", "tanh", "sin", "erf", "expm1", "log1p"}) {
    CheckRow({op, {0x1p-140}, std::string(op) == "erf" ? 0x1.20dd75p-140 : 0x1p-140}, Dt::kF32, Dt::kF32);
  }
  CheckRow({"neg", {kTiny}, -kTiny}, Dt::kF32, Dt::kF32);
  CheckRow({"mul", {0x1p-100, 0x1p-40}, 0x1p-140}, Dt::kF32, Dt::kF32);
  CheckRow({"div", {0x1p-100, 0x1p40}, 0x1p-140}, Dt::kF32, Dt::kF32);
  CheckRow({"sqrt", {0x1p-148}, 0x1p-74}, Dt::kF32, Dt::kF32);
  CheckRow({"reciprocal", {0x1p127}, 0x1p-127}, Dt::kF32, Dt::kF32);
  CheckRow({"add", {0x1p-149, 0x1p-149}, 0x1p-148}, Dt::kF32, Dt::kF32);
  CheckRow({"mul", {0x1p-1000, 0x1p-70}, 0x1p-1070}, Dt::kF64, Dt::kF64);
}

// Integers: exact values, wrapping, no traps.
struct IntRow {
  const char* op;
  Dt dtype;
  std::vector<int64_t> in;
  int64_t want;
  Attrs attrs = {};
};

TEST(SpecialValues, Integers) {
  const int64_t min8 = -128, min32 = INT32_MIN, min64 = INT64_MIN;
  const IntRow rows[] = {
      {"div", Dt::kI32, {7, 0}, 0, {{"rounding", 1}}},
      {"div", Dt::kI32, {7, 0}, 0, {{"rounding", 2}}},
      {"div", Dt::kI32, {min32, -1}, min32, {{"rounding", 1}}},
      {"div", Dt::kI64, {min64, -1}, min64, {{"rounding", 2}}},
      {"div", Dt::kI8, {min8, -1}, min8, {{"rounding", 1}}},
      {"div", Dt::kI32, {-7, 2}, -3, {{"rounding", 1}}},
      {"div", Dt::kI32, {-7, 2}, -4, {{"rounding", 2}}},
      {"floor_divide", Dt::kI32, {min32, -1}, min32},
      {"floor_divide", Dt::kI32, {5, 0}, 0},
      {"floor_divide", Dt::kI64, {-7, 2}, -4},
      {"floor_divide", Dt::kU8, {255, 0}, 0},
      {"floor_divide", Dt::kI64, {min64, 1}, min64},
      {"floor_divide", Dt::kI64, {min64, min64}, 1},
      {"fmod", Dt::kI32, {-5, 3}, -2},
      {"fmod", Dt::kI32, {5, -3}, 2},
      {"fmod", Dt::kI8, {5, 0}, 0},
      {"fmod", Dt::kI64, {min64, -1}, 0},
      {"bitwise_left_shift", Dt::kI8, {3, 7}, -128},
      {"bitwise_left_shift", Dt::kI32, {1, 32}, 0},
      {"bitwise_left_shift", Dt::kI64, {1, 63}, min64},
      {"bitwise_left_shift", Dt::kU8, {255, 4}, 240},
      {"bitwise_left_shift", Dt::kI32, {1, -1}, 0},
      {"bitwise_right_shift", Dt::kI32, {-5, 1}, -3},
      {"bitwise_right_shift", Dt::kI8, {min8, 100}, -1},
      {"bitwise_right_shift", Dt::kI64, {min64, -1}, -1},
      {"bitwise_right_shift", Dt::kU32, {7, 32}, 0},
      {"bitwise_right_shift", Dt::kU8, {200, 3}, 25},
      {"popcount", Dt::kI8, {-1}, 8},
      {"popcount", Dt::kI32, {min32}, 1},
      {"popcount", Dt::kI64, {-1}, 64},
      {"popcount", Dt::kU16, {0x5555}, 8},
      {"remainder", Dt::kI32, {-5, 3}, 1},
      {"remainder", Dt::kI32, {5, -3}, -1},
      {"remainder", Dt::kI32, {5, 0}, 0},
      {"remainder", Dt::kI32, {min32, -1}, 0},
      {"remainder", Dt::kI64, {min64, -1}, 0},
      {"remainder", Dt::kU32, {7, 0}, 0},
      {"remainder", Dt::kI64, {INT64_MAX, min64}, -1},
      {"add", Dt::kI8, {127, 1}, -128},
      {"add", Dt::kU8, {255, 1}, 0},
      {"add", Dt::kI64, {INT64_MAX, 1}, min64},
      {"sub", Dt::kU16, {0, 1}, 65535},
      {"add", Dt::kI16, {1, 2}, 7, {{"alpha", 3.0}}},
      {"mul", Dt::kI32, {min32, -1}, min32},
      {"mul", Dt::kI8, {16, 16}, 0},
      {"mul", Dt::kU16, {65535, 65535}, 1},
      {"neg", Dt::kI8, {-128}, -128},
      {"neg", Dt::kU8, {1}, 255},
      {"abs", Dt::kI32, {min32}, min32},
      {"abs", Dt::kI64, {min64}, min64},
      {"abs", Dt::kI8, {-128}, -128},
      {"sign", Dt::kI16, {-9}, -1},
      {"pow", Dt::kI32, {0, 0}, 1},
      {"pow", Dt::kI32, {2, -1}, 0},
      {"pow", Dt::kI32, {1, -5}, 1},
      {"pow", Dt::kI32, {-1, -5}, -1},
      {"pow", Dt::kI32, {-1, -4}, 1},
      {"pow", Dt::kI32, {0, -1}, 0},
      {"pow", Dt::kI32, {3, 4}, 81},
      {"pow", Dt::kI8, {2, 7}, -128},
      {"pow", Dt::kU8, {2, 8}, 0},
      {"pow", Dt::kI64, {-3, 3}, -27},
      {"pow", Dt::kI32, {7}, 49, {{"exponent", 2.0}}},
      {"pow", Dt::kI32, {7}, 0, {{"exponent", -1.0}}},
      {"pow", Dt::kI32, {-1}, -1, {{"exponent", -1.0}}},
      {"pow", Dt::kI32, {-1}, 1, {{"exponent", -2.0}}},
      {"bitwise_not", Dt::kU8, {0}, 255},
      {"bitwise_not", Dt::kI64, {0}, -1},
      {"bitwise_not", Dt::kBool, {1}, 0},
      {"bitwise_xor", Dt::kI8, {-1, 1}, -2},
      {"add", Dt::kBool, {1, 1}, 1},
      {"mul", Dt::kBool, {1, 0}, 0},
      {"maximum", Dt::kBool, {0, 1}, 1},
      {"maximum", Dt::kU64, {-1, 1}, -1},
      {"minimum", Dt::kI64, {min64, -1}, min64},
      {"clamp", Dt::kI32, {5}, 1, {{"min", 3.0}, {"max", 1.0}}},
      {"clamp", Dt::kU8, {200}, 150, {{"max", 150.0}}},
      {"nan_to_num", Dt::kI32, {min32}, min32},
      {"floor", Dt::kI64, {min64}, min64},
      {"round", Dt::kI32, {-7}, -7},
  };
  for (const IntRow& row : rows) {
    Call call;
    call.row = &RowOf(row.op);
    call.attrs = row.attrs;
    for (int64_t v : row.in) call.inputs.push_back(Array{true, row.dtype, {1}, {Encode(Num::Integer(v), row.dtype)}});
    call.outputs = {Array{true, row.dtype, {1}, {}}};
    Expected expected;
    Want want;
    want.bits = Encode(Num::Integer(row.want), row.dtype);
    expected.elements = {want};
    CheckAgainst(call, Placement{}, {expected});
  }
}

// Conversions that do not fit.
struct CastRow {
  Dt from;
  double value;
  Dt to;
  double want;
  int mode = -1;  // fp8_overflow
};

TEST(SpecialValues, Casts) {
  const CastRow rows[] = {
      {Dt::kF32, kNan, Dt::kI32, 0},
      {Dt::kF32, kInf, Dt::kI32, 2147483647.0},
      {Dt::kF32, -kInf, Dt::kI32, -2147483648.0},
      {Dt::kF32, -1.9, Dt::kI8, -1},
      {Dt::kF32, 1.9, Dt::kI8, 1},
      {Dt::kF32, 300, Dt::kU8, 255},
      {Dt::kF32, -5, Dt::kU8, 0},
      {Dt::kF32, -0.9, Dt::kU8, 0},
      {Dt::kF32, 128, Dt::kI8, 127},
      {Dt::kF32, -129, Dt::kI8, -128},
      {Dt::kF32, kNan, Dt::kU64, 0},
      {Dt::kF64, 3e9, Dt::kU32, 3e9},
      {Dt::kF64, 5e9, Dt::kU32, 4294967295.0},
      {Dt::kF64, 2147483647.9, Dt::kI32, 2147483647.0},
      {Dt::kF64, -2147483648.9, Dt::kI32, -2147483648.0},
      {Dt::kF32, kNan, Dt::kBool, 1},
      {Dt::kF32, -0.0, Dt::kBool, 0},
      {Dt::kF32, kTiny, Dt::kBool, 1},
      {Dt::kBool, 1, Dt::kF16, 1},
      {Dt::kI32, 16777217, Dt::kF32, 16777216},
      {Dt::kI32, 65520, Dt::kF16, kInf},
      {Dt::kI32, 65519, Dt::kF16, 65504},
      {Dt::kF32, 65519, Dt::kF16, 65504},
      {Dt::kF32, 65520, Dt::kF16, kInf},
      {Dt::kF32, 2049, Dt::kF16, 2048},
      {Dt::kF32, 2051, Dt::kF16, 2052},
      {Dt::kF64, 1.0 + 0x1p-11 + 0x1p-40, Dt::kF16, 1.0 + 0x1p-10},  // not by way of f32
      {Dt::kF64, 1.0 + 0x1p-8 + 0x1p-40, Dt::kBF16, 1.0 + 0x1p-7},
      {Dt::kF64, 1.0 + 0x1p-4 + 0x1p-40, Dt::kE4M3, 1.125},
      {Dt::kF32, 0x1p-25, Dt::kF16, 0},
      {Dt::kF32, 0x1.000002p-25, Dt::kF16, 0x1p-24},
      {Dt::kF32, kMax, Dt::kBF16, kInf},
      {Dt::kF32, 449, Dt::kE4M3, 448},
      {Dt::kF32, 464, Dt::kE4M3, 448},
      {Dt::kF32, 1e9, Dt::kE4M3, 448},
      {Dt::kF32, -kInf, Dt::kE4M3, -448},
      {Dt::kF32, kNan, Dt::kE4M3, kNan},
      {Dt::kF32, 464, Dt::kE4M3, 448, 1},
      {Dt::kF32, 465, Dt::kE4M3, kNan, 1},
      {Dt::kF32, kInf, Dt::kE4M3, kNan, 1},
      {Dt::kF32, 465, Dt::kE4M3, 448, 0},
      {Dt::kF32, 61439, Dt::kE5M2, 57344},
      {Dt::kF32, 61441, Dt::kE5M2, kInf},
      {Dt::kF32, kInf, Dt::kE5M2, kInf},
      {Dt::kF32, 1e9, Dt::kE5M2, 57344, 0},
      {Dt::kF32, -kInf, Dt::kE5M2, -57344, 0},
      {Dt::kF32, 61439, Dt::kE5M2, 57344, 1},
      {Dt::kF32, 0x1p-10, Dt::kE4M3, 0},
      {Dt::kF32, 0x1.8p-10, Dt::kE4M3, 0x1p-9},
      {Dt::kI64, 9007199254740993.0, Dt::kF64, 9007199254740992.0},
  };
  for (const CastRow& row : rows) {
    Call call;
    call.row = &RowOf("cast");
    if (row.mode >= 0) call.attrs = {{"fp8_overflow", row.mode}};
    call.inputs = {One(row.from, row.value)};
    call.outputs = {Array{true, row.to, {1}, {}}};
    Expected expected;
    Want want;
    want.bits = Encode(Num::Float(row.want), row.to);
    expected.elements = {want};
    CheckAgainst(call, Placement{}, {expected});
  }
}

// Bits survive where nothing needs conversion: signalling NaN, payloads.
TEST(SpecialValues, BitsAreKept) {
  const std::pair<Dt, uint64_t> nans[] = {
      {Dt::kF32, 0x7f800001}, {Dt::kF32, 0xffc12345}, {Dt::kF64, 0x7ff0000000000001},
      {Dt::kF16, 0xfc01},     {Dt::kBF16, 0x7f81},    {Dt::kE4M3, 0xff},
      {Dt::kE5M2, 0x7d}};
  for (const auto& [t, bits] : nans) {
    const Array nan{true, t, {1}, {bits}}, zero{true, t, {1}, {0}};
    const Array yes{true, Dt::kBool, {1}, {1}}, no{true, Dt::kBool, {1}, {0}};
    Expected expected;
    expected.nan_bits = true;
    Want want;
    want.bits = bits;
    expected.elements = {want};
    const Array out{true, t, {1}, {}};
    CheckAgainst({&RowOf("cast"), {nan}, {out}, {}}, Placement{}, {expected});
    CheckAgainst({&RowOf("where"), {yes, nan, zero}, {out}, {}}, Placement{}, {expected});
    CheckAgainst({&RowOf("where"), {no, zero, nan}, {out}, {}}, Placement{}, {expected});
    CheckAgainst({&RowOf("masked_fill"), {nan, no}, {out}, {{"value", 1.0}}}, Placement{}, {expected});
  }
}

// e4m3fn has no infinity; a bool is true whatever its byte.
TEST(SpecialValues, FormatsWithFewerValues) {
  for (uint64_t bits : {0x7e, 0xfe, 0x78}) {
    const Array x{true, Dt::kE4M3, {1}, {bits}}, out{true, Dt::kBool, {1}, {}};
    Expected no, yes;
    no.elements = {Want{}};
    yes.elements = {Want{1, 1, 0, true}};
    CheckAgainst({&RowOf("isinf"), {x}, {out}, {}}, Placement{}, {no});
    CheckAgainst({&RowOf("isfinite"), {x}, {out}, {}}, Placement{}, {yes});
  }
  for (uint64_t byte : {1, 2, 128, 255}) {
    const Array x{true, Dt::kBool, {1}, {byte}}, out{true, Dt::kBool, {1}, {}};
    Expected one;
    one.elements = {Want{1, 1, 0, true}};
    for (const char* op : {"cast", "abs", "sign"}) CheckAgainst({&RowOf(op), {x}, {out}, {}}, Placement{}, {one});
    CheckAgainst({&RowOf("eq"), {x, Array{true, Dt::kBool, {1}, {1}}}, {out}, {}}, Placement{}, {one});
  }
}

}  // namespace
}  // namespace optest

// Shapes and dtypes: a table of texts, and every operator alone against what the operator itself infers.
#include "expr/infer/infer.h"
#include "../common/descriptors.h"

#include <dlpack/dlpack.h>

#include <sstream>

#include "expr_test.h"
#include "inferred.h"
#include "problem/request.h"

namespace tileops::expr {
namespace {

struct Row {
  const char *text, *operands, *results;
};

TEST(Infer, Table) {
  const Row rows[] = {
      {"(g, u, r) -> silu(g) * u + r", "bf16(4,8) bf16(8) f32(4,8)", "f32(4,8)"},
      {"(x, y) -> x + y", "f16(2,1) bf16(3)", "f32(2,3)"},
      // A node's shape is that of its own operands.
      {"(x, w) -> { h = w * w; x + h, h }", "f32(5,3) f32(3)", "f32(5,3) f32(3)"},
      // Three levels: dimensions, 0-d, numbers.
      {"(x, y) -> x + y", "f16(3) f32()", "f16(3)"},
      {"(x, y) -> x + y", "i32(3) f16()", "f16(3)"},
      {"(x, y) -> x + y", "i8() i32()", "i32()"},
      {"(x) -> x + 1", "f16(3)", "f16(3)"},
      {"(x) -> x + 1.5", "bf16()", "bf16()"},
      {"(x) -> x + 1.5", "i32(3)", "f32(3)"},
      {"(x) -> x + 1", "bool(3)", "i64(3)"},
      {"(x) -> x + true", "u8(3)", "u8(3)"},
      {"(x) -> x + true", "bool(3)", "bool(3)"},
      {"(x; s = 0.5) -> x * s", "f64(3)", "f64(3)"},
      {"(x; s = 2) -> x * s", "e4m3fn(3)", "e4m3fn(3)"},
      {"(x, y) -> x + y * 0.5", "i32(3) i8()", "f32(3)"},
      {"(x, y) -> x + y * 0.5", "f16(3) i8()", "f16(3)"},
      {"(c) -> where(c, 1, 0)", "bool(3)", "i64(3)"},
      {"(c) -> where(c, 1, 0.5)", "bool(3)", "f32(3)"},
      {"(c, x) -> where(c, x, -inf)", "bool(3) f16(2,1)", "f16(2,3)"},
      {"(c, x) -> where(c, x, -inf)", "bool(3) i16(2,1)", "f32(2,3)"},
      {"(x) -> x / 448", "u8(3)", "f32(3)"},  // taken in floats, where 448 fits
      {"(x) -> x / 2", "f16(3)", "f16(3)"},
      {"(x) -> x // 2", "u8(3)", "u8(3)"},
      {"(x) -> div(x, 2, rounding = floor)", "i32(3)", "i32(3)"},
      {"(x) -> exp(x)", "i32(3)", "f32(3)"},
      {"(x) -> exp2(x) + log2(x)", "i32(3)", "f32(3)"},
      {"(x) -> fma(x, 2, 1)", "f16(3)", "f16(3)"},
      {"(x, y) -> fma(x, y, x)", "f16(3) f32(2,1)", "f32(2,3)"},
      {"(x) -> x < 1", "f16(3)", "bool(3)"},
      {"(x, y) -> (x < 1) & (y == 0)", "f16(3) i8(2,1)", "bool(2,3)"},
      {"(x) -> x ** 2, x ** 0.5", "f16(3)", "f16(3) f16(3)"},
      {"(x) -> x ** 300", "u8(3)", "u8(3)"},  // exponents are not of the dtype
      {"(x) -> x ** 2, x ** 2.0, x ** -2.0", "i32(3)", "i32(3) f32(3) f32(3)"},
      {"(x, e = 2.0; s = 0.5) -> x ** s, x ** e, x ** 0.5", "i8(3)", "f32(3) f32(3) f32(3)"},
      {"(x) -> clamp(x, -1, 300)", "u8(3)", "u8(3)"},
      {"(x) -> clamp(x, -inf, 5)", "i8(3)", "i8(3)"},
      {"(x; lo = 1) -> clamp(x, lo)", "i8(3)", "i8(3)"},
      {"(x) -> nan_to_num(x, 0.5)", "i8(3)", "i8(3)"},
      {"(x; s = 0.5) -> nan_to_num(x, s)", "i8(3)", "i8(3)"},
      {"(x, m) -> masked_fill(x, m, -inf)", "f16(3) bool(2,1)", "f16(2,3)"},
      {"(x) -> cast(x, bf16) + x", "f16(3)", "f32(3)"},
      {"(x, y) -> cast(x, y)", "f32(3) i8(7,7)", "i8(3)"},
      {"(x) -> cast(1, f16) + x", "bf16(3)", "bf16(3)"},  // a 0-d value
      {"(x) -> cast(1, f16) + x", "i32(3)", "f16(3)"},
      // Scales take the dtype of the floats beside them.
      {"(x, a) -> { s = cast(a / 448, e8m0fnu, rounding = up); cast(x / s, e4m3fn), s, x / s }", "bf16(4,32) f32(4,1)",
       "e4m3fn(4,32) e8m0fnu(4,1) bf16(4,32)"},
      {"(x, q) -> cast(x, e2m1fn), sum(q), q * x, q * q, exp(q), mean(q), q > 1, amax(q)", "bf16(4,32) e2m1fn(4,32)",
       "e2m1fn(4,32) f32(4,1) bf16(4,32) e2m1fn(4,32) e2m1fn(4,32) f32(4,1) bool(4,32) e2m1fn(4,1)"},
      {"(x, s) -> x * s, s * 2, where(s > 1, x, 0)", "i8(4,32) e8m0fnu(4,1)", "f32(4,32) f32(4,1) i8(4,32)"},
      {"(x) -> index(x, -1) <= index(x, -2) + 4", "f16(2,3)", "bool(2,3)"},
      {"(x) -> index(x, -2)", "f16(2,3)", "i64(2,3)"},
      {"(x) -> x / extent(x, -1)", "f16(2,3)", "f16(2,3)"},
      {"(x) -> dropout_mask(x, 0.5)", "f16(2,3)", "bool(2,3)"},
      {"(x) -> chunk(x, 0, 2) * every(x, 1, 2)", "f16(2,6)", "f16(2,3)"},
      {"(x, c) -> concat(x * c, x), interleave(x, c, 0)", "f16(2,4) f32(4)", "f32(2,8) f32(2,12)"},
      {"(; s = 1) -> s, s * 0.5, s < 2, 3", "", "i64() f32() bool() i64()"},
      // Absent operands are the numbers of their defaults.
      {"(x, w = 1) -> x * w", "f16(3)", "f16(3)"},
      {"(x, w = 1) -> x * w", "f16(3) -", "f16(3)"},
      {"(x, w = 1) -> x * w", "f16(3) f32(2,1)", "f32(2,3)"},
      {"(x, w = 0.5) -> x * (w + 1)", "i32(3)", "f32(3)"},
      {"(x, m = true) -> where(m, x, 0)", "i32(3)", "i32(3)"},
      {"(x = 2, e = 3) -> x ** e", "", "i64()"},
      {"(x, e = 2) -> x ** e", "i8(3)", "i8(3)"},
      {"(x, w = 1) -> w, x", "f16(3)", "i64() f16(3)"},
      {"(x) -> x + 1", "f16(0,3)", "f16(0,3)"},
  };
  for (const Row& row : rows)
    EXPECT_EQ(inferred(row.text, row.operands), row.results) << row.text << " " << row.operands;
}

TEST(Infer, Errors) {
  const Row rows[] = {
      {"(x, y) -> x + y", "f32(3)", "! inputs[1]: is absent, but operand 'y' has no default"},
      {"(x) -> x", "f32(3) f32(3)", "! num_inputs: the expression has fewer operands (got 2, need at most 1)"},
      {"(x, y) -> x * y + 1", "f32(3) f32(4)",
       "! text: byte 14: mul: argument 2: shape (4,) does not broadcast at axis 0 (got 4, need 1 or 3)"},
      {"(x, y) -> x + y", "u64(3) i8(3)",
       "! text: byte 14: add: argument 2: b (int8) and uint64 have no common dtype; cast one of them"},
      {"(x) -> x + 300", "u8(3)", "! text: byte 11: add: 300 is out of range for uint8"},
      {"(x) -> x + -1", "u8(3)", "! text: byte 11: add: -1 is out of range for uint8"},
      {"(x) -> 128 + x", "i8(3)", "! text: byte 7: add: 128 is out of range for int8"},
      {"(x) -> x < 256", "u8(3)", "bool(3)"},
      {"(x) -> x + 256", "u8(3)", "! text: byte 11: add: 256 is out of range for uint8"},
      {"(x) -> where(x == 0, x, 70000)", "i16(3)", "! text: byte 24: where: 70000 is out of range for int16"},
      {"(x) -> x + (1 + 254) + 2147483648", "i32(3)", "! text: byte 23: add: 2147483648 is out of range for int32"},
      {"(x) -> silu(x)", "i32(3)",
       "! text: byte 12: silu: argument 1: silu does not take this dtype (got int32, need a float)"},
      {"(x) -> ~x", "f32(3)",
       "! text: byte 8: bitwise_not: argument 1: bitwise_not does not take this dtype (got float32, need an integer or "
       "bool)"},
      {"(c, x) -> where(c, x, 0)", "i8(3) f32(3)",
       "! text: byte 16: where: argument 1: cond has the wrong dtype (got int8, need bool)"},
      {"(x) -> where(1, x, 0)", "f32(3)",
       "! text: byte 13: where: argument 1: cond has the wrong dtype (got int64, need bool)"},
      {"(x; s = 0.5) -> clamp(x, s)", "i32(3)",
       "! text: byte 25: clamp: 'min' is a float, and clamp computes in int32 here"},
      {"(x) -> masked_fill(x, x == 0, 300)", "u8(3)",
       "! text: byte 30: masked_fill: 'value' is out of range for uint8 (got 300)"},
      {"(x) -> add(x, x, alpha = 0.5)", "i32(3)",
       "! text: byte 25: add: 'alpha' must be an integer for int32 (got 0.5)"},
      {"(x) -> round(x, 12)", "f32(3)",
       "! text: byte 16: round: 'decimals' is out of range for floats of at most 32 bits (got 12, need -10 to 10)"},
      {"(x) -> cast(x, f16, rounding = up)", "f32(3)",
       "! text: byte 31: cast: 'rounding' is for results of float8_e8m0fnu (got float16)"},
      {"(x, y) -> x * y", "f32(3) e8m0fnu(2)",
       "! text: byte 14: mul: argument 2: shape (2,) does not broadcast at axis 0 (got 2, need 1 or 3)"},
      {"(x) -> index(x, -3)", "f32(2,3)", "! text: byte 16: index: 'axis' is out of range for 2 dimensions (got -3)"},
      {"(x) -> x / extent(x, -3)", "f32(2,3)",
       "! text: byte 21: extent: 'axis' is out of range for 2 dimensions (got -3)"},
      {"(x) -> chunk(x, 0, 2)", "f32(2,3)", "! text: byte 7: chunk: the last dimension must be divisible by 2 (got 3)"},
      {"(x) -> every(x, 0, 2)", "f32()", "! text: byte 7: every: a 0-d operand has no parts"},
      {"(x, y) -> concat(x, y)", "f32() f32()", "! text: byte 10: concat: 0-d values cannot be joined"},
      {"(x, s) -> sum_to(x, s)", "i64(3) e8m0fnu(3)",
       "! text: byte 20: sum_to: operand 's' is of float8_e8m0fnu, which has neither 0 nor a sign"},
      {"(x, w = 1) -> cast(x, w)", "f32(3)",
       "! text: byte 22: cast: 'dtype' takes a dtype or an operand that is there (got a number)"},
      {"(x, w = 1) -> chunk(w, 0, 2) + x", "f32(3)", "! text: byte 20: chunk: 'x' takes a tensor (got a number)"},
      {"(x, w = 1) -> relu(w) + x", "f32(3)", "! text: byte 14: relu does not take an integer"},
      {"(x, b) -> x - b", "bf16(3) bool(3)", "bf16(3)"},
      {"(x, b) -> x - b", "i32(3) bool(3)", "i32(3)"},
      {"(x, b) -> x - b", "bool(3) bool(3)",
       "! text: byte 10: sub: argument 1: sub does not take this dtype (got bool, need a float or an integer)"},
      {"(x, y) -> x + y", "f32(2147483648,1) f32(2147483648)",
       "! text: byte 12: add: outputs[0]: shape (2147483648, 2147483648) overflows 64-bit sizes"},
  };
  for (const Row& row : rows) EXPECT_EQ(inferred(row.text, row.operands), row.results) << row.text;
}

// In an expression a bool beside numbers has their dtype where the operator alone refuses it.
bool has_bool_beside_numbers(const OpSpec& op, const std::vector<TensorSpec>& operands) {
  bool any_bool = false, any_number = false;
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!op.inputs[i].fixed.empty()) continue;
    (dtype_category(operands[i].dtype) == kBool ? any_bool : any_number) = true;
  }
  return any_bool && any_number && !(op.dtypes & kBool);
}

// One operator in a text, its operands in order, against the operator.
void compare(const OpSpec& op, const std::vector<TensorSpec>& operands) {
  if (has_bool_beside_numbers(op, operands)) return;
  std::string list;
  Descriptors descs;
  for (size_t i = 0; i < operands.size(); ++i) {
    list += (i ? ", " : "") + op.inputs[i].name;
    descs.add(operands[i]);
  }
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.op = op.op;
  desc.device = {kDLCPU, 0};
  desc.inputs = descs.data();
  desc.num_inputs = descs.size();
  DLDataType dtype;
  int32_t ndim;
  int64_t shape[TILEOPS_MAX_NDIM];
  const tileops_status status = tileops_plan_infer(&desc, 0, &dtype, &ndim, shape);
  const std::string text = "(" + list + ") -> " + op.name + "(" + list + ")";
  try {
    const TensorSpec got = infer(parse(text), operands).results.at(0);
    ASSERT_EQ(status, TILEOPS_STATUS_OK) << text << tileops_last_error();
    ASSERT_EQ(got.ndim, ndim) << text;
    ASSERT_TRUE(std::equal(shape, shape + ndim, got.shape)) << text;
    const DLDataType mine = dtype_to_dl(got.dtype);
    ASSERT_TRUE(mine.code == dtype.code && mine.bits == dtype.bits) << text << " " << spec_text(got);
  } catch (const Error& e) {
    ASSERT_EQ(e.status, status) << text << e.message;
  }
}

TEST(Infer, OneOperatorAsTheOperator) {
  const std::string shapes[] = {"()", "(3)", "(2,1)", "(4)"};
  for (const auto& op : op_table()) {
    const Function& f = *find_function(op->op);
    if (f.kind != Kind::map) continue;
    const size_t n = op->inputs.size();
    for (int a = 0; a < kNumDtypes; ++a) {
      for (int b = 0; b < (n > 1 ? kNumDtypes : 1); ++b) {
        for (size_t s = 0; s < (n > 1 ? 16u : 4u); ++s) {
          std::vector<TensorSpec> operands;
          for (size_t i = 0; i < n; ++i) {
            int dtype = i == 1 ? b : a;
            if (is_scale(static_cast<Dtype>(dtype)) || is_packed(static_cast<Dtype>(dtype)))
              dtype = 0;  // what operators do not take, expressions do
            const bool fixed = !op->inputs[i].fixed.empty() && (a + b) % 5;
            const bool scalar = op->lowering == Lowering::masked_fill && i == 2 && a % 3;
            operands.push_back(spec((fixed ? "bool" : dtype_label(static_cast<Dtype>(dtype))) +
                                    (scalar ? "()" : shapes[i == 1 ? s / 4 : s % 4])));
          }
          compare(*op, operands);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

}  // namespace
}  // namespace tileops::expr

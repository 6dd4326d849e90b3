// Shapes and dtypes of rows.
#include "inferred.h"

namespace tileops::expr {
namespace {

struct OfOperands {
  const char *text, *operands, *results;
};

template <size_t N>
void expect_all(const OfOperands (&rows)[N]) {
  for (const OfOperands& row : rows)
    EXPECT_EQ(inferred(row.text, row.operands), row.results) << row.text << " of " << row.operands;
}

TEST(RowsInfer, Shapes) {
  const OfOperands rows[] = {
      {"(x) -> sum(x), sum(x, axis = -2), sum(x, axis = (-3, -1)), sum(x, axis = all)", "f32(3,5,7)",
       "f32(3,5,1) f32(3,1,7) f32(1,5,1) f32(1,1,1)"},
      {"(x) -> amax(x, group = 128), amax(x, axis = -2, group = 2), amax(x, group = (2, 100))", "f32(5,576)",
       "f32(5,5) f32(3,576) f32(3,6)"},
      {"(x) -> mean(x, axis = (-3, -1), group = (2, 3))", "f32(3,5,7)", "f32(2,5,3)"},
      {"(x) -> sum(x), sum(x, axis = -4), sum(x, axis = all), amax(x, group = 8)", "f32()", "f32() f32() f32() f32()"},
      {"(x) -> cumsum(x), cumprod(x, axis = -2, group = 2)", "f32(3,5)", "f32(3,5) f32(3,5)"},
      {"(x) -> x - mean(x)", "f32(3,5)", "f32(3,5)"},
      {"(x) -> x / spread(amax(x, group = 3), x, group = 3)", "f32(2,7)", "f32(2,7)"},
      {"(x) -> spread(sum(x, axis = -2), x), spread(mean(x, axis = all), x)", "f32(2,7)", "f32(2,7) f32(2,7)"},
      {"(s, x) -> spread(s, x), spread(s, x, group = 2)", "bf16(1) f32(2,7)", "bf16(2,7) bf16(2,7)"},
      {"(s, x) -> spread(s, x, group = 2)", "bf16(4) f32(2,7)", "bf16(2,7)"},
      {"(s, x) -> spread(s, x, group = 2)", "bf16() f32(2,7)", "bf16(2,7)"},
      {"(s, x) -> spread(s, x, axis = (-3, -1), group = (2, 3))", "e8m0fnu(2,1,3) f32(3,5,7)", "e8m0fnu(3,5,7)"},
      {"(x, y) -> sum_to(x, y)", "f32(3,5) bf16(5)", "bf16(5)"},
      {"(x, y) -> sum_to(x, y)", "f32(3,5) bf16(3,1)", "bf16(3,1)"},
      {"(x, y) -> sum_to(x, y)", "f32(3,5) f64()", "f64()"},
      {"(x, y) -> sum_to(x, sum(y))", "f32(3,5) i32(3,5)", "f32(3,1)"},  // a value on its way need not be a float
      {"(x) -> detach(x)", "bf16(3,5)", "bf16(3,5)"},
      {"(x) -> x / extent(x, (-2, -1)) * extent(x, all)", "bf16(3,5)", "bf16(3,5)"},
      {"(x) -> concat(mean(x), amax(x)), chunk(x * mean(x), 1, 2)", "f32(3,6)", "f32(3,2) f32(3,3)"},
      {"(x) -> chunk(chunk(x, 0, 2), 0, 2)", "f32(3,8)", "f32(3,2)"},
      // Without elements.
      {"(x) -> sum(x), amax(x), mean(x, axis = -2), var(x, axis = all)", "f32(2,0)",
       "f32(2,1) f32(2,1) f32(1,0) f32(1,1)"},
      {"(x) -> amax(x, group = 4), argmax(x, group = 4), argmin(x, axis = -2)", "f32(2,0)",
       "f32(2,0) i64(2,0) i64(1,0)"},
      {"(x) -> logsumexp(x), cumsum(x)", "f32(2,0)", "f32(2,1) f32(2,0)"},
      {"(x, w = 1; eps = 1e-6) -> x * rsqrt(mean(x * x) + eps) * w", "bf16(6,128)", "bf16(6,128)"},
      {"(x, w = 1) -> x * mean(w, axis = -5)", "bf16(6,128)", "bf16(6,128)"},
  };
  expect_all(rows);
}

TEST(RowsInfer, Dtypes) {
  const struct {
    const char *dtype, *sum, *mean, *amax;
  } rows[] = {
      {"f16", "f16", "f16", "f16"}, {"bf16", "bf16", "bf16", "bf16"},   {"f32", "f32", "f32", "f32"},
      {"f64", "f64", "f64", "f64"}, {"e4m3fn", "f32", "f32", "e4m3fn"}, {"e5m2", "f32", "f32", "e5m2"},
      {"i8", "i64", "f32", "i8"},   {"u64", "i64", "f32", "u64"},       {"bool", "i64", "f32", "bool"},
  };
  for (const auto& row : rows) {
    const auto expect = [&](const char* functions, const std::string& label, const char* shape) {
      std::istringstream names(functions);
      for (std::string name; names >> name;)
        EXPECT_EQ(inferred("(x) -> " + name + "(x)", row.dtype + std::string("(3,5)")), label + shape) << name;
    };
    expect("sum prod", row.sum, "(3,1)");
    expect("cumsum cumprod", row.sum, "(3,5)");
    expect("mean var", row.mean, "(3,1)");
    if (std::string(row.dtype) != "bool") expect("logsumexp", row.dtype[0] == 'e' ? row.sum : row.mean, "(3,1)");
    expect("amax amin", row.amax, "(3,1)");
    expect("cummax cummin detach", row.amax, "(3,5)");
    expect("any all", "bool", "(3,1)");
    expect("argmax argmin", "i64", "(3,1)");
  }
  const OfOperands more[] = {
      {"(x) -> (x > 0) + (x > 1), sum(x > 0)", "f32(3,5)", "bool(3,5) i64(3,1)"},
      {"(x, y) -> x * sum(y)", "bf16(3,5) f32(3,5)", "f32(3,5)"},
      {"(x) -> x / argmax(x)", "bf16(3,5)", "bf16(3,5)"},
  };
  expect_all(more);
}

TEST(RowsInfer, Indices) {
  const OfOperands rows[] = {
      {"(x, label) -> gather(x, label)", "bf16(6,1000) i32(6,1)", "bf16(6,1)"},
      {"(table, id) -> gather(table, id, axis = -2)", "bf16(50,64) i64(2,7,1)", "bf16(2,7,64)"},
      {"(cos, pos) -> gather(cos, pos, axis = -3)", "f32(99,1,32) i32(7,1,1)", "f32(7,1,32)"},
      {"(cos; past = 3) -> gather(cos, past, axis = -2)", "f32(99,32)", "f32(1,32)"},
      {"(s) -> gather(s, index(s, -1) + 1)", "f32(3,4)", "f32(3,4)"},
      {"(c, page, i) -> gather(c, page, i, axis = (-4, -2))", "f32(8,2,16,64) i32(5,1,7,1) u8(7,1)", "f32(5,2,7,64)"},
      {"(t, i) -> gather(t, i)", "f32() i32(3)", "f32(3)"},
      {"(t, i) -> gather(t, i)", "f32(9) i32()", "f32(1)"},
      {"(t, i) -> gather(t, i)", "e8m0fnu(2,9) i32(1,4)", "e8m0fnu(2,4)"},
      {"(t) -> gather(t, argmax(t))", "f32(3,9)", "f32(3,1)"},
      {"(s) -> tiled(s), tiled(s, rows = 8)", "e8m0fnu(300,9)", "e8m0fnu(3,3,32,4,4) e8m0fnu(38,3,8,4)"},
      {"(v, m) -> store_if(v, m), store_if(cast(v, f32), true)", "bf16(2,4) bool(4)", "bf16(2,4) f32(2,4)"},
      {"(v, m) -> store_if(sum(v), m)", "bf16(2,4) bool()", "bf16(2,1)"},
      {"(s) -> tiled(s)", "f32(2,128,0)", "f32(2,1,0,32,4,4)"},
  };
  expect_all(rows);
  // What a scatter writes; its result has the output's own extent along the axis.
  const auto graph = parse("(v, i) -> scatter(v, i, axis = -2), v");
  const Inference inference = infer(graph, {spec("bf16(6,1,64)"), spec("i32(6,1,1)")});
  EXPECT_FALSE(inference.results[0].present);
  EXPECT_TRUE(inference.results[1].present);
  EXPECT_EQ(spec_text(inference.results[0]), "bf16(6,1,64)");
}

TEST(RowsInfer, Errors) {
  const OfOperands rows[] = {
      {"(x) -> sum(x, axis = -3)", "f32(2,3)", "21: sum: 'axis' is out of range for 2 dimensions (got -3)"},
      {"(x) -> sum(x, axis = (-1, -3))", "f32(2,3)", "21: sum: 'axis' is out of range for 2 dimensions (got (-3, -1))"},
      {"(x) -> x / amax(x, group = 3)", "f32(2,6)",
       "11: div: argument 2: shape (2, 2) does not broadcast at axis 1 (got 2, need 1 or 6); what is in groups is "
       "brought "
       "back by spread(s, x, group = 3)"},
      {"(x) -> { s = amax(abs(x), axis = -2, group = 2) / 448; x / cast(s, f32) }", "f32(6,6)",
       "59: div: argument 2: shape (3, 6) does not broadcast at axis 0 (got 3, need 1 or 6); what is in groups is "
       "brought "
       "back by spread(s, x, axis = -2, group = 2)"},
      {"(x) -> sum(x, group = (2, 2)) + x", "f32(6,6)",
       "32: add: argument 2: shape (6, 6) does not broadcast at axis 0 (got 6, need 1 or 3); what is in groups is "
       "brought "
       "back by spread(s, x, group = (2, 2))"},
      {"(x) -> spread(amax(x, group = 2), x, group = 3)", "f32(2,6)",
       "14: spread: 's' has 3 values along axis -1 where 2 are needed, for 6 elements in groups of 3"},
      {"(s, x) -> spread(s, x)", "f32(4) f32(2,6)", "17: spread: 's' of shape (4,) does not broadcast to (2, 6)"},
      {"(s, x) -> spread(s, x)", "f32(3,2,6) f32(2,6)",
       "17: spread: 's' of shape (3, 2, 6) does not broadcast to (2, 6)"},
      {"(s, x) -> spread(s, x, group = 2)", "f32(5,3) f32(2,6)",
       "17: spread: 's' of shape (5, 3) does not broadcast to (2, 6)"},
      {"(x) -> spread(x, sum(x))", "f32(2,6)", "14: spread: 's' of shape (2, 6) does not broadcast to (2, 1)"},
      {"(x, y) -> sum_to(x, y)", "f32(3,5) f32(3)",
       "20: sum_to: operand 'y' of shape (3,) does not broadcast to (3, 5)"},
      {"(x, y) -> sum_to(x, y)", "f32(5) f32(1,5)",
       "20: sum_to: operand 'y' of shape (1, 5) does not broadcast to (5,)"},
      {"(x, y) -> sum_to(x, y)", "f32(5) i32(5)",
       "20: sum_to: operand 'y' is of int32, and only floats have gradients"},
      {"(x) -> gather(x, x)", "f32(5)", "17: gather: an index is an integer (got float32)"},
      {"(x) -> gather(x, x)", "bool(5)", "17: gather: an index is an integer (got bool)"},
      {"(x, i) -> gather(x, i, axis = -2)", "f32(5) i32(5)",
       "30: gather: 'axis' is out of range for 1 dimensions (got -2)"},
      {"(x, i) -> gather(x, i)", "f32(6,5) i32(4,1)",
       "20: gather: argument 2: shape (4, 1) does not broadcast at axis 0 (got 4, need 1 or 6)"},
      {"(v, i) -> scatter(v, i, axis = -2)", "f32(5) i32(5)",
       "31: scatter: 'axis' is out of range for 1 dimensions (got -2)"},
      {"(v, i) -> scatter(v, i)", "f32() i32()", "10: scatter: there is no axis, since all values are of 0 dimensions"},
      {"(v, m) -> store_if(v, m)", "f32(2,5) u8(2,5)", "22: store_if: 'm' takes bool (got uint8)"},
      {"(v, m) -> store_if(v, 1)", "f32(5) bool(5)", "22: store_if: 'm' takes bool (got int64)"},
      {"(v, m) -> store_if(v, m)", "f32(2,5) bool(3,2,1)",
       "22: store_if: 'm' of shape (3, 2, 1) does not broadcast to (2, 5), the shape of 'v'"},
      {"(v, m) -> store_if(sum(v), m)", "f32(2,5) bool(2,5)",
       "27: store_if: 'm' of shape (2, 5) does not broadcast to (2, 1), the shape of 'v'"},
      {"(x) -> argmax(x)", "f32(2,0)", "14: argmax: there are no elements in (2, 0)"},
      {"(x) -> argmin(x, axis = all)", "f32(2,0)", "14: argmin: there are no elements in (2, 0)"},
      {"(x) -> sum(x)", "e8m0fnu(2,4)", "11: sum does not take float8_e8m0fnu"},
      {"(s) -> tiled(s)", "f32(4)", "13: tiled: 's' needs two dimensions or more (got 1)"},
      {"(x) -> extent(x, (-3, -1)) * x", "f32(2,4)",
       "17: extent: 'axis' is out of range for 2 dimensions (got (-3, -1))"},
      {"(x, y) -> concat(x, y)", "f32(5,512) f32(5,64)",
       "20: concat: argument 2: shape (5, 64) does not broadcast at axis 1 (got 64, need 1 or 512)"},
  };
  for (const OfOperands& row : rows)
    EXPECT_EQ(inferred(row.text, row.operands), std::string("! text: byte ") + row.results) << row.text;
}

}  // namespace
}  // namespace tileops::expr

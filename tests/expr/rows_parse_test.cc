// Texts of rows: axes, groups, what they are of numbers, what is written out, and what is refused where.
#include "expr/graph/axes.h"
#include "expr/nodes/builder.h"
#include "expr/nodes/replay.h"
#include "expr_test.h"

namespace tileops::expr {
namespace {

struct RowText {
  const char *text, *canonical;
};

template <size_t N>
void expect_texts(const RowText (&cases)[N]) {
  for (const RowText& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(canonical(c.text), c.canonical);
    if (c.canonical[0] != '!') expect_round_trip(*parse(c.text));
  }
}

TEST(Rows, AxesAndGroups) {
  const RowText cases[] = {
      {"(x) -> sum(x) + sum(x, -1) + sum(x, axis = -1) + sum(x, axis = (-1))",
       "(x) -> { t0 = sum(x); t0 + t0 + t0 + t0 }"},
      {"(x) -> mean(x, -2)", "(x) -> mean(x, axis = -2)"},
      {"(x) -> mean(x, axis = 1 - 3)", "(x) -> mean(x, axis = -2)"},
      {"(x) -> prod(x, axis = (-1, -3, -2))", "(x) -> prod(x, axis = (-3, -2, -1))"},
      {"(x) -> any(x, axis = all)", "(x) -> any(x, axis = all)"},
      {"(x) -> all(x, all)", "(x) -> all(x, axis = all)"},
      {"(x) -> amin(x, axis = -32)", "(x) -> amin(x, axis = -32)"},
      {"(x) -> amax(x, group = 128)", "(x) -> amax(x, group = 128)"},
      {"(x) -> amax(x, -2, 32)", "(x) -> amax(x, axis = -2, group = 32)"},
      {"(x) -> amax(x, group = (16, 128))", "(x) -> amax(x, group = (16, 128))"},
      {"(x) -> amax(x, axis = (-1, -2), group = (16, 128))", "(x) -> amax(x, group = (128, 16))"},
      {"(x) -> amax(x, group = (16, 128), axis = (-1, -3))", "(x) -> amax(x, axis = (-3, -1), group = (128, 16))"},
      {"(x) -> amax(x, axis = (-1, -3), group = (1, 2147483647))",
       "(x) -> amax(x, axis = (-3, -1), group = (2147483647, 1))"},
      {"(x) -> var(x), var(x, correction = 1)", "(x) -> var(x), var(x, correction = 1)"},
      {"(x) -> cumsum(x, reverse = true, exclusive = false)", "(x) -> cumsum(x, reverse = true)"},
      {"(x) -> cumprod(x, -2, 4, false, true)", "(x) -> cumprod(x, axis = -2, group = 4, exclusive = true)"},
      {"(x) -> cummax(x), cummin(x, reverse = true)", "(x) -> cummax(x), cummin(x, reverse = true)"},
      {"(s, x) -> spread(s, x, group = (2, 3))", "(s, x) -> spread(s, x, group = (2, 3))"},
      {"(s, x) -> spread(s, x) + spread(s, x, axis = -2)", "(s, x) -> { t0 = spread(s, x); t0 + t0 }"},
      {"(t, i) -> gather(t, i) + gather(t, i, axis = -1)", "(t, i) -> { t0 = gather(t, i); t0 + t0 }"},
      {"(t, i, j) -> gather(t, i, j, axis = (-4, -2))", "(t, i, j) -> gather(t, i, j, axis = (-4, -2))"},
      {"(t; past = 3) -> gather(t, past, axis = -2)", "(t; past = 3) -> gather(t, past, axis = -2)"},
      {"(v, i) -> scatter(v, i, axis = -2)", "(v, i) -> scatter(v, i, axis = -2)"},
      {"(v, n) -> store_if(v * 2, index(v, -2) < n)", "(v, n) -> store_if(v * 2, index(v, -2) < n)"},
      {"(s) -> tiled(s), tiled(s, 8), tiled(s, rows = 128)",
       "(s) -> { t0 = tiled(s); (t0), tiled(s, rows = 8), (t0) }"},
      {"(x) -> x / extent(x, (-2, -1)) / extent(x, axis = all)", "(x) -> x / extent(x, (-2, -1)) / extent(x, all)"},
      {"(x) -> detach(detach(x))", "(x) -> detach(x)"},
      {"(x, mean, var; eps = 1e-5) -> (x - mean) * rsqrt(var + eps)",
       "(x, mean, var; eps = 1e-05) -> (x - mean) * rsqrt(var + eps)"},
      {"(sum, all, group) -> { axis = sum(all); axis + group * amax(sum, axis = all) }",
       "(sum, all, group) -> sum(all) + group * amax(sum, axis = all)"},
      {"(x) -> chunk(x * rsqrt(mean(x * x)), 0, 2)", "(x) -> chunk(x * rsqrt(mean(x * x)), 0, 2)"},
      {"(x) -> concat(mean(x), amax(x))", "(x) -> concat(mean(x), amax(x))"},
  };
  expect_texts(cases);
}

TEST(Rows, LogSumExp) {
  const RowText cases[] = {
      {"(x) -> logsumexp(x)", "(x) -> logsumexp(x)"},
      {"(x) -> logsumexp(x, axis = (-2, -1))", "(x) -> logsumexp(x, axis = (-2, -1))"},
      {"(x) -> logsumexp(x, group = 4)", "(x) -> logsumexp(x, group = 4)"},
      {"(; s = 2.0) -> logsumexp(s)", "(; s = 2.0) -> (s)"},
      {"() -> logsumexp(3)", "() -> 3.0"},
  };
  expect_texts(cases);
}

// A number is one element.
TEST(Rows, OfNumbers) {
  const RowText cases[] = {
      {"() -> sum(3), sum(2.5, axis = all), sum(true), prod(true, -7)", "() -> 3, 2.5, 1, 1"},
      {"() -> mean(3), mean(2.5), mean(true), mean(5, group = 2)", "() -> 3.0, 2.5, 1.0, 5.0"},
      {"() -> amax(3), amin(-0.5), amax(false)", "() -> 3, -0.5, false"},
      {"() -> any(0.0), any(nan), all(2), all(0), any(true)", "() -> false, true, true, false, true"},
      {"() -> argmax(3.5), argmin(true)", "() -> 0, 0"},
      {"() -> var(3), var(2.5), var(3, correction = 1), var(inf), var(true)", "() -> 0.0, 0.0, nan, nan, 0.0"},
      {"() -> cumsum(3), cumsum(3, exclusive = true), cumsum(2.5, exclusive = true), cumsum(true)",
       "() -> 3, 0, 0.0, 1"},
      {"() -> cumprod(3), cumprod(3, exclusive = true), cumprod(2.5, exclusive = true)", "() -> 3, 1, 1.0"},
      {"() -> cummax(3), cummin(2.5)", "() -> 3, 2.5"},
      {"(x) -> spread(2, x), spread(x, 2), detach(2.5), sum_to(2, 3)", "(x) -> 2, (x), 2.5, 2"},
      {"(; s = 2, t = 0.5) -> sum(s), mean(s), any(t), var(t, correction = 2)",
       "(; s = 2, t = 0.5) -> (s), s / 1, t != 0.0, (t - t) / 0.0"},
      {"(x; s = 2) -> x * sum(s > 1)", "(x; s = 2) -> x * ((s > 1) + 0)"},
  };
  for (const RowText& c : cases) EXPECT_EQ(canonical(c.text), c.canonical) << c.text;
  const auto graph = parse("(x, w = 1) -> x * mean(w) + sum(w, group = 4)");
  EXPECT_EQ(with_defaults(graph, {true, false})->text, "(x, w = 1) -> x * 1.0 + 1");
}

TEST(Rows, ByKey) {
  const auto i64 = [](int64_t v) { return Number::of(v); };
  Builder b;
  const NodeHandle x = b.operand("x"), i = b.operand("i");
  b.result(b.op(TILEOPS_OP_SUM, {{x}}, {{TILEOPS_ATTR_AXES, i64(6)}}));
  b.result(b.op(TILEOPS_OP_SUM, {{x}}, {{TILEOPS_ATTR_AXES, i64(-1)}}));
  b.result(b.op(TILEOPS_OP_SUM, {{x}}, {{TILEOPS_ATTR_AXIS, i64(-1)}}));  // one axis, as texts have it
  b.result(b.op(TILEOPS_OP_SUM, {{x}, {b.constant(i64(-3))}}));
  b.result(b.op(TILEOPS_OP_AMAX, {{x}}, {{TILEOPS_ATTR_GROUP, i64(group_of_two(16, 128))}}));
  b.result(b.op(TILEOPS_OP_AMAX, {{x}, {0}, {b.constant(i64(32))}}, {{TILEOPS_ATTR_AXIS, i64(-2)}}));
  b.result(b.op(TILEOPS_OP_CUMSUM, {{x}}, {{TILEOPS_ATTR_REVERSE, i64(1)}}));
  b.result(b.op(TILEOPS_OP_GATHER, {{x}, {i}, {i}}, {{TILEOPS_ATTR_AXES, i64(10)}}));
  b.result(b.op(TILEOPS_OP_EXTENT, {{x}}, {{TILEOPS_ATTR_AXIS, i64(-2)}}));
  const auto graph = b.finish();
  EXPECT_EQ(graph->text,
            "(x, i) -> sum(x, axis = (-3, -2)), sum(x, axis = all), sum(x), sum(x, axis = -3), amax(x, group = (16, "
            "128)), amax(x, axis = -2, group = 32), cumsum(x, reverse = true), gather(x, i, i, axis = (-4, -2)), "
            "extent(x, -2)");
  expect_round_trip(*graph);
}

TEST(Rows, WrongByKey) {
  const auto i64 = [](int64_t v) { return Number::of(v); };
  const struct {
    tileops_op op;
    std::vector<Given> given;
    const char* message;
  } rows[] = {
      {TILEOPS_OP_SUM,
       {{TILEOPS_ATTR_AXES, i64(0)}},
       "sum: 'axis' has a bit for each of up to 32 axes, or is -1 for all (got 0)"},
      {TILEOPS_OP_SUM,
       {{TILEOPS_ATTR_AXES, i64(-2)}},
       "sum: 'axis' has a bit for each of up to 32 axes, or is -1 for all (got -2)"},
      {TILEOPS_OP_SUM,
       {{TILEOPS_ATTR_AXES, i64(int64_t{1} << 32)}},
       "sum: 'axis' has a bit for each of up to 32 axes, or is -1 for all (got 4294967296)"},
      {TILEOPS_OP_SUM, {{TILEOPS_ATTR_AXIS, i64(1)}}, "sum: axes count from the end, from -1 to -32 (got 1)"},
      {TILEOPS_OP_SUM, {{TILEOPS_ATTR_AXIS, i64(-1)}, {TILEOPS_ATTR_AXES, i64(1)}}, "sum: 'axis' is given twice"},
      {TILEOPS_OP_SUM, {{TILEOPS_ATTR_GROUP, i64(-1)}}, "sum: 'group' has numbers from 1 to 2147483647 (got -1)"},
      {TILEOPS_OP_SUM,
       {{TILEOPS_ATTR_GROUP, i64(int64_t{1} << 32)}},
       "sum: 'group' has numbers from 1 to 2147483647 (got 4294967296)"},
      {TILEOPS_OP_SUM,
       {{TILEOPS_ATTR_GROUP, i64(group_of_two(2, 2))}, {TILEOPS_ATTR_AXES, i64(1)}},
       "sum: 'group' has as many numbers as there are axes (got (2, 2) for the axes -1)"},
      {TILEOPS_OP_VAR,
       {{TILEOPS_ATTR_CORRECTION, i64(-1)}},
       "var: 'correction' is out of range (got -1, need 0 to 2147483647)"},
      {TILEOPS_OP_TILED, {{TILEOPS_ATTR_ROWS, i64(64)}}, "tiled: 'rows' is 128 or 8 (got 64)"},
      {TILEOPS_OP_CUMSUM,
       {{TILEOPS_ATTR_REVERSE, i64(2)}},
       "cumsum: 'reverse' is not a choice (got 2, need 0 to 1 for false|true)"},
  };
  for (const auto& row : rows) {
    Builder b;
    const NodeHandle x = b.operand("x");
    EXPECT_EQ(b.op(row.op, {{x}}, row.given), 0);
    ASSERT_TRUE(b.error());
    EXPECT_EQ(b.error()->message, row.message);
  }
}

TEST(Rows, Refused) {
  const RowText cases[] = {
      {"(x) -> sum(x, axis = 0)", "21: sum: axes count from the end, from -1 to -32 (got 0)"},
      {"(x) -> sum(x, axis = -33)", "21: sum: axes count from the end, from -1 to -32 (got -33)"},
      {"(x) -> sum(x, axis = (-1, 2))", "26: sum: axes count from the end, from -1 to -32 (got 2)"},
      {"(x) -> sum(x, axis = -1.0)", "21: sum: axes count from the end, from -1 to -32 (got -1.0)"},
      {"(x) -> sum(x, axis = (-1, -1))", "26: sum: the axis -1 is given twice"},
      {"(x; n = -1) -> sum(x, axis = n)", "29: sum: 'axis' must be a constant"},
      {"(x; n = -1) -> sum(x, axis = (-2, n))", "34: sum: 'axis' must be a constant"},
      {"(x; n = 4) -> sum(x, group = n)", "29: sum: 'group' must be a constant"},
      {"(x) -> sum(x, axis = x)", "21: sum: 'axis' must be a constant"},
      {"(x) -> sum(x, axis = (-2; -1))", "24: expected ',' or ')' after a number (got ';')"},
      {"(x) -> mean(x, axis = (-2, -1), group = 4)",
       "40: mean: 'group' has as many numbers as there are axes (got 4 for the axes (-2, -1))"},
      {"(x) -> mean(x, axis = -1, group = (4, 4))",
       "34: mean: 'group' has as many numbers as there are axes (got (4, 4) for the axes -1)"},
      {"(x) -> mean(x, group = (4, 4, 4))", "30: mean: at most 2 axes have groups"},
      {"(x) -> mean(x, group = 0)", "23: mean: a group has 1 to 2147483647 elements (got 0)"},
      {"(x) -> mean(x, group = (4, 2.0))", "27: mean: a group has 1 to 2147483647 elements (got 2.0)"},
      {"(x) -> mean(x, group = 2147483648)", "23: mean: a group has 1 to 2147483647 elements (got 2147483648)"},
      {"(x) -> sum(x, axis = all, group = 2)", "34: sum: there are no groups of all axes"},
      {"(x) -> cumsum(x, axis = (-2, -1))", "24: cumsum goes along one axis (got (-2, -1))"},
      {"(x) -> cumsum(x, axis = all)", "24: cumsum goes along one axis (got all)"},
      {"(x) -> cummax(x, exclusive = true)", "17: cummax has no argument 'exclusive' (it has x, axis, group, reverse)"},
      {"(x) -> cumsum(x, reverse = 1)", "27: expected false or true for 'reverse' of cumsum (got '1')"},
      {"(x, i) -> gather(x, i, i)", "10: gather has as many axes as indices (got -1 for 2)"},
      {"(x, i) -> gather(x, i, axis = all)", "30: gather has as many axes as indices (got all for 1)"},
      {"(x, i) -> gather(x, i, i, axis = (-1, -2))", "38: gather: axes ascend, in the order of their indices"},
      {"(x) -> gather(x)", "7: gather takes 2 to 5 arguments (got 1)"},
      {"(x) -> gather(x, x, x, x, x, x)", "7: gather takes 2 to 5 arguments (got 6)"},
      {"(x) -> gather(x, 1.5)", "17: gather: an index is an integer (got a float)"},
      {"(x) -> gather(2, x)", "14: gather: 't' takes a tensor (got a number)"},
      {"(x, i) -> gather(x, i, along = -1)", "23: gather has no argument 'along' (it has axis)"},
      {"(x, i) -> gather(x, axis = -1, i)", "31: an argument without name after one with a name"},
      {"(x, i) -> gather(x, i, axis = -1, axis = -1)", "34: gather: 'axis' is given twice"},
      {"(x, i) -> scatter(x, i) + 1", "10: add: argument 1 is a scatter, which is for results alone"},
      {"(x, m) -> store_if(x, m) + 1", "10: add: argument 1 is a store_if, which is for results alone"},
      {"(x) -> exp(tiled(x))", "11: exp: argument 1 is a tiled, which is for results alone"},
      {"(x) -> tiled(x, rows = 64)", "23: tiled: 'rows' is 128 or 8 (got 64)"},
      {"(x) -> tiled(2)", "13: tiled: 's' takes a tensor (got a number)"},
      {"(x) -> chunk(2, 0, 2)", "13: chunk: 'x' takes a tensor (got a number)"},
      {"(x) -> concat(x, x, axis = -2)", "20: concat has no argument 'axis' (it has values alone)"},
      {"(x) -> x * (1, 2)", "11: a list of numbers has no place here: it is an axis or a group"},
      {"(x) -> extent(x, 0)", "17: extent: axes count from the end, from -1 to -32 (got 0)"},
  };
  for (const RowText& c : cases) EXPECT_EQ(canonical(c.text), std::string("! text: byte ") + c.canonical) << c.text;
}

}  // namespace
}  // namespace tileops::expr

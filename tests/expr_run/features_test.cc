// What a text has besides operators: positions, extents, masks, parts and joined results, optional operands, limits.
#include <pthread.h>

#include <cmath>
#include <cstring>

#include "expression.h"

namespace exprtest {
namespace {

double At(const Array& out, const Results& r, size_t k, size_t i) { return Decode(out.dtype, r[k][i]).d; }

Array Shaped(Dt dtype, const Shape& shape) {
  Array a;
  a.dtype = dtype;
  a.shape = shape;
  return a;
}

Array Counting(Dt dtype, const Shape& shape) {
  Array a = Shaped(dtype, shape);
  for (int64_t i = 0; i < a.NumElements(); ++i) a.bits.push_back(Encode(Num::Float(static_cast<double>(i)), dtype));
  return a;
}

TEST(Features, IndexAndExtent) {
  const Array x = Random(Dt::kF32, {3, 4, 5}, 1);
  const Results r = RunText("(x) -> index(x, -1), index(x, -3) * 100 + index(x, -2), index(x, -1) < extent(x, -2)",
                            {x});
  ASSERT_EQ(r.size(), 3u);
  for (int64_t i = 0; i < 60; ++i) {
    EXPECT_EQ(static_cast<int64_t>(r[0][static_cast<size_t>(i)]), i % 5);
    EXPECT_EQ(static_cast<int64_t>(r[1][static_cast<size_t>(i)]), i / 20 * 100 + i / 5 % 4);
    EXPECT_EQ(r[2][static_cast<size_t>(i)], i % 5 < 4);
  }
  // An extent is a number of the host, and may be all there is.
  const Results n = RunText("(x) -> extent(x, -1) * extent(x, -2) + x * 0, extent(x, -3) / 2", {x});
  ASSERT_EQ(n.size(), 2u);
  EXPECT_EQ(At(x, n, 0, 7), 20);
  EXPECT_EQ(Decode(Dt::kF32, n[1][0]).d, 1.5);
  // A causal mask of scores, and of a broadcast node its own index.
  const Array scores = Random(Dt::kF32, {2, 6, 6}, 2), bias = Random(Dt::kF32, {6}, 3);
  const Results m = RunText("(x; past = 0) -> where(index(x, -1) <= index(x, -2) + past, x, -inf)", {scores},
                            {tileops_number_i64(2)});
  const Results b = RunText("(x, b) -> x * 0 + index(b, -1)", {scores, bias});
  ASSERT_TRUE(m.size() == 1 && b.size() == 1);
  for (size_t i = 0; i < 72; ++i) {
    EXPECT_EQ(m[0][i], i % 6 <= i / 6 % 6 + 2 ? scores.bits[i] : Encode(Num::Float(-HUGE_VAL), Dt::kF32));
    EXPECT_EQ(At(scores, b, 0, i), static_cast<double>(i % 6));
  }
}

// Comparisons of positions with a number of the execute and with an operand, whatever these are: integers wrap.
TEST(Features, ComparisonsOfIndices) {
  const int64_t rows = 3, cols = 40, top = INT64_MAX;
  const Array x = Random(Dt::kF32, {rows, cols}, 1);
  const std::vector<int64_t> numbers = {0,
                                        1,
                                        -1,
                                        17,
                                        -17,
                                        (1 << 23) - 1,
                                        1 << 23,
                                        (1 << 24) + 1,
                                        -(1 << 24) - 1,
                                        int64_t{1} << 61,
                                        int64_t{1} << 62,
                                        top - 1,
                                        top,
                                        -top + 2,
                                        -top - 1};
  const auto sum = [](int64_t a, int64_t b) {
    return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  };
  const auto expect = [&](const std::string& text, const std::vector<Array>& inputs, int64_t n, bool scalar,
                          const auto& holds) {
    const Results r = RunText(
        text, inputs, scalar ? std::vector<tileops_number>{tileops_number_i64(n)} : std::vector<tileops_number>{});
    ASSERT_EQ(r.size(), 1u) << text;
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t col = 0; col < cols; ++col)
        ASSERT_EQ(r[0][static_cast<size_t>(row * cols + col)] != 0, holds(row, col))
            << text << " " << n << " at " << row << ", " << col;
  };
  for (const int64_t n : numbers) {
    Array tensor = Shaped(Dt::kI64, {rows, 1}), narrow = Shaped(Dt::kI32, {cols});
    tensor.bits.assign(static_cast<size_t>(rows), static_cast<uint64_t>(n));
    const int32_t small = static_cast<int32_t>(n);
    narrow.bits.assign(static_cast<size_t>(cols), static_cast<uint32_t>(small));
    expect("(x; n = 0) -> index(x, -1) <= index(x, -2) + n", {x}, n, true,
           [&](int64_t row, int64_t col) { return col <= sum(row, n); });
    expect("(x; n = 0) -> n - index(x, -1) == index(x, -2)", {x}, n, true,
           [&](int64_t row, int64_t col) { return sum(n, -col) == row; });
    expect("(x; n = 0) -> index(x, -1) - index(x, -2) > n", {x}, n, true,
           [&](int64_t row, int64_t col) { return col - row > n; });
    expect("(x; n = 0) -> index(x, -1) - 9223372036854775807 != index(x, -1) + n", {x}, n, true,
           [&](int64_t, int64_t col) { return sum(col, -top) != sum(col, n); });
    expect("(x, n) -> index(x, -1) < n", {x, tensor}, n, false, [&](int64_t, int64_t col) { return col < n; });
    expect("(x, n) -> index(x, -1) >= index(x, -2) + n", {x, tensor}, n, false,
           [&](int64_t row, int64_t col) { return col >= sum(row, n); });
    expect("(x, n) -> { i = index(x, -1) + n; i <= index(x, -2) }", {x, narrow}, small, false,
           [&](int64_t row, int64_t col) { return col + small <= row; });
  }
}

TEST(Features, DropoutMaskIsTheOperators) {
  int differing = 0;
  for (const Shape& shape : {Shape{7}, Shape{1000}, Shape{33, 65}, Shape{3, 5, 7, 2}, Shape{}, Shape{70000}})
    for (const double p : {0.1, 0.5, 0.0, 1.0, 0.9})
      for (const int64_t seed : {int64_t{0}, int64_t{42}, int64_t{-3}, INT64_MAX})
        for (const int64_t offset : {int64_t{0}, int64_t{5}, int64_t{1} << 40}) {
          if (shape == Shape{70000} && seed != 42) continue;
          const Array x = Random(Dt::kF32, shape, 4);
          Call call;
          call.row = &RowOf("dropout");
          call.inputs = {x};
          call.outputs = {Shaped(Dt::kF32, shape), Shaped(Dt::kBool, shape)};
          call.attrs = {{"p", p}, {"seed", seed}, {"offset", offset}};
          const Results want = optest::Execute(Targets().front(), call, Placement{});
          ASSERT_EQ(want.size(), 2u);
          char text[200];
          std::snprintf(text, sizeof text,
                        "(x) -> { k = dropout_mask(x, %g, %lld, %lld); k, where(k, x / (1 - %.17g), 0) }", p,
                        static_cast<long long>(seed), static_cast<long long>(offset), p);
          const Results fixed = RunText(text, {x});
          const Results given = RunText("(x; p = 0.5, seed = 7, offset = 0) -> { k = dropout_mask(x, p, seed, offset); "
                                        "k, where(k, x / (1 - p), 0) }",
                                        {x},
                                        {tileops_number_f64(p), tileops_number_i64(seed), tileops_number_i64(offset)});
          ASSERT_TRUE(fixed.size() == 2 && given.size() == 2);
          EXPECT_EQ(fixed[0], want[1]) << text;
          EXPECT_EQ(given[0], want[1]) << text;
          EXPECT_EQ(given[1], fixed[1]);
          for (size_t i = 0; p < 1 && i < want[0].size(); ++i)
            differing += !SameBits(Dt::kF32, fixed[1][i], want[0][i]) &&
                         want[0][i] != Encode(Num::Float(-0.0), Dt::kF32);
          if (HasFailure()) return;
        }
  EXPECT_EQ(differing, 0);
}

// Dropout counts the elements of its own node, whatever it is broadcast to.
TEST(Features, DropoutMaskCountsItsOwnElements) {
  const Array x = Random(Dt::kF32, {6, 50}, 5), row = Random(Dt::kF32, {50}, 6), column = Random(Dt::kF32, {6, 1}, 7);
  const std::string call = "dropout_mask(v, 0.4, 9)";
  for (const Array& v : {row, column}) {
    const Results own = RunText("(v) -> " + call, {v});
    const Results spread = RunText("(x, v) -> where(" + call + ", x, 0)", {x, v});
    ASSERT_TRUE(own.size() == 1 && spread.size() == 1);
    for (size_t i = 0; i < 300; ++i)
      EXPECT_EQ(spread[0][i], own[0][v.shape.size() == 1 ? i % 50 : i / 50] ? x.bits[i] : 0);
  }
  // Results of every other layout are the same.
  const Expr expr("(x) -> dropout_mask(x, 0.4, 9)");
  Job job{expr.get(), {Random(Dt::kF32, {5, 6, 7}, 8)}, {Shaped(Dt::kBool, {5, 6, 7})}, {}, 0};
  const Results dense = RunJob(Targets().front(), job);
  for (const Layout layout : AllLayouts())
    EXPECT_EQ(RunJob(Targets().front(), job, All(Layout::kDense, layout)), dense) << LayoutName(layout);
}

TEST(Features, PartsAndJoinedResults) {
  const Array x = Counting(Dt::kI32, {2, 12});
  const Results r = RunText("(x) -> chunk(x, 1, 3), every(x, 2, 4), concat(chunk(x, 1, 2), chunk(x, 0, 2)), "
                            "interleave(chunk(x, 0, 2), chunk(x, 1, 2)), concat(every(x, 0, 3), every(x, 1, 3), "
                            "every(x, 2, 3)), concat(x, -x, 0)",
                            {x});
  ASSERT_EQ(r.size(), 6u);
  const auto v = [](const Results& from, size_t k, size_t i) { return static_cast<int32_t>(from[k][i]); };
  ASSERT_EQ(r[5].size(), 72u);
  for (size_t row = 0; row < 2; ++row) {
    const int base = static_cast<int>(row) * 12;
    for (size_t i = 0; i < 4; ++i) EXPECT_EQ(v(r, 0, row * 4 + i), base + 4 + static_cast<int>(i));
    for (size_t i = 0; i < 3; ++i) EXPECT_EQ(v(r, 1, row * 3 + i), base + 2 + 4 * static_cast<int>(i));
    for (size_t i = 0; i < 12; ++i) {
      EXPECT_EQ(v(r, 2, row * 12 + i), base + static_cast<int>((i + 6) % 12));
      EXPECT_EQ(v(r, 3, row * 12 + i), base + static_cast<int>(i / 2 + i % 2 * 6));
      EXPECT_EQ(v(r, 4, row * 12 + i), base + static_cast<int>(i % 4 * 3 + i / 4));
      EXPECT_EQ(v(r, 5, row * 36 + i), base + static_cast<int>(i));
      EXPECT_EQ(v(r, 5, row * 36 + 12 + i), -base - static_cast<int>(i));
      EXPECT_EQ(v(r, 5, row * 36 + 24 + i), 0);
    }
  }
  // Operands and results may be strided.
  const Expr expr("(x) -> interleave(chunk(x, 1, 2) * 2, every(x, 1, 2)), chunk(x, 0, 2) + every(x, 0, 2)");
  Job job{expr.get(),
          {Random(Dt::kBF16, {3, 5, 46}, 9)},
          {Shaped(Dt::kBF16, {3, 5, 46}), Shaped(Dt::kF32, {3, 5, 23})},
          {},
          0};
  for (const Target& target : Targets()) {
    const Results dense = RunJob(target, job);
    for (const Layout in : AllLayouts())
      for (const Layout out : AllLayouts()) EXPECT_EQ(RunJob(target, job, All(in, out)), dense);
  }
}

// Scales beside values of every dtype: numbers of the float beside them, else of f32.
TEST(Features, Scales) {
  const Array scale = Values(Dt::kE8M0, {2, 1}, {0.25, 8});
  for (const Dt t : {Dt::kF32, Dt::kF64, Dt::kBF16, Dt::kF16, Dt::kE4M3, Dt::kI32, Dt::kI64, Dt::kU8}) {
    const Array x = Values(t, {2, 3}, {1, 2, 3, 4, 5, 6});
    for (const char* text : {"(x, s) -> x * s", "(s, x) -> s * x, s", "(x, s) -> x * s, x / s, logical_and(x, s)"}) {
      const bool first = text[1] == 's';
      const Results r = RunText(text, first ? std::vector<Array>{scale, x} : std::vector<Array>{x, scale});
      ASSERT_FALSE(r.empty()) << text << Info(t).name;
      const Dt label = IsFloat(t) ? t : Dt::kF32;
      for (size_t i = 0; i < 6; ++i)
        EXPECT_EQ(Decode(label, r[0][i]).d, static_cast<double>(i + 1) * (i < 3 ? 0.25 : 8)) << text << Info(t).name;
    }
  }
}

TEST(Features, RopeFromTablesIsTheOperators) {
  for (const Dt t : {Dt::kF32, Dt::kBF16, Dt::kF16, Dt::kF64})
    for (const bool interleaved : {false, true}) {
      const int64_t positions = 9, heads = 3, dim = 64;
      Call call;
      call.row = &RowOf(interleaved ? "rope_non_neox" : "rope_neox");
      Array absent;
      absent.present = false;
      const Array x = Random(t, {2, positions, heads, dim}, 10);
      const Array cos = Random(Dt::kF32, {positions, dim / 2}, 11, -1, 1),
                  sin = Random(Dt::kF32, {positions, dim / 2}, 12, -1, 1);
      call.inputs = {x, absent, cos, sin};
      call.outputs = {Shaped(t, x.shape)};
      const Results want = optest::Execute(Targets().front(), call, Placement{});
      // The tables of a position for all of its heads.
      Array wide_cos = cos, wide_sin = sin;
      wide_cos.shape = wide_sin.shape = {positions, 1, dim / 2};
      const std::string rotated = "(fma(a, cos, -(b * sin)), fma(b, cos, a * sin)) }";
      const Expr expr(interleaved ? "(x, cos, sin) -> { a = every(x, 0, 2); b = every(x, 1, 2); interleave" + rotated
                                  : "(x, cos, sin) -> { a = chunk(x, 0, 2); b = chunk(x, 1, 2); concat" + rotated);
      Job job{expr.get(), {x, wide_cos, wide_sin}, call.outputs, {}, 0};
      ASSERT_EQ(want.size(), 1u);
      for (const Layout layout : {Layout::kDense, Layout::kStrided, Layout::kPadded, Layout::kNegative})
        ExpectSame(job.outputs, RunJob(Targets().front(), job, All(layout, layout)), want, LayoutName(layout));
      Placement in_place;
      in_place.in_place = 0;
      ExpectSame(job.outputs, RunJob(Targets().front(), job, in_place), want, "in place");
    }
}

TEST(Features, GatedTextsAreTheOperators) {
  const struct {
    const char *op, *text;
  } rows[] = {{"silu_and_mul", "(x) -> silu(chunk(x, 0, 2)) * chunk(x, 1, 2)"},
              {"gelu_and_mul", "(x) -> gelu(chunk(x, 0, 2)) * chunk(x, 1, 2)"},
              {"gelu_tanh_and_mul", "(x) -> gelu(chunk(x, 0, 2), tanh) * chunk(x, 1, 2)"}};
  for (const auto& row : rows)
    for (const Dt t : {Dt::kF32, Dt::kF64}) {
      Call call;
      call.row = &RowOf(row.op);
      call.inputs = {Random(t, {17, 200}, 13, -5, 5)};
      call.outputs = {Shaped(t, {17, 100})};
      const Expr expr(row.text);
      Job job{expr.get(), call.inputs, call.outputs, {}, TILEOPS_PLAN_REPRODUCIBLE};
      for (const Target& target : Targets())
        ExpectSame(job.outputs, RunJob(target, job), optest::Execute(target, call, Placement{}), row.text);
    }
}

TEST(Features, OptionalOperands) {
  const Array x = Counting(Dt::kF32, {2, 3});
  Array absent;
  absent.present = false;
  const Array w = Counting(Dt::kF32, {3});
  const std::string text = "(x, w = 2, b = 1) -> x * w + b";
  const auto expect = [&](const std::vector<Array>& in, double factor, double added) {
    const Results r = RunText(text, in);
    ASSERT_EQ(r.size(), 1u);
    for (size_t i = 0; i < 6; ++i)
      EXPECT_EQ(At(x, r, 0, i), static_cast<double>(i) * (factor < 0 ? static_cast<double>(i % 3) : factor) + added);
  };
  expect({x}, 2, 1);
  expect({x, absent, absent}, 2, 1);
  expect({x, w}, -1, 1);
  Array five = Shaped(Dt::kF32, {});
  five.bits = {Encode(Num::Float(5), Dt::kF32)};
  expect({x, absent, five}, 2, 5);
  expect({x, w, five}, -1, 5);
  // An operand whose default is selected by where alone, of another category.
  const Results r = RunText("(x, m = true) -> where(m, x, 0)", {x});
  ASSERT_EQ(r.size(), 1u);
  EXPECT_EQ(r[0], x.bits);
}

TEST(Features, ZeroSizeAnd0d) {
  for (const Shape& shape : {Shape{0}, Shape{0, 4}, Shape{4, 0}, Shape{2, 0, 6}}) {
    const Array x = Shaped(Dt::kF32, shape);
    const Results r = RunText("(x) -> { h = silu(x) + index(x, -1); h, x < h, x }", {x});
    ASSERT_EQ(r.size(), 3u);
    EXPECT_TRUE(r[0].empty() && r[1].empty() && r[2].empty());
  }
  const Results joined = RunText("(x) -> concat(x, x), chunk(x, 0, 2)", {Shaped(Dt::kF32, {3, 0})});
  ASSERT_EQ(joined.size(), 2u);
  const Array s = Counting(Dt::kF32, {});
  const Results scalar = RunText("(x; a = 0.5) -> x + a, a * 3, 7, true", {s});
  ASSERT_EQ(scalar.size(), 4u);
  EXPECT_EQ(Decode(Dt::kF32, scalar[0][0]).d, 0.5);
  EXPECT_EQ(Decode(Dt::kF32, scalar[1][0]).d, 1.5);
  EXPECT_EQ(scalar[2][0], 7u);
  EXPECT_EQ(scalar[3][0], 1u);
}

// More elements than 32 bits count: inferred, checked, planned, not executed.
TEST(Features, MoreThan31Bits) {
  const Expr expr("(x, w) -> { h = x * w; concat(h, h), h < index(x, -2), chunk(x, 1, 2) }");
  const int64_t shape[] = {int64_t{1} << 21, 4096}, row[] = {4096}, twice[] = {int64_t{1} << 21, 8192},
                half[] = {int64_t{1} << 21, 2048};
  const DLDataType bf16 = Info(Dt::kBF16).dl, boolean = Info(Dt::kBool).dl;
  const tileops_tensor_desc in[] = {{bf16, 2, shape, nullptr}, {bf16, 1, row, nullptr}};
  const tileops_tensor_desc out[] = {{bf16, 2, twice, nullptr}, {boolean, 2, shape, nullptr}, {bf16, 2, half, nullptr}};
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.expr = expr.get();
  desc.num_inputs = 2;
  desc.inputs = in;
  DLDataType dtype;
  int32_t ndim;
  int64_t got[TILEOPS_MAX_NDIM];
  for (size_t k = 0; k < 3; ++k) {
    ASSERT_EQ(tileops_plan_infer(&desc, k, &dtype, &ndim, got), TILEOPS_STATUS_OK) << tileops_last_error();
    EXPECT_TRUE(ndim == 2 && got[0] == out[k].shape[0] && got[1] == out[k].shape[1]);
  }
  desc.num_outputs = 3;
  desc.outputs = out;
  EXPECT_EQ(tileops_plan_check(nullptr, &desc), TILEOPS_STATUS_OK) << tileops_last_error();
  tileops_plan* plan = nullptr;
  ASSERT_EQ(tileops_plan_create(nullptr, &desc, &plan), TILEOPS_STATUS_OK) << tileops_last_error();
  uint64_t bytes = 0;
  size_t size = sizeof bytes;
  EXPECT_EQ(tileops_plan_query(plan, TILEOPS_PLAN_BYTES_MOVED, &bytes, &size), TILEOPS_STATUS_OK);
  EXPECT_EQ(bytes, (uint64_t{1} << 21) * 4096 * (2 + 4 + 1 + 1) + 4096 * 2);
  tileops_plan_destroy(plan);
}

// The largest tensors that a plan takes: 2^62 bytes.
TEST(Features, BytesOfTheLargestTensors) {
  for (const Dt dt : {Dt::kI8, Dt::kE4M3, Dt::kBF16, Dt::kF64, Dt::kE2M1}) {
    const DLDataType dtype = Info(dt).dl;
    const int64_t per_byte = dtype.bits < 8 ? 8 / dtype.bits : 1, bytes_each = dtype.bits < 8 ? 1 : dtype.bits / 8;
    const int64_t shape[] = {(int64_t{1} << 62) / bytes_each};
    const Expr expr("(x) -> x");
    const tileops_tensor_desc tensor = {dtype, 1, shape, nullptr};
    tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
    desc.expr = expr.get();
    desc.num_inputs = desc.num_outputs = 1;
    desc.inputs = desc.outputs = &tensor;
    tileops_plan* plan = nullptr;
    ASSERT_EQ(tileops_plan_create(nullptr, &desc, &plan), TILEOPS_STATUS_OK) << tileops_last_error();
    uint64_t bytes = 0;
    size_t size = sizeof bytes;
    EXPECT_EQ(tileops_plan_query(plan, TILEOPS_PLAN_BYTES_MOVED, &bytes, &size), TILEOPS_STATUS_OK);
    EXPECT_EQ(bytes, (uint64_t{1} << 63) / static_cast<uint64_t>(per_byte)) << Info(dt).name;
    tileops_plan_destroy(plan);
  }
}

TEST(Limits, ThirtyTwoOperandsSixteenResults) {
  std::string operands, results;
  std::vector<Array> in;
  for (int i = 0; i < 32; ++i) {
    operands += (i ? ", v" : "v") + std::to_string(i);
    in.push_back(Values(Dt::kF32, {3, 5}, {static_cast<double>(i + 1)}));
  }
  for (int k = 0; k < 16; ++k)
    results += (k ? ", v" : "v") + std::to_string(2 * k) + " * 100 + v" + std::to_string(2 * k + 1);
  const Results r = RunText("(" + operands + ") -> " + results, in);
  ASSERT_EQ(r.size(), 16u);
  for (size_t k = 0; k < 16; ++k)
    for (const uint64_t bits : r[k])
      EXPECT_EQ(Decode(Dt::kF32, bits).d, static_cast<double>((2 * k + 1) * 100 + 2 * k + 2));
  // All of them in one sum.
  std::string sum = "v0";
  for (int i = 1; i < 32; ++i) sum += " + v" + std::to_string(i);
  const Results one = RunText("(" + operands + ") -> " + sum, in);
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(Decode(Dt::kF32, one[0][7]).d, 32 * 33 / 2);
}

TEST(Limits, ThirtyTwoScalars) {
  std::string scalars, sum = "x";
  std::vector<tileops_number> values;
  double want = 0;
  for (int i = 0; i < 32; ++i) {
    scalars += (i ? ", s" : "s") + std::to_string(i) + (i % 2 ? " = 1" : " = 1.0");
    sum += " + s" + std::to_string(i) + " * " + std::to_string(i + 1);
    values.push_back(i % 2 ? tileops_number_i64(i) : tileops_number_f64(i * 0.5));
    want += (i % 2 ? i : i * 0.5) * (i + 1);
  }
  const Results r = RunText("(x; " + scalars + ") -> " + sum, {Values(Dt::kF32, {9}, {0})}, values);
  ASSERT_EQ(r.size(), 1u);
  EXPECT_EQ(Decode(Dt::kF32, r[0][8]).d, want);
}

// Planned and executed on a thread of 512 KB of stack, as threads of other languages and C libraries may have.
TEST(Limits, TwoHundredFiftySixNodesOnASmallStack) {
  std::string chain = "(x) -> { t0 = x + 1; ";
  for (int i = 1; i < 256; ++i) chain += "t" + std::to_string(i) + " = silu(t" + std::to_string(i - 1) + "); ";
  auto work = [&] {
    const Results r = RunText(chain + "t255 }", {Counting(Dt::kF32, {70})});
    EXPECT_EQ(r.size(), 1u);
  };
  using Work = decltype(work);
  pthread_attr_t attr;
  pthread_attr_init(&attr);
  ASSERT_EQ(pthread_attr_setstacksize(&attr, 512 << 10), 0);
  pthread_t thread;
  ASSERT_EQ(
      pthread_create(&thread, &attr, [](void* p) -> void* { return (*static_cast<Work*>(p))(), nullptr; }, &work), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attr);
}

// As many nodes as there may be: a chain, and with as many values that live at a time as the text can ask for.
TEST(Limits, TwoHundredFiftySixNodes) {
  std::string chain = "(x) -> { t0 = x + 1; ", last;
  for (int i = 1; i < 256; ++i)
    chain += "t" + std::to_string(i) + " = t" + std::to_string(i - 1) + (i % 2 ? " - 3; " : " + 4; ");
  const Results r = RunText(chain + "t255 }", {Counting(Dt::kF32, {70})});
  ASSERT_EQ(r.size(), 1u);
  for (size_t i = 0; i < 70; ++i)
    EXPECT_EQ(Decode(Dt::kF32, r[0][i]).d, static_cast<double>(i) + 1 + 4 * 127 - 3 * 128);
  for (const int width : {16, 64, 120, 128}) {
    std::string wide = "(x) -> { ", sum = "t0";
    for (int i = 0; i < width; ++i) {
      wide += "t" + std::to_string(i) + " = x * " + std::to_string(i + 2) + "; ";
      if (i) sum = sum + " + t" + std::to_string(i);
    }
    // Each is used at the end once more, from the last to the first, so that all are kept till then.
    const Results w = RunText(wide + sum + " }", {Values(Dt::kF32, {300}, {1})});
    ASSERT_EQ(w.size(), 1u) << width;
    EXPECT_EQ(Decode(Dt::kF32, w[0][299]).d, width * (width + 3) / 2);
    const Results f64 = RunText(wide + sum + " }", {Values(Dt::kF64, {300}, {1})});
    ASSERT_EQ(f64.size(), 1u) << width;
    EXPECT_EQ(Decode(Dt::kF64, f64[0][299]).d, width * (width + 3) / 2);
  }
}

}  // namespace
}  // namespace exprtest

// Texts that passes are made for in ways that few texts need: short groups within rows, along two axes and beside sums
// of whole rows, parts of values that lie in memory, results of 4 bits beside all these.
#include <gtest/gtest.h>

#include "on_cuda.h"
#include "texts.h"

namespace rowtest {
namespace {

// One value for each group of an axis.
Tensor GroupsOf(Shape shape, size_t axis, int64_t group) {
  int64_t& n = shape[shape.size() - axis];
  n = (n + group - 1) / group;
  return RandomTensor(Dtype::f32, shape, 5);
}

void Check(const std::string& text, const std::vector<Tensor>& operands, bool with_reference = true) {
  const TextRun run(text, operands);
  std::string what = text + " of";
  for (const int64_t n : operands[0].shape) what += " " + std::to_string(n);
  ASSERT_EQ(run.state(), State::runs) << what << ": " << run.why();
  EXPECT_EQ(WhyNotOnCuda(run), "") << what;
  const std::vector<Tensor> want = with_reference ? run.Expected() : std::vector<Tensor>{};
  Results first;
  for (const Target& target : Targets())
    for (const Layout layout : {Layout::kDense, Layout::kPadded, Layout::kReversed}) {
      const Results got = run.On(target, optest::All(layout, layout));
      ASSERT_FALSE(got.empty()) << what;
      if (first.empty()) {
        first = got;
        if (with_reference) ExpectClose(want, run.outputs(), got, what);
      }
      exprtest::ExpectSame(run.outputs(), got, first, what + "\n  " + target.name);
    }
}

// Operands are x of the shape and, where the text takes them, s with a value for each group of 11 along the last axis
// but one, and t for each group of 4 along the last.
void Check(const std::string& t, const Shape& shape, Dtype dtype, bool with_reference = true) {
  std::vector<Tensor> operands{RandomTensor(dtype, shape, 3)};
  if (t.find("s") < t.find(")") && shape.size() > 1) operands.push_back(GroupsOf(shape, 2, 11));
  if (t.find("t") < t.find(")")) operands.push_back(GroupsOf(shape, 1, 4));
  Check(t, operands, with_reference);
}

TEST(Split, ShortGroupsWithinRows) {
  for (const char* text : {
           "(x, s) -> sum(x * spread(s, x, axis = -2, group = 11), axis = -2)",
           "(x, s) -> sum(x * spread(s, x, axis = -2, group = 11), axis = (-2, -1))",
           "(x, s) -> sum(x * spread(s, x, axis = -2, group = 11), axis = all), amax(x, axis = -2)",
           "(x, s) -> { v = x * spread(s, x, axis = -2, group = 11); v - mean(v, axis = (-2, -1)) }",
           "(x, t) -> mean(x * spread(t, x, group = 4)), amax(x * spread(t, x, group = 4), axis = all)",
           "(x) -> { v = x - 0.5 * spread(mean(x, axis = -2, group = 11), x, axis = -2, group = 11); "
           "maximum(v, sum(v, axis = -2) / 16), v }",
       })
    for (const Shape& shape : {Shape{23, 6}, Shape{2, 35, 18}, Shape{3, 7, 2}, Shape{11, 5}})
      for (const Dtype dtype : {Dtype::f32, Dtype::bf16}) Check(text, shape, dtype);
}

// Few blocks of very many elements: in groups of whole rows, or in parts of so many elements one after the other.
TEST(Split, FewLongBlocks) {
  for (const char* text : {
           "(x) -> sum(abs(x), axis = all)",
           "(x) -> sum(x * x, axis = (-2, -1)), amax(x, axis = (-2, -1))",
           "(x) -> { d = x - 0.25; sum(d * d, axis = all), d }",
           "(x, s) -> sum(x * spread(s, x, axis = -2, group = 11), axis = all)",
       })
    for (const Shape& shape : {Shape{1030, 77}, Shape{3, 700, 100}, Shape{4100, 16}, Shape{2, 8193, 8}})
      for (const Dtype dtype : {Dtype::f32, Dtype::bf16, Dtype::f64}) Check(text, shape, dtype);
}

// Ties, zeros of both signs and NaN among them: a GPU finds the places of long rows by their values.
TEST(Split, PlacesInLongRows) {
  for (const char* text : {"(x) -> argmax(x), gather(x, argmax(x)) - x, argmin(abs(x))",
                           "(x) -> argmax(x, axis = all), argmin(x * 0, axis = (-2, -1)), argmin(x, axis = -2)",
                           "(x) -> argmax(log(x)), argmin(log(x), axis = all)",
                           "(x) -> argmax(x > 2.5), argmin(cast(x < 3, i32) * 2 - 1, axis = all)"})
    for (const Shape& shape : {Shape{3, 70001}, Shape{2, 4, 65536}, Shape{65537, 2}})
      for (const Dtype dtype : {Dtype::f32, Dtype::bf16}) Check(text, shape, dtype);
}

// Scans of several things at once, one behind another, beside reductions of the same rows and of what they give; and of
// integers, which have one result in any order. The reference takes each element's sum anew; Scans has these lengths
// beside the reference of the order.
TEST(Split, ScansOfLongRows) {
  for (const char* text :
       {"(x) -> { v = cumsum(x); v, v - mean(v), cumsum(v * 0.001), amax(abs(v)) }",
        "(x) -> cumsum(cast(x > 0, i32)), cummax(x, reverse = true), cumsum(abs(x)), sum(x), argmax(x)",
        "(x) -> { v = x - mean(x); cumsum(v, reverse = true, exclusive = true), gather(cumsum(v), argmin(x)) }",
        "(x, t) -> cumsum(x * spread(t, x, group = 4)), cummin(x + cumsum(x, axis = -2))",
        "(x) -> cumsum(x), cumsum(x * 2), cumsum(x * x), cumsum(cast(x, i64)), cumsum(abs(x)), cummax(x), cumsum(-x)",
        "(x) -> { s = cumsum(x, axis = -2); s, x - s, logsumexp(s, axis = -2), cumprod(1 + 0.0001 * x) }"})
    for (const Shape& shape : {Shape{3, 70001}, Shape{2, 4, 65536}, Shape{65537, 2}})
      for (const Dtype dtype : {Dtype::f32, Dtype::bf16, Dtype::f64}) Check(text, shape, dtype, false);
}

// A GPU has these rows in the shared memory of several thread blocks.
TEST(Split, LongRows) {
  for (const char* text : {"(x) -> var(x)", "(x) -> var(x), mean(x), amax(x)", "(x) -> layer_norm(x, eps = 0.00001)",
                           "(x) -> { v = var(abs(x), axis = all, correction = 1); (x - var(x)) / v }"})
    for (const Shape& shape : {Shape{1, 40000}, Shape{3, 70001}})
      for (const Dtype dtype : {Dtype::f32, Dtype::bf16, Dtype::f64}) Check(text, shape, dtype);
}

// What a whole tensor comes to beside its rows, groups of these, columns and sums over them.
TEST(Split, BlocksOfWholeTensors) {
  for (const char* text : {
           "(x) -> { y = x * rsqrt(mean(x * x) + 1); y, amax(abs(y), axis = all), any(y > 2.5, axis = all) }",
           "(x) -> { d = x * sigmoid(x); d, sum(d, axis = -2), amax(abs(d), axis = all), sum(d, axis = all) }",
           "(x) -> amax(abs(x), group = 32), amin(x, axis = all), mean(x, axis = all)",
           "(x) -> { s = cumsum(x); s, amax(s, axis = all), amin(x) }",
           "(x) -> logsumexp(x), logsumexp(x, axis = all) + amax(x, axis = all)",
           "(x) -> sum(x > 0), sum(x > 0, axis = all), amax(x, axis = -2), prod(x / 2 + 1, axis = all)",
           "(x, t) -> { v = x * spread(t, x, group = 4); v, amax(v), amin(v, axis = (-2, -1)) }",
       })
    for (const Shape& shape :
         {Shape{40, 64}, Shape{3, 33, 10}, Shape{2, 2100, 16}, Shape{1, 1}, Shape{3, 0, 8}, Shape{5, 0}})
      for (const Dtype dtype : {Dtype::f32, Dtype::bf16, Dtype::f64}) Check(text, shape, dtype);
}

// Few short rows in each of many batches, which an operand tells apart: a CPU takes these together along the longer
// axis.
TEST(Split, FewRowsOfManyBatches) {
  for (const char* text : {
           "(x) -> { v = x - amax(x, axis = (-2, -1)); v - mean(v), sum(v), logsumexp(v) }",
           "(x) -> { v = x * rsqrt(sum(x * x, axis = (-2, -1)) + 1); cumsum(v), cast(v, bf16), var(v) }",
           "(x) -> { v = x / (amax(abs(x), axis = (-2, -1)) + 1); argmax(v), v - mean(v, axis = -2), prod(v + 1, axis "
           "= -2) }",
           "(x) -> { v = x - mean(x, axis = (-2, -1)); gather(x, argmin(x)), amax(v, axis = -3), sum(v, axis = -3) }",
       })
    for (const Shape& shape :
         {Shape{900, 4, 3}, Shape{300, 3, 33}, Shape{40, 2, 9, 5}, Shape{70, 1, 2}, Shape{9, 2, 700}})
      for (const Dtype dtype : {Dtype::f32, Dtype::bf16}) Check(text, shape, dtype);
}

TEST(Split, LongColumns) {
  for (const char* text : {"(x) -> mean(x, axis = -2), amax(x, axis = -2)", "(x) -> x - logsumexp(x, axis = -2)",
                           "(x) -> sum(abs(x - mean(x, axis = -2)), axis = -2)",
                           "(x) -> { s = var(x * x, axis = -2, correction = 1); x * rsqrt(s + 1), mean(s) }"})
    for (const Shape& shape : {Shape{70001, 3}, Shape{2, 65536, 1}})
      for (const Dtype dtype : {Dtype::f32, Dtype::bf16, Dtype::f64}) Check(text, shape, dtype);
}

// Few columns of several axes, none of which has groups of a power of two: in parts, or in groups of any size where the
// order of the elements has no say.
TEST(Split, LongColumnsOfSeveralAxes) {
  for (const char* text :
       {"(x) -> { m = amax(x, axis = (-3, -2)); x - m, m, amin(x, axis = (-3, -2)) }",
        "(x) -> mean(x, axis = (-3, -2)), amax(abs(x - 0.25), axis = (-3, -2))", "(x) -> sum(x > 0, axis = (-3, -2))",
        "(x) -> { v = x * rsqrt(logsumexp(x, axis = -3) ** 2 + 1); amax(v, axis = (-3, -2)) + v }"})
    for (const Shape& shape : {Shape{7, 10007, 2}, Shape{30011, 3, 1, 2}, Shape{3, 22003, 17}})
      Check(text, shape, shape.size() == 3 ? Dtype::f32 : Dtype::bf16);
}

// Integers of 64 bits, whose sum does not fit into as many: it is found in halves, and these in parts.
TEST(Split, MeansOfWideIntegers) {
  for (const char* text : {"(x) -> mean(x), amax(x)", "(x) -> mean(x, axis = all), x > mean(x, axis = all)",
                           "(x) -> mean(x, axis = -2), mean(x, axis = (-2, -1)), mean(x > 0)"})
    for (const Shape& shape : {Shape{3, 70001}, Shape{65537, 2}, Shape{7, 10007, 2}, Shape{1, 1}})
      for (const Dtype dtype : {Dtype::i64, Dtype::u64}) {
        Tensor x = Empty(dtype, shape);
        for (size_t i = 0; i < x.values.size(); ++i) {
          const uint64_t bits = (i + 1) * 0x9e3779b97f4a7c15u;
          x.values[i] = dtype == Dtype::u64 ? static_cast<Real>(bits) : static_cast<Real>(static_cast<int64_t>(bits));
        }
        Check(text, {x});
      }
}

// Float64 has its parts' high and low parts in memory: infinities, NaN, -0, what overflows on its way, and what is lost
// without the low parts. CPUs have these rows whole.
TEST(Split, LongRowsOfFloat64) {
  const Shape shape{9, 70001};
  Tensor x = Empty(Dtype::f64, shape);
  for (size_t i = 0; i < x.values.size(); ++i) {
    const size_t row = i / 70001, column = i % 70001;
    const double v = static_cast<double>(static_cast<int64_t>((i + 1) * 0x9e3779b97f4a7c15u)) * 0x1p-63;
    double value = row == 1   ? v * 1e308
                   : row == 2 ? -0.0
                   : row == 3 ? std::ldexp(v, static_cast<int>(i % 2000) - 1000)
                              : v;
    if (row == 4) value = column == 0 ? 1e16 : column == 70000 ? -1e16 : v;
    if (column == 50000 && row >= 5) value = row == 5 ? kInf : row == 6 ? -kInf : row == 7 ? NAN : 1.5e308;
    if (column == 60000 && row == 6) value = kInf;
    if (column > 60000 && row == 8) value = 1.7e308;
    x.values[i] = value;
  }
  for (const char* text : {"(x) -> sum(x), mean(x), amax(x)", "(x) -> var(x), x - mean(x), prod(x * 1e-3 + 1)",
                           "(x) -> cumsum(x), cumprod(x * 1e-3 + 1)", "(x) -> var(x, correction = 1), mean(x * 1e-300)",
                           "(x) -> sum(x, axis = -2), var(x * x, axis = all)"})
    Check(text, {x}, false);
}

// Of many columns of few elements a GPU's threads keep these, stage after stage.
TEST(Split, ManyShortColumns) {
  for (const char* text : {"(x) -> { e = exp(x - amax(x, axis = -2)); e / sum(e, axis = -2), sum(e * x, axis = -2) }",
                           "(x) -> (x - mean(x, axis = -2)) * rsqrt(var(x, axis = -2) + 1), argmax(x, axis = -2)"})
    for (const Shape& shape : {Shape{5, 65540}, Shape{2, 3, 32771}, Shape{16, 65537}})
      Check(text, shape, shape[0] == 2 ? Dtype::bf16 : Dtype::f32);
}

// Rows that are gathered and reduced over, as a bag of embeddings is: a GPU reads neighbouring columns of each
// together.
TEST(Split, GatheredColumns) {
  for (const char* text :
       {"(t, i) -> sum(gather(t, i, axis = -2), axis = -2)",
        "(t, i) -> { v = gather(t, i, axis = -2); v - mean(v, axis = -2), amax(v, axis = -2) }",
        "(t, i) -> { v = tanh(gather(t, i + 1, axis = -2)); logsumexp(v * 2, axis = -2), amin(v, axis = -2) }",
        "(t, i) -> { v = gather(t, i, axis = -2); var(v, axis = -2), sum(v * gather(t, 299 - i, axis = -2), axis = -2) "
        "}",
        "(t, i) -> { v = gather(t, argmax(t, axis = (-2, -1)) + i, axis = -2); cumsum(v, axis = -2), sum(v, axis = -2) "
        "}"})
    for (const int64_t columns : {5, 64, 130})
      for (const int64_t count : {1, 7, 33, 3000})
        for (const Dtype dtype : {Dtype::f32, Dtype::bf16}) {
          if (std::string(text).find("argmax(t") != std::string::npos && count > 33) continue;
          Tensor i = Empty(Dtype::i64, {count, 1});
          for (size_t k = 0; k < i.values.size(); ++k) i.values[k] = static_cast<Real>(k * 37 % 290);
          Check(text, {RandomTensor(dtype, {300, columns}, 3), i});
        }
}

TEST(Split, ShortGroupsOfTwoAxes) {
  for (const char* text : {
           "(x) -> { s = amax(abs(x), axis = (-2, -1), group = (4, 4)); x / spread(s, x, axis = (-2, -1), group = (4, "
           "4)), s }",
           "(x) -> { s = mean(x, axis = (-2, -1), group = (8, 4)); x - spread(s, x, axis = (-2, -1), group = (8, 4)) * "
           "index(x, -2), s }",
           "(x, s, t) -> x * spread(s, x, axis = -2, group = 11) + spread(t, x, group = 4) * index(x, -1)",
           "(x, s, t) -> amax(x * spread(s, x, axis = -2, group = 11) - spread(t, x, group = 4))",
           "(x, s) -> { y = x * spread(s, x, axis = -2, group = 11); y / spread(amax(abs(y), group = 4), y, group = 4) "
           "}",
       })
    for (const Shape& shape : {Shape{23, 6}, Shape{2, 35, 18}, Shape{3, 7, 2}, Shape{16, 8}, Shape{50, 131}})
      for (const Dtype dtype : {Dtype::f32, Dtype::bf16}) Check(text, shape, dtype);
}

// The axis of the groups is none that a pass reduces or scans, or one of these among others.
TEST(Split, ShortGroupsBesideOtherAxes) {
  for (const char* text : {
           "(x, s) -> { y = x * spread(s, x, axis = -2, group = 11); y / sum(y), cumsum(y) }",
           "(x, s) -> { y = x * spread(s, x, axis = -2, group = 11); cumsum(y, reverse = true), amax(y) }",
           "(x, s) -> { y = x * spread(s, x, axis = -2, group = 11); sum(y, axis = -1, group = 4), mean(y) }",
           "(x, s) -> { y = x * spread(s, x, axis = -2, group = 11); sum(y, axis = -2), sum(y) }",
       })
    for (const Shape& shape : {Shape{23, 6}, Shape{2, 35, 18}, Shape{3, 7, 2}, Shape{16, 8}, Shape{50, 131}})
      for (const Dtype dtype : {Dtype::f32, Dtype::bf16}) Check(text, shape, dtype);
}

// Groups that are no power of two, or many threads', beside sums of whole rows.
TEST(Split, GroupsBesideWholeRows) {
  for (const char* text : {"(x) -> sum(x), x / spread(amax(abs(x), group = 12), x, group = 12)",
                           "(x) -> { s = mean(x * x, group = 48); sum(x), mean(s), s }",
                           "(x) -> { s = sum(x, group = 2048); x - mean(x) + spread(s, x, group = 2048) * 0.01, s }"})
    for (const Shape& shape : {Shape{5, 48}, Shape{3, 100}, Shape{2, 5000}})
      for (const Dtype dtype : {Dtype::f32, Dtype::bf16}) Check(text, shape, dtype);
}

// Sums over many rows are taken on the way by what reduces these.
TEST(Split, GroupsBesideSumsOverRows) {
  for (const char* text :
       {"(x) -> amax(abs(x), group = 12), sum(x * x, axis = -2)",
        "(x) -> { s = amax(abs(x), group = 8) + 1; x / spread(s, x, group = 8), sum(x, axis = -2), mean(x) }",
        "(x) -> prod(x, group = 24), sum(x - mean(x), axis = -2), sum(abs(x), axis = -2)"})
    for (const Shape& shape : {Shape{2051, 24}, Shape{2, 1030, 48}})
      for (const Dtype dtype : {Dtype::f32, Dtype::bf16}) Check(text, shape, dtype);
}

TEST(Split, PartsOfWhatLiesInMemory) {
  for (const char* text :
       {"(x) -> chunk(cumsum(x), 1, 2), every(cumsum(x), 0, 2) * 2",
        "(x) -> { g = gather(x, cast(index(x, -1) // 2, i64)); chunk(g, 0, 2) + chunk(g, 1, 2), sum(g) }",
        "(x) -> { s = amax(abs(x), group = 4); chunk(s, 0, 1), x / spread(s, x, group = 4) }",
        "(x) -> every(chunk(cumsum(x, reverse = true), 0, 2), 1, 2), every(chunk(x, 1, 2), 0, 2)",
        "(x) -> gather(chunk(cumsum(x), 0, 2), argmax(chunk(x, 0, 2)))"})
    for (const Shape& shape : {Shape{5, 8}, Shape{2, 3, 132}})
      for (const Dtype dtype : {Dtype::f32, Dtype::bf16}) Check(text, shape, dtype);
}

// Operands of 4 bits in passes of some groups alone, which may begin within a byte.
TEST(Split, PairsThatGroupsPart) {
  for (const char* text :
       {"(x) -> sum(x / spread(amax(abs(x), group = 3) + 1, x, group = 3), axis = -2)",
        "(x) -> { h = tanh(x); y = h - spread(mean(h, group = 3), h, group = 3); cast(y / amax(abs(y), axis = -2), "
        "e2m1fn), sum(y, axis = -2) }"})
    for (const Shape& shape : {Shape{5, 16}, Shape{2, 3, 34}, Shape{4, 2}}) Check(text, shape, Dtype::e2m1fn);
}

TEST(Split, PairsBesideWhatPartsThem) {
  for (const char* text :
       {"(x) -> cast(cumsum(x, reverse = true), e2m1fn), x * 2",
        "(x) -> { s = amax(abs(x), group = 3); cast(x / spread(s, x, group = 3), e2m1fn), s, cast(x, e2m1fn) }",
        "(x) -> cast(amax(x, group = 3), e2m1fn), cast(mean(x) * x, e2m1fn)"})
    for (const Shape& shape : {Shape{5, 12}, Shape{2, 3, 34}})
      for (const Dtype dtype : {Dtype::f32, Dtype::bf16}) Check(text, shape, dtype);
}

}  // namespace
}  // namespace rowtest

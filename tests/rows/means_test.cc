// Means are rounded once, and what is subtracted from one knows what its rounding took: norms of constant rows are
// their biases, and rows of large means and small spreads are as exact as others.
#include <gtest/gtest.h>

#include <cmath>

#include "run.h"
#include "texts.h"

namespace rowtest {
namespace {

Real ValueOf(Dtype dtype, uint64_t bits) {
  optest::Dt dt;
  return DtOf(dtype, &dt) ? optest::Decode(dt, bits).d : NAN;
}

// Every element of a block is the same number, which no dtype holds exactly; blocks are along `axes`.
Tensor Constant(Dtype dtype, const Shape& shape, Real value) {
  Tensor t = Empty(dtype, shape);
  for (Real& v : t.values) v = Rounded(dtype, value);
  return t;
}

constexpr Dtype kMeanDtypes[] = {Dtype::f64, Dtype::f32, Dtype::bf16, Dtype::f16};
constexpr Real kRowNumbers[] = {0.1L, 123.456L, -3840.857L, 1e-5L, 60000.0L};
constexpr int64_t kRowLengths[] = {1, 2, 3, 5, 6, 7, 12, 31, 33, 49, 100, 127, 129, 300, 1000, 4099};

struct NormOfConstants {
  const char* name;  // or a text
  // Shapes of x and of the other operands for rows of n elements: weights and biases are random.
  std::vector<Shape> (*shapes)(int64_t n);
  int bias;  // which operand the first result is equal to, or -1: 0
};

void PrintTo(const NormOfConstants& norm, std::ostream* out) { *out << norm.name; }

const NormOfConstants kNormsOfConstants[] = {
    {"layer_norm", [](int64_t n) { return std::vector<Shape>{{3, n}, {n}, {n}}; }, 2},
    {"instance_norm", [](int64_t n) { return std::vector<Shape>{{2, 3, n}, {3, 1}, {3, 1}}; }, 2},
    {"group_norm", [](int64_t n) { return std::vector<Shape>{{2, 2, 3, n}, {2, 3, 1}, {2, 3, 1}}; }, 2},
    {"batch_norm_training", [](int64_t n) { return std::vector<Shape>{{2, 3, n}, {3, 1}, {3, 1}, {3, 1}, {3, 1}}; }, 4},
    {"(x) -> x - mean(x)", [](int64_t n) { return std::vector<Shape>{{3, n}}; }, -1},
    {"(x) -> mean(x) - x", [](int64_t n) { return std::vector<Shape>{{3, n}}; }, -1},
    {"(x) -> x - mean(x, axis = all)", [](int64_t n) { return std::vector<Shape>{{3, n}}; }, -1},
    {"(x) -> x - mean(x, axis = -2)", [](int64_t n) { return std::vector<Shape>{{n, 40}}; }, -1},
    {"(x) -> x - mean(x, axis = -3)", [](int64_t n) { return std::vector<Shape>{{n, 2, 3}}; }, -1},
    {"(x) -> x - spread(mean(x, group = 48), x, group = 48)", [](int64_t n) { return std::vector<Shape>{{3, n}}; }, -1},
    {"(x) -> (x - mean(x)) / (sqrt(var(x)) + 1e-8)", [](int64_t n) { return std::vector<Shape>{{3, n}}; }, -1},
    {"(x) -> { m = mean(x, axis = -2); y = spread(detach(m), x); x - y, sum(m) }",
     [](int64_t n) { return std::vector<Shape>{{n, 5}}; }, -1},
};

class ConstantRows : public testing::TestWithParam<NormOfConstants> {};

TEST_P(ConstantRows, AreTheirBias) {
  const NormOfConstants& norm = GetParam();
  const std::string text = norm.name[0] == '(' ? norm.name : NamedText(norm.name);
  for (const Dtype dtype : kMeanDtypes)
    for (const Real number : kRowNumbers)
      for (const int64_t n : kRowLengths) {
        std::vector<Tensor> operands;
        for (const Shape& shape : norm.shapes(n))
          operands.push_back(operands.empty() ? Constant(dtype, shape, number)
                                              : RandomTensor(dtype, shape, operands.size()));
        const TextRun run(text, operands);
        ASSERT_EQ(run.state(), State::runs) << run.why();
        const Shape& shape = operands[0].shape;
        const Target& target = Targets().back();
        const Results got = run.On(target);
        ASSERT_FALSE(got.empty());
        ForEach(shape, [&](const Index& index, size_t i) {
          const Tensor* bias = norm.bias < 0 ? nullptr : &operands[static_cast<size_t>(norm.bias)];
          const Real want = bias ? bias->values[BroadcastAt(bias->shape, index, shape.size())] : 0;
          const Real is = ValueOf(dtype, got[0][i]);
          ASSERT_EQ(is, want) << text << " of " << n << " times " << static_cast<double>(number) << " as "
                              << tileops::dtype_name(dtype) << ", element " << i;
        });
      }
}

INSTANTIATE_TEST_SUITE_P(All, ConstantRows, testing::ValuesIn(kNormsOfConstants));

// Of few very long rows, which are reduced in parts, the rest of the mean goes through the workspace.
TEST(ConstantRows, OfManyElements) {
  for (const Shape& shape : {Shape{2, 262144 + 12}, Shape{70000, 8}, Shape{1, 99999}})
    for (const char* text : {"(x) -> x - mean(x)", "(x) -> x - mean(x, axis = all)", "(x) -> x - mean(x, axis = -2)"}) {
      const TextRun run(text, {Constant(Dtype::f32, shape, 123.456L)});
      const Results got = run.On(Targets().back());
      ASSERT_FALSE(got.empty());
      for (const uint64_t bits : got[0]) ASSERT_EQ(bits & 0x7fffffff, 0u) << text << " of " << shape[0];
    }
}

// The mean of integers is rounded once, and of 64 bits it does not wrap.
TEST(Means, OfIntegers) {
  const auto check = [](Dtype dtype, std::vector<Real> values, Real want) {
    const TextRun run("(x) -> mean(x)", {Of(dtype, {static_cast<int64_t>(values.size())}, values)});
    ASSERT_EQ(run.state(), State::runs) << run.why();
    for (const Target& target : Targets())
      EXPECT_EQ(run.On(target)[0][0], Code(Dtype::f32, want)) << tileops::dtype_name(dtype);
  };
  check(Dtype::i32, {16777217, 16777217, 16777220}, 50331654.0L / 3);
  check(Dtype::u64, {0x1p63L, 0x1p63L, 0x1p63L + 0x1p62L}, (3 * 0x1p63L + 0x1p62L) / 3);
  check(Dtype::i64, {-0x1p62L, -0x1p62L, -0x1p62L, -0x1p62L, 4}, (-0x1p64L + 4) / 5);
  check(Dtype::i64, {0x1p62L, 1, -0x1p62L}, 1.0L / 3);
  check(Dtype::u8, {255, 254, 1}, 170);
}

// Rows whose mean is large beside their spread: normalised within 4 ulp of a number of about 1.
TEST(Means, OfLargeMeans) {
  for (const double mean : {1e2, 1e4, 1e6})
    for (const int64_t n : {3, 64, 1000}) {
      const Tensor x = RandomTensor(Dtype::f32, {4, n}, static_cast<uint64_t>(n), mean);
      const TextRun run("(x) -> { d = x - mean(x); d * rsqrt(mean(d * d)) }", {x});
      const Results got = run.On(Targets().back());
      ASSERT_FALSE(got.empty());
      for (size_t row = 0; row < 4; ++row) {
        const size_t at = row * static_cast<size_t>(n);
        Real m = 0, v = 0;
        for (size_t i = 0; i < static_cast<size_t>(n); ++i) m += x.values[at + i] / n;
        for (size_t i = 0; i < static_cast<size_t>(n); ++i) v += (x.values[at + i] - m) * (x.values[at + i] - m) / n;
        for (size_t i = 0; i < static_cast<size_t>(n); ++i) {
          const Real want = (x.values[at + i] - m) / std::sqrt(v);
          const Real unit = 0x1p-23L * std::max<Real>(0x1p-3L, std::fabs(want));
          EXPECT_LE(std::fabs(ValueOf(Dtype::f32, got[0][at + i]) - want), 4 * unit)
              << n << " around " << mean << ", element " << i << " of row " << row;
        }
      }
    }
}

// Squares that overflow make a variance infinite, not NaN.
TEST(Means, VarianceOfLargeNumbers) {
  for (const size_t n : {3, 8, 300}) {
    std::vector<Real> values(n);
    values[0] = values[1] = 3.4028234663852886e38L;
    const TextRun run("(x) -> var(x)", {Of(Dtype::f32, {static_cast<int64_t>(n)}, values)});
    for (const Target& target : Targets()) EXPECT_EQ(run.On(target)[0][0], 0x7f800000u) << n << " on " << target.name;
  }
}

}  // namespace
}  // namespace rowtest

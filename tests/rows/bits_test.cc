// The bits of float32 sums, means, products, variances, logsumexps and cumulative sums beside the scalar reference of
// the order, over lengths, axes and groups.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "not_yet.h"
#include "order.h"
#include "reduce.h"
#include "texts.h"

namespace rowtest {
namespace {

// One number for the float32 values of a set.
using OfSet = float (*)(const std::vector<float>&, Along);

// Rounded once.
float MeanOf(const std::vector<float>& x, Along along) {
  const Parts sum = PartsOf(x, along);
  const double exact = std::isfinite(sum.low) ? static_cast<double>(sum.high) + static_cast<double>(sum.low)
                                              : static_cast<double>(sum.high);
  return static_cast<float>(exact / static_cast<double>(x.size()));
}

float LogSumExpRounded(const std::vector<float>& x, Along along) { return static_cast<float>(LogSumExpOf(x, along)); }

float VarOf(const std::vector<float>& x, Along along) { return VarianceOf(x, 0, along); }

struct Reduction {
  const char* name;
  OfSet of;
  double mean, spread;  // of operands
};
const Reduction kReductions[] = {{"sum", SumOf, 0, 1},
                                 {"mean", MeanOf, 0, 1},
                                 {"prod", ProductOf, 1, 0.01},
                                 {"var", VarOf, 3, 1},
                                 {"logsumexp", LogSumExpRounded, 5, 20}};

uint64_t BitsOf(float v) {
  uint32_t bits;
  std::memcpy(&bits, &v, 4);
  return bits;
}

std::vector<uint64_t> Ordered(const Tensor& x, const RowAttrs& attrs, Along along, OfSet of, Dtype dtype) {
  std::vector<uint64_t> bits;
  for (const std::vector<size_t>& members : SetsOf(x.shape, attrs).members) {
    std::vector<float> set;
    for (size_t at : members) set.push_back(static_cast<float>(x.values[at]));
    const float value = of(set, along);
    bits.push_back(dtype == Dtype::f32 ? BitsOf(value) : Code(dtype, value));
  }
  return bits;
}

struct Case {
  Shape shape;
  const char* axes;  // as in the text
  RowAttrs attrs;
  Along along;
};

void Check(const Case& c, const Reduction& reduction, Dtype dtype = Dtype::f32) {
  const std::string text = std::string("(x) -> ") + reduction.name + "(x, " + c.axes + ")";
  const Tensor x = RandomTensor(dtype, c.shape, static_cast<uint64_t>(Count(c.shape)) + 1, reduction.mean,
                                reduction.spread);
  const TextRun run(text, {x});
  if (!Runs(run, Here())) return;
  const Results want{Ordered(x, c.attrs, c.along, reduction.of, dtype)};
  for (const Target& target : Targets())
    exprtest::ExpectSame(
        run.outputs(), run.On(target), want,
        text + " of " + std::to_string(c.shape[0]) + " by " + std::to_string(c.shape.back()) + "\n  " + target.name);
}

const int64_t kLengths[] = {1,   2,   3,   4,    5,    6,    7,    8,    9,     15,    31,    33,
                            127, 128, 769, 1025, 2304, 3584, 4097, 5120, 12288, 50257, 131073};

TEST(Bits, Rows) {
  for (const int64_t n : kLengths)
    for (const int64_t rows : {0, 1, 3, 131, 255, 256})
      for (const Reduction& r : kReductions)
        if (rows * n <= 140000) Check({{rows, n}, "axis = -1", Axes(1), Along::rows}, r);
}

TEST(Bits, Columns) {
  for (const int64_t n : kLengths)
    for (const int64_t columns : {1, 3, 130})
      for (const Reduction& r : kReductions)
        if (columns * n <= 140000)
          Check({{n, columns}, "axis = -2", Axes(2), columns == 1 ? Along::rows : Along::columns}, r);
}

// Few columns of very many elements, which many threads share.
TEST(Bits, LongColumns) {
  for (const Reduction& r : kReductions) {
    Check({{70001, 3}, "axis = -2", Axes(2), Along::columns}, r);
    Check({{2, 65536, 2}, "axis = -2", Axes(2), Along::columns}, r);
    Check({{3, 257, 256, 2}, "axis = (-3, -2)", Axes(6), Along::columns}, r);
    Check({{1000, 96, 2}, "axis = (-3, -2)", Axes(6), Along::columns}, r);  // no group of whole rows is large enough
  }
}

// Very many columns, whose short axis a thread takes at a time.
TEST(Bits, ManyShortColumns) {
  for (const int64_t n : {1, 3, 5, 9, 17})
    Check({{n, 65540}, "axis = -2", Axes(2), n == 1 ? Along::rows : Along::columns}, kReductions[n % 2]);
  Check({{2, 5, 32771}, "axis = -2", Axes(2), Along::columns}, kReductions[0]);
}

// So many rows of few elements that a thread has one of its own.
TEST(Bits, ManyShortRows) {
  for (const int64_t n : {2, 3, 7, 10, 16})
    for (const int64_t r : {n % 4, int64_t{4}})
      Check({{17001, n}, "axis = -1", Axes(1), Along::rows}, kReductions[r], n % 2 ? Dtype::bf16 : Dtype::f32);
}

// And so many that a thread has three packs, or that a row has warps that are no power of two.
TEST(Bits, ManyRowsOfOddPacks) {
  const Reduction plain{"sum", PlainSum, 0, 1};
  for (const int64_t n : {33, 50, 96, 192, 291, 384, 700, 768}) {
    for (const int64_t r : {n % 4, int64_t{4}}) Check({{600, n}, "axis = -1", Axes(1), Along::rows}, kReductions[r]);
    Check({{600, n}, "axis = -1", Axes(1), Along::rows}, plain, Dtype::bf16);
  }
}

// The largest one added to each element of its row, or column.
void CheckElements(const Shape& shape, Dtype dtype, int axis = -1) {
  const Tensor x = RandomTensor(dtype, shape, static_cast<uint64_t>(shape[1]));
  const TextRun run("(x) -> x + amax(x, axis = " + std::to_string(axis) + ")", {x});
  if (!Runs(run, Here())) return;
  Results want(1, std::vector<uint64_t>(x.values.size()));
  for (const std::vector<size_t>& row : SetsOf(x.shape, Axes(axis == -1 ? 1 : 2)).members) {
    float most = -INFINITY;
    for (const size_t at : row) most = std::max(most, static_cast<float>(x.values[at]));
    for (const size_t at : row) {
      const float sum = static_cast<float>(x.values[at]) + most;
      want[0][at] = dtype == Dtype::f32 ? BitsOf(sum) : Code(dtype, sum);
    }
  }
  for (const Target& target : Targets())
    exprtest::ExpectSame(run.outputs(), run.On(target), want,
                         std::to_string(shape[0]) + " rows of " + std::to_string(shape[1]) + " of " +
                             dtype_name(dtype) + ", " + target.name);
}

// Neighbouring rows of a thread each are stored together; the last of them are fewer.
TEST(Bits, ElementsOfManyShortRows) {
  for (const int64_t n : {1, 3, 7, 10, 14, 16})
    for (const Dtype dtype : {Dtype::f32, Dtype::bf16}) CheckElements({17001, n}, dtype);
}

// Rows that a cluster has, of which parts are not as many as a power of two.
TEST(Bits, ElementsOfLongRows) {
  for (const int64_t n : {50257, 70001, 100001}) CheckElements({17, n}, Dtype::f32);
}

// Columns that are read again for their elements, so many that thread blocks have room for them.
TEST(Bits, ElementsOfManyColumns) {
  CheckElements({100, 16901}, Dtype::f32, -2);
  CheckElements({33, 67592}, Dtype::bf16, -2);
}

// Columns so few that a thread has all of them.
TEST(Bits, VeryFewColumns) {
  Check({{9, 30000, 3}, "axis = -2", Axes(2), Along::columns}, kReductions[0]);
  Check({{5, 53001, 2}, "axis = -2", Axes(2), Along::columns}, kReductions[4]);
  Check({{100, 880, 3}, "axis = -2", Axes(2), Along::columns}, kReductions[3], Dtype::bf16);
  Check({{1, 90001, 4}, "axis = -2", Axes(2), Along::columns}, kReductions[1], Dtype::bf16);
}

// Neighbours are one axis; what lies between reduced axes is not.
TEST(Bits, SeveralAxes) {
  for (const Reduction& r : kReductions) {
    Check({{3, 41, 5}, "axis = all", Axes(~uint64_t{0}), Along::rows}, r);
    Check({{3, 41, 5}, "axis = (-2, -1)", Axes(3), Along::rows}, r);
    Check({{3, 41, 5}, "axis = (-3, -2)", Axes(6), Along::columns}, r);
    Check({{3, 41, 5}, "axis = (-3, -1)", Axes(5), Along::rows}, r);
    Check({{3, 41, 5}, "axis = -3", Axes(4), Along::columns}, r);
    Check({{70, 3, 1}, "axis = -3", Axes(4), Along::columns}, r);
    Check({{70, 1, 1}, "axis = -3", Axes(4), Along::rows}, r);
    Check({{2, 70, 1}, "axis = -2", Axes(2), Along::rows}, r);
    for (const int64_t n : {2, 3, 7, 33, 64, 65}) Check({{41, n, 6}, "axis = -2", Axes(2), Along::columns}, r);
    Check({{90, 5, 12}, "axis = -2", Axes(2), Along::columns}, r);
  }
}

TEST(Bits, Groups) {
  for (const Reduction& r : kReductions) {
    Check({{5, 300}, "group = 32", Axes(1, 32), Along::rows}, r);
    Check({{5, 300}, "group = 48", Axes(1, 48), Along::rows}, r);
    Check({{300, 5}, "axis = -2, group = 128", Axes(2, 128), Along::columns}, r);
    Check({{70, 128}, "group = (64, 64)", Axes(3, uint64_t{64} << 32 | 64), Along::rows}, r);
  }
}

// What results of 16 bits alone depend on is summed without low parts. So much cancels here that this is to be seen.
TEST(Bits, PlainWhereResultsAreNarrow) {
  for (const Dtype dtype : {Dtype::bf16, Dtype::f16})
    for (const int64_t n : {7, 129, 4097}) {
      Tensor x = RandomTensor(dtype, {9, n}, static_cast<uint64_t>(n));
      for (size_t i = 0; i < x.values.size(); ++i) {
        const size_t column = i % static_cast<size_t>(n), row = i - column;
        const size_t mirrored = row + static_cast<size_t>(n) - 1 - column;
        if (column * 2 > static_cast<size_t>(n)) x.values[i] = Rounded(dtype, -x.values[mirrored] * 1.01L);
      }
      const TextRun run("(x) -> sum(x), sum(x, axis = all)", {x});
      if (!Runs(run, Here())) continue;
      const Results want{Ordered(x, Axes(1), Along::rows, PlainSum, dtype),
                         Ordered(x, Axes(3), Along::rows, PlainSum, dtype)};
      for (const Target& target : Targets())
        exprtest::ExpectSame(run.outputs(), run.On(target), want, "sums of 16 bits, " + target.name);
    }
}

// Sums over blocks that a pass takes anyway, or over so many that it pays: no bit tells.
TEST(Bits, SumsOverBlocks) {
  struct Sums {
    Shape shape;
    const char *blocks, *axes;  // reduced first, and what is summed over
    uint64_t bits;
  };
  const Sums cases[] = {
      {{2048, 9}, "axis = -1", "axis = -2", 2},         {{2051, 33}, "axis = -1", "axis = -2", 2},
      {{41, 53, 8}, "axis = -1", "axis = (-3, -2)", 6}, {{3, 700, 3, 5}, "axis = (-2, -1)", "axis = (-4, -3)", 12},
      {{2050, 300}, "group = 100", "axis = -2", 2},     {{2050, 300}, "group = 128", "axis = -2", 2},
      {{4097, 1100}, nullptr, "axis = -2", 2}};
  for (const Sums& c : cases)
    for (const Dtype dtype : {Dtype::f32, Dtype::bf16}) {
      const Tensor x = RandomTensor(dtype, c.shape, static_cast<uint64_t>(Count(c.shape)));
      const std::string sum = std::string("sum(x, ") + c.axes + ")";
      const TextRun run(c.blocks ? std::string("(x) -> amax(x, ") + c.blocks + "), " + sum : "(x) -> " + sum, {x});
      if (!Runs(run, Here())) return;
      const auto of = dtype == Dtype::f32 ? SumOf : PlainSum;
      for (const Target& target : Targets()) {
        Results got = run.On(target);
        ASSERT_FALSE(got.empty());
        const std::vector<uint64_t> want = Ordered(x, Axes(c.bits), Along::columns, of, dtype);
        exprtest::ExpectSame({run.outputs().back()}, {got.back()}, {want},
                             std::string(c.axes) + " of " + dtype_name(dtype) + ", " + target.name);
      }
    }
}

// Reductions of whole tensors beside rows of a power of two of elements: of what the rows come to, and no bit tells.
TEST(Bits, OfBlocks) {
  struct Beside {
    Shape shape;
    const char *blocks, *axes;  // of what is reduced first, and of the other
    uint64_t bits;
  };
  const Beside cases[] = {{{70, 256}, "axis = -1", "axis = all", ~uint64_t{0}},
                          {{300, 8}, "axis = -1", "axis = (-2, -1)", 3},
                          {{5, 41, 64}, "axis = -1", "axis = (-3, -1)", 5},
                          {{5, 41, 4, 16}, "axis = (-2, -1)", "axis = all", ~uint64_t{0}},
                          {{1, 9, 8192}, "group = 32", "axis = all", ~uint64_t{0}},
                          {{77, 96}, "axis = -1", "axis = all", ~uint64_t{0}}};
  for (const Beside& c : cases)
    for (const Reduction& r : kReductions) {
      const Tensor x = RandomTensor(Dtype::f32, c.shape, static_cast<uint64_t>(Count(c.shape)) + 1, r.mean, r.spread);
      const std::string text = std::string("(x) -> amax(abs(x), ") + c.blocks + "), " + r.name + "(x, " + c.axes +
                               "), amin(x, axis = all)";
      const TextRun run(text, {x});
      if (!Runs(run, Here())) return;
      const std::vector<uint64_t> want = Ordered(x, Axes(c.bits), Along::rows, r.of, Dtype::f32);
      for (const Target& target : Targets()) {
        Results got = run.On(target);
        ASSERT_EQ(got.size(), 3u);
        exprtest::ExpectSame({run.outputs()[1]}, {got[1]}, {want}, text + ", " + target.name);
      }
    }
}

TEST(Bits, CumulativeSums) {
  for (const int64_t n : {1, 7, 31, 33, 64, 127, 769, 1025, 4097}) {
    const Tensor x = RandomTensor(Dtype::f32, {3, n}, static_cast<uint64_t>(n));
    const TextRun run("(x) -> cumsum(x), cumsum(x, reverse = true), cumsum(x, exclusive = true)", {x});
    if (!Runs(run, Here())) return;
    Results want(3);
    for (size_t row = 0; row < 3; ++row) {
      std::vector<float> set;
      for (size_t i = 0; i < static_cast<size_t>(n); ++i)
        set.push_back(static_cast<float>(x.values[row * static_cast<size_t>(n) + i]));
      const std::vector<float> sums = CumulativeSum(set);
      std::vector<float> mirrored = CumulativeSum({set.rbegin(), set.rend()});
      for (size_t i = 0; i < sums.size(); ++i) {
        want[0].push_back(BitsOf(sums[i]));
        want[1].push_back(BitsOf(mirrored[sums.size() - 1 - i]));
        want[2].push_back(BitsOf(i == 0 ? 0.0f : sums[i - 1]));
      }
    }
    for (const Target& target : Targets())
      exprtest::ExpectSame(run.outputs(), run.On(target), want, "cumsum of " + std::to_string(n) + ", " + target.name);
  }
}

// Without low parts: the tree alone.
float PlainTree(const float* x, size_t n) {
  if (n == 1) return x[0];
  size_t left = 1;
  while (2 * left < n) left *= 2;
  return PlainTree(x, left) + PlainTree(x + left, n - left);
}

// A pass over halves of rows has their sums from those of the halves. Of results of 16 bits, which show the sum's last
// bits where a number near it is subtracted.
TEST(Bits, SumsOfHalves) {
  for (const char* parts : {"concat(d + 0 * chunk(x, 1, 2), d + 0 * chunk(x, 0, 2))",
                            "interleave(d + 0 * every(x, 1, 2), d + 0 * every(x, 0, 2))"})
    for (const bool mean : {false, true})
      for (const int64_t n : {2, 4, 6, 32, 64, 96, 128, 130, 256, 1024, 4096, 5000}) {
        const Tensor x = RandomTensor(Dtype::bf16, {1, n}, static_cast<uint64_t>(n), 0.5);
        std::vector<float> cubes;
        for (const Real& v : x.values) {
          const float square = static_cast<float>(v) * static_cast<float>(v);
          cubes.push_back(square * static_cast<float>(v));
        }
        const float tree = PlainTree(cubes.data(), cubes.size());
        const float want = mean ? tree / static_cast<float>(n) : tree;
        uint32_t bits = static_cast<uint32_t>(BitsOf(want)) & ~0x7fu;
        float near;
        std::memcpy(&near, &bits, sizeof near);
        const std::string text = std::string("(x; near = 0.0) -> { d = ") + (mean ? "mean" : "sum") +
                                 "(x * x * x) - near; " + parts + " }";
        const TextRun run(text, {x}, {{"near", tileops::expr::Number::of(static_cast<double>(near))}});
        if (!Runs(run, Here())) return;
        const Results all{std::vector<uint64_t>(static_cast<size_t>(n), Code(Dtype::bf16, want - near))};
        for (const Target& target : Targets())
          exprtest::ExpectSame(run.outputs(), run.On(target, {}, TILEOPS_PLAN_REPRODUCIBLE), all,
                               text + " of " + std::to_string(n) + ", " + target.name);
      }
}

// In one read, whatever the mean: within 4 ulp of the exact value.
TEST(Bits, VarianceOfLargeMeans) {
  for (const double mean : {0.0, 1e3, 1e5})
    for (const int64_t n : {2, 33, 4096}) {
      const Tensor x = RandomTensor(Dtype::f32, {3, n}, static_cast<uint64_t>(n), mean);
      const TextRun run("(x) -> var(x), var(x, correction = 1), var(x, axis = -2)", {x});
      if (!Runs(run, Here())) return;
      const Results got = run.On(Targets().front());
      ASSERT_FALSE(got.empty());
      ExpectClose(run.Expected(), run.outputs(), got,
                  "var of " + std::to_string(n) + " around " + std::to_string(mean));
    }
}

}  // namespace
}  // namespace rowtest

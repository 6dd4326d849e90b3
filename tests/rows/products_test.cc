// Gradients of products, and gradients of these again, beside products of the other elements one by one: whatever
// number of zeros there is in a row.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "run.h"

namespace rowtest {
namespace {

constexpr int64_t kProductRows = 12, kRowLength = 7;

// Which elements of a row are multiplied for one value of the result.
struct Product {
  const char* text;
  size_t values;  // of a row's result
  bool (*takes)(size_t value, size_t element);
};

const Product kProducts[] = {
    {"(x) -> prod(x)", 1, [](size_t, size_t) { return true; }},
    {"(x) -> prod(x, group = 3)", 3, [](size_t v, size_t i) { return i / 3 == v; }},
    {"(x) -> cumprod(x)", kRowLength, [](size_t v, size_t i) { return i <= v; }},
    {"(x) -> cumprod(x, reverse = true)", kRowLength, [](size_t v, size_t i) { return i >= v; }},
    {"(x) -> cumprod(x, exclusive = true)", kRowLength, [](size_t v, size_t i) { return i < v; }},
    {"(x) -> cumprod(x, reverse = true, exclusive = true)", kRowLength, [](size_t v, size_t i) { return i > v; }},
    {"(x) -> cumprod(x, group = 4)", kRowLength, [](size_t v, size_t i) { return i / 4 == v / 4 && i <= v; }},
};

// Rows of 0, 1, 2, 3 zeros, anywhere; one of zeros alone.
Tensor WithZeros(uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(0.5, 2);
  Tensor x = Empty(Dtype::f32, {kProductRows, kRowLength});
  for (size_t r = 0; r < kProductRows; ++r) {
    Real* row = x.values.data() + r * kRowLength;
    for (size_t i = 0; i < kRowLength; ++i)
      row[i] = Rounded(Dtype::f32, static_cast<Real>(uniform(random) * (random() % 2 ? 1 : -1)));
    for (size_t zeros = 0; zeros < r % 4;) {
      Real& v = row[random() % kRowLength];
      zeros += v != 0;
      v = 0;
    }
    if (r + 1 == kProductRows) std::fill(row, row + kRowLength, 0);
  }
  return x;
}

Tensor Incoming(const Shape& shape, uint64_t seed) {
  std::mt19937_64 random(seed);
  Tensor t = Empty(Dtype::f32, shape);
  for (Real& v : t.values) v = static_cast<Real>(static_cast<int>(random() % 9) - 4) / 2;
  return t;
}

// A sum of products, and the sum of their magnitudes.
struct TermSum {
  Real value = 0, magnitude = 0;
  void Add(Real v) { value += v, magnitude += std::fabs(v); }
};

class OfRow {
 public:
  OfRow(const Product& p, const Real* x, const Real* g) : p_(p), x_(x), g_(g) {}

  // What element i gets.
  TermSum First(size_t i) const {
    TermSum sum;
    for (size_t v = 0; v < p_.values; ++v)
      if (p_.takes(v, i)) sum.Add(g_[v] * Without(v, i, i));
    return sum;
  }
  // What it gets of h, which comes in for all of these.
  TermSum Second(size_t i, const Real* h) const {
    TermSum sum;
    for (size_t v = 0; v < p_.values; ++v)
      for (size_t k = 0; k < kRowLength; ++k) {
        if (!p_.takes(v, i) || !p_.takes(v, k)) continue;
        if (k != i) sum.Add(h[k] * g_[v] * Without(v, i, k));
        else if (x_[i] != 0) sum.magnitude += 2 * std::fabs(h[i] * g_[v] * Without(v, i, i) / x_[i]);  // cancels
      }
    return sum;
  }

 private:
  Real Without(size_t value, size_t i, size_t k) const {
    Real product = 1;
    for (size_t e = 0; e < kRowLength; ++e)
      if (p_.takes(value, e) && e != i && e != k) product *= x_[e];
    return product;
  }
  const Product& p_;
  const Real *x_, *g_;
};

void ExpectSums(const TextRun& run, const std::vector<TermSum>& want) {
  ASSERT_EQ(run.state(), State::runs) << run.text() << "\n" << run.why();
  for (const Target& target : Targets()) {
    const Results got = run.On(target);
    ASSERT_FALSE(got.empty());
    ASSERT_EQ(got[0].size(), want.size());
    for (size_t i = 0; i < want.size(); ++i) {
      // Some roundings a product; of the whole sum where it is taken of a scan.
      const Real error = want[i].magnitude * 0x1p-20L;
      EXPECT_NEAR(static_cast<double>(Decode(Dtype::f32, got[0][i])), static_cast<double>(want[i].value),
                  static_cast<double>(error))
          << run.text() << "\n  " << target.name << ", element " << i % kRowLength << " of row " << i / kRowLength;
    }
  }
}

TEST(Products, HaveTwoGradients) {
  for (const Product& p : kProducts) {
    std::string why;
    const Tensor x = WithZeros(1), h = Incoming(x.shape, 3);
    const Tensor g = Incoming({kProductRows, static_cast<int64_t>(p.values)}, 2);
    const TextRun first(GradientOf(p.text, {0}, &why), {x, g});
    ASSERT_NE(first.expr(), nullptr) << p.text << "\n" << why;
    const TextRun second(GradientOf(first.text(), {0}, &why), {x, g, h});
    ASSERT_NE(second.expr(), nullptr) << p.text << "\n" << why;
    std::vector<TermSum> once, twice;
    for (size_t r = 0; r < kProductRows; ++r) {
      const OfRow row(p, x.values.data() + r * kRowLength, g.values.data() + r * p.values);
      for (size_t i = 0; i < kRowLength; ++i) {
        once.push_back(row.First(i));
        twice.push_back(row.Second(i, h.values.data() + r * kRowLength));
      }
    }
    ExpectSums(first, once);
    ExpectSums(second, twice);
  }
}

// Of several axes and of rectangles: all that has one value is one row.
TEST(Products, OfSeveralAxesHaveTwoGradients) {
  for (const char* text :
       {"(x) -> prod(x, axis = (-2, -1))", "(x) -> prod(x, axis = all)", "(x) -> prod(x, axis = -2)"}) {
    std::string why;
    Tensor x = WithZeros(5), h = Incoming(x.shape, 6);
    const bool columns = std::string(text).find("axis = -2)") != std::string::npos;
    x.shape = h.shape = columns ? Shape{kProductRows, kRowLength, 1} : Shape{1, 1, kRowLength};
    if (!columns)
      x.values.resize(kRowLength), x.errors.resize(kRowLength), h.values.resize(kRowLength),
          h.errors.resize(kRowLength);
    for (size_t i = 0; !columns && i < 2; ++i) x.values[2 * i + 1] = 0;
    const size_t rows = x.values.size() / kRowLength;
    const Tensor g = Incoming(columns ? Shape{kProductRows, 1, 1} : Shape{1, 1, 1}, 7);
    const TextRun first(GradientOf(text, {0}, &why), {x, g});
    ASSERT_NE(first.expr(), nullptr) << text << "\n" << why;
    const TextRun second(GradientOf(first.text(), {0}, &why), {x, g, h});
    std::vector<TermSum> once, twice;
    for (size_t r = 0; r < rows; ++r) {
      const OfRow row(kProducts[0], x.values.data() + r * kRowLength, g.values.data() + r);
      for (size_t i = 0; i < kRowLength; ++i) {
        once.push_back(row.First(i));
        twice.push_back(row.Second(i, h.values.data() + r * kRowLength));
      }
    }
    ExpectSums(first, once);
    ExpectSums(second, twice);
  }
}

// What is beyond the largest float on the way does not make NaN of a zero.
TEST(Products, OfLargeElementsAreNoNan) {
  for (const char* text : {"(x) -> prod(x)", "(x) -> cumprod(x)"}) {
    std::string why;
    const Tensor x = Of(Dtype::f32, {1, 5}, {1e30L, 0, 0, 1e30L, 2});
    const Tensor g = Of(Dtype::f32, {1, std::string(text).find("cum") == std::string::npos ? 1 : 5},
                        std::vector<Real>(std::string(text).find("cum") == std::string::npos ? 1 : 5, 1));
    const TextRun run(GradientOf(text, {0}, &why), {x, g});
    ASSERT_EQ(run.state(), State::runs) << text << "\n" << why;
    const Results got = run.On(Targets().front());
    ASSERT_FALSE(got.empty());
    for (const uint64_t code : got[0])
      EXPECT_FALSE(std::isnan(static_cast<double>(Decode(Dtype::f32, code)))) << run.text();
  }
}

}  // namespace
}  // namespace rowtest

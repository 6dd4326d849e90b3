// The bits of scans beside the scalar reference of the order: at each element a sum, or product, of those up to it.
// Over lengths, axes, groups and directions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "not_yet.h"
#include "order.h"
#include "reduce.h"
#include "texts.h"

namespace rowtest {
namespace {

using OfPrefix = float (*)(const std::vector<float>&, Along);

struct Scanned {
  const char* name;
  OfPrefix of;
  float nothing;
  double mean, spread;  // of operands
};
const Scanned kScans[] = {{"cumsum", SumOf, 0, 0, 1}, {"cumprod", ProductOf, 1, 1, 0.01}};

uint64_t BitsOfFloat(float v) {
  uint32_t bits;
  std::memcpy(&bits, &v, 4);
  return bits;
}

struct ScanCase {
  Shape shape;
  std::string attributes;  // as in the text
  RowAttrs attrs;
  Along along;
};

RowAttrs ScanAttrs(uint64_t axes, uint64_t group = 0, bool reverse = false, bool exclusive = false) {
  RowAttrs a;
  a.axes = axes;
  a.group = group;
  a.reverse = reverse;
  a.exclusive = exclusive;
  return a;
}

// By element of a set, in the order in which it goes: what the reference says, of every `step`-th one and of the last.
std::vector<std::pair<size_t, float>> WantedOf(const std::vector<float>& set, const ScanCase& c, const Scanned& scan,
                                               size_t step) {
  std::vector<std::pair<size_t, float>> wanted;
  for (size_t i = 0; i < set.size(); ++i) {
    if (i % step != 0 && i + 1 != set.size()) continue;
    const auto end = set.begin() + static_cast<std::ptrdiff_t>(i + !c.attrs.exclusive);
    wanted.emplace_back(i, end == set.begin() ? scan.nothing : scan.of({set.begin(), end}, c.along));
  }
  return wanted;
}

void CheckScan(const ScanCase& c, const Scanned& scan, Dtype dtype = Dtype::f32, size_t step = 1) {
  const std::string text = std::string("(x) -> ") + scan.name + "(x" + c.attributes + ")";
  const Tensor x = RandomTensor(dtype, c.shape, static_cast<uint64_t>(Count(c.shape)) + 1, scan.mean, scan.spread);
  const TextRun run(text, {x});
  if (!Runs(run, Here())) return;
  for (const Target& target : Targets()) {
    const Results got = run.On(target);
    ASSERT_EQ(got.size(), 1u) << text;
    size_t wrong = 0;
    std::string first;
    for (std::vector<size_t> members : SetsOf(c.shape, c.attrs).members) {
      if (c.attrs.reverse) std::reverse(members.begin(), members.end());
      std::vector<float> set;
      for (const size_t at : members) set.push_back(static_cast<float>(x.values[at]));
      for (const auto& [i, value] : WantedOf(set, c, scan, step)) {
        const uint64_t want = dtype == Dtype::f32 ? BitsOfFloat(value) : Code(dtype, value), is = got[0][members[i]];
        if (want != is && wrong++ == 0)
          first = "element " + std::to_string(i) + ": " + std::to_string(is) + ", not " + std::to_string(want);
      }
    }
    EXPECT_EQ(wrong, 0u) << text << " of " << c.shape[0] << " by " << c.shape.back() << " on " << target.name << "\n  "
                         << first;
  }
}

const char* const kWays[] = {"", ", reverse = true", ", exclusive = true", ", reverse = true, exclusive = true"};

void CheckAllWays(const Shape& shape, const std::string& attributes, uint64_t axes, uint64_t group, Along along) {
  for (const Scanned& scan : kScans)
    for (int way = 0; way < 4; ++way)
      CheckScan({shape, attributes + kWays[way], ScanAttrs(axes, group, way & 1, way & 2), along}, scan);
}

TEST(Scans, Rows) {
  for (const int64_t n : {1, 2, 7, 31, 33, 64, 127, 300, 769, 1025})
    for (const int64_t rows : {1, 3, 40}) CheckAllWays({rows, n}, "", 1, 0, Along::rows);
  for (const int64_t n : {3, 4, 5, 6, 8, 9, 16, 17, 32}) CheckAllWays({77, n}, "", 1, 0, Along::rows);
  for (const int64_t n : {2304, 4097})
    for (const Scanned& scan : kScans) CheckScan({{2, n}, "", ScanAttrs(1), Along::rows}, scan);
}

TEST(Scans, LongRows) {
  for (const int64_t n : {12288, 50257, 131073})
    for (int way = 0; way < 4; ++way)
      CheckScan({{1, n}, kWays[way], ScanAttrs(1, 0, way & 1, way & 2), Along::rows}, kScans[0], Dtype::f32, 1499);
  CheckScan({{2, (1 << 20) + 1}, "", ScanAttrs(1), Along::rows}, kScans[0], Dtype::f32, 99991);
}

// Few of them, which a GPU takes in parts: as many as it reads at a time, and one more.
TEST(Scans, RowsAndColumnsInParts) {
  for (const int64_t n : {1 << 16, (1 << 16) + 1, 128 * 2048 + 1, 256 * 4096 + 2049})
    for (const int64_t rows : {1, 3})
      CheckScan({{rows, n}, kWays[rows], ScanAttrs(1, 0, rows & 1, rows & 2), Along::rows}, kScans[0], Dtype::f32,
                8191);
  for (int way = 0; way < 4; ++way)
    for (const Scanned& scan : kScans)
      CheckScan(
          {{70001, 3}, std::string(", axis = -2") + kWays[way], ScanAttrs(2, 0, way & 1, way & 2), Along::columns},
          scan, Dtype::f32, 1499);
  CheckScan({{2, 65536, 5}, ", axis = -2", ScanAttrs(2), Along::columns}, kScans[0], Dtype::f32, 1499);
  // Parts of more columns than a thread block has, and more parts than it reads at a time.
  CheckScan({{64 * 2048 + 1, 11}, ", axis = -2", ScanAttrs(2), Along::columns}, kScans[0], Dtype::f32, 1499);
}

// So long that a thread block goes through its part in turns.
TEST(Scans, VeryLongRows) {
  if (Targets().front().device.device_type == kDLCPU) GTEST_SKIP() << "of a GPU alone: a CPU has no parts of scans";
  for (const int64_t n : {2048 * 4096 + 1024 * 3, 2048 * 4096 + 8192 + 5})
    CheckScan({{1, n}, kWays[n & 1], ScanAttrs(1, 0, n & 1, false), Along::rows}, kScans[0], Dtype::f32, 99991);
}

TEST(Scans, Columns) {
  for (const int64_t n : {1, 2, 31, 32, 33, 64, 100, 769})
    for (const int64_t columns : {1, 3, 130})
      if (n * columns < 20000)
        CheckAllWays({n, columns}, ", axis = -2", 2, 0, columns == 1 ? Along::rows : Along::columns);
  CheckAllWays({3, 70, 5}, ", axis = -2", 2, 0, Along::columns);
  CheckAllWays({70, 3, 5}, ", axis = -3", 4, 0, Along::columns);
  CheckAllWays({70, 1, 1}, ", axis = -3", 4, 0, Along::rows);
  // So many that each has a thread, which takes the whole axis at a time where it is short.
  for (const int64_t n : {1, 2, 3, 7, 20, 40})
    CheckScan({{n, 8500}, ", axis = -2", ScanAttrs(2), n == 1 ? Along::rows : Along::columns}, kScans[0]);
  // Several side by side, which threads of one thread block share: as many elements as these have at a time, and more.
  for (const int64_t n : {40, 1100, 4096, 9001})
    for (const int64_t columns : {5, 33})
      CheckScan({{n, columns}, ", axis = -2", ScanAttrs(2), Along::columns}, kScans[n % 2]);
  for (const Scanned& scan : kScans) CheckScan({{4099, 2}, ", axis = -2", ScanAttrs(2), Along::columns}, scan);
}

TEST(Scans, Groups) {
  CheckAllWays({5, 96}, ", group = 32", 1, 32, Along::rows);
  CheckAllWays({5, 300}, ", group = 48", 1, 48, Along::rows);
  CheckAllWays({5, 30}, ", group = 48", 1, 48, Along::rows);
  CheckAllWays({1, 2500}, ", group = 1024", 1, 1024, Along::rows);
  CheckAllWays({300, 5}, ", axis = -2, group = 128", 2, 128, Along::columns);
  CheckAllWays({3, 100, 4}, ", axis = -2, group = 7", 2, 7, Along::columns);
}

// What results of 16 bits alone depend on is summed without low parts.
TEST(Scans, PlainWhereResultsAreNarrow) {
  const Scanned plain{"cumsum", PlainSum, 0, 0, 1};
  for (const Dtype dtype : {Dtype::bf16, Dtype::f16})
    for (const int64_t n : {7, 129, 1030}) {
      CheckScan({{9, n}, "", ScanAttrs(1), Along::rows}, plain, dtype);
      CheckScan({{n, 9}, ", axis = -2, reverse = true", ScanAttrs(2, 0, true), Along::columns}, plain, dtype);
    }
}

// Scans among maps, reductions and other scans, in one pass and in several.
TEST(Scans, Texts) {
  const char* const texts[] = {
      "(x) -> x / (cumsum(abs(x)) + 1), sum(cumsum(x) > 0.9)",
      "(x) -> { p = exp(x - detach(amax(x))); c = cumsum(p / sum(p)); where(c - p <= 0.9, p, 0), sum(c < 0.9) }",
      "(x) -> { r = cumsum(x, reverse = true); cumsum(cumsum(x)) * 0.01, cumsum(r) * 0.01, cumsum(x) + r }",
      "(x) -> mean(cumsum(x, reverse = true)), amax(cumsum(x, axis = -2)), cumsum(mean(x)), cumsum(mean(x), axis = -2)",
      "(x) -> cumsum(cast(x > 0, i32)) - 1, cumprod(cast(x > -1, i8)), cummax(x > 1), cummin(x > -1, axis = -2)",
      "(x) -> { s = amax(abs(x), group = 16); cumsum(x / spread(s, x, group = 16)), cumsum(x, group = 16), s }",
      "(x) -> { s = amax(abs(x), group = 16); cumsum(x / spread(s, x, group = 16), reverse = true, group = 24) }",
      "(x) -> cumsum(x, axis = -2, group = 3, reverse = true) * index(x, -2), cummax(x * x, axis = -2, reverse = true)",
      "(x) -> gather(x, cast(clamp(cumsum(cast(x > 0, i64)), 0, 4), i32)), cummin(index(x, -1) % 5, reverse = true)",
      "(x) -> gather(cumsum(x), argmax(x)), cumsum(x), gather(mean(x), cast(index(x, -1) * 0, i64))",
      "(x) -> concat(cumsum(x), cumsum(x, exclusive = true)), cast(cumsum(x), bf16), argmax(cumsum(x))",
      "(x) -> var(cumsum(x)), x - cumsum(x), sum(cumsum(x, axis = -2), axis = -2), logsumexp(cumsum(x))",
  };
  for (const char* text : texts)
    for (const Shape& shape : {Shape{5, 40}, Shape{3, 2, 333}, Shape{7, 1}, Shape{70, 5}})
      for (const Dtype dtype : {Dtype::f32, Dtype::bf16, Dtype::f64}) {
        const TextRun run(text, {RandomTensor(dtype, shape, 3)});
        if (!Runs(run, Here())) continue;
        const std::vector<Tensor> want = run.Expected();
        Results first;
        for (const Target& target : Targets()) {
          const Results got = run.On(target);
          ASSERT_FALSE(got.empty()) << text;
          ExpectClose(want, run.outputs(), got, text);
          if (first.empty()) first = got;
          exprtest::ExpectSame(run.outputs(), got, first, std::string(text) + "\n  " + target.name);
        }
      }
}

TEST(Scans, Extremes) {
  const Real nan = std::nanl(""), inf = INFINITY;
  const Tensor x = Of(Dtype::f32, {2, 6}, {-0.0L, 0.0L, -0.0L, 2, nan, 3, 0.0L, -0.0L, -inf, -inf, inf, 1});
  const TextRun run("(x) -> cummax(x), cummin(x), cummax(x, reverse = true)", {x});
  if (!Runs(run, Here())) return;
  const std::vector<std::vector<Real>> want = {
      {-0.0L, 0.0L, 0.0L, 2, nan, nan, 0.0L, 0.0L, 0.0L, 0.0L, inf, inf},
      {-0.0L, -0.0L, -0.0L, -0.0L, nan, nan, 0.0L, -0.0L, -inf, -inf, -inf, -inf},
      {nan, nan, nan, nan, nan, 3, inf, inf, inf, inf, inf, 1}};
  for (const Target& target : Targets()) {
    const Results got = run.On(target);
    ASSERT_EQ(got.size(), want.size());
    for (size_t k = 0; k < want.size(); ++k)
      for (size_t i = 0; i < want[k].size(); ++i) {
        const float expected = static_cast<float>(want[k][i]);
        const bool is_nan = (got[k][i] & 0x7fffffff) > 0x7f800000;
        if (std::isnan(expected)) EXPECT_TRUE(is_nan) << k << ", " << i << " on " << target.name;
        else EXPECT_EQ(got[k][i], BitsOfFloat(expected)) << k << ", " << i << " on " << target.name;
      }
  }
}

// Integers wrap in 64 bits.
TEST(Scans, Integers) {
  for (const Dtype dtype : {Dtype::i8, Dtype::u8, Dtype::i32, Dtype::i64}) {
    Tensor x = Empty(dtype, {3, 67});
    for (size_t i = 0; i < x.values.size(); ++i) x.values[i] = static_cast<Real>(1 + (i * 7) % 100);
    const TextRun run("(x) -> cumsum(x), cumprod(x), cummax(x), cummin(x, axis = -2), cumsum(x, axis = -2, exclusive = "
                      "true), cumprod(x, group = 5, reverse = true)",
                      {x});
    if (!Runs(run, Here())) continue;
    std::vector<uint64_t> products;
    for (size_t i = 0; i < x.values.size(); ++i)
      products.push_back((i % 67 ? products.back() : 1) * static_cast<uint64_t>(x.values[i]));
    for (const Target& target : Targets()) {
      const Results got = run.On(target);
      ASSERT_EQ(got.size(), 6u);
      EXPECT_EQ(got[1], products) << target.name;
      uint64_t sum = 0;
      for (size_t i = 0; i < 67; ++i) EXPECT_EQ(got[0][i], sum += static_cast<uint64_t>(x.values[i])) << target.name;
      uint64_t product = 1;
      for (size_t i = 67; i-- > 65;) EXPECT_EQ(got[5][i], product *= static_cast<uint64_t>(x.values[i]));
    }
  }
}

}  // namespace
}  // namespace rowtest

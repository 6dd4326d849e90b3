// What may not change bits: how many rows there are, memory layouts, threads.
#include <gtest/gtest.h>

#include "not_yet.h"
#include "reduce.h"
#include "texts.h"

namespace rowtest {
namespace {

const char* const kOfRows[] = {
    "(x) -> sum(x), mean(x), amax(x), var(x)",
    "(x; eps = 1e-6) -> x * rsqrt(mean(x * x) + eps)",
    "(x; eps = 1e-5) -> { d = x - mean(x); d * rsqrt(mean(d * d) + eps) }",
    NamedText("softmax"),
    "(x) -> { s = maximum(amax(abs(x), group = 16), 1e-10) / 448; cast(x / spread(s, x, group = 16), e4m3fn), s }",
};

// A row by itself and among 65537: the same bits.
TEST(Invariance, NumberOfRows) {
  constexpr size_t kRows = 65537, kLength = 33;
  const Tensor many = RandomTensor(Dtype::f32, {kRows, kLength}, 1);
  size_t index = 0;
  for (const char* text : kOfRows) {
    const TextRun all(text, {many});
    if (!Runs(all, Here(index++))) continue;
    const Results got = all.On(Targets().front());
    ASSERT_FALSE(got.empty());
    for (const size_t row : {size_t{0}, size_t{131}, kRows - 1}) {
      const auto from = many.values.begin() + static_cast<std::ptrdiff_t>(row * kLength);
      const TextRun one(text, {Of(Dtype::f32, {1, kLength}, {from, from + kLength})});
      Results part;
      for (const std::vector<uint64_t>& bits : got) {
        const size_t each = bits.size() / kRows;
        const auto first = bits.begin() + static_cast<std::ptrdiff_t>(row * each);
        part.emplace_back(first, first + static_cast<std::ptrdiff_t>(each));
      }
      exprtest::ExpectSame(one.outputs(), one.On(Targets().front()), part,
                           std::string(text) + "\n  row " + std::to_string(row) + " alone");
    }
  }
}

// Operands and outputs in every layout of tests/ops: transposed, strided, backwards, one element off, ...
TEST(Invariance, Layouts) {
  struct Case {
    const char* text;
    std::vector<Shape> shapes;
  };
  const Case cases[] = {
      {"(x, w, c) -> { h = x * c; h * rsqrt(mean(h * h) + 1e-6) * w, h }", {{6, 129}, {129}, {6, 1}}},
      {"(x) -> { e = exp(x - detach(amax(x))); e / sum(e), log(sum(e)) }", {{2, 5, 128}}},
      {"(x) -> { d = x - mean(x, axis = -2); d / (sqrt(var(x, axis = -2)) + 1e-6) }", {{40, 33}}},
      {"(x) -> { s = amax(abs(x), group = 32) / 448; cast(x / spread(s, x, group = 32), e4m3fn), cast(s, f32) }",
       {{5, 112}}},
      {"(x, y) -> sum(x * y, axis = all), sum(x, axis = (-3, -1))", {{3, 5, 31}, {5, 1}}},
      {"(x) -> cumsum(x), cumsum(x, axis = -2)", {{7, 65}}},
      {"(x) -> argmax(x), amax(x, axis = -2)", {{7, 65}}},
      {"(x) -> { s = cast(amax(abs(x), group = 32) / 4, e8m0fnu, rounding = down); "
       "cast(x / spread(s, x, group = 32), e2m1fn), s }",
       {{5, 112}}},
      {"(x) -> { s = amax(abs(x), axis = -2, group = 4) / 6; cast(x / spread(s, x, axis = -2, group = 4), e2m1fn), s }",
       {{3, 10, 6}}},
      {"(x) -> { s = amax(abs(x), axis = -3); cast(x / s, e2m1fn), cast(s, e2m1fn) }", {{3, 4, 6}}},
      {"(x) -> cast(x * 3, e2m1fn), concat(cast(x, e2m1fn), cast(-x, e2m1fn)), x + 1", {{3, 5, 14}}},
      {"(x) -> sum(x, axis = -2), argmax(x, axis = -2), mean(x), cast(chunk(x, 1, 2), f32), every(x, 1, 2) * 1.5 < "
       "every(x, 0, 2)",
       {{6, 4, 10}}},
  };
  for (const Case& c : cases) {
    for (const Dtype dtype : {Dtype::f32, Dtype::bf16, Dtype::e2m1fn}) {
      const auto is_odd = [](const Shape& shape) { return shape.back() % 2 != 0; };
      if (dtype == Dtype::e2m1fn && std::any_of(c.shapes.begin(), c.shapes.end(), is_odd))
        continue;  // it has none such
      std::vector<Tensor> operands;
      for (const Shape& shape : c.shapes) operands.push_back(RandomTensor(dtype, shape, operands.size() + 1));
      const TextRun run(c.text, operands);
      if (!Runs(run, Here(static_cast<size_t>(&c - cases)))) continue;
      const Results dense = run.On(Targets().front());
      ASSERT_FALSE(dense.empty()) << c.text;
      ExpectClose(run.Expected(), run.outputs(), dense, c.text);
      for (const Layout in : optest::AllLayouts())
        for (const Layout out : optest::AllLayouts())
          exprtest::ExpectSame(
              run.outputs(), run.On(Targets().front(), optest::All(in, out)), dense,
              std::string(c.text) + "\n  operands " + optest::LayoutName(in) + ", results " + optest::LayoutName(out));
    }
  }
}

// Enough elements that threads share them.
TEST(Invariance, Threads) {
  if (Targets().front().device.device_type != kDLCPU) GTEST_SKIP() << "of the CPU alone";
  struct Case {
    const char* text;
    Shape shape;
  };
  const Case cases[] = {
      {kOfRows[0], {200, 2049}},
      {kOfRows[3], {3, 131073}},
      {"(x) -> sum(x, axis = -2), amax(x, axis = -2)", {2049, 130}},
      {"(x) -> sum(x, axis = all), var(x, axis = all), argmax(x, axis = all)", {511, 600}},
      {"(x) -> x * rsqrt(mean(x * x) + 1e-6), sum(x, axis = -2)", {257, 1030}},
      {"(x) -> { s = amax(abs(x), group = 16) / 6; cast(x / spread(s, x, group = 16), e2m1fn), s }", {515, 1032}},
      {"(x) -> { s = amax(abs(x), axis = -2) / 6; cast(x / s, e2m1fn), cast(x, e2m1fn) }", {1030, 518}},
  };
  for (const Case& c : cases) {
    const TextRun run(c.text, {RandomTensor(Dtype::f32, c.shape, 7)});
    if (!Runs(run, Here(static_cast<size_t>(&c - cases)))) continue;
    Results first;
    for (const int threads : {1, 2, 3}) {
      tileops_context_options options = TILEOPS_CONTEXT_OPTIONS_INIT;
      options.num_threads = threads;
      Target target = Targets().front();
      ASSERT_EQ(tileops_context_create(&options, &target.context), TILEOPS_STATUS_OK) << tileops_last_error();
      const Results got = run.On(target);
      tileops_context_destroy(target.context);
      ASSERT_FALSE(got.empty());
      if (first.empty()) first = got;
      exprtest::ExpectSame(run.outputs(), got, first, std::string(c.text) + ", threads " + std::to_string(threads));
    }
  }
}

}  // namespace
}  // namespace rowtest

// Sums of what is scattered to the same places, beside the reference: random texts, in random layouts, on every
// instruction set with several threads.
#include <gtest/gtest.h>

#include <random>

#include "on_cuda.h"
#include "run.h"
#include "texts.h"

namespace rowtest {
namespace {

struct ScatterText {
  std::string text, what;
  std::vector<Tensor> operands, outputs;
};

class ScatterMaker {
 public:
  explicit ScatterMaker(uint64_t seed) : random_(seed) {}

  ScatterText Make() {
    static const int64_t lengths[] = {1, 2, 7, 33, 64, 129, 300, 5000, 0};
    shape_.resize(1 + Below(3));
    for (size_t d = 0; d < shape_.size(); ++d)
      shape_[d] = d + 1 < shape_.size() ? static_cast<int64_t>(1 + Below(5)) : lengths[Below(9)];
    const size_t indices = 1 + Below(std::min<size_t>(2, shape_.size()));
    uint64_t axes = 0;
    while (static_cast<size_t>(__builtin_popcountll(axes)) != indices) axes = 1 + Below((1u << shape_.size()) - 1);
    std::string list = Index();
    for (size_t k = 1; k < indices; ++k) list += ", " + Index();
    std::string along;
    for (size_t k = shape_.size(); k >= 1; --k)
      if (axes >> (k - 1) & 1) along += (along.empty() ? "-" : ", -") + std::to_string(k);
    const std::string text = "scatter_add(" + Added() + ", " + list +
                             ", axis = " + (indices > 1 ? "(" + along + ")" : along) + ")";
    ScatterText made{"(x, n, i, j) -> " + text, "", operands_, {}};
    Shape out = shape_;
    for (size_t d = 0; d < out.size(); ++d)
      if (axes >> (out.size() - 1 - d) & 1) out[d] = static_cast<int64_t>(1 + Below(9));
    static const Dtype sums[] = {Dtype::i32, Dtype::i64, Dtype::u32, Dtype::u64};
    made.outputs.push_back(Empty(sums[Below(4)], out));
    for (Real& v : made.outputs[0].values) v = 77;  // which nobody adds to
    if (Below(3) == 0) {
      made.text += ", sum(x)";
      Shape column = shape_;
      column.back() = 1;
      made.outputs.push_back(Empty(Dtype::f32, column));
    }
    return made;
  }

 private:
  size_t Below(size_t n) { return static_cast<size_t>(random_() % n); }
  Shape Perhaps(Shape shape) {  // with an extent of 1, but along the last axis
    if (shape.size() > 1 && Below(3) == 0) shape[Below(shape.size() - 1)] = 1;
    return shape;
  }

  std::string Index() {
    if (operands_.empty()) {
      static const Dtype whole[] = {Dtype::i8, Dtype::i32, Dtype::i64, Dtype::u8, Dtype::u32, Dtype::boolean};
      operands_.push_back(RandomTensor(Dtype::f32, shape_, random_()));
      operands_.push_back(RandomTensor(whole[Below(6)], Perhaps(shape_), random_()));
      for (int k = 0; k < 2; ++k)
        operands_.push_back(RandomTensor(Below(2) ? Dtype::i64 : Dtype::u8, Perhaps(shape_), random_()));
    }
    static const char* const forms[] = {
        "i", "j - 2", "i % 5", "cast(abs(x) * 3, i32)", "argmin(abs(x) + 1)", "j * 0", "index(x, -1) // 40", "3"};
    const size_t form = Below(8);
    return form == 4 && shape_.back() == 0 ? "i" : forms[form];  // of nothing there is no least
  }

  std::string Added() {
    static const char* const forms[] = {
        "n", "n * 3 - 7", "1", "x > 0", "sum(x > 0)", "cumsum(n)", "cast(x * 9, i16)", "true", "where(x > 0, n, 2)"};
    return forms[Below(9)];
  }

  std::mt19937_64 random_;
  Shape shape_;
  std::vector<Tensor> operands_;
};

TEST(ScatterAdd, RandomTexts) {
  const uint64_t count = exprtest::Long() ? 4000 : 400;
  size_t refused = 0;
  for (uint64_t seed = 1; seed <= count; ++seed) {
    const ScatterText made = ScatterMaker(seed).Make();
    const std::string what = "seed " + std::to_string(seed) + ": " + made.text;
    const TextRun run(made.text, made.operands, {}, made.outputs);
    if (run.state() == State::refused) {  // numbers have fewer axes, of extents of 1
      const auto says = [&](const char* reason) { return run.why().find(reason) != std::string::npos; };
      EXPECT_TRUE(says("shape is wrong") || says("there is no axis") || says("'axis' is out of range for"))
          << what << ": " << run.why();
      ++refused;
      continue;
    }
    ASSERT_EQ(run.state(), State::runs) << what << ": " << run.why();
    EXPECT_EQ(WhyNotOnCuda(run), "") << what;
    std::mt19937_64 random(seed);
    const auto layout = [&] { return optest::AllLayouts()[random() % optest::AllLayouts().size()]; };
    const std::vector<Tensor> want = run.Expected();
    for (const Target& target : Targets())
      ExpectClose(want, run.outputs(), run.On(target, optest::All(layout(), layout())), what + " on " + target.name);
  }
  EXPECT_LT(refused, count / 2);
}

// Many threads that add to few places, and to the same one: nothing is lost, and nothing added twice.
TEST(ScatterAdd, EveryElementCountsOnce) {
  const int64_t n = 1 << 18;
  for (const int64_t places : {1, 3, 256, 40000}) {
    Tensor i = Empty(Dtype::i32, {n});
    for (int64_t k = 0; k < n; ++k) i.values[static_cast<size_t>(k)] = static_cast<Real>(k * 7919 % places);
    for (const Dtype dtype : {Dtype::i32, Dtype::u64}) {
      const TextRun run("(i) -> { count = scatter_add(1, i);  count }", {i}, {}, {Empty(dtype, {places})});
      for (const Target& target : Targets())
        ExpectClose(run.Expected(), run.outputs(), run.On(target), std::to_string(places) + " on " + target.name);
    }
  }
}

}  // namespace
}  // namespace rowtest

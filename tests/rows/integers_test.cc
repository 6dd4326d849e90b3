// Texts that are known by name, of integers and bool: what gives floats takes them as float32, so that nothing wraps on
// its way there; what gives integers wraps as integers do.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "not_yet.h"
#include "texts.h"

namespace rowtest {
namespace {

const Dtype kIntegers[] = {Dtype::i8,  Dtype::i16, Dtype::i32, Dtype::i64,    Dtype::u8,
                           Dtype::u16, Dtype::u32, Dtype::u64, Dtype::boolean};

// Both ends of the dtype, their neighbours, and what lies about 0.
Tensor Extremes(Dtype dtype, const Shape& shape, std::mt19937_64* random) {
  const bool is_signed = tileops::dtype_to_dl(dtype).code == kDLInt;
  const int bits = dtype == Dtype::boolean ? 1 : tileops::dtype_to_dl(dtype).bits;
  const Real most = std::ldexp(Real{1}, bits - is_signed) - 1, least = is_signed ? -most - 1 : 0;
  const Real values[] = {least, most, least + (bits > 1), most - (bits > 1), 0, 1, std::max<Real>(least, -1), most};
  Tensor t = Empty(dtype, shape);
  for (Real& v : t.values) v = values[(*random)() % 8];
  return t;
}

Tensor As(Dtype dtype, const Tensor& t) {
  Tensor other = t;
  other.dtype = dtype;
  for (Real& v : other.values) v = Rounded(dtype, v);
  return other;
}

bool IsNoFloat(Dtype dtype) { return !tileops::is_float(dtype) && !tileops::is_scale(dtype); }

// What integers give that are added and multiplied: the exact value, wrapped.
Tensor WrappedTo(Dtype dtype, const Tensor& exact) {
  Tensor t = exact;
  t.dtype = dtype;
  for (size_t i = 0; i < t.values.size(); ++i) {
    const bool is_known = std::fabs(t.values[i]) < 0x1p62L && t.values[i] == std::rint(t.values[i]);
    t.errors[i] = is_known ? 0 : kInf;
    if (is_known) t.values[i] = Wrapped(dtype, static_cast<Wide>(t.values[i]));
  }
  return t;
}

// Operands of floats become integers: all of them, or some.
std::vector<Tensor> OfIntegers(const RowText& text, Dtype dtype, int draw, std::vector<bool>* is_integer) {
  std::mt19937_64 random(static_cast<uint64_t>(draw) * 100 + static_cast<uint64_t>(dtype));
  std::vector<Tensor> operands = RandomOperands(text, 7);
  is_integer->assign(operands.size(), false);
  for (size_t i = 0; i < operands.size(); ++i) {
    if (IsNoFloat(operands[i].dtype)) continue;
    operands[i] = As(Dtype::f32, operands[i]);
    if (draw > 0 && random() % 2 == 0) continue;
    operands[i] = Extremes(dtype, operands[i].shape, &random);
    (*is_integer)[i] = true;
  }
  return operands;
}

// How one text goes with integers of a dtype in the place of floats.
class OfOneDtype {
 public:
  OfOneDtype(const RowText& text, Dtype dtype, int draw) : text_(text) {
    operands_ = OfIntegers(text, dtype, draw, &is_integer_);
    what_ = text.text + " of " + tileops::dtype_name(dtype) + ", draw " + std::to_string(draw);
  }

  // A refusal is one if it names the dtype.
  void Check() const {
    const TextRun run(text_.text, operands_, text_.scalars, ScatteredInto(text_));
    if (run.state() != State::runs) {
      EXPECT_TRUE(run.why().find("a float") != std::string::npos ||
                  run.why().find("only floats") != std::string::npos ||
                  run.why().find("does not take") != std::string::npos || run.why().find("need") != std::string::npos)
          << what_ << ": " << run.why();
      return;
    }
    const Results got = run.On(Targets().front());
    ASSERT_FALSE(got.empty()) << what_;
    const TextRun floats = With(Dtype::f32, true);
    const Results of_floats = floats.On(Targets().front());
    const std::vector<Tensor> want = floats.Expected();
    for (size_t k = 0; k < got.size(); ++k) {
      Dtype dtype = Dtype::f32;
      tileops::dtype_from_dl(optest::Info(run.outputs()[k].dtype).dl, &dtype);
      if (IsNoFloat(dtype) && !IsNoFloat(want[k].dtype)) {
        CompareWhole(k, dtype, got[k]);
        continue;
      }
      // Beside the reference, what the library gives for the floats: where these overflow on their way, so do integers.
      Tensor known = want[k];
      for (size_t i = 0; i < got[k].size(); ++i)
        if (got[k][i] == of_floats[k][i]) known.values[i] = Decode(dtype, got[k][i]);
      const Comparison c = Compare(known, run.outputs()[k].dtype, got[k]);
      // Sums and extremes of integers are exact, which is another value of theirs, and the better one.
      if (c.wrong > 0) CompareExact(k, known, run.outputs()[k].dtype, got[k]);
    }
  }

 private:
  // The same with the integers as floats of a dtype, rounded to it or exact.
  TextRun With(Dtype dtype, bool rounded) const {
    std::vector<Tensor> operands = operands_;
    for (size_t i = 0; i < operands.size(); ++i) {
      if (!is_integer_[i]) continue;
      if (rounded) operands[i] = As(dtype, operands[i]);
      else operands[i].dtype = dtype;
    }
    return TextRun(text_.text, operands, text_.scalars, ScatteredInto(text_));
  }

  void CompareWhole(size_t k, Dtype dtype, const std::vector<uint64_t>& got) const {
    const Tensor want = WrappedTo(dtype, With(Dtype::f64, false).Expected()[k]);
    size_t wrong = 0;
    for (size_t i = 0; i < got.size(); ++i) wrong += want.errors[i] == 0 && Decode(dtype, got[i]) != want.values[i];
    EXPECT_EQ(wrong, 0u) << what_ << ", result " << k << " of integers";
  }

  void CompareExact(size_t k, const Tensor& known, optest::Dt dtype, const std::vector<uint64_t>& got) const {
    Tensor want = With(Dtype::f32, false).Expected()[k];
    for (size_t i = 0; i < got.size(); ++i) {
      Tensor one = known;
      one.values = {known.values[i]};
      one.errors = {known.errors[i]};
      if (Compare(one, dtype, {got[i]}).wrong == 0) want.values[i] = known.values[i], want.errors[i] = known.errors[i];
    }
    const Comparison c = Compare(want, dtype, got);
    EXPECT_EQ(c.wrong, 0u) << what_ << ", result " << k << ": " << c.first_wrong;
  }

  const RowText& text_;
  std::vector<Tensor> operands_;
  std::vector<bool> is_integer_;
  std::string what_;
};

class Integers : public testing::TestWithParam<RowText> {};

TEST_P(Integers, DoNotWrapOnTheirWayToFloats) {
  for (const Dtype dtype : kIntegers)
    for (int draw = 0; draw < 2; ++draw) OfOneDtype(GetParam(), dtype, draw).Check();
}

INSTANTIATE_TEST_SUITE_P(All, Integers, testing::ValuesIn([] {
                           std::vector<RowText> named;
                           for (const RowText& text : RowTexts())
                             if (text.named) named.push_back(text);
                           return named;
                         }()),
                         [](const testing::TestParamInfo<RowText>& info) { return info.param.name; });

// The gradient of a float beside operands that are integers is that beside the same numbers in float32.
TEST(IntegersBesideFloats, HaveTheGradientsOfFloats) {
  const char* const texts[] = {"(a, b) -> a - b",
                               "(a, b) -> a / b",
                               "(a, b, c) -> fma(a, b, c)",
                               "(a, b, c) -> lerp(a, b, c)",
                               "(a, b) -> a ** b",
                               "(a, b) -> hypot(a, b)",
                               "(a, b) -> atan2(a, b)",
                               "(a, b) -> remainder(a, b) + fmod(a, b)",
                               "(a, b) -> logaddexp(a, b)",
                               "(a, b) -> maximum(a, b) - minimum(a, b)",
                               "(a, b) -> copysign(a, b)",
                               "(a, b, c) -> clamp(a, b, c)",
                               "(a, b, c) -> where(c > 0, a, b)",
                               "(a, b) -> mean(a * b) / b",
                               "(a, b) -> cumsum(a * b)",
                               "(a, b) -> prod(a) * b",
                               "(a, b) -> var(a, correction = 1) * b"};
  for (const char* text : texts)
    for (const Dtype dtype : {Dtype::i8, Dtype::u8, Dtype::i32}) {
      const int32_t count = std::string(text).find(", c)") == std::string::npos ? 2 : 3;
      for (int32_t slot = 0; slot < count; ++slot) {
        std::mt19937_64 random(static_cast<uint64_t>(slot));
        std::vector<Tensor> operands, floats;
        for (int32_t i = 0; i < count; ++i) {
          operands.push_back(i == slot ? RandomTensor(Dtype::f32, {4, 16}, 9, 2) : Extremes(dtype, {4, 16}, &random));
          floats.push_back(As(Dtype::f32, operands.back()));
        }
        std::string why;
        tileops_expr* const gradient = GradientOf(text, {slot}, &why);
        ASSERT_NE(gradient, nullptr) << text << why;
        const std::vector<Tensor> results = EvaluateText(text, floats);
        operands.push_back(RandomTensor(Dtype::f32, results[0].shape, 10));
        floats.push_back(operands.back());
        const TextRun of_integers(gradient, operands), of_floats(GradientOf(text, {slot}, &why), floats);
        if (of_integers.state() != State::runs) {
          EXPECT_NE(of_integers.why().find("need"), std::string::npos) << of_integers.why();
          continue;
        }
        const Target& target = Targets().front();
        const Results got = of_integers.On(target), want = of_floats.On(target);
        ASSERT_FALSE(got.empty() || want.empty());
        for (size_t i = 0; i < got[0].size(); ++i) {
          const double is = static_cast<double>(Decode(Dtype::f32, got[0][i]));
          const double needed = static_cast<double>(Decode(Dtype::f32, want[0][i]));
          if (std::isnan(needed) || is == needed) continue;
          ASSERT_NEAR(is, needed, std::fabs(needed) * 0x1p-21)
              << of_integers.text() << " of " << tileops::dtype_name(dtype) << ", operand " << slot << ", element "
              << i;
        }
      }
    }
}

}  // namespace
}  // namespace rowtest

// Values on their way may be a little off where only results of 16 bits or fewer depend on them. What jumps must not be
// given such ones: floor(33 / 33) is 1. Every pair of some operands, against reproducible plans on the CPU.
#include <cmath>

#include "expression.h"

namespace exprtest {
namespace {

Array WholeNumbers(Dt dtype, const Shape& shape) {
  Array a;
  a.dtype = dtype;
  a.shape = shape;
  for (int64_t i = 0; i < a.NumElements(); ++i) a.bits.push_back(Encode(Num::Float(static_cast<double>(i + 1)), dtype));
  return a;
}

const Target& Cpu() {
  static const auto* cpu = [] {
    auto* t = new Target{"cpu", DLDevice{kDLCPU, 0}, nullptr, nullptr};
    EXPECT_EQ(tileops_context_create(nullptr, &t->context), TILEOPS_STATUS_OK);
    return t;
  }();
  return *cpu;
}

// Beyond `steps` of a result's last bit two results differ; a NaN or an infinity is no other's equal.
bool AreNear(Dt dtype, uint64_t got, uint64_t want, int steps) {
  const double a = Decode(dtype, got).d, b = Decode(dtype, want).d;
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (steps == 0 || std::isinf(a) || std::isinf(b)) return a == b;
  return std::fabs(a - b) <= steps * std::ldexp(std::fabs(b), dtype == Dt::kF16 ? -10 : -7);
}

struct JumpText {
  const char* text;
  int steps;  // between devices; of functions whose own bound allows other bits
};

class Jumps : public testing::TestWithParam<JumpText> {};

TEST_P(Jumps, AreAsTheOperatorsAre) {
  const auto& [text, steps] = GetParam();
  const Expr expr{std::string(text)};
  for (const Dt dtype : {Dt::kBF16, Dt::kF16}) {
    Job job;
    job.expr = expr.get();
    job.inputs = {WholeNumbers(dtype, {256, 1}), WholeNumbers(dtype, {256})};
    job.flags = TILEOPS_PLAN_REPRODUCIBLE;
    ASSERT_TRUE(InferOutputs(&job, 1));
    if (!IsFloat(job.outputs[0].dtype)) job.outputs[0].dtype = dtype;  // otherwise nothing is narrow
    const Results want = RunJob(Cpu(), job);
    job.flags = 0;
    for (const Target& target : Targets()) {
      const Results got = RunJob(target, job);
      ASSERT_TRUE(want.size() == 1 && got.size() == 1);
      size_t wrong = 0, first = 0;
      for (size_t i = 0; i < want[0].size(); ++i)
        if (!AreNear(job.outputs[0].dtype, got[0][i], want[0][i], steps) && wrong++ == 0) first = i;
      EXPECT_EQ(wrong, 0u) << text << " of " << Info(dtype).name << " on " << target.name << ": x = " << first / 256 + 1
                           << ", y = " << first % 256 + 1 << " gives " << ToString(job.outputs[0].dtype, got[0][first])
                           << " for " << ToString(job.outputs[0].dtype, want[0][first]);
    }
  }
}

const JumpText kJumpTexts[] = {
    {"(x, y) -> floor(x / y)", 0},
    {"(x, y) -> ceil(x / y)", 0},
    {"(x, y) -> trunc(x / y)", 0},
    {"(x, y) -> round(x / y)", 0},
    {"(x, y) -> round(x / y, 1)", 0},
    {"(x, y) -> sign(x / y - 1)", 0},
    {"(x, y) -> (x / y) % 1", 0},
    {"(x, y) -> 1 % (x / y)", 0},
    {"(x, y) -> (x / y) // 1", 0},
    {"(x, y) -> 8 // (x / y)", 0},
    {"(x, y) -> div(x / y, 2, rounding = trunc)", 0},
    {"(x, y) -> div(x / y, 2, rounding = floor)", 0},
    {"(x, y) -> floor(x * y / y)", 0},
    {"(x, y) -> floor(reciprocal(y) * x)", 0},
    {"(x, y) -> floor(sqrt(x * x) / y)", 0},
    {"(x, y) -> floor(cast(x * y / y, x))", 0},
    {"(x, y) -> floor(exp2(x / 16) / exp2(y / 16))", 0},
    {"(x, y) -> floor(sin(x) / sin(y))", 0},
    {"(x, y) -> where(x / y >= 1, x, -1)", 0},
    {"(x, y) -> where((x / y == 2) | (x / y - 1 != 0), x, -1)", 0},
    {"(x, y) -> x * cast(x / y, i32)", 0},
    {"(x, y) -> x * cast(x / y - 1, bool)", 0},
    {"(x, y) -> x * cast(x / y, e8m0fnu)", 0},
    {"(x, y) -> x * cast(x / y, e8m0fnu, rounding = up)", 0},
    {"(x, y) -> softplus(x / y - 1, threshold = 0)", 1},
    // Edges, beyond which there is nothing.
    {"(x, y) -> sqrt(x / y - 1)", 0},
    {"(x, y) -> (x / y - 1) ** 0.5", 0},
    {"(x, y) -> (x / y - 1) ** -0.5", 1},
    {"(x, y) -> (-1) ** (x / y)", 1},
    {"(x, y) -> (-x) ** (x / y)", 1},
    {"(x, y) -> rsqrt(x / y - 1)", 1},
    {"(x, y) -> log(x / y - 1)", 1},
    {"(x, y) -> log2(x / y - 1)", 1},
    {"(x, y) -> log1p(x / y - 2)", 1},
    {"(x, y) -> nan_to_num(1 / (x / y - x / y), posinf = 7)", 0},
};
INSTANTIATE_TEST_SUITE_P(Texts, Jumps, testing::ValuesIn(kJumpTexts));

// The CPU's own forms for values on their way; bytes have more room for what a GPU makes of an operand.
TEST(JumpsOfBytes, AreAsTheOperatorsAre) {
  const Expr expr("(x) -> { t = cast(x, f16); gelu(t ** mish(t), tanh) }");
  Job job;
  job.expr = expr.get();
  job.inputs.resize(1);
  job.inputs[0].dtype = Dt::kI8;
  job.inputs[0].shape = {256};
  for (int i = -128; i < 128; ++i) job.inputs[0].bits.push_back(static_cast<uint8_t>(i));
  ASSERT_TRUE(InferOutputs(&job, 1));
  const Results got = RunJob(Targets().front(), job);
  job.flags = TILEOPS_PLAN_REPRODUCIBLE;
  const Results want = RunJob(Cpu(), job);
  ASSERT_TRUE(got.size() == 1 && want.size() == 1);
  for (size_t i = 0; i < 256; ++i)
    EXPECT_TRUE(AreNear(Dt::kF16, got[0][i], want[0][i], 1))
        << static_cast<int>(i) - 128 << " gives " << ToString(Dt::kF16, got[0][i]) << " for "
        << ToString(Dt::kF16, want[0][i]);
}

}  // namespace
}  // namespace exprtest

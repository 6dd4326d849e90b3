// What broke in kernels of others, as far as no other test of this folder looks at it.
#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "execute.h"
#include "not_yet.h"
#include "texts.h"

namespace rowtest {
namespace {

Tensor Filled(Dtype dtype, const Shape& shape, Real value) {
  Tensor t = Empty(dtype, shape);
  for (Real& v : t.values) v = value;
  return t;
}

void ExpectEach(const TextRun& run, const Target& target, size_t result, uint64_t code) {
  const Results got = run.On(target);
  ASSERT_GT(got.size(), result);
  for (uint64_t bits : got[result]) ASSERT_EQ(bits, code) << run.text() << " on " << target.name;
}

// A sum is not formed in its dtype: 70000 ones in float16 are infinite only when they are stored, in bfloat16 70144.
TEST(Faults, NarrowSums) {
  for (const Dtype dtype : {Dtype::bf16, Dtype::f16, Dtype::f32}) {
    const TextRun run("(x) -> sum(x), mean(x), sum(x, axis = -2)", {Filled(dtype, {2, 70000}, 1)});
    if (!Runs(run, Here())) return;
    for (const Target& target : Targets()) {
      ExpectEach(run, target, 0, Code(dtype, 70000));
      ExpectEach(run, target, 1, Code(dtype, 1));
      ExpectEach(run, target, 2, Code(dtype, 2));
    }
  }
}

// x / s of one row's largest value is 1 before a step, whatever x is: division there is IEEE's.
TEST(Faults, QuotientsBeforeSteps) {
  Tensor x = Empty(Dtype::bf16, {3000, 1});
  for (size_t i = 0; i < x.values.size(); ++i) x.values[i] = Rounded(Dtype::bf16, 1 + static_cast<Real>(i) / 7);
  const TextRun run("(x) -> { a = amax(x); floor(x / a), cast(x / a, i8), x / a >= 1, cast(a / a, e8m0fnu, rounding = "
                    "up), ceil(x / a) }",
                    {x});
  if (!Runs(run, Here())) return;
  for (const Target& target : Targets())
    for (size_t k = 0; k < 5; ++k) ExpectEach(run, target, k, k == 0 || k == 4 ? 0x3f80 : k == 3 ? 127 : 1);
}

// A float16 has no 1e-12, which eps is: it must not be lost, nor the square of a small number.
TEST(Faults, EpsilonOfFloat16) {
  for (const Real value : {0.0L, 0x1p-24L, 1e-4L}) {
    const TextRun run("(x; eps = 1e-12) -> x / maximum(sqrt(sum(x * x)), eps), x * rsqrt(mean(x * x) + eps)",
                      {Filled(Dtype::f16, {3, 64}, Rounded(Dtype::f16, value))});
    if (!Runs(run, Here())) return;
    for (const Target& target : Targets()) {
      const Results got = run.On(target);
      ASSERT_FALSE(got.empty());
      ExpectClose(run.Expected(), run.outputs(), got, "eps in float16 on " + target.name);
    }
  }
}

// Groups of zeros: quantised to zeros, and no NaN.
TEST(Faults, GroupsOfZeros) {
  for (const char* name : {"fp8_group", "fp8_tensor", "fp8_token", "fp8_te_current", "int8_token",
                           "int8_token_asymmetric", "mxfp8", "q8_0", "rms_norm", "layer_norm"}) {
    const RowText& text = RowTextOf(name);
    std::vector<Tensor> operands = RandomOperands(text, 3);
    for (Real& v : operands[0].values) v = 0;
    const TextRun run(text.text, operands, text.scalars);
    if (!Runs(run, name)) continue;
    const Results got = run.On(Targets().front());
    ASSERT_FALSE(got.empty());
    ExpectClose(run.Expected(), run.outputs(), got, name);
  }
}

// One plan on several threads at once, each with memory of its own: what a pass leaves to the next one is the
// execute's.
TEST(Faults, PlansAtTheSameTime) {
  const char* const texts[] = {"(x) -> sum(x, axis = all), x * rsqrt(mean(x * x, axis = all) + 1e-6)",
                               NamedText("softmax"), "(x) -> mean(x, axis = -2)"};
  size_t index = 0;
  for (const char* text : texts) {
    const TextRun run(text, {RandomTensor(Dtype::f32, {130, 515}, 9)});
    if (!Runs(run, Here(index++))) continue;
    const Target& target = Targets().front();
    const Results alone = run.On(target);
    std::vector<Results> got(4);
    std::vector<std::thread> threads;
    for (Results& mine : got)
      threads.emplace_back([&] {
        for (int i = 0; i < 5; ++i) mine = run.On(target);
      });
    for (std::thread& t : threads) t.join();
    for (const Results& mine : got)
      exprtest::ExpectSame(run.outputs(), mine, alone, std::string(text) + " at the same time");
  }
}

// More elements than a float32 counts.
TEST(Faults, CountsBeyond24Bits) {
  if (!exprtest::Long()) GTEST_SKIP() << "long: TILEOPS_TEST_LONG";
  constexpr int64_t n = (1 << 24) + 8;
  const TextRun run("(x) -> sum(x), mean(x), sum(x > 0)", {Filled(Dtype::u8, {1, n}, 1)});
  if (!Runs(run, Here())) return;
  const Target& target = Targets().front();
  ExpectEach(run, target, 0, static_cast<uint64_t>(n));
  ExpectEach(run, target, 1, Code(Dtype::f32, 1));
  ExpectEach(run, target, 2, static_cast<uint64_t>(n));
}

}  // namespace
}  // namespace rowtest

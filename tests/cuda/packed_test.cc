// Operands and results whose elements share bytes (float4_e2m1fn): how kernels reach them, and that texts compile.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "cuda/jit/nvrtc.h"
#include "cuda/jit/source.h"
#include "cuda/select/choose.h"
#include "requests.h"

namespace tileops::cuda {
namespace {

using requests::Operand;

struct PackedText {
  const char* text;
  std::vector<Operand> operands;
  std::vector<Operand> outputs = {};  // dtypes and strides other than by inference
};

std::vector<Choice> ChosenForPacked(const PackedText& t, const LaunchHint& hint = {}) {
  const Problem p = requests::ProblemOf(t.text, t.operands, 0, t.outputs, hint);
  std::vector<Choice> all;
  for (size_t i = 0; i < p.passes.size(); ++i)
    all.push_back(choose_pass(p, i, make_layout(p.passes[i]), {90, UseTables::yes, hint}));
  return all;
}

void ExpectPackedCompiles(const PackedText& t, const LaunchHint& hint = {}) {
  SCOPED_TRACE(t.text);
  std::string last;
  try {
    for (const Choice& c : ChosenForPacked(t, hint)) {
      last = c.kernel.text;
      for (const AccessSpec& store : c.spec.access.stores)
        EXPECT_TRUE(!is_packed(store.dtype) || c.spec.traversal.vec % 2 == 0) << last;
      if (!Nvrtc::get().available()) continue;
      EXPECT_FALSE(Nvrtc::get().compile(full_source(c.kernel), c.kernel.name, 90).image.empty());
    }
  } catch (const Error& e) {
    ADD_FAILURE() << e.message << "\n" << last;
  }
}

constexpr Dtype kFour = Dtype::e2m1fn;

const char kMxfp4[] =
    "(x) -> { s = cast(amax(abs(x), group = 32) / 4, e8m0fnu, rounding = down); cast(x / spread(s, x, group = 32), "
    "e2m1fn), s }";

TEST(PackedKernels, CompileAsTheyAre) {
  if (!Nvrtc::get().available()) GTEST_SKIP() << Nvrtc::get().failure();
  const std::vector<PackedText> texts = {
      {"(x) -> cast(x, e2m1fn)", {{Dtype::bf16, {64, 1024}}}},                // flat
      {"(x) -> cast(x * 2, e2m1fn)", {{Dtype::f32, {64, 1024}, {2048, 1}}}},  // rows
      {"(x, y) -> cast(x * y, e2m1fn)", {{Dtype::f32, {64, 1024}, {1, 64}}, {Dtype::f32, {64, 1024}}}},
      {"(x) -> cast(x, e2m1fn)", {{Dtype::f32, {7, 6, 10}, {70, 1, 7}}}},  // elements
      {"(x) -> cast(exp(x), e2m1fn)", {{Dtype::f32, {64, 1024}}}},         // a rounding test
      {"(x) -> concat(cast(x, e2m1fn), cast(-x, e2m1fn))", {{Dtype::f16, {64, 64}}}},
      {"(q) -> cast(q, f32) * 2", {{kFour, {64, 1024}}}},
      {"(q, s) -> q * s", {{kFour, {64, 34}}, {Dtype::f32, {64, 1}}}},
      {"(q) -> cast(every(q, 0, 2), f32) * every(q, 1, 2)", {{kFour, {64, 64}}}},
      {"(q) -> chunk(q, 1, 2) + cast(chunk(q, 0, 2), f32)", {{kFour, {64, 6}}}},  // from odd elements on
      {"(q, i) -> cast(gather(q, i, axis = -2), f32)", {{kFour, {64, 64}}, {Dtype::i64, {5, 1}}}},
      {"(q, i) -> cast(gather(q, i), f32)", {{kFour, {64, 64}}, {Dtype::i32, {64, 3}}}},
      {"(x, i) -> scatter(cast(x, e2m1fn), i, axis = -2)",
       {{Dtype::f32, {4, 64}}, {Dtype::i64, {4, 1}}},
       {{kFour, {9, 64}}}},
      {kMxfp4, {{Dtype::bf16, {64, 4096}}}},
      {kMxfp4, {{Dtype::bf16, {64, 96}}}},
      {kMxfp4, {{Dtype::f32, {5, 64}, {65, 1}}}},  // not aligned
      {kMxfp4, {{Dtype::f32, {5, 72}}}},           // a short group
      {"(x) -> { s = amax(abs(x)) / 6;  cast(x / s, e2m1fn), s }", {{Dtype::bf16, {64, 8192}}}},
      {"(x) -> { s = amax(abs(x)) / 6;  cast(x / s, e2m1fn), s }", {{Dtype::f32, {3, 300000}}}},
      {"(x) -> { s = amax(abs(x), axis = -2) / 6;  cast(x / s, e2m1fn), s }", {{Dtype::f32, {300, 64}}}},
      {"(x) -> { s = amax(abs(x), axis = -2, group = 32) / 6;  cast(x / spread(s, x, axis = -2, group = 32), e2m1fn), "
       "s "
       "}",
       {{Dtype::bf16, {300, 6}}}},
      {"(q, s) -> sum(cast(q, f32) * spread(s, q, group = 16))", {{kFour, {64, 256}}, {Dtype::e4m3fn, {64, 16}}}},
      {"(q) -> sum(cast(q, f32), axis = -2)", {{kFour, {64, 256}}}},
      {"(q) -> argmax(q, axis = -2)", {{kFour, {64, 6}}}},
      {"(x) -> cast(amax(x, axis = -2), e2m1fn)", {{Dtype::f32, {64, 256}}}},
      {"(q, i) -> sum(cast(gather(q, i, axis = -2), f32))", {{kFour, {64, 64}}, {Dtype::i64, {5, 1}}}},
      {"(x) -> cast(x / spread(amax(x, group = 3), x, group = 3), e2m1fn)", {{Dtype::f32, {4, 6}}}},
  };
  for (const PackedText& t : texts) ExpectPackedCompiles(t);
  for (const LaunchHint& hint :
       {LaunchHint{TILEOPS_STRATEGY_DIRECT, 64, 0}, LaunchHint{TILEOPS_STRATEGY_REGISTER_COPY, 128, 1},
        LaunchHint{TILEOPS_STRATEGY_REGISTER_COPY, 64, 8}})
    ExpectPackedCompiles(texts[0], hint);
}

std::string RefusalOf(const PackedText& t, const LaunchHint& hint = {}) {
  try {
    ChosenForPacked(t, hint);
  } catch (const Error& e) {
    return e.message;
  }
  return "";
}

// Two threads would write one byte.
TEST(PackedKernels, HalfBytesAreRefused) {
  const Operand x{Dtype::f32, {4, 6}}, odd{Dtype::f32, {4, 3}};
  for (const std::string& message :
       {RefusalOf({"(x) -> interleave(cast(x, e2m1fn), cast(-x, e2m1fn))", {odd}}),
        RefusalOf({"(x) -> concat(cast(x, e2m1fn), cast(-x, e2m1fn))", {odd}}),
        RefusalOf({"(x, i) -> scatter(cast(x, e2m1fn), i)", {x, {Dtype::i64, {4, 6}}}, {{kFour, {4, 8}}}}),
        RefusalOf({"(x, i) -> scatter(cast(x, e2m1fn), i, axis = -2)", {x, {Dtype::i64, {4, 6}}}, {{kFour, {8, 6}}}})})
    EXPECT_NE(message.find("outputs[0]: two elements of float4_e2m1fn share a byte"), std::string::npos) << message;
  EXPECT_NE(RefusalOf({"(x) -> cast(x, e2m1fn)", {x}}, {TILEOPS_STRATEGY_EXPLICIT_PARALLEL, 128, 4}).find("strategy: "),
            std::string::npos);
}

}  // namespace
}  // namespace tileops::cuda

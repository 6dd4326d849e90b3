// Named expressions whose line promises an engine's numbers have its bits.
#include "engines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "run.h"
#include "texts.h"

namespace rowtest {
namespace {

class Engines : public testing::TestWithParam<Engine> {};

TEST_P(Engines, Bits) {
  const Engine& engine = GetParam();
  for (const char* label : {"bf16", "f16", "f32"})
    for (const uint64_t seed : {1, 2, 3}) {
      RowText text = RowTextOf(engine.name);
      for (Declared& d : text.operands)
        if (d.label == "bf16") d.label = label;
      std::vector<Tensor> operands = RandomOperands(text, seed);
      const size_t length = static_cast<size_t>(text.operands[0].shape.back());
      if (engine.zeros) std::fill_n(operands[0].values.begin() + static_cast<ptrdiff_t>(length), length, 0);
      if (operands.size() > 1 && text.operands[1].name == "residual")
        std::fill_n(operands[1].values.begin() + static_cast<ptrdiff_t>(length), length, 0);
      EngineRows in{operands[0].dtype, {}, length};
      for (const Tensor& t : operands) in.operands.emplace_back(t.values.begin(), t.values.end());
      const EngineValues want = engine.of(in);
      const TextRun run(text.text, operands);
      ASSERT_EQ(run.state(), State::runs) << run.why();
      for (const Target& target : Targets()) {
        const Results got = run.On(target, {}, TILEOPS_PLAN_REPRODUCIBLE);
        ASSERT_FALSE(got.empty());
        for (size_t k = 0; k < got.size(); ++k) {
          Dtype dtype = Dtype::f32;
          tileops::dtype_from_dl(optest::Info(run.outputs()[k].dtype).dl, &dtype);
          ASSERT_EQ(got[k].size(), want[k].size()) << engine.name << ", result " << k;
          size_t others = 0, first = 0;
          for (size_t i = 0; i < got[k].size(); ++i)
            if (Decode(dtype, got[k][i]) != want[k][i] && others++ == 0) first = i;
          EXPECT_EQ(others, 0u) << engine.name << " of " << label << " on " << target.name << ", result " << k << ": "
                                << others << " of " << got[k].size() << " are others than of " << engine.source
                                << "\n  element " << first << ": got " << Decode(dtype, got[k][first]) << ", want "
                                << want[k][first];
        }
      }
    }
}

INSTANTIATE_TEST_SUITE_P(All, Engines, testing::ValuesIn(EngineTexts()),
                         [](const testing::TestParamInfo<Engine>& info) { return std::string(info.param.name); });

// roundf goes away from zero at halves, and not just below them.
TEST(EnginesEdges, HalvesOfQ8) {
  const float below = std::nextafter(0.5f, 0.0f);
  std::vector<Real> x(32), want(32);
  const std::vector<std::pair<float, int>> pairs = {{127, 127},  {below, 0}, {-below, 0}, {0.5f, 1},
                                                    {-0.5f, -1}, {1.5f, 2},  {2.5f, 3},   {-2.5f, -3}};
  for (size_t i = 0; i < pairs.size(); ++i) x[i] = pairs[i].first, want[i] = pairs[i].second;
  const TextRun run(NamedText("q8_0"), {Of(Dtype::f32, {1, 32}, x)});
  ASSERT_EQ(run.state(), State::runs) << run.why();
  const Results got = run.On(Targets().front());
  ASSERT_FALSE(got.empty());
  for (size_t i = 0; i < want.size(); ++i) EXPECT_EQ(Decode(Dtype::i8, got[0][i]), want[i]) << x[i];
}

// reshape_and_cache of vLLM divides by a given scale; a token of slot -1 is not written.
TEST(EnginesEdges, CacheOfGivenScales) {
  const RowText& text = RowTextOf("kv_static_fp8_scatter");
  const std::vector<Tensor> operands = RandomOperands(text, 1), before = ScatteredInto(text);
  const TextRun run(text.text, operands, text.scalars, before);
  ASSERT_EQ(run.state(), State::runs) << run.why();
  const Results got = run.On(Targets().front(), {}, TILEOPS_PLAN_REPRODUCIBLE);
  ASSERT_EQ(got.size(), 2u);
  for (size_t k = 0; k < 2; ++k) {
    std::vector<Real> want = before[k].values;
    const size_t length = operands[k].values.size() / operands[4].values.size();
    for (size_t i = 0; i < operands[k].values.size(); ++i) {
      const Real slot = operands[4].values[i / length];
      const float v = static_cast<float>(operands[k].values[i]) / static_cast<float>(operands[2 + k].values[0]);
      if (slot >= 0) want[static_cast<size_t>(slot) * length + i % length] = Rounded(Dtype::e4m3fn, v);
    }
    for (size_t i = 0; i < want.size(); ++i)
      EXPECT_EQ(Code(Dtype::e4m3fn, want[i]), got[k][i]) << "result " << k << ", element " << i;
  }
}

}  // namespace
}  // namespace rowtest

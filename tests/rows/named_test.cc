// The expressions that the library knows by name: each has operands in the folder `named`, by which it is compared with
// the reference on bfloat16 and on float32; what its line says of shapes is so; what engines use is there.
#include <gtest/gtest.h>

#include <set>

#include "expr/parse/named.h"
#include "not_yet.h"
#include "texts.h"

namespace rowtest {
namespace {

// Operands of one dtype are of the other.
RowText With(const RowText& text, const std::string& from, const std::string& to) {
  RowText other = text;
  for (Declared& d : other.operands)
    if (d.label == from) d.label = to;
  return other;
}

std::vector<RowText> NamedTexts() {
  std::vector<RowText> named;
  for (const RowText& text : RowTexts())
    if (text.named) named.push_back(text);
  return named;
}

void ExpectValues(const RowText& text, const std::string& operands) {
  const TextRun run(text.text, RandomOperands(text, 7), text.scalars, ScatteredInto(text));
  if (!Runs(run, text.name)) return;
  for (const Target& target : Targets()) {
    const std::string what = text.name + " of " + operands + " on " + target.name + ": " + text.text;
    const Results got = run.On(target);
    ASSERT_FALSE(got.empty()) << what;
    ExpectClose(run.Expected(), run.outputs(), got, what);
  }
}

class Named : public testing::TestWithParam<RowText> {};

// Texts.Values has them as they are declared.
TEST_P(Named, ValuesOfFloat32) { ExpectValues(With(GetParam(), "bf16", "f32"), "float32"); }
TEST_P(Named, ValuesOfBfloat16) { ExpectValues(With(GetParam(), "f32", "bf16"), "bfloat16"); }

// Called by its name it is the same expression, so that its bits are the same.
TEST_P(Named, AsAFunction) {
  const RowText& text = GetParam();
  const std::shared_ptr<const tileops::expr::Graph> graph = tileops::expr::find_named(text.name);
  std::string arguments;
  for (const auto& operand : graph->operands) arguments += (arguments.empty() ? "" : ", ") + operand.name;
  for (const auto& scalar : graph->scalars) arguments += ", " + scalar.name;
  const std::string call = text.text.substr(0, text.text.find(" -> ")) + " -> " + text.name + "(" + arguments + ")";
  const std::vector<Tensor> operands = RandomOperands(text, 3), outputs = ScatteredInto(text);
  const TextRun run(text.text, operands, text.scalars, outputs), called(call, operands, text.scalars, outputs);
  ASSERT_EQ(run.state(), called.state()) << call << ": " << called.why();
  if (!Runs(run, text.name)) return;
  EXPECT_EQ(run.On(Targets().front()), called.On(Targets().front())) << call;
}

// A result that was rounded to 16 bits would not be what x was divided by. Blocks of ggml have scales of float16, which
// are not divided by.
TEST_P(Named, ScalesAreFloat32OrPowersOfTwo) {
  const RowText& text = GetParam();
  if (text.name == "q8_0") return;
  const tileops::expr::Inference inference = InferText(text.text, RandomOperands(text, 1));
  const std::shared_ptr<const tileops::expr::Graph> graph = tileops::expr::parse(text.text);
  const auto has = [&](const char* part) { return graph->text.find(part) != std::string::npos; };
  if (!has("e4m3fn") && !has("e2m1fn") && !has(" i8)") && !has(", u8)")) return;
  for (size_t k = 0; k < inference.results.size(); ++k) {
    const std::string& name = graph->results[k].name;
    if (name == "h") continue;  // the sum that was normalised
    const Dtype dtype = inference.results[k].dtype;
    EXPECT_FALSE(tileops::is_float(dtype) && tileops::dtype_size(dtype) == 2) << text.text << "\n  result " << name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Named, testing::ValuesIn(NamedTexts()),
                         [](const testing::TestParamInfo<RowText>& info) { return info.param.name; });

TEST(NamedAsAWhole, AreAllHere) {
  std::set<std::string> known, tried;
  for (size_t i = 0; i < tileops::expr::kNumNamed; ++i) known.insert(tileops::expr::kNamed[i].name);
  for (const RowText& text : NamedTexts()) tried.insert(text.name);
  EXPECT_EQ(known.size(), tileops::expr::kNumNamed) << "two have one name";
  for (const std::string& name : known)
    EXPECT_TRUE(tried.count(name)) << name << " has no operands in tests/rows/named";
}

// What engines, trainers and libraries of kernels have: a name that is lost is missed.
TEST(NamedAsAWhole, HaveWhatEnginesUse) {
  for (const char* name : {"rms_norm",
                           "rms_norm_llama",
                           "rms_norm_gemma",
                           "add_rms_norm",
                           "add_rms_norm_llama",
                           "add_rms_norm_flaggems",
                           "layer_norm",
                           "add_layer_norm",
                           "group_norm",
                           "instance_norm",
                           "l2_norm",
                           "weight_norm",
                           "qk_norm",
                           "softmax",
                           "softmax_masked",
                           "softmax_causal",
                           "softmax_window",
                           "softmax_sink",
                           "softmax_softcap",
                           "log_softmax",
                           "logsumexp",
                           "cross_entropy",
                           "kl_div",
                           "entropy",
                           "router_top1",
                           "router_top2",
                           "qk_norm_rope",
                           "qk_norm_rope_cache",
                           "kv_scatter",
                           "kv_quantise_scatter",
                           "embedding",
                           "fp8_tensor",
                           "fp8_token",
                           "fp8_group",
                           "fp8_block",
                           "mxfp8",
                           "int8_token",
                           "int8_token_asymmetric",
                           "int4_pack",
                           "rms_norm_fp8_token",
                           "add_rms_norm_fp8_token",
                           "add_rms_norm_fp8_group",
                           "rms_norm_int8_token",
                           "swiglu_fp8_token",
                           "swiglu_fp8_group",
                           "swiglu_mxfp8",
                           "dequantise_token",
                           "dequantise_group",
                           "dequantise_block",
                           "dequantise_mxfp8",
                           "dequantise_int4",
                           "rms_norm_backward",
                           "layer_norm_backward",
                           "softmax_backward",
                           "log_softmax_backward",
                           "cross_entropy_backward",
                           "l2_norm_backward",
                           "bias_gradient",
                           "bias_gelu_backward",
                           "global_norm",
                           "clip_apply",
                           "clip_global_norm",
                           "lamb",
                           "adafactor",
                           "statistics",
                           "var_mean",
                           "vector_norm",
                           "triu",
                           "tril",
                           "cumsum",
                           "normed_cumsum",
                           "mxfp4",
                           "nvfp4",
                           "outer"})
    EXPECT_NO_THROW(NamedText(name)) << name;
}

}  // namespace
}  // namespace rowtest

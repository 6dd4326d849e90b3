// What the prebuilt pack holds of expressions: a plan of a named one as its users have it compiles nothing.
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "expr/lower/formula.h"
#include "expr/parse/named.h"
#include "expr/parse/parser.h"
#include "requests.h"
#include "standard_kernels.h"

namespace tileops::cuda {
namespace {

using requests::Operand;
using Shape = std::vector<int64_t>;

// Operands by name; optional ones that have none are absent. Results have the shapes that the text gives them, and its
// dtypes or another one; scattered ones have `slots` along the first axis.
Problem ProblemOf(const std::shared_ptr<const expr::Graph>& graph, const std::map<std::string, Operand>& operands,
                  std::optional<Dtype> result = std::nullopt, int64_t slots = 0) {
  const auto formula = expr::make_formula(graph);
  std::vector<tileops_tensor_desc> inputs;
  for (const expr::Operand& o : graph->operands) {
    if (o.optional && !operands.count(o.name)) break;
    inputs.push_back(operands.at(o.name).desc());
  }
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.device = DLDevice{kDLCUDA, 0};
  desc.num_inputs = static_cast<int32_t>(inputs.size());
  desc.inputs = inputs.data();
  std::vector<TensorSpec> results = formula->infer(make_request(desc, Outputs::optional, formula));
  for (TensorSpec& r : results)
    if (!r.present) r.shape[0] = slots;
  Descriptors outputs;
  for (const TensorSpec& r : results) outputs.add(r, result.value_or(r.dtype));
  desc.num_outputs = outputs.size();
  desc.outputs = outputs.data();
  return lower(make_request(desc, Outputs::needed, formula));
}

std::string ShapeText(const Operand& o) {
  std::string text = dtype_name(o.dtype);
  for (const int64_t n : o.shape) text += " " + std::to_string(n);
  return text;
}

class StandardExpressions : public StandardKernels {
 protected:
  // "*": what operands are that are not named.
  static void ExpectNamedHeld(const std::string& name, std::map<std::string, Operand> operands,
                              std::optional<Dtype> result = std::nullopt, int64_t slots = 0) {
    SCOPED_TRACE(name + (operands.count("x") ? " of " + ShapeText(operands["x"]) : ""));
    const auto graph = expr::find_named(name);
    ASSERT_NE(graph, nullptr);
    for (const expr::Operand& o : graph->operands)
      if (!operands.count(o.name) && !o.optional) operands[o.name] = operands.at("*");
    ExpectHeld(ProblemOf(graph, operands, result, slots));
  }
};

constexpr Dtype kFloats[] = {Dtype::f32, Dtype::bf16, Dtype::f16};
constexpr int64_t kTokens[] = {1, 32, 1000, 4096};  // of operands below 2 GiB

// Those that packs leave out: they are compiled when they are first planned.
const std::set<std::string> kNotPrebuilt = {"square",
                                            "frac",
                                            "signbit",
                                            "isposinf",
                                            "isneginf",
                                            "heaviside",
                                            "xlogy",
                                            "relu6",
                                            "threshold",
                                            "hardshrink",
                                            "softshrink",
                                            "add_rms_norm_flaggems",
                                            "add_rms_norm_gemma",
                                            "layer_norm_saved",
                                            "bias_add_layer_norm",
                                            "instance_norm",
                                            "batch_norm_inference",
                                            "batch_norm_training",
                                            "l2_norm_fla",
                                            "weight_norm",
                                            "gated_rms_norm_mamba2",
                                            "softmax_columns",
                                            "softmax_temperature",
                                            "softmax_window",
                                            "softmax_sink",
                                            "softmax_softcap",
                                            "cross_entropy_smooth",
                                            "cross_entropy_mean",
                                            "cross_entropy_weighted",
                                            "nll_loss",
                                            "kl_div",
                                            "kl_logits",
                                            "mse",
                                            "bce_logits",
                                            "decode_rope",
                                            "qk_norm_rope_cache",
                                            "cache_write_paged",
                                            "cache_read",
                                            "embedding_layer_norm",
                                            "last_token",
                                            "fp8_te_current",
                                            "mxfp8_ocp",
                                            "int8_token_asymmetric",
                                            "smoothquant",
                                            "q8_0",
                                            "int4_pack",
                                            "rms_norm_mxfp8",
                                            "rms_norm_int8_token",
                                            "add_rms_norm_int8_token",
                                            "swiglu_fp8_group_ue8m0",
                                            "swiglu_int8_token",
                                            "moe_dispatch_fp8",
                                            "dequantise_token_asymmetric",
                                            "dequantise_q8_0",
                                            "layer_norm_backward_saved",
                                            "batch_norm_backward",
                                            "log_softmax_backward",
                                            "l2_norm_backward",
                                            "qk_norm_rope_backward",
                                            "found_inf",
                                            "lion",
                                            "muon_normalise",
                                            "statistics",
                                            "var_mean",
                                            "vector_norm",
                                            "vector_norm_1",
                                            "vector_norm_inf",
                                            "l2_norm_scaled",
                                            "vector_norm_scaled",
                                            "router_top4",
                                            "router_top8",
                                            "rope_part",
                                            "z_score",
                                            "triu",
                                            "tril",
                                            "outer",
                                            "nvfp4_dynamic",
                                            "rms_norm_nvfp4",
                                            "swiglu_nvfp4",
                                            "dequantise_nvfp4",
                                            "cumsum",
                                            "normed_cumsum",
                                            "expert_offsets",
                                            "positions",
                                            "mamba2_chunk_cumsum"};

// Every other expression that there is has kernels, so that a new one that is left out does not go unnoticed.
TEST_F(StandardExpressions, AreThoseOfAllButAFew) {
  const std::set<std::string> held = {
#define TILEOPS_STANDARD_EXPRESSION(name, operands) #name,
#define TILEOPS_STANDARD_ROWS(name, dtypes, operands) #name,
#include "pack/standard.def"
  };
  for (size_t i = 0; i < expr::kNumNamed; ++i)
    EXPECT_NE(held.count(expr::kNamed[i].name), kNotPrebuilt.count(expr::kNamed[i].name)) << expr::kNamed[i].name;
}

// Those whose operands are of one shape, or nearly.
TEST_F(StandardExpressions, ContiguousOfAllSizes) {
  for (size_t i = 0; i < expr::kNumNamed && std::string(expr::kNamed[i].name) != "rms_norm"; ++i) {
    const std::string name = expr::kNamed[i].name;
    if (kNotPrebuilt.count(name)) continue;
    for (const Dtype t : kFloats) {
      for (const int64_t tokens : kTokens) {
        std::map<std::string, Operand> operands{{"*", {t, {tokens, 4096}}}};
        if (name == "rope_halves" || name == "rope_pairs")
          operands = {{"*", {t, {tokens, 1, 64}}}, {"x", {t, {tokens, 32, 128}}}};
        if (name == "dropout_backward") operands["mask"] = {Dtype::boolean, {tokens, 4096}};
        if (name == "dequantise_int8") operands["x"] = {Dtype::i8, {tokens, 4096}};
        if (name == "normalise_u8") operands = {{"*", {Dtype::f32, {3, 1, 1}}}, {"x", {Dtype::u8, {3, tokens, 640}}}};
        ExpectNamedHeld(name, operands);
      }
    }
  }
}

TEST_F(StandardExpressions, Broadcast) {
  for (const Dtype t : kFloats) {
    for (const int64_t tokens : kTokens) {
      const Operand rows{t, {tokens, 14336}}, row{t, {14336}};
      for (const char* name : {"bias_gelu", "bias_gelu_tanh", "bias_gelu_dropout_residual", "bias_residual"})
        ExpectNamedHeld(name, {{"*", rows}, {"bias", row}});
      const Operand images{t, {8, tokens, 1152}}, image{t, {8, 1, 1152}};
      ExpectNamedHeld("scale_shift", {{"*", image}, {"x", images}});
      ExpectNamedHeld("scale_shift", {{"*", row}, {"x", rows}});
      ExpectNamedHeld("gated_residual", {{"*", images}, {"gate", image}});
      ExpectNamedHeld("gated_residual", {{"*", rows}, {"gate", row}});
      ExpectNamedHeld("scaled_masked", {{"x", {t, {32, tokens, 2048}}}, {"mask", {t, {tokens, 2048}}}});
      ExpectNamedHeld("scaled_masked", {{"x", {t, {2, 16, tokens, 2048}}}, {"mask", {t, {2, 1, tokens, 2048}}}});
      ExpectNamedHeld("causal_masked", {{"x", {t, {2, 16, tokens, 2048}}}});
      for (const int64_t batch : {1, 8})
        ExpectNamedHeld("snake", {{"x", {t, {batch, 64, 128 * tokens}}}, {"alpha", {t, {64, 1}}}});
    }
  }
}

TEST_F(StandardExpressions, Rope) {
  for (const char* name : {"rope_halves", "rope_pairs"}) {
    for (const Dtype t : kFloats) {
      for (const int64_t tokens : kTokens) {
        const Operand heads_last{t, {4, tokens, 16, 128}}, heads_first{t, {4, 16, tokens, 128}};
        for (const Dtype table : {t, Dtype::f32}) {
          ExpectNamedHeld(name, {{"*", {table, {tokens, 1, 64}}}, {"x", heads_last}}, t);
          ExpectNamedHeld(name, {{"*", {table, {4, tokens, 1, 64}}}, {"x", heads_last}}, t);
          ExpectNamedHeld(name, {{"*", {table, {tokens, 64}}}, {"x", heads_first}}, t);
          ExpectNamedHeld(name, {{"*", {table, {4, 1, tokens, 64}}}, {"x", heads_first}}, t);
        }
      }
    }
  }
}

// Results of any float dtype, of operands that are always the same.
TEST_F(StandardExpressions, Bytes) {
  const Operand planes{Dtype::f32, {3, 1, 1}}, colours{Dtype::f32, {3}};
  for (const Dtype t : kFloats) {
    for (const int64_t n : {1, 64}) {
      ExpectNamedHeld("normalise_u8", {{"*", planes}, {"x", {Dtype::u8, {n, 3, 224, 224}}}}, t);
      ExpectNamedHeld("normalise_u8", {{"*", colours}, {"x", {Dtype::u8, {n, 224, 224, 3}}}}, t);
      ExpectNamedHeld("dequantise_int8", {{"x", {Dtype::i8, {n, 4096}}}}, t);
    }
  }
}

constexpr int64_t kRows[] = {1, 32, 200, 1000, 10000};  // fewer than multiprocessors, some more, many
constexpr int64_t kWidths[] = {1024, 2048, 4096, 8192, 16384};

TEST_F(StandardExpressions, Norms) {
  for (const int64_t rows : kRows) {
    for (const int64_t n : {128, 256, 512, 1024, 2048, 4096, 8192, 16384}) {
      for (const Dtype t : kFloats) ExpectNamedHeld("rms_norm", {{"x", {t, {rows, n}}}, {"weight", {t, {n}}}});
      for (const Dtype t : {Dtype::f32, Dtype::bf16})
        ExpectNamedHeld("layer_norm", {{"x", {t, {rows, n}}}, {"weight", {t, {n}}}, {"bias", {t, {n}}}});
    }
    for (const int64_t n : kWidths) {
      for (const Dtype t : {Dtype::bf16, Dtype::f16}) {
        ExpectNamedHeld("rms_norm_llama", {{"x", {t, {2, rows, n}}}, {"weight", {t, {n}}}});
        for (const char* name : {"add_rms_norm", "add_rms_norm_llama"})
          ExpectNamedHeld(name, {{"*", {t, {rows, n}}}, {"weight", {t, {n}}}});
      }
      const Operand x{Dtype::bf16, {rows, n}}, row{Dtype::bf16, {n}};
      ExpectNamedHeld("rms_norm_gemma", {{"x", x}, {"weight", row}});
      ExpectNamedHeld("add_layer_norm", {{"*", x}, {"weight", row}, {"bias", row}});
      ExpectNamedHeld("l2_norm", {{"x", x}});
    }
    for (const int64_t n : {2560, 2880, 3072, 3584, 5120, 6144, 7168}) {
      const Operand x{Dtype::bf16, {rows, n}}, row{Dtype::bf16, {n}};
      for (const char* name : {"rms_norm", "rms_norm_llama", "add_rms_norm", "add_rms_norm_llama"})
        ExpectNamedHeld(name, {{"*", x}, {"weight", row}});
    }
    for (const int64_t heads : {16, 32, 64}) {
      const Operand q{Dtype::bf16, {rows, heads, 128}}, k{Dtype::bf16, {rows, 8, 128}}, w{Dtype::bf16, {128}};
      ExpectNamedHeld("qk_norm", {{"q", q}, {"k", k}, {"q_weight", w}, {"k_weight", w}});
      ExpectNamedHeld("gated_rms_norm", {{"x", q}, {"gate", q}, {"weight", w}});
    }
  }
  const Operand x{Dtype::bf16, {8, 1024, 2048}}, image{Dtype::bf16, {8, 1, 2048}};
  ExpectNamedHeld("ada_layer_norm", {{"x", x}, {"*", image}});
  for (const Dtype t : kFloats)
    ExpectNamedHeld("group_norm",
                    {{"x", {t, {4, 32, 10, 4096}}}, {"weight", {t, {32, 10, 1}}}, {"bias", {t, {32, 10, 1}}}});
}

TEST_F(StandardExpressions, SoftmaxAndLosses) {
  for (const int64_t rows : kRows) {
    for (const int64_t n : {128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32000})
      for (const Dtype t : {Dtype::f32, Dtype::bf16}) ExpectNamedHeld("softmax", {{"x", {t, {rows, n}}}});
    for (const Dtype t : {Dtype::f32, Dtype::bf16}) {
      for (const int64_t n : kWidths) ExpectNamedHeld("log_softmax", {{"x", {t, {rows, n}}}});
      ExpectNamedHeld("router_top1", {{"x", {t, {rows, 128}}}});
      ExpectNamedHeld("router_top2", {{"x", {t, {rows, 8}}}});
    }
    ExpectNamedHeld("moe_combine", {{"x", {Dtype::bf16, {rows, 8, 2048}}}, {"weight", {Dtype::f32, {rows, 8, 1}}}},
                    Dtype::bf16);
  }
  for (const int64_t rows : {1, 3, 12, 32, 200, 1000})
    for (const int64_t vocabulary : {128256, 151936, 152064})
      for (const Dtype t : {Dtype::f32, Dtype::bf16}) {
        const Operand x{t, {rows, vocabulary}}, label{Dtype::i64, {rows, 1}};
        for (const char* name : {"softmax", "log_softmax", "logsumexp", "entropy"}) ExpectNamedHeld(name, {{"x", x}});
        ExpectNamedHeld("token_logprob", {{"x", x}, {"label", label}});
      }
  for (const int64_t n : kWidths) {
    const Dtype t = Dtype::bf16;
    ExpectNamedHeld("softmax_causal", {{"x", {t, {2, 16, 128, n}}}});
    ExpectNamedHeld("softmax_masked", {{"x", {t, {2, 16, 128, n}}}, {"mask", {t, {128, n}}}});
    ExpectNamedHeld("softmax_masked", {{"x", {t, {2, 16, 128, n}}}, {"mask", {t, {2, 1, 128, n}}}});
    ExpectNamedHeld("softmax_masked", {{"x", {t, {8, 32, 1, n}}}, {"mask", {t, {8, 1, 1, n}}}});
  }
  for (const int64_t n : {32000, 128256})
    for (const Dtype t : {Dtype::f32, Dtype::bf16})
      for (const char* name : {"cross_entropy", "cross_entropy_with_gradient"})
        ExpectNamedHeld(name, {{"x", {t, {2048, n}}}, {"label", {Dtype::i64, {2048, 1}}}});
}

TEST_F(StandardExpressions, Quantisation) {
  const Dtype t = Dtype::bf16;
  const Operand scale{Dtype::f32, {1}};
  for (const int64_t rows : kRows) {
    for (const int64_t n : kWidths) {
      const Operand x{t, {rows, n}}, pair{t, {rows, 2 * n}}, row{t, {n}};
      for (const char* name : {"fp8_token", "fp8_group", "fp8_group_ue8m0", "mxfp8", "mxfp4", "int8_token"})
        ExpectNamedHeld(name, {{"x", x}});
      for (const char* name : {"swiglu_fp8_token", "swiglu_fp8_group", "swiglu_mxfp8"})
        ExpectNamedHeld(name, {{"x", pair}});
      for (const char* name : {"rms_norm_fp8_token", "rms_norm_fp8_group"})
        ExpectNamedHeld(name, {{"x", x}, {"weight", row}});
      for (const char* name : {"add_rms_norm_fp8_token", "add_rms_norm_fp8_group"})
        ExpectNamedHeld(name, {{"*", x}, {"weight", row}});
      ExpectNamedHeld("rms_norm_fp8_static", {{"x", x}, {"weight", row}, {"scale", scale}});
      ExpectNamedHeld("add_rms_norm_fp8_static", {{"*", x}, {"weight", row}, {"scale", scale}});
      ExpectNamedHeld("fp8_tensor_static", {{"x", x}, {"scale", scale}});
      ExpectNamedHeld("nvfp4", {{"x", x}, {"g", scale}});
    }
    ExpectNamedHeld("dequantise_token", {{"x", {Dtype::e4m3fn, {rows, 4096}}}, {"scale", {Dtype::f32, {rows, 1}}}}, t);
    ExpectNamedHeld("dequantise_group", {{"x", {Dtype::e4m3fn, {rows, 4096}}}, {"scale", {Dtype::f32, {rows, 32}}}}, t);
  }
  const Operand weight{Dtype::e4m3fn, {7168, 2048}};
  ExpectNamedHeld("dequantise_block", {{"x", weight}, {"scale", {Dtype::f32, {56, 16}}}}, t);
  for (const char* name : {"fp8_tensor", "fp8_block", "mxfp8_columns", "mxfp8_tiled"})
    ExpectNamedHeld(name, {{"x", {t, {8192, 4096}}}});
}

TEST_F(StandardExpressions, Caches) {
  const Dtype t = Dtype::bf16;
  for (const int64_t rows : kRows) {
    const Operand q{t, {rows, 16, 128}}, k{t, {rows, 4, 128}}, table{Dtype::f32, {4096, 1, 64}},
        slot{Dtype::i64, {rows, 1, 1}};
    for (const Dtype ids : {Dtype::i32, Dtype::i64}) {
      const Operand position{ids, {rows, 1, 1}};
      ExpectNamedHeld("rope_gather", {{"x", q}, {"*", table}, {"position", position}}, t);
      ExpectNamedHeld("qk_norm_rope", {{"x", q}, {"weight", {t, {128}}}, {"*", table}, {"position", position}}, t);
      ExpectNamedHeld("embedding", {{"table", {t, {32000, 2048}}}, {"id", {ids, {rows, 1}}}});
    }
    for (const char* name : {"kv_scatter", "kv_quantise_scatter"})
      ExpectNamedHeld(name, {{"*", k}, {"slot", slot}}, std::nullopt, 100000);
    ExpectNamedHeld("mla_scatter",
                    {{"latent", {t, {rows, 512}}}, {"rotary", {t, {rows, 64}}}, {"slot", {Dtype::i64, {rows, 1}}}},
                    std::nullopt, 100000);
  }
}

TEST_F(StandardExpressions, Training) {
  for (const Dtype t : {Dtype::f32, Dtype::bf16}) {
    for (const int64_t n : kWidths) {
      const Operand x{t, {8192, n}}, row{t, {n}};
      for (const char* name : {"rms_norm_backward", "layer_norm_backward"})
        ExpectNamedHeld(name, {{"*", x}, {"weight", row}});
      ExpectNamedHeld("softmax_backward", {{"*", x}});
      for (const char* name : {"bias_gradient", "bias_gelu_backward"}) ExpectNamedHeld(name, {{"*", x}, {"bias", row}});
    }
    for (const int64_t rows : {1024, 4096, 8192, 32768}) ExpectNamedHeld("global_norm", {{"a", {t, {rows, 8192}}}});
    ExpectNamedHeld("clip_apply", {{"grad", {t, {4096, 11008}}}, {"norm", {Dtype::f32, {1}}}}, t);
  }
  const Operand p{Dtype::f32, {4096, 4096}};
  ExpectNamedHeld("clip_global_norm", {{"grad", p}});
  ExpectNamedHeld("lamb", {{"*", p}});
  ExpectNamedHeld("adafactor", {{"*", p}, {"r", {Dtype::f32, {4096, 1}}}, {"c", {Dtype::f32, {1, 4096}}}});
}

// Names of operands, scalars and most literals are not the kernel's: texts of the same steps have it.
TEST_F(StandardExpressions, OtherTextsOfTheSameSteps) {
  const Operand x{Dtype::bf16, {64, 4096}};
  ExpectHeld(ProblemOf(expr::parse("(a, b, c) -> { s = silu(a);  s * b + c }"), {{"a", x}, {"b", x}, {"c", x}}));
  ExpectHeld(ProblemOf(expr::parse("(a; k = 50.0) -> k * tanh(a / k)"), {{"a", x}}));
  ExpectHeld(ProblemOf(expr::parse("(v) -> v * sigmoid(2.5 * v)"), {{"v", x}}));
  const Problem other = ProblemOf(expr::parse("(a, b) -> silu(a) * b - a"), {{"a", x}, {"b", x}});
  const Pass& pass = other.passes[0];
  EXPECT_EQ(Texts().count(choose(other, pass, make_layout(pass), {90, UseTables::yes, {}}).kernel.text), 0u);
}

// The pack is made in a build: its size and its time are those of so many kernels.
TEST_F(StandardExpressions, AreFew) {
  size_t expressions = 0;
  const auto all = standard_kernels(90, false);
  for (const StandardKernel& k : all) {
    if (k.name == k.spec.compute.name || k.name == "cast") continue;  // of elements that share a byte
    ++expressions;
    EXPECT_NE(expr::find_named(k.name), nullptr) << k.kernel.name;
  }
  EXPECT_GT(expressions, 3 * expr::kNumNamed);
  EXPECT_LT(expressions, 1100u);
}

}  // namespace
}  // namespace tileops::cuda

// What the prebuilt pack holds of expressions: a plan of a named one as its users have it compiles nothing.
#include <map>
#include <memory>
#include <optional>
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

// Operands by name. Results have the shapes that the text gives them, and its dtypes or another one.
Problem ProblemOf(const std::shared_ptr<const expr::Graph>& graph, const std::map<std::string, Operand>& operands,
                  std::optional<Dtype> result = std::nullopt) {
  const auto formula = expr::make_formula(graph);
  std::vector<tileops_tensor_desc> inputs;
  for (const expr::Operand& o : graph->operands) inputs.push_back(operands.at(o.name).desc());
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.device = DLDevice{kDLCUDA, 0};
  desc.num_inputs = static_cast<int32_t>(inputs.size());
  desc.inputs = inputs.data();
  const std::vector<TensorSpec> results = formula->infer(make_request(desc, Outputs::optional, formula));
  std::vector<tileops_tensor_desc> outputs;
  for (const TensorSpec& r : results)
    outputs.push_back({dtype_to_dl(result.value_or(r.dtype)), r.ndim, r.shape, nullptr});
  desc.num_outputs = static_cast<int32_t>(outputs.size());
  desc.outputs = outputs.data();
  return lower(make_request(desc, Outputs::needed, formula));
}

class StandardExpressions : public StandardKernels {
 protected:
  // "*": what operands are that are not named.
  static void ExpectNamedHeld(const std::string& name, std::map<std::string, Operand> operands,
                              std::optional<Dtype> result = std::nullopt) {
    SCOPED_TRACE(name);
    const auto graph = expr::find_named(name);
    ASSERT_NE(graph, nullptr);
    for (const expr::Operand& o : graph->operands)
      if (!operands.count(o.name)) operands[o.name] = operands.at("*");
    ExpectHeld(ProblemOf(graph, operands, result));
  }
};

constexpr Dtype kFloats[] = {Dtype::f32, Dtype::bf16, Dtype::f16};
constexpr int64_t kTokens[] = {1, 32, 1000, 4096};  // of operands below 2 GiB

// Every expression that there is, so that a new one that is left out does not go unnoticed.
TEST_F(StandardExpressions, ContiguousOfAllSizes) {
  for (size_t i = 0; i < expr::kNumNamed; ++i) {
    const std::string name = expr::kNamed[i].name;
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

// Names of operands, scalars and most literals are not the kernel's: texts of the same steps have it.
TEST_F(StandardExpressions, OtherTextsOfTheSameSteps) {
  const Operand x{Dtype::bf16, {64, 4096}};
  ExpectHeld(ProblemOf(expr::parse("(a, b, c) -> { s = silu(a);  s * b + c }"), {{"a", x}, {"b", x}, {"c", x}}));
  ExpectHeld(ProblemOf(expr::parse("(a; k = 50.0) -> k * tanh(a / k)"), {{"a", x}}));
  ExpectHeld(ProblemOf(expr::parse("(v) -> v * sigmoid(2.5 * v)"), {{"v", x}}));
  const Problem other = ProblemOf(expr::parse("(a, b) -> silu(a) * b - a"), {{"a", x}, {"b", x}});
  const Pass& pass = other.passes[0];
  EXPECT_EQ(Texts().count(choose(other, pass, make_layout(pass), {90, UseTables::yes, {}}).spec.text()), 0u);
}

// The pack is made in a build: its size and its time are those of so many kernels.
TEST_F(StandardExpressions, AreFew) {
  size_t expressions = 0;
  const auto all = standard_kernels(90, false);
  for (const KernelSpec& spec : all) {
    if (!spec.is_expression()) continue;
    ++expressions;
    EXPECT_NE(expr::find_named(spec.body), nullptr) << spec.name();
  }
  EXPECT_GT(expressions, 3 * expr::kNumNamed);
  EXPECT_LT(expressions, 300u);
}

}  // namespace
}  // namespace tileops::cuda

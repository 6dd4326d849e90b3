// The named expressions' share of the standard kernels (include/tileops/expressions.def): operands and results of one
// float dtype, but for those that are of another by their nature, and what is usually broadcast.
#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "cuda/standard/collection.h"
#include "expr/lower/formula.h"
#include "expr/parse/named.h"
#include "lower/lower.h"
#include "plan/request.h"

namespace tileops::cuda {
namespace {

// An extent below 0 is as many times the number of rows, which is small or large.
using Shape = std::vector<int64_t>;

// An operand that is not as the others are.
struct Other {
  std::string_view name;
  Shape shape;
  std::optional<Dtype> dtype = std::nullopt;
};

struct Call {
  std::vector<std::string_view> expressions;
  Shape shape;  // of operands
  std::vector<Other> others = {};
};

const Shape kRows{-1, 1024};

std::vector<Call> calls() {
  std::vector<Call> list{
      {{"swiglu_packed", "swiglu_clamped"}, {-1, 2048}},
      {{"bias_gelu", "bias_gelu_tanh", "bias_gelu_dropout_residual", "bias_residual"}, kRows, {{"bias", {1024}}}},
      // Of each image, with tokens between; of one image, or a parameter.
      {{"scale_shift"}, {4, -1, 1024}, {{"scale", {4, 1, 1024}}, {"shift", {4, 1, 1024}}}},
      {{"scale_shift"}, kRows, {{"scale", {1024}}, {"shift", {1024}}}},
      {{"gated_residual"}, {4, -1, 1024}, {{"gate", {4, 1, 1024}}}},
      {{"gated_residual"}, kRows, {{"gate", {1024}}}},
      // For all heads; for those of each sequence.
      {{"scaled_masked"}, {32, -1, 1024}, {{"mask", {-1, 1024}}}},
      {{"scaled_masked"}, {4, 8, -1, 1024}, {{"mask", {4, 1, -1, 1024}}}},
      {{"causal_masked"}, {32, -1, 1024}},
      {{"causal_masked"}, kRows},
      // Channels of several signals, and of one.
      {{"snake"}, {16, 64, -64}, {{"alpha", {64, 1}}}},
      {{"snake"}, {64, -64}, {{"alpha", {64, 1}}}},
      {{"dequantise_int8"}, kRows, {{"x", kRows, Dtype::i8}}},
      // Planes of colours, of one image and of several; colours side by side.
      {{"normalise_u8"},
       {3, -8, 256},
       {{"x", {3, -8, 256}, Dtype::u8}, {"mean", {3, 1, 1}, Dtype::f32}, {"deviation", {3, 1, 1}, Dtype::f32}}},
      {{"normalise_u8"},
       {4, 3, -8, 256},
       {{"x", {4, 3, -8, 256}, Dtype::u8}, {"mean", {3, 1, 1}, Dtype::f32}, {"deviation", {3, 1, 1}, Dtype::f32}}},
      {{"normalise_u8"},
       {-8, 256, 3},
       {{"x", {-8, 256, 3}, Dtype::u8}, {"mean", {3}, Dtype::f32}, {"deviation", {3}, Dtype::f32}}},
      {{"dropout_backward"}, kRows, {{"mask", kRows, Dtype::boolean}}},
      // Also of one shape, as those that are not named here.
      {{"scale_shift", "gated_residual", "scaled_masked", "snake", "bias_gelu_dropout_residual"}, kRows},
  };
  // Tokens of heads; of several sequences, which lie either way, with tables for all or for each.
  for (const std::optional<Dtype> tables : {std::optional<Dtype>{}, std::optional{Dtype::f32}}) {
    const auto add = [&](const Shape& x, const Shape& table) {
      list.push_back({{"rope_halves", "rope_pairs"}, x, {{"cos", table, tables}, {"sin", table, tables}}});
    };
    add({-1, 32, 128}, {-1, 1, 64});
    add({4, -1, 32, 128}, {-1, 1, 64});
    add({4, 32, -1, 128}, {-1, 64});
    add({4, 32, -1, 128}, {4, 1, -1, 64});
  }
  return list;
}

Shape with_rows(Shape shape, int64_t rows) {
  for (int64_t& n : shape)
    if (n < 0) n *= -rows;
  return shape;
}

// Floats of 16 bits or more are all of one dtype; what else the text says stays.
Dtype result_dtype(Dtype label, Dtype dtype) { return is_float(label) && dtype_size(label) > 1 ? dtype : label; }

Problem problem_of(const expr::Graph& graph, const std::shared_ptr<const Formula>& formula, const Call& call,
                   Dtype dtype, int64_t rows) {
  std::vector<Shape> shapes;
  std::vector<tileops_tensor_desc> inputs;
  for (const expr::Operand& operand : graph.operands) {
    const auto other = std::find_if(call.others.begin(), call.others.end(),
                                    [&](const Other& o) { return o.name == operand.name; });
    const bool usual = other == call.others.end();
    shapes.push_back(with_rows(usual ? call.shape : other->shape, rows));
    const Dtype own = usual ? dtype : other->dtype.value_or(dtype);
    inputs.push_back({dtype_to_dl(own), static_cast<int32_t>(shapes.back().size()), nullptr, nullptr});
  }
  for (size_t i = 0; i < inputs.size(); ++i) inputs[i].shape = shapes[i].data();
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.device = DLDevice{kDLCUDA, 0};
  desc.num_inputs = static_cast<int32_t>(inputs.size());
  desc.inputs = inputs.data();
  Request request = make_request(desc, Outputs::optional, formula);
  const std::vector<TensorSpec> results = formula->infer(request);
  request.num_outputs = static_cast<int>(results.size());
  request.outputs.resize(results.size());
  for (size_t i = 0; i < results.size(); ++i) {
    request.outputs[i] = results[i];
    request.outputs[i].dtype = result_dtype(results[i].dtype, dtype);
  }
  return lower(request);
}

// One row, as of a token, which merges dimensions; few; many; so many that a thread takes several vectors.
constexpr int64_t kNumbersOfRows[] = {1, 8, 4096, 32768};
constexpr Dtype kDtypes[] = {Dtype::f32, Dtype::bf16, Dtype::f16};

void add_call(std::string_view name, const Call& call, Dtype dtype, Collection* kernels) {
  const std::shared_ptr<const expr::Graph> graph = expr::find_named(name);
  if (!graph) fail(TILEOPS_STATUS_INTERNAL, "no expression has the name %s", std::string(name).c_str());
  const std::shared_ptr<const Formula> formula = expr::make_formula(graph);
  try {
    for (const int64_t rows : kNumbersOfRows)
      kernels->add(problem_of(*graph, formula, call, dtype, rows), std::string(name));
  } catch (const Error& e) {
    fail(TILEOPS_STATUS_INTERNAL, "no standard kernels of %s: %s", std::string(name).c_str(), e.message.c_str());
  }
}

}  // namespace

void add_expressions(Collection* kernels, bool small) {
  for (const Dtype dtype : kDtypes) {
    if (small && !is_sampled(dtype)) continue;
    std::set<std::string_view> named;
    for (const Call& call : calls()) {
      for (const std::string_view name : call.expressions) {
        add_call(name, call, dtype, kernels);
        named.insert(name);
      }
    }
    for (size_t i = 0; i < expr::kNumNamed; ++i)
      if (!named.count(expr::kNamed[i].name)) add_call(expr::kNamed[i].name, {{}, kRows}, dtype, kernels);
  }
}

// One of operands that lie alike, and one of parts of operands.
void add_strategies_of_expressions(Collection* kernels) {
  for (const Call& call : {Call{{"swiglu_residual"}, kRows}, Call{{"swiglu_packed"}, {-1, 2048}}})
    for (const Dtype dtype : {Dtype::f16, Dtype::f32}) add_call(call.expressions[0], call, dtype, kernels);
}

}  // namespace tileops::cuda

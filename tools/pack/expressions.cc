// The named expressions' share of the standard kernels (include/tileops/expressions.def): operands and results of one
// float dtype, but for those that are of another by their nature.
#include <set>
#include <string_view>

#include "base/error.h"
#include "expr/lower/formula.h"
#include "expr/parse/named.h"
#include "lower/lower.h"
#include "pack/collection.h"
#include "pack/operands.h"
#include "problem/request.h"

namespace tileops::cuda {
namespace {

struct ExpressionRow {
  std::string_view name, operands;
};
constexpr ExpressionRow kExpressions[] = {
#define TILEOPS_STANDARD_EXPRESSION(name, operands) {#name, operands},
#include "pack/standard.def"
};
constexpr std::string_view kUsual = "[N,1024]";
constexpr std::string_view kSampledExpressions[] = {
#define TILEOPS_STANDARD_SAMPLED_EXPRESSION(name) #name,
#include "pack/standard.def"
};

// Operands of an expression, a text for each way to call it.
std::vector<std::string_view> operands_of(std::string_view name) {
  std::vector<std::string_view> all;
  for (const ExpressionRow& row : kExpressions)
    if (row.name == name) all.push_back(row.operands);
  if (all.empty()) all.push_back(kUsual);
  return all;
}

// Floats of 16 bits or more are all of one dtype; what else the text says stays.
Dtype result_dtype(Dtype label, Dtype dtype) { return is_float(label) && dtype_size(label) > 1 ? dtype : label; }

Problem problem_of(const expr::Graph& graph, const std::shared_ptr<const Formula>& formula, const Operands& operands,
                   Dtype dtype) {
  std::vector<tileops_tensor_desc> inputs;
  for (const expr::Operand& o : graph.operands) {
    const OperandWord& word = *operands.find(inputs.size(), o.name);
    inputs.push_back(
        {dtype_to_dl(word.dtype.value_or(dtype)), static_cast<int32_t>(word.shape.size()), word.shape.data(), nullptr});
  }
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

void add_expression(const std::string& name, Dtype dtype, Collection* kernels) {
  const std::shared_ptr<const expr::Graph> graph = expr::find_named(name);
  const std::shared_ptr<const Formula> formula = expr::make_formula(graph);
  for (const std::string_view text : operands_of(name)) {
    try {
      for (const Operands& operands : read_operands(text))
        kernels->add(problem_of(*graph, formula, operands, dtype), name);
    } catch (const Error& e) {
      fail(TILEOPS_STATUS_INTERNAL, "no standard kernels of %s: %s", name.c_str(), e.message.c_str());
    }
  }
}

}  // namespace

void add_expressions(Collection* kernels, Share share) {
  for (const auto& [name, operands] : kExpressions)
    if (!expr::find_named(name))
      fail(TILEOPS_STATUS_INTERNAL, "standard.def: no expression has the name %s", std::string(name).c_str());
  if (share == Share::strategies) {
    for (const std::string_view name : kSampledExpressions)
      for (const Dtype dtype : {Dtype::f16, Dtype::f32}) add_expression(std::string(name), dtype, kernels);
    return;
  }
  for (const Dtype dtype : {Dtype::f32, Dtype::bf16, Dtype::f16})
    for (size_t i = 0; i < expr::kNumNamed; ++i)
      if (share == Share::all || is_sampled(dtype)) add_expression(expr::kNamed[i].name, dtype, kernels);
}

}  // namespace tileops::cuda

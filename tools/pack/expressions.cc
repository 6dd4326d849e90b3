// The named expressions' share of the standard kernels (include/tileops/expressions.def): operands and results of one
// float dtype, but for those that are of another by their nature. Optional operands are there where a word names them.
#include <set>
#include <string_view>

#include "base/error.h"
#include "base/split.h"
#include "expr/lower/formula.h"
#include "expr/parse/named.h"
#include "lower/lower.h"
#include "pack/collection.h"
#include "pack/operands.h"
#include "problem/request.h"

namespace tileops::cuda {
namespace {

struct ExpressionRow {
  std::string_view name, dtypes, operands;
};
constexpr std::string_view kAllDtypes = "float32 bfloat16 float16";
constexpr ExpressionRow kExpressions[] = {
#define TILEOPS_STANDARD_EXPRESSION(name, operands) {#name, kAllDtypes, operands},
#define TILEOPS_STANDARD_ROWS(name, dtypes, operands) {#name, dtypes, operands},
#include "pack/standard.def"
};
constexpr std::string_view kSampledExpressions[] = {
#define TILEOPS_STANDARD_SAMPLED_EXPRESSION(name) #name,
#include "pack/standard.def"
};

// Is it of that dtype?
bool is_of(const ExpressionRow& row, Dtype dtype) {
  for (const std::string_view name : split(row.dtypes, ' '))
    if (name == dtype_name(dtype)) return true;
  return false;
}

// Floats of 16 bits or more are all of one dtype, but those that the text casts to another, such as scales.
Dtype result_dtype(const expr::Graph& graph, size_t result, Dtype label, Dtype dtype) {
  const expr::Node* node = &graph.nodes[static_cast<size_t>(graph.results[result].node)];
  if (node->is(expr::Kind::scatter)) node = &graph.nodes[static_cast<size_t>(node->arguments[0].node)];
  return is_float(label) && dtype_size(label) > 1 && !node->is(expr::Kind::cast) ? dtype : label;
}

Problem problem_of(const expr::Graph& graph, const std::shared_ptr<const Formula>& formula, const Operands& operands,
                   Dtype dtype) {
  std::vector<tileops_tensor_desc> inputs;
  for (const expr::Operand& o : graph.operands) {
    const OperandWord* word = operands.find(inputs.size(), o.name);
    if (o.optional && (!word || word->name.empty())) break;
    if (!word) fail(TILEOPS_STATUS_INTERNAL, "standard.def: nothing is said of '%s'", o.name.c_str());
    inputs.push_back({dtype_to_dl(word->dtype.value_or(dtype)), static_cast<int32_t>(word->shape.size()),
                      word->shape.data(), nullptr});
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
    request.outputs[i].present = true;  // a scattered one is as large as what is scattered
    request.outputs[i].dtype = result_dtype(graph, i, results[i].dtype, dtype);
  }
  return lower(request);
}

void add_expression(const std::string& name, Dtype dtype, Collection* kernels) {
  const std::shared_ptr<const expr::Graph> graph = expr::find_named(name);
  const std::shared_ptr<const Formula> formula = expr::make_formula(graph);
  for (const ExpressionRow& row : kExpressions) {
    if (row.name != name || !is_of(row, dtype)) continue;
    try {
      for (const Operands& operands : read_operands(row.operands))
        kernels->add(problem_of(*graph, formula, operands, dtype), name);
    } catch (const Error& e) {
      fail(TILEOPS_STATUS_INTERNAL, "no standard kernels of %s: %s", name.c_str(), e.message.c_str());
    }
  }
}

}  // namespace

void add_expressions(Collection* kernels, Share share) {
  for (const ExpressionRow& row : kExpressions)
    if (!expr::find_named(row.name))
      fail(TILEOPS_STATUS_INTERNAL, "standard.def: no expression has the name %s", std::string(row.name).c_str());
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

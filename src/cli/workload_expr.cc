// What `bench` and `tune` run an expression on: operands of the shapes and dtypes that are asked for.
#include <algorithm>

#include "cli/dtype.h"
#include "cli/workload.h"

namespace tileops::cli {
namespace {

// A scattered result has the shape that it is given.
std::vector<std::string> operands_and_results(const Expression& expr) {
  std::vector<std::string> names = expr.operands();
  const std::vector<std::string> operands = names;
  for (const std::string& result : expr.results())
    if (std::find(operands.begin(), operands.end(), result) == operands.end()) names.push_back(result);
  return names;
}

// What is said of operands and results by name.
struct ExpressionWorkload {
  std::shared_ptr<const Expression> expr;
  NamedValues shapes, dtypes, out_dtypes;

  ExpressionWorkload(const WorkloadOptions& options, Expression&& parsed)
      : expr(std::make_shared<const Expression>(std::move(parsed))),
        shapes("--shape", operands_and_results(*expr), "operand or result", options.shapes),
        dtypes("--dtype", expr->operands(), "operand", options.dtypes),
        out_dtypes("--out-dtype", expr->results(), "result", options.out_dtypes) {}

  // Optional operands are absent unless they are named.
  bool is_present(const tileops_expr_operand_info& operand) const {
    return operand.optional == 0 || shapes.by_name.count(operand.name) != 0 || dtypes.by_name.count(operand.name) != 0;
  }

  bool is_operand(const std::string& name) const {
    const std::vector<std::string> names = expr->operands();
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  // An operand that is there and has no shape; NULL if there is none.
  const char* without_shape() const {
    const tileops_expr_info info = expr->info();
    for (int i = 0; i < info.num_operands; ++i) {
      if (is_present(info.operands[i]) && shapes.find(info.operands[i].name) == nullptr) return info.operands[i].name;
    }
    return nullptr;
  }
  bool needs_size() const { return without_shape() != nullptr; }

  Case make(DLDataType dtype, int64_t n) const {
    const tileops_expr_info info = expr->info();
    Case c;
    c.expr = expr;
    c.name = "expr";
    c.dtype = dtype;
    std::vector<tileops_tensor_desc> descs(static_cast<size_t>(info.num_operands));
    c.inputs.resize(descs.size());
    for (size_t i = 0; i < descs.size(); ++i) {
      const tileops_expr_operand_info& operand = info.operands[i];
      if (!is_present(operand)) continue;
      const std::string* shape = shapes.find(operand.name);
      const auto own = dtypes.by_name.find(operand.name);
      c.inputs[i] = OperandType{own != dtypes.by_name.end() ? parse_dtype(own->second, "--dtype") : dtype,
                                shape != nullptr ? parse_shape(*shape) : Shape{n}};
      descs[i] = {c.inputs[i]->dtype, static_cast<int32_t>(c.inputs[i]->shape.size()), c.inputs[i]->shape.data(),
                  nullptr};
    }
    const std::vector<std::string> names = expr->results();
    OperandTypes known;
    for (const std::string& name : names) {
      const auto shape = shapes.by_name.find(name);
      const bool of_result = shape != shapes.by_name.end() && !is_operand(name);
      known.push_back(of_result ? std::optional<OperandType>({dtype, parse_shape(shape->second)}) : std::nullopt);
    }
    for (const auto& type : expr->infer({kDLCPU, 0}, descs, known)) c.results.push_back(*type);
    for (size_t k = 0; k < names.size(); ++k) {
      const std::string* out = out_dtypes.find(names[k]);
      if (out != nullptr) c.results[k].dtype = parse_dtype(*out, "--out-dtype");
    }
    c.n = needs_size() ? n : num_elements(c.results[0].shape);
    return c;
  }
};

}  // namespace

Case expression_case(Expression expr, const std::vector<std::string>& shapes, const std::vector<std::string>& dtypes) {
  WorkloadOptions options;
  options.shapes = shapes;
  options.dtypes = dtypes;
  const ExpressionWorkload workload(options, std::move(expr));
  if (const char* name = workload.without_shape()) {
    throw UsageError(std::string("--shape: operand '") + name + "' has none");
  }
  return workload.make(parse_dtype(workload.dtypes.others.value_or("f32"), "--dtype"), 0);
}

std::vector<Case> make_expression_cases(const WorkloadOptions& options) {
  if (!options.attrs.empty()) throw UsageError("--attr: an expression has its attributes in the text");
  const ExpressionWorkload workload(options, Expression::parse(options.expr));
  const bool sized = workload.needs_size();
  if (!sized && !options.sizes.empty()) throw UsageError("--sizes: every operand has a --shape");
  const std::vector<int64_t> sizes = sized ? options.parsed_sizes() : std::vector<int64_t>{0};
  std::vector<Case> cases;
  for (const std::string& name : split(workload.dtypes.others.value_or("f32"), ',')) {
    for (const int64_t n : sizes) cases.push_back(workload.make(parse_dtype(name, "--dtype"), n));
  }
  return cases;
}

}  // namespace tileops::cli

// tileops expr: what an expression is, what its results are for given operands, and its gradient; and a list of those
// that the library knows by name.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/commands/commands.h"
#include "cli/common.h"
#include "cli/dtype.h"
#include "cli/expression.h"
#include "cli/options.h"
#include "cli/workload.h"

namespace tileops::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ExprOptions {
  std::optional<std::string> text, gradient, device_function;  // the text may be a file or a name
  std::vector<std::string> shapes, dtypes;
  std::string device = "cpu";
  bool json = false, text_alone = false, source = false, reproducible = false;
};

// A number as JSON has it; what it does not have, as text.
Json number_json(const tileops_number& number) {
  if (number.kind == TILEOPS_NUMBER_BOOL) return number.value.i64 != 0;
  if (number.kind == TILEOPS_NUMBER_I64) return number.value.i64;
  return std::isfinite(number.value.f64) ? Json(number.value.f64) : Json(number_text(number));
}

Json named(const char* name, const std::optional<OperandType>& type) {
  Json json = {{"name", name}};
  if (type) json.update({{"dtype", dtype_name(type->dtype)}, {"shape", type->shape}});
  return json;
}

// Types are those of a case, or none.
Json expr_json(const Expression& expr, const OperandTypes& inputs, const OperandTypes& results) {
  const tileops_expr_info info = expr.info();
  Json operands = Json::array(), scalars = Json::array(), outputs = Json::array();
  for (int i = 0; i < info.num_operands; ++i) {
    const tileops_expr_operand_info& operand = info.operands[i];
    operands.push_back(named(operand.name, inputs[static_cast<size_t>(i)]));
    if (operand.optional != 0) operands.back()["default"] = number_json(operand.default_value);
  }
  for (int i = 0; i < info.num_scalars; ++i) {
    const bool integer = info.scalars[i].default_value.kind == TILEOPS_NUMBER_I64;
    scalars.push_back({{"name", info.scalars[i].name},
                       {"kind", integer ? "int" : "float"},
                       {"default", number_json(info.scalars[i].default_value)}});
  }
  for (int k = 0; k < info.num_results; ++k) {
    outputs.push_back(named(info.results[k], results[static_cast<size_t>(k)]));
  }
  return {{"text", expr.text()}, {"operands", operands},    {"scalars", scalars},
          {"results", outputs},  {"nodes", info.num_nodes}, {"host_nodes", info.num_host_nodes}};
}

void print_row(const char* what, const std::string& name, const std::string& text) {
  if (text.empty()) std::printf("%-9s %s\n", what, name.c_str());
  else std::printf("%-9s %-12s %s\n", what, name.c_str(), text.c_str());
}

std::string type_text(const std::optional<OperandType>& type) {
  return type ? dtype_name(type->dtype) + " " + shape_text(type->shape) : "";
}

void print_expr(const Expression& expr, const OperandTypes& inputs, const OperandTypes& results) {
  const tileops_expr_info info = expr.info();
  std::printf("%s\n\n", expr.text().c_str());
  for (int i = 0; i < info.num_operands; ++i) {
    const auto& type = inputs[static_cast<size_t>(i)];
    std::string text = type_text(type);
    if (!type && info.operands[i].optional != 0) {
      text = "optional, else " + number_text(info.operands[i].default_value);
    }
    print_row(i == 0 ? "operands" : "", info.operands[i].name, text);
  }
  for (int i = 0; i < info.num_scalars; ++i) {
    const bool integer = info.scalars[i].default_value.kind == TILEOPS_NUMBER_I64;
    print_row(i == 0 ? "scalars" : "", info.scalars[i].name,
              (integer ? "integer, " : "float, ") + number_text(info.scalars[i].default_value));
  }
  for (int k = 0; k < info.num_results; ++k) {
    print_row(k == 0 ? "results" : "", info.results[k], type_text(results[static_cast<size_t>(k)]));
  }
  std::printf("%-9s %d for each element, %d on the host\n", "functions", info.num_nodes, info.num_host_nodes);
}

// How it is computed on the device: a plan's program on the CPU, or the text that the run-time compiler is given.
void print_source(const ExprOptions& options, const Expression& expr) {
  if (options.shapes.empty()) throw UsageError("--source: needs --shape");
  const Case c = expression_case(Expression::parse(expr.text()), options.shapes, options.dtypes);
  const Context context;
  const Plan plan(context, PlanDesc(c, parse_device(options.device), {}).get());
  std::fputs(plan.text(TILEOPS_PLAN_SOURCE).c_str(), stdout);
}

// The header of a function for CUDA code. Operands without a shape have one element for each of an array.
void print_device_function(const ExprOptions& options, const Expression& expr) {
  const std::vector<std::string> shapes = options.shapes.empty() ? std::vector<std::string>{"1024"} : options.shapes;
  const Case c = expression_case(Expression::parse(expr.text()), shapes, options.dtypes);
  const PlanDesc described(c, parse_device("cuda:0"), {});
  tileops_plan_desc desc = described.get();
  if (options.reproducible) desc.flags |= TILEOPS_PLAN_REPRODUCIBLE;
  size_t size = 0;
  check(tileops_plan_device_function(&desc, options.device_function->c_str(), nullptr, &size));
  std::string text(size, '\0');
  check(tileops_plan_device_function(&desc, options.device_function->c_str(), text.data(), &size));
  std::fputs(text.c_str(), stdout);
}

// Every expression that has a name: text and documentation.
void list_named(const ExprOptions& options) {
  if (options.gradient || options.text_alone || options.source || options.device_function || !options.shapes.empty() ||
      !options.dtypes.empty()) {
    throw UsageError("expr: give an expression, its text or its name");
  }
  Json list = Json::array();
  for (const tileops_named_expr_info& named : named_expressions()) {
    if (options.json) list.push_back({{"name", named.name}, {"doc", named.doc}, {"text", named.text}});
    else std::printf("%-27s %s\n    %s\n", named.name, named.doc, named.text);
  }
  if (options.json) std::cout << list.dump(2) << "\n";
}

// Its name and documentation if it was given by name.
std::optional<tileops_named_expr_info> row_of(const std::string& name) {
  for (const tileops_named_expr_info& named : named_expressions()) {
    if (name == named.name) return named;
  }
  return std::nullopt;
}

void describe_expr(const ExprOptions& options) {
  Expression expr = Expression::parse(*options.text);
  if (options.gradient) expr = expr.gradient(split(*options.gradient, ','));
  if (options.text_alone) {
    std::printf("%s\n", expr.text().c_str());
    return;
  }
  if (options.source) return print_source(options, expr);
  if (options.device_function) return print_device_function(options, expr);
  OperandTypes inputs(static_cast<size_t>(expr.info().num_operands));
  OperandTypes results(static_cast<size_t>(expr.info().num_results));
  if (!options.shapes.empty() || !options.dtypes.empty()) {
    Case c = expression_case(Expression::parse(expr.text()), options.shapes, options.dtypes);
    inputs = c.inputs;
    std::copy(c.results.begin(), c.results.end(), results.begin());
  }
  // The documentation of the name describes the expression, not its gradient.
  const std::optional<tileops_named_expr_info> named = options.gradient ? std::nullopt : row_of(*options.text);
  if (options.json) {
    Json json = Json::object();
    if (named) json = {{"name", named->name}, {"doc", named->doc}};
    json.update(expr_json(expr, inputs, results));
    std::cout << json.dump(2) << "\n";
    return;
  }
  if (named) std::printf("%s: %s\n", named->name, named->doc);
  print_expr(expr, inputs, results);
}

}  // namespace

void add_expr(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "expr", "What an expression is: operands, scalars, results, gradient; without one: those that have a name");
  auto o = std::make_shared<ExprOptions>();
  command
      ->add_option("TEXT", o->text,
                   "The expression, such as '(g, u) -> silu(g) * u'; @FILE: from a file; or its name, such as adamw")
      ->type_name("");
  add_list(
      command, "--shape", o->shapes,
      "Shape of the operands, such as 4096x4096, or of one, or of a scattered result, by name; results are then given "
      "with dtype and shape",
      "[NAME=]SHAPE");
  add_list(command, "-d,--dtype", o->dtypes, "Dtype of the operands (default: f32), or of one by name", "[NAME=]DTYPE");
  command
      ->add_option("--gradient", o->gradient,
                   "The gradient with respect to these operands, instead; its operands are those of the expression "
                   "and grad_NAME of each result")
      ->type_name("NAMES");
  CLI::Option* json = command->add_flag("--json", o->json, "Print JSON");
  CLI::Option* text = command->add_flag("--text", o->text_alone, "Print the canonical text alone")->excludes(json);
  CLI::Option* source = command->add_flag("--source", o->source,
                                          "Print how operands of --shape are computed: on the CPU the program, an "
                                          "instruction a line, on a GPU the kernel's "
                                          "source");
  source->excludes(json)->excludes(text);
  CLI::Option* function =
      command
          ->add_option(
              "--device-function", o->device_function,
              "Print a header with a function of this name for CUDA code, over values in registers; --shape says "
              "how long rows are, and which operands are one element")
          ->type_name("NAME");
  function->excludes(json)->excludes(text)->excludes(source);
  command->add_flag("--reproducible", o->reproducible, "Of --device-function: with the bits of the CPU")
      ->needs(function);
  command->add_option("--device", o->device, "Of --source: cpu or cuda:N (default: cpu)")
      ->type_name("DEVICE")
      ->needs(source);
  command->footer("Examples:\n  tileops expr '(g, u) -> silu(g) * u' --shape 4096x4096 -d bf16 --gradient g,u\n"
                  "  tileops expr '(g, u) -> silu(g) * u' --shape 4096x4096 -d bf16 --source\n"
                  "  tileops expr '(acc, bias) -> cast(gelu(acc + bias), e4m3fn)' --device-function epilogue\n"
                  "  tileops expr adamw");
  command->callback([o] { o->text ? describe_expr(*o) : list_named(*o); });
}

}  // namespace tileops::cli

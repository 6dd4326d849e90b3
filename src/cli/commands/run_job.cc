#include "cli/commands/run_job.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <new>

#include "cli/dtype.h"
#include "cli/io/output.h"

namespace tileops::cli {
namespace {

// "a.npy", "a.npy:bf16" or "-". A colon only counts if a dtype name follows the last one.
std::optional<NpyArray> read_input(std::string text, std::optional<DLDataType> dtype) {
  if (text == "-") return std::nullopt;
  if (const size_t colon = text.rfind(':'); colon != std::string::npos) {
    const std::string suffix = text.substr(colon + 1);
    for (const DtypeRow& row : all_dtypes()) {
      if (suffix == row.name || suffix == row.long_name) {
        dtype = row.dtype;
        text.resize(colon);
        break;
      }
    }
  }
  return read_npy(text, dtype);
}

std::vector<std::optional<NpyArray>> read_inputs(const tileops_op_info& op, const RunOptions& options) {
  if (options.inputs.size() > static_cast<size_t>(op.max_inputs)) {
    throw UsageError(options.op + " takes at most " + std::to_string(op.max_inputs) + " inputs, got " +
                     std::to_string(options.inputs.size()));
  }
  if (options.input_dtypes.size() > 1 && options.input_dtypes.size() != options.inputs.size()) {
    throw UsageError("--input-dtype: give one for all inputs, or one for each --input");
  }
  std::vector<std::optional<NpyArray>> arrays;
  for (size_t i = 0; i < options.inputs.size(); ++i) {
    std::optional<DLDataType> dtype;
    if (!options.input_dtypes.empty()) {
      const auto& list = options.input_dtypes;
      const std::string& text = list.size() == 1 ? list[0] : list[i];
      if (text != "-") dtype = parse_dtype(text, "--input-dtype");
    }
    arrays.push_back(read_input(options.inputs[i], dtype));
  }
  for (int i = 0; i < op.max_inputs; ++i) {
    const bool present = static_cast<size_t>(i) < arrays.size() && arrays[i];
    if (!present && !op.inputs[i].optional) {
      throw UsageError(options.op + " needs --input for '" + op.inputs[i].name + "' (input " + std::to_string(i) + ")");
    }
  }
  return arrays;
}

void check_output_count(const tileops_op_info& op, size_t count) {
  if (count < static_cast<size_t>(op.min_outputs) || count > static_cast<size_t>(op.max_outputs)) {
    std::string names;
    for (int i = 0; i < op.max_outputs; ++i) {
      names += std::string(i > 0 ? ", " : "") + op.outputs[i].name + (op.outputs[i].optional ? " (optional)" : "");
    }
    throw UsageError(std::string(op.name) + " writes " + names + ": got " + std::to_string(count) +
                     " --output options");
  }
}

void refuse_given(bool given, const char* option, const char* reason) {
  if (given) throw UsageError(std::string(option) + ": " + reason);
}

// The place of each of `texts`, "NAME=FILE" or "FILE": a name's own, or the one after that of the last without a name.
std::vector<std::pair<size_t, std::string>> places(const char* option, const std::vector<std::string>& texts,
                                                   const std::vector<std::string>& names, const char* kind) {
  std::vector<std::pair<size_t, std::string>> placed;
  std::vector<bool> taken(names.size());
  size_t next = 0;
  for (const std::string& text : texts) {
    const auto [name, value] = split_name(option, text, names, kind);
    const size_t at = name.empty() ? next++
                                   : static_cast<size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    if (at >= names.size()) {
      throw UsageError(std::string(option) + ": the expression has " + std::to_string(names.size()) + " " + kind +
                       (names.size() == 1 ? "" : "s") + ", got one more: " + text);
    }
    if (taken[at]) throw UsageError(std::string(option) + ": '" + names[at] + "' is given twice: " + text);
    taken[at] = true;
    placed.emplace_back(at, value);
  }
  return placed;
}

// A result that is scattered holds something before, which an input of its name says. Returns the inputs of operands.
std::vector<std::string> read_before(const RunOptions& options, RunJob* job) {
  const std::vector<std::string> operands = job->expr->operands();
  std::vector<std::string> rest;
  job->before.resize(job->result_names.size());
  for (const std::string& text : options.inputs) {
    const std::string name = text.substr(0, text.find('='));
    const auto at = std::find(job->result_names.begin(), job->result_names.end(), name);
    if (name == text || at == job->result_names.end() ||
        std::find(operands.begin(), operands.end(), name) != operands.end()) {
      rest.push_back(text);
      continue;
    }
    auto& array = job->before[static_cast<size_t>(at - job->result_names.begin())];
    if (array) throw UsageError("--input: '" + name + "' is given twice: " + text);
    array = read_input(text.substr(name.size() + 1), std::nullopt);
  }
  return rest;
}

NpyArray zeros(DLDataType dtype, Shape shape) {
  NpyArray array;
  array.dtype = dtype;
  array.shape = std::move(shape);
  array.strides.resize(array.shape.size());
  int64_t stride = 1;
  for (size_t d = array.shape.size(); d-- > 0; stride *= array.shape[d]) array.strides[d] = stride;
  const size_t bytes = static_cast<size_t>(num_elements(array.shape)) * item_size(dtype);
  array.data = {static_cast<unsigned char*>(std::calloc(bytes + 1, 1)), std::free};
  if (!array.data) throw std::bad_alloc();
  return array;
}

// Or it holds zeros, of a shape and dtype that are said.
void zeros_before(const std::vector<std::string>& texts, const NamedValues& dtypes, RunJob* job) {
  const NamedValues shapes("--shape", job->result_names, "result", texts);
  refuse_given(shapes.others.has_value(), "--shape",
               "an expression's results have the shapes that follow, but for scattered ones, by name");
  for (const auto& [name, shape] : shapes.by_name) {
    const auto at = std::find(job->result_names.begin(), job->result_names.end(), name) - job->result_names.begin();
    auto& array = job->before[static_cast<size_t>(at)];
    if (array) throw UsageError("--shape: '" + name + "' has the shape of its --input");
    const std::string* dtype = dtypes.find(name);
    if (dtype == nullptr)
      throw UsageError("--shape: the dtype of '" + name + "' does not follow: give --dtype " + name + "=DTYPE");
    array = zeros(parse_dtype(*dtype, "--dtype"), parse_shape(shape));
  }
}

void read_operands(const std::vector<std::string>& inputs, const RunOptions& options, RunJob* job) {
  const tileops_expr_info info = job->expr->info();
  const std::vector<std::string> names = job->expr->operands();
  const NamedValues dtypes("--input-dtype", names, "operand", options.input_dtypes);
  job->arrays.resize(names.size());
  for (const auto& [at, file] : places("--input", inputs, names, "operand")) {
    std::optional<DLDataType> dtype;
    const std::string* text = dtypes.find(names[at]);
    if (text != nullptr && *text != "-") dtype = parse_dtype(*text, "--input-dtype");
    job->arrays[at] = read_input(file, dtype);
  }
  for (size_t i = 0; i < names.size(); ++i) {
    if (!job->arrays[i] && info.operands[i].optional == 0) {
      throw UsageError("the expression needs --input for '" + names[i] + "' (operand " + std::to_string(i) + ")");
    }
  }
}

}  // namespace

RunJob operator_job(const RunOptions& options) {
  refuse_given(!options.scalars.empty(), "--scalar", "only expressions have scalars; attributes take --attr");
  refuse_given(options.dtypes.size() > 1, "--dtype", "an operator takes one");
  const tileops_op_info op = find_op(options.op);
  RunJob job;
  job.op = op.op;
  job.device = parse_device(options.device);
  job.attrs = parse_attrs(op, options.attrs);
  check_output_count(op, options.outputs.size());
  check_distinct(options.outputs);
  job.files = options.outputs;
  std::optional<DLDataType> dtype;
  if (!options.dtypes.empty()) dtype = parse_dtype(options.dtypes[0], "--dtype");
  std::optional<Shape> shape;
  refuse_given(options.shapes.size() > 1, "--shape", "an operator takes one");
  if (!options.shapes.empty()) shape = parse_shape(options.shapes[0]);
  if (!shape && std::string(op.category) == "position") {
    throw UsageError(options.op + ": its shape does not follow from inputs; give --shape");
  }

  job.arrays = read_inputs(op, options);
  OperandTypes types;
  for (const auto& array : job.arrays) {
    types.push_back(array ? std::optional<OperandType>({array->dtype, array->shape}) : std::nullopt);
  }
  if (!shape) shape = result_shape(op, types);
  if (!shape) throw UsageError(options.op + ": give --shape");
  if (!dtype) dtype = result_dtype(op, types, job.attrs);
  for (size_t i = 0; i < job.files.size(); ++i) {
    const char* fixed = op.outputs[i].dtype;
    job.results.push_back({fixed != nullptr ? parse_dtype(fixed, "output") : *dtype, *shape});
  }
  return job;
}

RunJob expression_job(const RunOptions& options) {
  refuse_given(!options.attrs.empty(), "--attr", "an expression has its attributes in the text; scalars take --scalar");
  RunJob job;
  job.expr = Expression::parse(options.expr);
  job.device = parse_device(options.device);
  job.scalars = job.expr->scalars(options.scalars);
  job.result_names = job.expr->results();
  const NamedValues dtypes("--dtype", job.result_names, "result", options.dtypes);
  job.files.resize(job.result_names.size());
  for (const auto& [at, file] : places("--output", options.outputs, job.result_names, "result")) job.files[at] = file;
  std::vector<std::string> kept;
  std::copy_if(job.files.begin(), job.files.end(), std::back_inserter(kept), [](const auto& f) { return !f.empty(); });
  check_distinct(kept);

  read_operands(read_before(options, &job), options, &job);
  zeros_before(options.shapes, dtypes, &job);
  OperandTypes known;
  for (const auto& array : job.before)
    known.push_back(array ? std::optional<OperandType>({array->dtype, array->shape}) : std::nullopt);
  std::vector<tileops_tensor_desc> operands;
  for (const auto& array : job.arrays) {
    operands.emplace_back();
    if (!array) continue;
    operands.back() = {array->dtype, static_cast<int32_t>(array->shape.size()), array->shape.data(), nullptr};
  }
  const OperandTypes types = job.expr->infer(job.device, operands, known);
  for (size_t k = 0; k < types.size(); ++k) {
    job.results.push_back(*types[k]);
    const std::string* dtype = dtypes.find(job.result_names[k]);
    if (dtype == nullptr) continue;
    const DLDataType said = parse_dtype(*dtype, "--dtype");
    refuse_given(known[k] && said != known[k]->dtype, "--dtype",
                 "a scattered result has the dtype of what it holds before");
    job.results.back().dtype = said;
  }
  return job;
}

}  // namespace tileops::cli

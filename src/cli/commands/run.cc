// tileops run: one operator on .npy files.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <deque>
#include <memory>

#include "cli/commands/commands.h"
#include "cli/common.h"
#include "cli/dtype.h"
#include "cli/io/npy.h"
#include "cli/io/output.h"
#include "cli/operation.h"
#include "cli/workload.h"

namespace tileops::cli {
namespace {

struct RunOptions {
  std::string op, dtype, device = "cpu", shape;
  std::vector<std::string> inputs, outputs, attrs, input_dtypes;
  bool has_shape = false, reproducible = false, verbose = false;
  int threads = 0;
  CutOptions cut;
};

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

tileops_tensor_desc describe(const DLTensor& tensor) {
  return {tensor.dtype, tensor.ndim, tensor.shape, tensor.strides};
}

void print_report(FILE* to, const Plan& plan, const std::string& shape, double seconds) {
  const auto bytes = static_cast<double>(plan.number(TILEOPS_PLAN_BYTES_MOVED));
  std::fprintf(to, "shape     %s\nkernel    %s\nlayout    %s\nstrategy  %s\n", shape.c_str(),
               plan.text(TILEOPS_PLAN_KERNEL_NAME).c_str(), plan.text(TILEOPS_PLAN_LAYOUT).c_str(),
               plan.text(TILEOPS_PLAN_STRATEGY).c_str());
  std::fprintf(to, "bytes     %.0f\ntime      %.3f us\n", bytes, seconds * 1e6);
}

void run(const RunOptions& options) {
  const tileops_op_info op = find_op(options.op);
  const DLDevice device = parse_device(options.device);
  const std::vector<tileops_attr> attrs = parse_attrs(op, options.attrs);
  check_output_count(op, options.outputs.size());
  check_distinct(options.outputs);
  std::optional<DLDataType> dtype;
  if (!options.dtype.empty()) dtype = parse_dtype(options.dtype, "--dtype");
  std::optional<Shape> shape;
  if (options.has_shape) shape = parse_shape(options.shape);
  if (!shape && std::string(op.category) == "position") {
    throw UsageError(options.op + ": its shape does not follow from inputs; give --shape");
  }

  const auto arrays = read_inputs(op, options);
  OperandTypes types;
  for (const auto& array : arrays) {
    types.push_back(array ? std::optional<OperandType>({array->dtype, array->shape}) : std::nullopt);
  }
  if (!shape) shape = result_shape(op, types);
  if (!shape) throw UsageError(options.op + ": give --shape");
  if (!dtype) dtype = result_dtype(op, types, attrs);

  const Context context(options.threads);
  const Stream stream(context, device);
  // On the CPU the file's own memory and strides are the operand; elsewhere a row-major copy is.
  std::vector<DLTensor> inputs;
  std::vector<Buffer> buffers;
  inputs.reserve(arrays.size());
  for (const auto& array : arrays) {
    inputs.emplace_back();
    if (!array) continue;
    inputs.back() = array->view();
    if (device.device_type == kDLCPU) continue;
    buffers.emplace_back(context, device, array->dtype, array->shape);
    check(tileops_tensor_copy(context.get(), &inputs.back(), buffers.back().tensor(), stream.get()));
    inputs.back() = *buffers.back().tensor();
  }
  std::vector<Buffer> outputs;
  for (size_t i = 0; i < options.outputs.size(); ++i) {
    const char* fixed = op.outputs[i].dtype;
    outputs.emplace_back(context, device, fixed != nullptr ? parse_dtype(fixed, "output") : *dtype, *shape);
  }

  std::vector<const DLTensor*> in;
  std::vector<DLTensor*> out;
  std::vector<tileops_tensor_desc> in_desc, out_desc;
  for (size_t i = 0; i < arrays.size(); ++i) {
    in.push_back(arrays[i] ? &inputs[i] : nullptr);
    in_desc.push_back(arrays[i] ? describe(inputs[i]) : tileops_tensor_desc{});
  }
  for (const Buffer& buffer : outputs) {
    out.push_back(buffer.tensor());
    out_desc.push_back(describe(*buffer.tensor()));
  }
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.op = op.op;
  desc.device = device;
  desc.num_inputs = static_cast<int32_t>(in.size());
  desc.num_outputs = static_cast<int32_t>(out.size());
  desc.num_attrs = static_cast<int32_t>(attrs.size());
  desc.flags = options.reproducible ? TILEOPS_PLAN_REPRODUCIBLE : 0;
  desc.inputs = in_desc.data();
  desc.outputs = out_desc.data();
  desc.attrs = attrs.data();
  options.cut.apply(&desc);
  const Plan plan(context, desc);
  const auto begin = std::chrono::steady_clock::now();
  check(tileops_execute(plan.get(), in.data(), in.size(), out.data(), out.size(), stream.get()));
  stream.synchronize();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;

  // No file is replaced before all are written.
  std::deque<OutputFile> files;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const DLDataType type = outputs[i].tensor()->dtype;
    std::vector<unsigned char> bytes(static_cast<size_t>(num_elements(*shape)) * item_size(type) + 1);
    download(context, stream, outputs[i], bytes.data());
    write_npy(files.emplace_back(options.outputs[i]), type, *shape, bytes.data());
    files.back().finish();
  }
  for (OutputFile& file : files) file.replace();
  if (options.verbose) {
    const auto& paths = options.outputs;
    const bool taken = std::find(paths.begin(), paths.end(), "-") != paths.end();
    print_report(taken ? stderr : stdout, plan, shape_text(*shape) + " " + dtype_name(*dtype), elapsed.count());
  }
}

}  // namespace

void add_run(CLI::App& app) {
  CLI::App* command = app.add_subcommand("run", "Run an operator on NumPy .npy files");
  auto o = std::make_shared<RunOptions>();
  command->add_option("OP", o->op, "Operator, see `tileops ops`")->required()->type_name("");
  // One value an option: a file name that follows is never swallowed as another input.
  command
      ->add_option("-i,--input", o->inputs,
                   "Input file, in operand order; - for an absent optional operand, never stdin (a file "
                   "of that name is ./-); FILE:bf16, FILE:e4m3fn, FILE:e5m2, FILE:e8m0fnu for data "
                   "that NumPy stores as raw bytes")
      ->type_size(1)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("FILE[:DTYPE]");
  command
      ->add_option("--input-dtype", o->input_dtypes,
                   "Dtype of raw input data; once for all, or once for each --input (- for the "
                   "file's own)")
      ->type_size(1)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("DTYPE");
  command->add_option("-a,--attr", o->attrs, "Attribute of the operator, such as alpha=2")
      ->type_size(1)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("NAME=VALUE");
  command
      ->add_option("-o,--output", o->outputs,
                   "Output file; again for a second output; - for stdout (a file of that name is ./-)")
      ->type_size(1)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("FILE")
      ->required();
  command->add_option("-d,--dtype", o->dtype, "Dtype of the output (default: PyTorch's promotion of the inputs)")
      ->type_name("DTYPE");
  CLI::Option* shape = command
                           ->add_option("--shape", o->shape,
                                        "Shape of the output, such as 8,128,128; needed by alibi, sinusoidal")
                           ->type_name("SHAPE");
  command->add_option("--device", o->device, "cpu or cuda:N (default: cpu)")->type_name("DEVICE");
  command->add_option("--threads", o->threads, "CPU threads (default: TILEOPS_NUM_THREADS or all)")
      ->type_name("N")
      ->check(CLI::Range(1, 4096).description(""));
  o->cut.add(command);
  command->add_flag("--reproducible", o->reproducible, "float32 and float64 with the same bits on CPU and GPU");
  command->add_flag("-v,--verbose", o->verbose, "Print shape, kernel, layout and time (on stderr with -o -)");
  command->footer("Example:\n  tileops run add -i a.npy -i b.npy --attr alpha=2 -d bf16 -o y.npy");
  command->callback([o, shape] {
    o->has_shape = shape->count() > 0;
    run(*o);
  });
}

}  // namespace tileops::cli

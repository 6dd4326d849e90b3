// tileops run: one operator or one expression on .npy files.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <deque>
#include <memory>

#include "cli/commands/commands.h"
#include "cli/commands/run_job.h"
#include "cli/common.h"
#include "cli/dtype.h"
#include "cli/io/npy.h"
#include "cli/io/output.h"
#include "cli/options.h"

namespace tileops::cli {
namespace {

tileops_tensor_desc describe(const DLTensor& tensor) {
  return {tensor.dtype, tensor.ndim, tensor.shape, tensor.strides};
}

void print_report(FILE* to, const Plan& plan, const RunJob& job, double seconds) {
  std::string shape;  // of an operator, of whose outputs all have the first one's; of each result of an expression
  for (size_t k = 0; k < std::max<size_t>(job.result_names.size(), 1); ++k) {
    if (!job.result_names.empty()) shape += (k > 0 ? ", " : "") + job.result_names[k] + " ";
    shape += shape_text(job.results[k].shape) + " " + dtype_name(job.results[k].dtype);
  }
  const auto bytes = static_cast<double>(plan.number(TILEOPS_PLAN_BYTES_MOVED));
  std::fprintf(to, "shape     %s\nkernel    %s\nlayout    %s\nstrategy  %s\n", shape.c_str(),
               plan.text(TILEOPS_PLAN_KERNEL_NAME).c_str(), plan.text(TILEOPS_PLAN_LAYOUT).c_str(),
               plan.text(TILEOPS_PLAN_STRATEGY).c_str());
  std::fprintf(to, "bytes     %.0f\ntime      %.3f us\n", bytes, seconds * 1e6);
}

void run(const RunOptions& options) {
  if (options.op.empty() == options.expr.empty()) throw UsageError("run: give an operator or --expr, one of the two");
  const RunJob job = options.expr.empty() ? operator_job(options) : expression_job(options);
  const DLDevice device = job.device;
  const Context context(options.threads);
  const Stream stream(context, device);
  // On the CPU the file's own memory and strides are the operand; elsewhere a row-major copy is.
  std::vector<DLTensor> inputs;
  std::vector<Buffer> buffers;
  inputs.reserve(job.arrays.size());
  for (const auto& array : job.arrays) {
    inputs.emplace_back();
    if (!array) continue;
    inputs.back() = array->view();
    if (device.device_type == kDLCPU) continue;
    buffers.emplace_back(context, device, array->dtype, array->shape);
    check(tileops_tensor_copy(context.get(), &inputs.back(), buffers.back().tensor(), stream.get()));
    inputs.back() = *buffers.back().tensor();
  }
  std::vector<Buffer> outputs;
  for (size_t k = 0; k < job.results.size(); ++k) {
    outputs.emplace_back(context, device, job.results[k].dtype, job.results[k].shape);
    if (k >= job.before.size() || !job.before[k]) continue;
    const DLTensor before = job.before[k]->view();
    check(tileops_tensor_copy(context.get(), &before, outputs.back().tensor(), stream.get()));
  }

  std::vector<const DLTensor*> in;
  std::vector<DLTensor*> out;
  std::vector<tileops_tensor_desc> in_desc, out_desc;
  for (size_t i = 0; i < inputs.size(); ++i) {
    in.push_back(job.arrays[i] ? &inputs[i] : nullptr);
    in_desc.push_back(job.arrays[i] ? describe(inputs[i]) : tileops_tensor_desc{});
  }
  for (const Buffer& buffer : outputs) {
    out.push_back(buffer.tensor());
    out_desc.push_back(describe(*buffer.tensor()));
  }
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.op = job.op;
  desc.device = device;
  desc.num_inputs = static_cast<int32_t>(in.size());
  desc.num_outputs = static_cast<int32_t>(out.size());
  desc.num_attrs = static_cast<int32_t>(job.attrs.size());
  desc.flags = options.reproducible ? TILEOPS_PLAN_REPRODUCIBLE : 0;
  desc.inputs = in_desc.data();
  desc.outputs = out_desc.data();
  desc.attrs = job.attrs.data();
  desc.expr = job.expr ? job.expr->get() : nullptr;
  options.cut.apply(&desc);
  const Plan plan(context, desc);
  tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
  args.num_inputs = static_cast<uint32_t>(in.size());
  args.num_outputs = static_cast<uint32_t>(out.size());
  args.num_scalars = static_cast<uint32_t>(job.scalars.size());
  args.inputs = in.data();
  args.outputs = out.data();
  args.scalars = job.scalars.data();
  args.stream = stream.get();
  const Buffer workspace = plan.workspace(context, device, &args);
  const auto begin = std::chrono::steady_clock::now();
  check(tileops_execute_with(plan.get(), &args));
  stream.synchronize();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;

  // No file is replaced before all are written.
  std::deque<OutputFile> files;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (job.files[i].empty()) continue;
    const auto& [dtype, shape] = job.results[i];
    std::vector<unsigned char> bytes(static_cast<size_t>(num_elements(shape)) * item_size(dtype) + 1);
    download(context, stream, outputs[i], bytes.data());
    if (is_packed(dtype)) unpack(bytes.data(), static_cast<size_t>(num_elements(shape)));
    write_npy(files.emplace_back(job.files[i]), dtype, shape, bytes.data());
    files.back().finish();
  }
  for (OutputFile& file : files) file.replace();
  if (options.verbose) {
    const bool taken = std::find(job.files.begin(), job.files.end(), "-") != job.files.end();
    print_report(taken ? stderr : stdout, plan, job, elapsed.count());
  }
}

}  // namespace

void add_run(CLI::App& app) {
  CLI::App* command = app.add_subcommand("run", "Run an operator or an expression on NumPy .npy files");
  auto o = std::make_shared<RunOptions>();
  command->add_option("OP", o->op, "Operator, see `tileops ops`")->type_name("");
  command->add_option("-e,--expr", o->expr, kExprDoc)->type_name("TEXT|@FILE|NAME");
  add_list(
      command, "-i,--input,--in", o->inputs,
      "Input file, in operand order, or of an expression's operand by name, or of what its scattered result of that "
      "name holds before; - for an absent optional operand, "
      "never stdin (a file of that name is ./-); FILE:bf16, FILE:e4m3fn, FILE:e5m2, FILE:e8m0fnu, FILE:e2m1fn for "
      "data that NumPy stores as raw bytes",
      "[NAME=]FILE[:DTYPE]");
  add_list(command, "--input-dtype", o->input_dtypes,
           "Dtype of raw input data; once for all, or once for each --input (- for the file's own), or of an "
           "expression's operand by name",
           "[NAME=]DTYPE");
  add_list(command, "-a,--attr", o->attrs, "Attribute of the operator, such as alpha=2", "NAME=VALUE");
  add_list(command, "-s,--scalar", o->scalars, "Scalar of the expression, such as eps=1e-6", "NAME=VALUE");
  add_list(command, "-o,--output,--out", o->outputs,
           "Output file; again for a second output; of an expression's result by name (those that have no file are "
           "not kept); - for stdout (a file of that name is ./-)",
           "[NAME=]FILE")
      ->required();
  add_list(command, "-d,--dtype", o->dtypes,
           "Dtype of the output (default: PyTorch's promotion of the inputs); of an expression's results by name",
           "[NAME=]DTYPE");
  add_list(
      command, "--shape", o->shapes,
      "Shape of the output, such as 8,128,128; needed by alibi, sinusoidal; of an expression's scattered result, by "
      "name, which then holds zeros before, of its --dtype",
      "[NAME=]SHAPE");
  command->add_option("--device", o->device, "cpu or cuda:N (default: cpu)")->type_name("DEVICE");
  command->add_option("--threads", o->threads, "CPU threads (default: TILEOPS_NUM_THREADS or all)")
      ->type_name("N")
      ->check(decimal())
      ->check(CLI::Range(1, 4096).description(""));
  o->cut.add(command);
  command->add_flag("--reproducible", o->reproducible, "float32 and float64 with the same bits on CPU and GPU");
  command->add_flag("-v,--verbose", o->verbose, "Print shape, kernel, layout and time (on stderr with -o -)");
  command->footer("Examples:\n  tileops run add -i a.npy -i b.npy --attr alpha=2 -d bf16 -o y.npy\n"
                  "  tileops run --expr '(g, u; scale = 1.0) -> silu(g) * u * scale' --in g=g.npy --in u=u.npy "
                  "--scalar scale=0.5 -o y.npy");
  command->callback([o] { run(*o); });
}

}  // namespace tileops::cli

// tileops bench: time and bandwidth of operators or of an expression, beside a copy of the same traffic.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <deque>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/commands/bench_copy.h"
#include "cli/commands/commands.h"
#include "cli/common.h"
#include "cli/dtype.h"
#include "cli/options.h"
#include "cli/workload.h"

namespace tileops::cli {
namespace {

using Json = nlohmann::ordered_json;

struct BenchOptions : WorkloadOptions {
  BenchOptions() { usual_sizes = "1Ki,64Ki,1Mi,16Mi", device = "cpu"; }
  std::vector<std::string> scalars;
  int threads = 0;
  double seconds = 0.3;
  CutOptions cut;
  bool json = false;
};

struct Measured {
  uint64_t bytes = 0;
  Timing time, copy;
  std::string kernel, layout, strategy;
};

// The tensors of one execute.
struct Operands {
  std::vector<Buffer> buffers;
  std::vector<const DLTensor*> in;
  std::vector<DLTensor*> out;
  Buffer workspace;
  tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;

  Operands(const Context& context, const Stream& stream, DLDevice device, const Case& c,
           const std::vector<std::vector<unsigned char>>& patterns, const std::vector<tileops_number>& scalars,
           const Plan& plan) {
    for (size_t k = 0; k < c.inputs.size(); ++k) {
      in.push_back(nullptr);
      if (!c.inputs[k]) continue;
      buffers.emplace_back(context, device, c.inputs[k]->dtype, c.inputs[k]->shape);
      upload(context, stream, patterns[k].data(), buffers.back());
      in.back() = buffers.back().tensor();
    }
    for (const OperandType& result : c.results) {
      buffers.emplace_back(context, device, result.dtype, result.shape);
      out.push_back(buffers.back().tensor());
    }
    args.num_inputs = static_cast<uint32_t>(in.size());
    args.num_outputs = static_cast<uint32_t>(out.size());
    args.num_scalars = static_cast<uint32_t>(scalars.size());
    args.inputs = in.data();
    args.outputs = out.data();
    args.scalars = scalars.data();
    args.stream = stream.get();
    workspace = plan.workspace(context, device, &args);
  }
};

Measured bench_one(const Context& context, const Stream& stream, DLDevice device, const BenchOptions& options,
                   const Case& c, int threads) {
  const PlanDesc desc(c, device, options.cut);
  const Plan plan(context, desc.get());
  Measured result;
  result.bytes = plan.number(TILEOPS_PLAN_BYTES_MOVED);
  result.kernel = plan.text(TILEOPS_PLAN_KERNEL_NAME);
  result.layout = plan.text(TILEOPS_PLAN_LAYOUT);
  result.strategy = plan.text(TILEOPS_PLAN_STRATEGY);

  std::vector<tileops_number> scalars;
  if (c.expr) scalars = c.expr->scalars(options.scalars);
  uint64_t bytes = 0;
  const auto add_bytes = [&](const OperandType& type) { bytes += bytes_of(type.dtype, num_elements(type.shape)); };
  std::vector<std::vector<unsigned char>> patterns;
  for (const auto& input : c.inputs) {
    patterns.push_back(input ? pattern(c.name, *input) : std::vector<unsigned char>());
    if (input) add_bytes(*input);
  }
  for (const OperandType& output : c.results) add_bytes(output);
  // Several sets of buffers in turn, so that large problems come from memory and small ones from
  // cache, as they would in a program; the copy does the same.
  const size_t sets = std::clamp<size_t>((uint64_t{256} << 20) / std::max<uint64_t>(bytes, 1), 2, 64);
  std::deque<Operands> operands;
  for (size_t s = 0; s < sets; ++s) operands.emplace_back(context, stream, device, c, patterns, scalars, plan);
  stream.synchronize();

  const auto run = [&](size_t i) { check(tileops_execute_with(plan.get(), &operands[i % sets].args)); };
  const auto sync = [&] { stream.synchronize(); };
  for (size_t s = 0; s < sets; ++s) run(s);  // first touch of the outputs
  result.time = measure(run, sync, options.seconds);
  operands.clear();
  result.copy = measure_copy(context, stream, device, result.bytes, sets, threads, options.seconds);
  return result;
}

// What was measured, for --json.
Json case_json(const Case& c) {
  if (!c.expr) {
    return {{"op", c.name},
            {"dtype", dtype_name(c.dtype)},
            {"out_dtype", dtype_name(c.results[0].dtype)},
            {"n", c.n},
            {"shape", c.results[0].shape}};
  }
  Json operands = Json::object(), results = Json::object();
  const std::vector<std::string> operand_names = c.expr->operands(), result_names = c.expr->results();
  for (size_t i = 0; i < operand_names.size(); ++i) {
    if (!c.inputs[i]) continue;
    operands[operand_names[i]] = {{"dtype", dtype_name(c.inputs[i]->dtype)}, {"shape", c.inputs[i]->shape}};
  }
  for (size_t k = 0; k < result_names.size(); ++k) {
    results[result_names[k]] = {{"dtype", dtype_name(c.results[k].dtype)}, {"shape", c.results[k].shape}};
  }
  return {{"expr", c.expr->text()},
          {"dtype", dtype_name(c.dtype)},
          {"n", c.n},
          {"operands", operands},
          {"results", results}};
}

// One line on a terminal that the next one overwrites; nothing in a log file.
void progress(const std::string& text) {
  if (!isatty(STDERR_FILENO)) return;
  std::fprintf(stderr, "\r\033[K%s", text.c_str());
  std::fflush(stderr);
}

void bench(const BenchOptions& options) {
  const DLDevice device = parse_device(options.device);
  const std::vector<Case> cases = make_cases(options);
  if (cases[0].expr) cases[0].expr->scalars(options.scalars);  // wrong ones are refused before anything is measured
  else if (!options.scalars.empty()) throw UsageError("--scalar: only expressions have scalars");
  const Context context(options.threads);
  const Stream stream(context, device);
  const int threads = options.threads > 0 ? options.threads
                                          : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  Json list = Json::array();
  for (const Case& c : cases) {
    const std::string size = size_text(c.n), dtype = dtype_name(c.dtype);
    progress(c.name + " " + dtype + " " + size + " ...");
    const Measured r = bench_one(context, stream, device, options, c, threads);
    progress("");
    const auto bytes = static_cast<double>(r.bytes);
    const double rate = bytes / r.time.min * 1e-9, copy_rate = bytes / r.copy.min * 1e-9;
    const double percent = 100 * r.copy.min / r.time.min;
    if (!options.json) {
      if (list.empty()) {
        std::printf("%-18s %-7s %8s %12s %12s %9s %9s %8s\n", "op", "dtype", "n", "min us", "median us", "GB/s",
                    "copy GB/s", "of copy");
      }
      std::printf("%-18s %-7s %8s %12.3f %12.3f %9.2f %9.2f %7.1f%%\n", c.name.c_str(), dtype.c_str(), size.c_str(),
                  r.time.min * 1e6, r.time.median * 1e6, rate, copy_rate, percent);
      flush_stdout();
    }
    list.push_back(case_json(c));
    list.back().update({{"bytes", r.bytes},
                        {"seconds_min", r.time.min},
                        {"seconds_median", r.time.median},
                        {"gb_per_s", rate},
                        {"copy_seconds_min", r.copy.min},
                        {"copy_seconds_median", r.copy.median},
                        {"copy_gb_per_s", copy_rate},
                        {"percent_of_copy", percent},
                        {"kernel", r.kernel},
                        {"layout", r.layout},
                        {"strategy", r.strategy}});
  }
  if (options.json) {
    const Json result = {{"version", tileops_version_string()},
                         {"build", tileops_build_info()},
                         {"device", device_text(device)},
                         {"threads", threads},
                         {"results", list}};
    std::cout << result.dump(2) << "\n";
  }
}

}  // namespace

void add_bench(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "bench", "Time operators, or an expression, over sizes and dtypes, beside a plain copy");
  auto o = std::make_shared<BenchOptions>();
  o->add(command, "cpu or cuda:N");
  add_list(command, "-s,--scalar", o->scalars, "Scalar of the expression, such as eps=1e-6", "NAME=VALUE");
  command->add_option("--threads", o->threads, "CPU threads (default: all)")
      ->type_name("N")
      ->check(decimal())
      ->check(CLI::Range(1, 4096).description(""));
  command->add_option("--seconds", o->seconds, "Time spent on each measurement (default: 0.3)")
      ->type_name("S")
      ->check(decimal())
      ->check(CLI::Range(0.001, 3600.0).description(""));
  o->cut.add(command);
  command->add_flag("--json", o->json, "Print JSON");
  command->footer("Rates count the bytes read and written once and use the fastest repeat; the copy is a\n"
                  "memcpy of the same traffic in the same run, on one thread or all, whichever is faster.");
  command->callback([o] { bench(*o); });
}

}  // namespace tileops::cli

// tileops bench: time and bandwidth of an operator, beside a copy of the same traffic.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/commands/bench_copy.h"
#include "cli/commands/commands.h"
#include "cli/common.h"
#include "cli/dtype.h"
#include "cli/operation.h"
#include "cli/workload.h"

namespace tileops::cli {
namespace {

using Json = nlohmann::ordered_json;

struct BenchOptions : WorkloadOptions {
  BenchOptions() { sizes = "1Ki,64Ki,1Mi,16Mi", device = "cpu"; }
  int threads = 0;
  double seconds = 0.3;
  CutOptions cut;
  bool json = false;
};

struct Result {
  Shape shape;
  DLDataType out_dtype;
  uint64_t bytes = 0;
  Timing op, copy;
  std::string kernel, layout, strategy;
};

Result bench_one(const Context& context, const Stream& stream, DLDevice device, const tileops_op_info& op,
                 const BenchOptions& options, DLDataType dtype, int64_t n, int threads) {
  const Workload w = make_workload(op, dtype, n, !options.attrs.empty());
  const std::vector<tileops_attr> attrs = parse_attrs(op, options.attrs.empty() ? w.attrs : options.attrs);
  Result result;
  result.shape = w.shape;
  result.out_dtype = workload_result(op, w, dtype, options.out_dtype, attrs);
  uint64_t bytes = static_cast<uint64_t>(num_elements(w.shape)) * item_size(result.out_dtype);
  for (const auto& input : w.inputs) {
    if (input) bytes += static_cast<uint64_t>(num_elements(input->shape)) * item_size(input->dtype);
  }
  // Several sets of buffers in turn, so that large problems come from memory and small ones from
  // cache, as they would in a program; the copy does the same.
  const size_t sets = std::clamp<size_t>((uint64_t{256} << 20) / bytes, 2, 64);

  std::vector<std::vector<unsigned char>> patterns;
  for (const auto& input : w.inputs) {
    patterns.push_back(input ? pattern(op, *input) : std::vector<unsigned char>());
  }
  std::vector<std::vector<Buffer>> inputs(sets);
  std::vector<Buffer> outputs;
  std::vector<std::vector<const DLTensor*>> in(sets);
  std::vector<DLTensor*> out;
  for (size_t s = 0; s < sets; ++s) {
    for (size_t k = 0; k < w.inputs.size(); ++k) {
      if (!w.inputs[k]) {
        in[s].push_back(nullptr);
        continue;
      }
      inputs[s].emplace_back(context, device, w.inputs[k]->dtype, w.inputs[k]->shape);
      upload(context, stream, patterns[k].data(), inputs[s].back());
      in[s].push_back(inputs[s].back().tensor());
    }
    outputs.emplace_back(context, device, result.out_dtype, w.shape);
    out.push_back(outputs.back().tensor());
  }
  stream.synchronize();

  const PlanDesc desc(op.op, device, w.inputs, result.out_dtype, w.shape, attrs, options.cut);
  const Plan plan(context, desc.get());
  result.bytes = plan.number(TILEOPS_PLAN_BYTES_MOVED);
  result.kernel = plan.text(TILEOPS_PLAN_KERNEL_NAME);
  result.layout = plan.text(TILEOPS_PLAN_LAYOUT);
  result.strategy = plan.text(TILEOPS_PLAN_STRATEGY);
  const auto run = [&](size_t i) {
    const size_t s = i % sets;
    check(tileops_execute(plan.get(), in[s].data(), in[s].size(), &out[s], 1, stream.get()));
  };
  const auto sync = [&] { stream.synchronize(); };
  for (size_t s = 0; s < sets; ++s) run(s);  // first touch of the outputs
  result.op = measure(run, sync, options.seconds);
  inputs.clear();
  outputs.clear();
  result.copy = measure_copy(context, stream, device, result.bytes, sets, threads, options.seconds);
  return result;
}

// One line on a terminal that the next one overwrites; nothing in a log file.
void progress(const std::string& text) {
  if (!isatty(STDERR_FILENO)) return;
  std::fprintf(stderr, "\r\033[K%s", text.c_str());
  std::fflush(stderr);
}

void bench(const BenchOptions& options) {
  const DLDevice device = parse_device(options.device);
  std::vector<int64_t> sizes;
  for (const std::string& text : split(options.sizes, ',')) sizes.push_back(parse_size(text));
  std::vector<tileops_op_info> ops;
  for (const std::string& name : options.ops) ops.push_back(find_op(name));
  for (const tileops_op_info& op : ops) parse_attrs(op, options.attrs), workload_dtypes(op, options.dtypes);

  const Context context(options.threads);
  const Stream stream(context, device);
  const int threads = options.threads > 0 ? options.threads
                                          : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  Json list = Json::array();
  for (const tileops_op_info& op : ops) {
    for (const DLDataType dtype : workload_dtypes(op, options.dtypes)) {
      for (const int64_t n : sizes) {
        progress(std::string(op.name) + " " + dtype_name(dtype) + " " + size_text(n) + " ...");
        const Result r = bench_one(context, stream, device, op, options, dtype, n, threads);
        progress("");
        const auto bytes = static_cast<double>(r.bytes);
        const double rate = bytes / r.op.min * 1e-9, copy_rate = bytes / r.copy.min * 1e-9;
        const double percent = 100 * r.copy.min / r.op.min;
        if (!options.json) {
          if (list.empty()) {
            std::printf("%-18s %-7s %8s %12s %12s %9s %9s %8s\n", "op", "dtype", "n", "min us", "median us", "GB/s",
                        "copy GB/s", "of copy");
          }
          std::printf("%-18s %-7s %8s %12.3f %12.3f %9.2f %9.2f %7.1f%%\n", op.name, dtype_name(dtype).c_str(),
                      size_text(n).c_str(), r.op.min * 1e6, r.op.median * 1e6, rate, copy_rate, percent);
          flush_stdout();
        }
        list.push_back({{"op", op.name},
                        {"dtype", dtype_name(dtype)},
                        {"out_dtype", dtype_name(r.out_dtype)},
                        {"n", n},
                        {"shape", r.shape},
                        {"bytes", r.bytes},
                        {"seconds_min", r.op.min},
                        {"seconds_median", r.op.median},
                        {"gb_per_s", rate},
                        {"copy_seconds_min", r.copy.min},
                        {"copy_seconds_median", r.copy.median},
                        {"copy_gb_per_s", copy_rate},
                        {"percent_of_copy", percent},
                        {"kernel", r.kernel},
                        {"layout", r.layout},
                        {"strategy", r.strategy}});
      }
    }
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
  CLI::App* command = app.add_subcommand("bench", "Time operators over sizes and dtypes, beside a plain copy");
  auto o = std::make_shared<BenchOptions>();
  o->add(command, "cpu or cuda:N");
  command->add_option("--threads", o->threads, "CPU threads (default: all)")
      ->type_name("N")
      ->check(CLI::Range(1, 4096).description(""));
  command->add_option("--seconds", o->seconds, "Time spent on each measurement (default: 0.3)")
      ->type_name("S")
      ->check(CLI::Range(0.001, 3600.0).description(""));
  o->cut.add(command);
  command->add_flag("--json", o->json, "Print JSON");
  command->footer("Rates count the bytes read and written once and use the fastest repeat; the copy is a\n"
                  "memcpy of the same traffic in the same run, on one thread or all, whichever is faster.");
  command->callback([o] { bench(*o); });
}

}  // namespace tileops::cli

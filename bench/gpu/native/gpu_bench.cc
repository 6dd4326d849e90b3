// What calls cost on the host, for a GPU: run by bench/gpu/run.py.
//
//   tileops_gpu_bench --host     execute over the driver's launch, on two kinds of threads
//   tileops_gpu_bench --plans    plan_create and the first execute, by where the kernel comes from
//   tileops_gpu_bench --expressions   the same of expressions (first_use.cc)
//
// One JSON object a line.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "ceiling.h"
#include "cuda/jit/nvrtc.h"
#include "host_calls.h"
#include "op/dtype.h"
#include "tileops/tileops.h"

namespace {

using tileops::Dtype;
using tileops::bench::CopyKernel;
using tileops::bench::CopyLaunch;
using tileops::bench::must;
using tileops::bench::Tensor;
using tileops::bench::text_of;
namespace cuda = tileops::cuda;

// What is compared on one thread, in turns, so that a slow moment meets all of them.
struct Calls {
  std::vector<std::pair<std::string, std::function<void()>>> list;
  std::vector<std::vector<double>> times;

  void run(void* stream) {
    constexpr int kRounds = 40, kCalls = 500;
    times.assign(list.size(), {});
    for (int round = 0; round < kRounds + 2; ++round) {  // two to warm up
      for (size_t i = 0; i < list.size(); ++i) {
        must(tileops_stream_synchronize(nullptr, DLDevice{kDLCUDA, 0}, stream));
        const auto& call = list[i].second;
        const auto start = std::chrono::steady_clock::now();
        for (int n = 0; n < kCalls; ++n) call();
        const double us = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() * 1e6 /
                          kCalls;
        if (round >= 2) times[i].push_back(us);
      }
    }
  }

  static double at(std::vector<double> values, double part) {
    std::sort(values.begin(), values.end());
    return values[static_cast<size_t>(part * static_cast<double>(values.size() - 1) + 0.5)];
  }

  // Medians, and the difference to the first, the floor: median, and p10 and p90 of it round by round.
  void print(const std::string& prefix) const {
    for (size_t i = 0; i < list.size(); ++i) {
      std::vector<double> over;
      for (size_t r = 0; r < times[i].size(); ++r) over.push_back(times[i][r] - times[0][r]);
      const char *p = prefix.c_str(), *name = list[i].first.c_str();
      std::printf(", \"%s%s_us\": %.3f", p, name, at(times[i], 0.5));
      if (i > 0)
        std::printf(", \"%s%s_over_us\": [%.3f, %.3f, %.3f]", p, name, at(over, 0.5), at(over, 0.1), at(over, 0.9));
    }
  }
};

// Time on the host per call, for small operands: the library's calls, and the driver's launch of a like kernel with
// everything prepared. Once on a thread without a CUDA context, as a plain C program has, where the floor is the launch
// with the context made current for it; and once where it is current all the time, as with the CUDA runtime.
void run_host() {
  void* stream = nullptr;
  must(tileops_stream_create(nullptr, DLDevice{kDLCUDA, 0}, &stream));
  const int64_t n = 1024;
  Tensor a(Dtype::f32, {n}), b(Dtype::f32, {n}), y(Dtype::f32, {n});
  const DLTensor* in[] = {a.dl(), b.dl()};
  DLTensor* out[] = {y.dl()};
  const void* in_ptrs[] = {a.dl()->data, b.dl()->data};
  void* out_ptrs[] = {y.dl()->data};
  tileops_plan* plan = nullptr;
  must(tileops_plan_create_like(nullptr, TILEOPS_OP_ADD, in, 2, out, 1, nullptr, 0, &plan));
  // An expression with as many operands, and a scalar that comes with each call.
  const std::string text = "(a, b; scale = 2.0) -> a * scale + b";
  tileops_expr* expr = nullptr;
  must(tileops_expr_parse(text.data(), text.size(), &expr));
  tileops_plan* chain = nullptr;
  must(tileops_plan_create_like_expr(nullptr, expr, in, 2, out, 1, &chain));
  tileops_number scale = tileops_number_f64(1.5);
  tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
  args.num_inputs = 2;
  args.num_outputs = args.num_scalars = 1;
  args.inputs = in;
  args.outputs = out;
  args.scalars = &scale;
  args.stream = stream;
  cuda::Device& device = cuda::Device::get(0);
  const CopyKernel kernel(device, {4, 4}, {4}, {4, 256, false});
  void* const arrays[] = {a.dl()->data, b.dl()->data, y.dl()->data};
  const CopyLaunch launch(kernel, arrays, n, stream);
  const auto launched = [](cuda::CUresult result) {
    if (result == cuda::kSuccess) return;
    std::fprintf(stderr, "gpu_bench: cuLaunchKernelEx: %s\n", cuda::error_text(result).c_str());
    std::exit(1);
  };
  const auto add_library = [&](Calls* calls) {
    calls->list.push_back({"execute_ptrs", [&] { must(tileops_execute_ptrs(plan, in_ptrs, out_ptrs, stream)); }});
    calls->list.push_back({"execute", [&] { must(tileops_execute(plan, in, 2, out, 1, stream)); }});
    calls->list.push_back({"expr_execute_ptrs", [&] { must(tileops_execute_ptrs(chain, in_ptrs, out_ptrs, stream)); }});
    calls->list.push_back({"expr_execute", [&] { must(tileops_execute(chain, in, 2, out, 1, stream)); }});
    calls->list.push_back({"expr_execute_with", [&] { must(tileops_execute_with(chain, &args)); }});
  };
  std::printf("{\"host\": true");
  Calls plain;
  plain.list.push_back({"raw_launch", [&] {
                          const auto& d = cuda::driver();
                          cuda::CUcontext ignored;
                          d.context_push(device.context());
                          launched(launch.run());
                          d.context_pop(&ignored);
                        }});
  add_library(&plain);
  std::thread([&] { plain.run(stream); }).join();
  plain.print("plain_");
  Calls current;
  current.list.push_back({"raw_launch", [&] { launched(launch.run()); }});
  add_library(&current);
  current.list.push_back({"plan_create_cached", [&] {
                            tileops_plan* again = nullptr;
                            must(tileops_plan_create_like(nullptr, TILEOPS_OP_ADD, in, 2, out, 1, nullptr, 0, &again));
                            tileops_plan_destroy(again);
                          }});
  {
    const cuda::CurrentContext made_current(device.context());
    current.run(stream);
  }
  current.print("");
  std::printf("}\n");
}

// Time of plan_create for kernels that this process has not loaded, by where they came from: operators that a pack may
// hold, and dtypes that none does; and of each plan's first execute until its result is there. Medians.
void run_plans() {
  std::map<std::string, std::vector<double>> times, firsts;
  void* stream = nullptr;
  must(tileops_stream_create(nullptr, DLDevice{kDLCUDA, 0}, &stream));
  const int64_t n = 1024;
  Tensor a(Dtype::f64, {n}), result(Dtype::f64, {n});  // wide enough for every dtype below
  const auto create = [&](tileops_op op, Dtype in, Dtype out) {
    tileops_op_info info = TILEOPS_OP_INFO_INIT;
    must(tileops_op_describe(op, &info));
    const tileops_tensor_desc x{tileops::dtype_to_dl(in), 1, &n, nullptr}, y{tileops::dtype_to_dl(out), 1, &n, nullptr};
    const tileops_tensor_desc inputs[] = {x, x};
    tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
    desc.op = op;
    desc.device = DLDevice{kDLCUDA, 0};
    desc.flags = TILEOPS_PLAN_NO_CACHE;
    desc.num_inputs = info.min_inputs;
    desc.num_outputs = 1;
    desc.inputs = inputs;
    desc.outputs = &y;
    tileops_plan* plan = nullptr;
    const auto start = std::chrono::steady_clock::now();
    must(tileops_plan_create(nullptr, &desc, &plan));
    const double us = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() * 1e6;
    const std::string origin = text_of(plan, TILEOPS_PLAN_CACHE_ORIGIN);
    times[origin].push_back(us);
    // From the call to the result, for the first time: the driver may still have to load the kernel.
    const void* const from[] = {a.dl()->data, a.dl()->data};
    void* const to[] = {result.dl()->data};
    const auto begin = std::chrono::steady_clock::now();
    must(tileops_execute_ptrs(plan, from, to, stream));
    must(tileops_stream_synchronize(nullptr, DLDevice{kDLCUDA, 0}, stream));
    firsts[origin].push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() * 1e6);
    tileops_plan_destroy(plan);
  };
  create(TILEOPS_OP_ADD, Dtype::f32, Dtype::f32);  // opens the driver, and NVRTC
  create(TILEOPS_OP_ADD, Dtype::i8, Dtype::f32);
  times.clear();
  firsts.clear();
  const tileops_op ops[] = {TILEOPS_OP_SUB,  TILEOPS_OP_MUL,     TILEOPS_OP_DIV,  TILEOPS_OP_MAXIMUM, TILEOPS_OP_EXP,
                            TILEOPS_OP_RELU, TILEOPS_OP_SIGMOID, TILEOPS_OP_TANH, TILEOPS_OP_SILU,    TILEOPS_OP_FLOOR};
  for (const tileops_op op : ops) create(op, Dtype::f32, Dtype::f32);
  for (const tileops_op op : ops) create(op, Dtype::bf16, Dtype::bf16);
  for (const tileops_op op : ops) create(op, Dtype::f32, Dtype::f16);  // in no pack
  for (const tileops_op op : ops) create(op, Dtype::f32, Dtype::f32);  // loaded by now
  // What NVRTC takes for nothing at all.
  std::vector<double> empty;
  for (int i = 0; i < 9; ++i) {
    const auto start = std::chrono::steady_clock::now();
    cuda::Nvrtc::get().compile("extern \"C\" __global__ void empty() {}", "empty", cuda::Device::get(0).arch());
    empty.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() * 1e6);
  }
  std::sort(empty.begin(), empty.end());
  std::printf("{\"plans\": true, \"nvrtc_empty_us\": %.1f", empty[empty.size() / 2]);
  for (auto& [origin, list] : times) {
    std::sort(list.begin(), list.end());
    std::printf(", \"plan_%s_us\": %.1f, \"plan_%s_number\": %zu, \"plan_%s_most_us\": %.1f", origin.c_str(),
                list[list.size() / 2], origin.c_str(), list.size(), origin.c_str(), list.back());
  }
  for (auto& [origin, list] : firsts) {
    std::sort(list.begin(), list.end());
    std::printf(", \"first_%s_us\": %.1f", origin.c_str(), list[list.size() / 2]);
  }
  std::printf("}\n");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc == 2 ? argv[1] : "";
  if (what != "--host" && what != "--plans" && what != "--expressions") {
    std::fprintf(stderr, "usage: tileops_gpu_bench --host | --plans | --expressions\n");
    return 2;
  }
  try {
    if (what == "--host") run_host();
    else if (what == "--plans") run_plans();
    else tileops::bench::run_expressions();
  } catch (const tileops::Error& e) {
    std::fprintf(stderr, "gpu_bench: %s\n", e.message.c_str());
    return 1;
  }
  return 0;
}

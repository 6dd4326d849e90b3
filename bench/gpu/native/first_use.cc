// The first use of an expression: tileops_gpu_bench --expressions.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "host_calls.h"

namespace tileops::bench {
namespace {

using Clock = std::chrono::steady_clock;

double us_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count() * 1e6; }

// By name in the library, whose kernels packs have; all operands of one shape and dtype.
const char* const kNamed[] = {"swiglu_residual", "geglu_residual", "bias_gelu",    "bias_residual", "gated_residual",
                              "scaled_masked",   "softcap",        "snake",        "relu_squared",  "quick_gelu",
                              "lerp_ema",        "luminance",      "sgd_momentum", "adamw",         "silu_backward"};
// This program's own texts, of two to eight operators: no pack has them.
const char* const kOwn[] = {"(a, b, c) -> a * b - c",
                            "(a, b) -> exp(a) / (b + 2)",
                            "(a, b, c) -> maximum(a * b + c, 0) * 0.5",
                            "(a, b) -> tanh(a * b) * sigmoid(a - b)",
                            "(a, b, c; k = 2.0) -> clamp(a * k + b, -3.0, 3.0) * silu(c)",
                            "(a, b) -> { d = a - b; sqrt(d * d + 1) - 1 + abs(d) * 0.25 }",
                            "(a, b, c) -> log1p(exp(a)) * b + erf(c) * (1 - b)",
                            "(a, b, c) -> { s = sigmoid(a + b); s * tanh(c) + (1 - s) * b - 0.1 * a }"};

class FirstUse {
 public:
  FirstUse() { must(tileops_stream_create(nullptr, DLDevice{kDLCUDA, 0}, &stream_)); }

  // `key` "" leaves the times out.
  void run(const std::string& key, const char* text, Dtype dtype) {
    const auto start = Clock::now();
    tileops_expr* expr = nullptr;
    must(tileops_expr_parse(text, std::strlen(text), &expr));
    const double parsed = us_since(start);
    tileops_expr_info info = TILEOPS_EXPR_INFO_INIT;
    must(tileops_expr_describe(expr, &info));
    const DLDataType type = dtype_to_dl(dtype);
    const tileops_tensor_desc x{type, 1, &kElements, nullptr};
    const std::vector<tileops_tensor_desc> descs(static_cast<size_t>(std::max(info.num_operands, info.num_results)), x);
    tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
    desc.device = DLDevice{kDLCUDA, 0};
    desc.flags = TILEOPS_PLAN_NO_CACHE;
    desc.num_inputs = info.num_operands;
    desc.num_outputs = info.num_results;
    desc.inputs = desc.outputs = descs.data();
    desc.expr = expr;
    tileops_plan* plan = nullptr;
    const auto planning = Clock::now();
    must(tileops_plan_create(nullptr, &desc, &plan));
    const double planned = us_since(planning);
    std::vector<std::unique_ptr<Tensor>> memory;
    std::vector<const void*> inputs;
    std::vector<void*> outputs;
    for (int i = 0; i < info.num_operands + info.num_results; ++i) {
      memory.push_back(std::make_unique<Tensor>(dtype, std::vector<int64_t>{kElements}));
      if (i < info.num_operands) inputs.push_back(memory.back()->dl()->data);
      else outputs.push_back(memory.back()->dl()->data);
    }
    const auto executing = Clock::now();
    must(tileops_execute_ptrs(plan, inputs.data(), outputs.data(), stream_));
    must(tileops_stream_synchronize(nullptr, DLDevice{kDLCUDA, 0}, stream_));
    const double executed = us_since(executing);
    const std::string origin = text_of(plan, TILEOPS_PLAN_CACHE_ORIGIN);
    if (!key.empty()) {
      parses_.push_back(parsed);
      plans_[origin].push_back(planned);
      firsts_[origin].push_back(executed);
      if (origin == "compiled")
        compiled_ += (compiled_.empty() ? "\"" : ", \"") + key + "\": " + std::to_string(planned);
    }
    tileops_plan_destroy(plan);
    tileops_expr_destroy(expr);
  }

  void print() {
    std::printf("{\"expr_parse_us\": %.2f", median(&parses_));
    for (auto& [origin, list] : plans_) {
      const char* o = origin.c_str();
      const double middle = median(&list);
      std::printf(", \"expr_plan_%s_us\": %.1f, \"expr_plan_%s_number\": %zu, \"expr_plan_%s_most_us\": %.1f", o,
                  middle, o, list.size(), o, list.back());
      std::printf(", \"expr_first_%s_us\": %.1f", o, median(&firsts_[origin]));
    }
    if (!compiled_.empty()) std::printf(", \"expr_compiled\": {%s}", compiled_.c_str());
    std::printf("}\n");
  }

 private:
  static double median(std::vector<double>* values) {  // sorts them
    std::sort(values->begin(), values->end());
    return values->empty() ? 0 : (*values)[values->size() / 2];
  }

  static constexpr int64_t kElements = 1024;
  void* stream_ = nullptr;
  std::vector<double> parses_;
  std::map<std::string, std::vector<double>> plans_, firsts_;
  std::string compiled_;  // members of a JSON object
};

}  // namespace

void run_expressions() {
  FirstUse uses;
  uses.run("", "(a, b) -> a * b + 1", Dtype::f64);  // opens the driver, and NVRTC
  for (const Dtype dtype : {Dtype::f32, Dtype::bf16}) {
    const std::string end = std::string(" ") + dtype_name(dtype);
    for (size_t i = 0; i < tileops_expr_named_count(); ++i) {
      tileops_named_expr_info info = TILEOPS_NAMED_EXPR_INFO_INIT;
      must(tileops_expr_named_at(i, &info));
      const auto same = [&](const char* name) { return !std::strcmp(name, info.name); };
      if (std::any_of(std::begin(kNamed), std::end(kNamed), same)) uses.run(info.name + end, info.text, dtype);
    }
    for (const char* text : kOwn) uses.run(text + end, text, dtype);
  }
  uses.run("again", kOwn[0], Dtype::f32);  // its kernel is loaded by now
  uses.run("again", kOwn[7], Dtype::bf16);
  uses.print();
}

}  // namespace tileops::bench

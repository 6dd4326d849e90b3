// Host time of a call: 16 elements, so that the work itself is next to nothing; and of plans of expressions.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "rows.h"

namespace tileops_bench {
namespace {

Workload small_add() { return {"add", {Operand{kF32, {16}}, Operand{kF32, {16}}}, {kF32, {16}}}; }

void execute(benchmark::State& state) {
  const Bound add(small_add(), context(1));
  for (auto _ : state) benchmark::DoNotOptimize(add.execute());
}

void execute_ptrs(benchmark::State& state) {
  const Bound add(small_add(), context(1));
  for (auto _ : state) benchmark::DoNotOptimize(add.execute_ptrs());
}

void plan_create(benchmark::State& state, uint32_t flags) {
  const int64_t shape[] = {16};
  const tileops_tensor_desc operands[] = {{kF32, 1, shape, nullptr}, {kF32, 1, shape, nullptr}};
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.op = TILEOPS_OP_ADD;
  desc.num_inputs = 2;
  desc.num_outputs = 1;
  desc.flags = flags;
  desc.inputs = operands;
  desc.outputs = operands;
  for (auto _ : state) {
    tileops_plan* plan = nullptr;
    if (tileops_plan_create(context(1), &desc, &plan) != TILEOPS_STATUS_OK) {
      state.SkipWithError(tileops_last_error());
      break;
    }
    tileops_plan_destroy(plan);
  }
}

// A plan of a named expression or a text, of bf16 operands and results of these shapes, prepared anew each time.
struct Planned {
  const char *name, *text;  // either may be NULL
  std::vector<Shape> operands, results;
  std::vector<DLDataType> result_dtypes;
};

const Planned kPlanned[] = {
    {nullptr, "(g, u) -> silu(g) * u", {{64, 4096}, {64, 4096}}, {{64, 4096}}, {kBf16}},
    {"rms_norm", nullptr, {{64, 4096}, {4096}}, {{64, 4096}}, {kBf16}},
    {"add_rms_norm_fp8_token",
     nullptr,
     {{64, 4096}, {64, 4096}, {4096}},
     {{64, 4096}, {64, 1}, {64, 4096}},
     {{kDLFloat8_e4m3fn, 8, 1}, kF32, kBf16}},
};

std::vector<tileops_tensor_desc> descs_of(const std::vector<Shape>& shapes) {
  std::vector<tileops_tensor_desc> list;
  for (const Shape& s : shapes) list.push_back({kBf16, static_cast<int32_t>(s.size()), s.data(), nullptr});
  return list;
}

void plan_expression(benchmark::State& state, const Planned& planned) {
  tileops_expr* expr = nullptr;
  check(planned.name ? tileops_expr_named(planned.name, &expr)
                     : tileops_expr_parse(planned.text, std::strlen(planned.text), &expr));
  const std::vector<tileops_tensor_desc> operands = descs_of(planned.operands);
  std::vector<tileops_tensor_desc> results = descs_of(planned.results);
  for (size_t k = 0; k < results.size(); ++k) results[k].dtype = planned.result_dtypes[k];
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.expr = expr;
  desc.num_inputs = static_cast<int32_t>(operands.size());
  desc.num_outputs = static_cast<int32_t>(results.size());
  desc.flags = TILEOPS_PLAN_NO_CACHE;
  desc.inputs = operands.data();
  desc.outputs = results.data();
  for (auto _ : state) {
    tileops_plan* plan = nullptr;
    if (tileops_plan_create(context(1), &desc, &plan) != TILEOPS_STATUS_OK) {
      state.SkipWithError(tileops_last_error());
      break;
    }
    tileops_plan_destroy(plan);
  }
  tileops_expr_destroy(expr);
}

}  // namespace

void register_host_rows() {
  // The least of several repetitions counts: interruptions only ever add.
  const auto repeat = [](benchmark::internal::Benchmark* b) {
    b->Repetitions(9)->MinTime(0.02)->ReportAggregatesOnly()->ComputeStatistics(
        "min", [](const std::vector<double>& v) { return *std::min_element(v.begin(), v.end()); });
  };
  repeat(benchmark::RegisterBenchmark("host/execute 16 f32", execute));
  repeat(benchmark::RegisterBenchmark("host/execute_ptrs 16 f32", execute_ptrs));
  repeat(benchmark::RegisterBenchmark("host/plan_create cached", plan_create, 0u));
  repeat(benchmark::RegisterBenchmark("host/plan_create uncached", plan_create,
                                      static_cast<uint32_t>(TILEOPS_PLAN_NO_CACHE)));
  for (const Planned& p : kPlanned) {
    const std::string name = std::string("host/plan_create ") + (p.name ? p.name : p.text);
    repeat(benchmark::RegisterBenchmark(name.c_str(), plan_expression, p));
  }
}

}  // namespace tileops_bench

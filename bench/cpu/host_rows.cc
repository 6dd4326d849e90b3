// Host time of a call: 16 elements, so that the work itself is next to nothing.
#include <benchmark/benchmark.h>

#include <algorithm>

#include "rows.h"

namespace tileops_bench {
namespace {

Workload small_add() {
  return {"add", {Operand{kF32, {16}}, Operand{kF32, {16}}}, {kF32, {16}}};
}

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
}

}  // namespace tileops_bench

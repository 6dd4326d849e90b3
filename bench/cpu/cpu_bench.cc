// Every operator through tileops_execute, beside a copy loop of the same traffic.
//
//   cpu_bench [--threads=N] [--filter=REGEX] [--seconds=S] [--benchmark_out=FILE] ...
//
// Rows are named operator[:variant]/dtype/size/threads. Counters: `best_us`, the fastest batch;
// `bytes` that one call reads and writes; `GB/s` at best_us; `copy_us`, the fastest copy; and
// `percent_of_copy`. Library and copy take turns, so that noise hits both.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "rows.h"

namespace tileops_bench {
namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  int threads = static_cast<int>(std::thread::hardware_concurrency());
  double seconds = 0.2;
};

// Shorter than the time slices of a busy machine, so that some batches run undisturbed.
constexpr double kBatchSeconds = 2e-4;

double seconds_of(const Bound& bound, int calls) {
  const auto begin = Clock::now();
  for (int i = 0; i < calls; ++i) benchmark::DoNotOptimize(bound.execute());
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

int batch_of(double seconds_once) {
  return std::max(1, static_cast<int>(kBatchSeconds / std::max(seconds_once, 1e-9)));
}

struct CopyVariant {
  int variant, passes;
  double best = 0;
};

std::vector<CopyVariant> copy_variants(const tileops_copy_traffic& traffic, int threads) {
  std::vector<CopyVariant> variants;
  for (int v : {TILEOPS_COPY_PLAIN, TILEOPS_COPY_STREAMING}) {
    const double once = tileops_copy_measure(&traffic, threads, v, 2, 1);
    if (once > 0) variants.push_back({v, batch_of(once), once});
  }
  return variants;
}

void run(benchmark::State& state, const Row& row, int threads) {
  tileops_context* ctx = context(threads, row.isa);
  if (!ctx) return state.SkipWithError("this CPU lacks the instruction set");
  std::unique_ptr<Bound> bound;
  try {
    bound = std::make_unique<Bound>(row.workload, ctx);
    check(bound->execute());
  } catch (const std::exception& e) {
    return state.SkipWithError(e.what());
  }
  const tileops_copy_traffic traffic = bound->traffic();
  std::vector<CopyVariant> copies = copy_variants(traffic, threads);
  double best = std::min(seconds_of(*bound, 1), seconds_of(*bound, 1));
  const int calls = batch_of(best);
  while (state.KeepRunningBatch(calls)) {
    seconds_of(*bound, 1);  // wakes the threads
    const double seconds = seconds_of(*bound, calls);
    state.SetIterationTime(seconds);
    best = std::min(best, seconds / calls);
    for (CopyVariant& c : copies)
      c.best = std::min(c.best, tileops_copy_measure(&traffic, threads, c.variant, 1, c.passes));
  }
  const auto bytes = static_cast<double>(bound->bytes_moved());
  state.counters["best_us"] = best * 1e6;
  state.counters["bytes"] = bytes;
  state.counters["GB/s"] = bytes / best * 1e-9;
  double copy = 0;
  for (const CopyVariant& c : copies)
    if (copy == 0 || c.best < copy) copy = c.best;
  if (copy > 0) {
    state.counters["copy_us"] = copy * 1e6;
    state.counters["percent_of_copy"] = 100 * copy / best;
  }
  state.SetLabel(bound->kernel());
}

void add_rows(std::vector<Row> rows, const char* size, int threads, const Options& options) {
  for (Row& row : rows) {
    const std::string name = row.name + "/" + size + "/" + std::to_string(threads) + "t";
    benchmark::RegisterBenchmark(name.c_str(), run, std::move(row), threads)
        ->UseManualTime()
        ->MinTime(options.seconds)
        ->Unit(benchmark::kMicrosecond);
  }
}

// Takes the flags of this program out of argv and translates --filter.
Options parse(int* argc, char** argv) {
  static std::string filter;
  Options options;
  int kept = 1;
  for (int i = 1; i < *argc; ++i) {
    const char* arg = argv[i];
    if (!std::strncmp(arg, "--threads=", 10)) {
      options.threads = std::max(1, std::atoi(arg + 10));
    } else if (!std::strncmp(arg, "--seconds=", 10)) {
      options.seconds = std::atof(arg + 10);
    } else if (!std::strncmp(arg, "--filter=", 9)) {
      filter = std::string("--benchmark_filter=") + (arg + 9);
      argv[kept++] = filter.data();
    } else {
      argv[kept++] = argv[i];
    }
  }
  *argc = kept;
  argv[kept] = nullptr;
  return options;
}

int main(int argc, char** argv) {
  const Options options = parse(&argc, argv);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::AddCustomContext("library", tileops_build_info());
  benchmark::AddCustomContext("threads", std::to_string(options.threads));
  constexpr int64_t kSmall = 64 << 10, kLarge = 16 << 20;
  register_host_rows();
  add_rows(table_rows(kSmall), "64Ki", 1, options);
  add_rows(layout_rows(kSmall), "64Ki", 1, options);
  add_rows(isa_rows(kSmall), "64Ki", 1, options);
  add_rows(table_rows(kLarge), "16Mi", options.threads, options);
  add_rows(layout_rows(kLarge), "16Mi", options.threads, options);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace
}  // namespace tileops_bench

int main(int argc, char** argv) {
  try {
    return tileops_bench::main(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "cpu_bench: %s\n", e.what());
    return 1;
  }
}

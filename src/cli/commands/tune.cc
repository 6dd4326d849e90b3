// tileops tune: finds the fastest strategy of operators on a GPU; later plans use what it found.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/common.h"
#include "cli/dtype.h"
#include "cli/workload.h"

namespace tileops::cli {
namespace {

using Json = nlohmann::ordered_json;

struct TuneOptions : WorkloadOptions {
  TuneOptions() { usual_sizes = "64Mi", device = "cuda:0"; }
  bool json = false, reproducible = false;
};

// A bar on a terminal that is drawn over, a line for each candidate in a log file. On stderr.
struct Bar {
  std::string what;
  bool terminal = isatty(STDERR_FILENO) != 0;

  void show(const tileops_tune_progress& p) const {
    char text[128];
    std::snprintf(text, sizeof text, "%s %d x %d: %.2f us (best %.2f us)", strategy_text(p.strategy), p.threads,
                  p.num_per_thread, p.seconds * 1e6, p.best_seconds * 1e6);
    if (terminal) {
      constexpr int kWidth = 24;
      const int full = kWidth * p.done / std::max(p.total, 1);
      std::string bar(static_cast<size_t>(full), '#');
      bar.resize(kWidth, '.');
      std::fprintf(stderr, "\r\033[K%s [%s] %d/%d %s", what.c_str(), bar.c_str(), p.done, p.total, text);
    } else {
      std::fprintf(stderr, "%s %d/%d %s\n", what.c_str(), p.done, p.total, text);
    }
    std::fflush(stderr);
  }
  void clear() const {
    if (terminal) std::fputs("\r\033[K", stderr);
  }
};

void tune(const TuneOptions& options) {
  const DLDevice device = parse_device(options.device);
  const std::vector<Case> cases = make_cases(options);
  const Context context;
  Json list = Json::array();
  for (const Case& c : cases) {
    const PlanDesc described(c, device, {});
    tileops_plan_desc desc = described.get();
    if (options.reproducible) desc.flags |= TILEOPS_PLAN_REPRODUCIBLE;
    const std::string size = size_text(c.n), dtype = dtype_name(c.dtype);
    Bar bar{c.name + " " + dtype + " " + size};
    tileops_tune_result r = TILEOPS_TUNE_RESULT_INIT;
    check(tileops_tune(
        context.get(), &desc,
        [](void* user, const tileops_tune_progress* p) {
          static_cast<const Bar*>(user)->show(*p);
          return 0;
        },
        &bar, &r));
    bar.clear();
    if (!options.json) {
      if (list.empty()) {
        std::printf("%-18s %-7s %8s %-18s %7s %10s %10s %10s %7s\n", "op", "dtype", "n", "fastest", "threads",
                    "per thread", "us", "auto us", "gain");
      }
      std::printf("%-18s %-7s %8s %-18s %7d %10d %10.2f %10.2f %6.1f%%\n", c.name.c_str(), dtype.c_str(), size.c_str(),
                  strategy_text(r.strategy), r.threads, r.num_per_thread, r.seconds * 1e6, r.auto_seconds * 1e6,
                  100 * (r.auto_seconds / r.seconds - 1));
      flush_stdout();
    }
    list.push_back({{c.expr ? "expr" : "op", c.expr ? c.expr->text() : c.name},
                    {"dtype", dtype},
                    {"out_dtype", dtype_name(c.results[0].dtype)},
                    {"n", c.n},
                    {"strategy", strategy_text(r.strategy)},
                    {"threads", r.threads},
                    {"num_per_thread", r.num_per_thread},
                    {"seconds", r.seconds},
                    {"auto_seconds", r.auto_seconds},
                    {"candidates", r.candidates}});
  }
  if (options.json) {
    std::cout << Json{{"version", tileops_version_string()}, {"device", device_text(device)}, {"results", list}}.dump(2)
              << "\n";
  }
}

}  // namespace

void add_tune(CLI::App& app) {
  CLI::App* command = app.add_subcommand("tune",
                                         "Find the fastest strategy of operators, or of an expression, on a GPU");
  auto o = std::make_shared<TuneOptions>();
  o->add(command, "cuda:N");
  command->add_flag("--reproducible", o->reproducible, "Of plans with this flag");
  command->add_flag("--json", o->json, "Print JSON");
  command->footer("What is found holds for plans of the same operator, dtypes, layout class and size (within a power\n"
                  "of two) on this kind of GPU. It is kept in the cache directory; `tileops info` names it.");
  command->callback([o] { tune(*o); });
}

}  // namespace tileops::cli

#include "cuda/standard/standard.h"

#include "base/error.h"
#include "cuda/launch/result_table.h"
#include "cuda/standard/collection.h"
#include "plan/layout.h"

namespace tileops::cuda {

void Collection::add(const Problem& problem, const std::string& name) {
  for (const Pass& pass : problem.passes)
    for (const UseTables tables : {UseTables::yes, UseTables::no})
      for (const LaunchHint& hint : hints_) add_choice(problem, pass, {arch_, tables, hint}, name);
}

void Collection::add_choice(const Problem& problem, const Pass& pass, const ChooseOptions& options,
                            const std::string& name) {
  try {
    KernelSpec spec = choose(problem, pass, make_layout(pass), options).spec;
    if (spec.needs_table()) add_spec(choose_filler(problem, pass, options.arch).spec, name);
    add_spec(std::move(spec), name);
  } catch (const Error&) {
    if (options.hint.strategy == TILEOPS_STRATEGY_AUTO) throw;
  }
}

void Collection::add_spec(KernelSpec spec, const std::string& name) {
  if (!seen_.insert(spec.text()).second) return;
  if (spec.is_expression()) spec.body = name;
  kernels_.push_back(std::move(spec));
}

std::vector<KernelSpec> standard_kernels(int arch, bool small) {
  Collection kernels(arch);
  add_operators(&kernels, small);
  add_expressions(&kernels, small);
  if (small) {
    // The strategies that nobody gets unasked.
    kernels.choose_as({{TILEOPS_STRATEGY_DIRECT, 128, 1},
                       {TILEOPS_STRATEGY_EXPLICIT_PARALLEL, 512, 2},
                       {TILEOPS_STRATEGY_EXPLICIT_PARALLEL, 0, 32},
                       {TILEOPS_STRATEGY_REGISTER_COPY, 1024, 2},
                       {TILEOPS_STRATEGY_REGISTER_COPY, 64, 32},
                       {TILEOPS_STRATEGY_REGISTER_COPY, 1024, 0},
                       {TILEOPS_STRATEGY_TABLE, 512, 128},
                       {TILEOPS_STRATEGY_TILE, 512, 0}});
    add_strategies_of_operators(&kernels);
    add_strategies_of_expressions(&kernels);
  }
  return kernels.take();
}

}  // namespace tileops::cuda

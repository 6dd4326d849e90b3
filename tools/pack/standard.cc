#include "pack/standard.h"

#include "base/error.h"
#include "cuda/launch/result_table.h"
#include "pack/collection.h"
#include "problem/layout.h"

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
  add_operators(&kernels, small ? Share::sample : Share::all);
  add_expressions(&kernels, small ? Share::sample : Share::all);
  if (small) {
    kernels.choose_as({
#define TILEOPS_STANDARD_STRATEGY(strategy, threads, elements) {TILEOPS_STRATEGY_##strategy, threads, elements},
#include "pack/standard.def"
    });
    add_operators(&kernels, Share::strategies);
    add_expressions(&kernels, Share::strategies);
  }
  return kernels.take();
}

}  // namespace tileops::cuda

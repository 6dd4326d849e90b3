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
    const Choice choice = choose(problem, pass, make_layout(pass), options);
    if (choice.spec.needs_table()) add_kernel(choose_filler(problem, pass, options.arch), name);
    add_kernel(choice, name);
  } catch (const Error&) {
    if (options.hint.strategy == TILEOPS_STRATEGY_AUTO) throw;
  }
}

void Collection::add_kernel(const Choice& choice, const std::string& name) {
  if (!seen_.insert(choice.kernel.text).second) return;
  const bool of_body = !choice.spec.compute.type.empty() || choice.spec.looks_up();
  kernels_.push_back({choice.spec, choice.kernel, of_body ? choice.spec.compute.name : name});
}

std::vector<StandardKernel> standard_kernels(int arch, bool small) {
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

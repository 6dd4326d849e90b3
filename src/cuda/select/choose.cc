#include "cuda/select/choose.h"

#include <algorithm>

#include "base/error.h"
#include "cuda/select/rows/choose.h"
#include "cuda/select/stages.h"
#include "problem/rows/gate.h"

namespace tileops::cuda {
namespace {

// The mask that leaves rows of the last dimension out, if the pass has one.
std::optional<Value> gate_of_rows(const Pass& pass, const Operands& operands) {
  std::optional<Value> gate = gate_of(pass);
  if (!gate) return gate;
  const NumberSet loads = made_of(pass, *gate).loads;
  for (const size_t i : loads)
    if (operands.direct[i].strides.back() != 0) gate.reset();
  return loads.empty() ? std::nullopt : gate;
}

Computation computation_of(const Problem& problem, const Pass& pass, const Operands& operands,
                           const ChooseOptions& options) {
  const bool reproducible = problem.flags & TILEOPS_PLAN_REPRODUCIBLE;
  if (is_operator(pass)) return operator_of(pass, {reproducible, options.tables == UseTables::yes, options.policy});
  return expression_of(problem, pass, in_one_piece(operands), reproducible, gate_of_rows(pass, operands));
}

}  // namespace

tileops_strategy Choice::strategy() const {
  const TraversalSpec& t = spec.traversal;
  if (spec.has_rows())
    return t.row.staged && !t.row.in_columns ? TILEOPS_STRATEGY_CLUSTER
           : t.row.kept || t.row.in_columns  ? TILEOPS_STRATEGY_REGISTER_COPY
                                             : TILEOPS_STRATEGY_REREAD;
  if (spec.looks_up()) return TILEOPS_STRATEGY_TABLE;
  if (t.order == TraversalOrder::tiles) return TILEOPS_STRATEGY_TILE;
  if (t.vec * t.vecs_per_thread == 1) return TILEOPS_STRATEGY_DIRECT;
  return launch.interleaved ? TILEOPS_STRATEGY_EXPLICIT_PARALLEL : TILEOPS_STRATEGY_REGISTER_COPY;
}

int Choice::num_per_thread() const {
  const TraversalSpec& t = spec.traversal;
  if (t.order == TraversalOrder::tiles) return std::max(1, t.tile_dim * t.tile_dim / t.threads);
  return t.vec * launch.vecs_per_thread * t.rows_per_thread;
}

Choice choose(const Problem& problem, const Pass& pass, const Layout& layout, const ChooseOptions& given) {
  ChooseOptions options = given;
  if (problem.flags & TILEOPS_PLAN_LIST) {
    options.tables = UseTables::no;  // whose kernels go through the whole grid
    if (options.hint.strategy == TILEOPS_STRATEGY_TABLE) unsupported("strategy: table is not for lists");
  }
  const Tuning& tuning = tuning_of(options.arch);
  if (pass.is_of_rows()) return choose_rows(problem, pass, options, tuning);
  if (std::optional<Choice> lookup = choose_lookup(pass, layout, options, tuning)) return *std::move(lookup);
  const Operands operands = operands_of(pass, layout);
  const Computation computation = computation_of(problem, pass, operands, options);
  const Traversal traversal = traversal_of(pass, computation, operands, layout, options, tuning);
  KernelSpec spec = spec_of(pass, computation, traversal, options.hint, tuning);
  const LaunchConfig launch = launch_config_of(spec, traversal, options.multiprocessors);
  Arguments arguments = arguments_of(pass, spec, traversal);
  spec.list = list_of(problem, arguments, options);
  return {std::move(spec), launch, std::move(arguments)};
}

Choice choose_pass(const Problem& problem, size_t i, const Layout& layout, ChooseOptions options) {
  const tileops_strategy strategy = options.hint.strategy;
  const bool of_first = strategy == TILEOPS_STRATEGY_TABLE || strategy == TILEOPS_STRATEGY_TILE ||
                        problem.passes[0].is_of_rows() || problem.passes[i].is_of_rows();
  if (i > 0 && of_first) options.hint = {};
  return choose(problem, problem.passes[i], layout, options);
}

}  // namespace tileops::cuda

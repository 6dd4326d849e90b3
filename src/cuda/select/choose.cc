#include "cuda/select/choose.h"

#include <algorithm>

#include "cuda/select/rows/choose.h"
#include "cuda/select/stages.h"
#include "problem/analysis.h"

namespace tileops::cuda {

tileops_strategy Choice::strategy() const {
  if (spec.has_rows())
    return spec.row.staged                        ? TILEOPS_STRATEGY_CLUSTER
           : spec.row.kept || spec.row.in_columns ? TILEOPS_STRATEGY_REGISTER_COPY
                                                  : TILEOPS_STRATEGY_REREAD;
  if (spec.which != Template::elementwise) return TILEOPS_STRATEGY_TABLE;
  if (spec.order == TraversalOrder::tiles) return TILEOPS_STRATEGY_TILE;
  if (spec.vec * spec.vecs_per_thread == 1) return TILEOPS_STRATEGY_DIRECT;
  return launch.interleaved ? TILEOPS_STRATEGY_EXPLICIT_PARALLEL : TILEOPS_STRATEGY_REGISTER_COPY;
}

int Choice::num_per_thread() const {
  if (spec.order == TraversalOrder::tiles) return std::max(1, spec.tile_dim * spec.tile_dim / spec.threads);
  return spec.vec * launch.vecs_per_thread * spec.rows_per_thread;
}

Choice choose(const Problem& problem, const Pass& pass, const Layout& layout, const ChooseOptions& options) {
  const Tuning& tuning = tuning_of(options.arch);
  if (pass.row_rank > 0) return choose_rows(problem, pass, options, tuning);
  const Operands operands = operands_of(pass, layout);
  if (!is_operator(pass)) return choose_expression(problem, pass, operands, layout, options, tuning);
  if (std::optional<Choice> lookup = choose_lookup(pass, layout, options, tuning)) return *std::move(lookup);
  const Traversal traversal = traversal_of(pass, operands, layout, options.hint, tuning);
  const KernelSpec spec = spec_of(problem, pass, traversal, options, tuning);
  const LaunchConfig launch = launch_config_of(spec, traversal, options.multiprocessors);
  return {spec, launch, arguments_of(pass, spec, traversal)};
}

Choice choose_pass(const Problem& problem, size_t i, const Layout& layout, ChooseOptions options) {
  const tileops_strategy strategy = options.hint.strategy;
  const bool of_first = strategy == TILEOPS_STRATEGY_TABLE || strategy == TILEOPS_STRATEGY_TILE ||
                        problem.passes[0].row_rank > 0 || problem.passes[i].row_rank > 0;
  if (i > 0 && of_first) options.hint = {};
  return choose(problem, problem.passes[i], layout, options);
}

}  // namespace tileops::cuda

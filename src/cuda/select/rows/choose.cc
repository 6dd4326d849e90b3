#include "cuda/select/rows/choose.h"

#include <algorithm>

#include "cuda/select/rows/plan.h"
#include "cuda/spec/rows/text.h"
#include "problem/rows/stages.h"

namespace tileops::cuda {
namespace {

// Strides of the views that are no single element, by view.
std::vector<int> stride_rows(const Operands& operands, bool shared) {
  std::vector<int> rows;
  std::vector<const std::vector<int64_t>*> known;
  for (const Operand& o : operands.direct) {
    rows.push_back(-1);
    if (o.is_one_element()) continue;
    size_t at = known.size();
    for (size_t k = 0; shared && k < known.size(); ++k)
      if (*known[k] == o.strides) at = std::min(at, k);
    if (at == known.size()) known.push_back(&o.strides);
    rows.back() = static_cast<int>(at);
  }
  return rows;
}

uint64_t misaligned_bits(const Operand& o, int vec) {
  if (o.pattern != AccessPattern::row || vec == 1) return 0;
  return static_cast<uint64_t>(std::min(kWidestAccess, vec * o.size)) - 1;
}

Arguments arguments_of_rows(const Pass& pass, const KernelSpec& spec, const RowPlan& plan) {
  const ArgumentLayout at = ArgumentLayout::of(spec);
  Arguments arguments;
  arguments.words.assign(static_cast<size_t>(at.words()), 0);
  const auto word = [&](int i) -> uint64_t& { return arguments.words[static_cast<size_t>(i)]; };
  word(at.count) = static_cast<uint64_t>(plan.blocks / spec.row.columns);
  for (int d = 0; d < spec.dims; ++d) {
    const uint64_t extent = static_cast<uint64_t>(plan.layout.extents[static_cast<size_t>(d)]);
    const bool in_packs = d + 1 == spec.row.outer;
    const uint64_t divisor = in_packs ? extent / static_cast<uint64_t>(spec.row.columns) : extent;
    add_division(at, d, std::max<uint64_t>(divisor, 1), spec.index64, &arguments);
  }
  for (size_t v = 0; v < plan.operands.direct.size(); ++v) {
    const Operand& o = plan.operands.direct[v];
    if (!o.is_one_element())
      for (int d = 0; d < spec.dims; ++d)
        word(at.stride(static_cast<int>(v)) + d) = static_cast<uint64_t>(o.strides[static_cast<size_t>(d)]);
    arguments.views.push_back(source_of(*o.view, misaligned_bits(o, plan.vec)));
    arguments.views.back().scalar = o.is_one_element();
  }
  add_attributes(pass, at, &arguments);
  add_indices(pass, at, &arguments);
  word(at.length()) = static_cast<uint64_t>(plan.length);
  const Pass::ShortGroup& cut = plan.layout.short_group;
  int64_t elements = plan.groups * plan.inner;
  if (cut.limit && static_cast<int>(cut.group) >= spec.row.outer)
    elements = elements == 0
                   ? 0
                   : elements / (plan.layout.extents[cut.group] * plan.layout.extents[cut.within]) * cut.limit;
  word(at.length() + 1) = static_cast<uint64_t>(elements);
  word(at.length() + 2) = static_cast<uint64_t>(plan.inner);
  word(at.length() + 3) = static_cast<uint64_t>(cut.limit);
  return arguments;
}

// Thread blocks that a multiprocessor's shared memory has room for. Each takes up to 2 KiB besides: a KiB of the
// driver's, and nodes of the tree.
int blocks_that_fit(const KernelSpec& spec, const Tuning& tuning) {
  const int64_t each = spec.shared_bytes() + (2 << 10);
  return static_cast<int>(std::max<int64_t>(1, std::min<int64_t>(tuning.shared_bytes / each, 1024 / spec.threads)));
}

}  // namespace

Choice choose_rows(const Problem& problem, const Pass& pass, const ChooseOptions& options, const Tuning& tuning) {
  const bool reproducible = problem.flags & TILEOPS_PLAN_REPRODUCIBLE;
  const PassInfo info(pass, {reproducible});
  RowPlan plan = row_plan_of(problem, pass, info, options, tuning);
  KernelSpec spec;
  spec.body = "rows";
  spec.row = plan.spec;
  spec.dims = static_cast<int>(plan.layout.extents.size());
  spec.vec = plan.vec;
  spec.threads = plan.threads;
  // Where a block has many threads, two or more of them are to be there at a time.
  const bool few_registers = plan.spec.kept ? plan.spec.packs * plan.vec <= tuning.row_values_kept : !plan.spec.staged;
  if (plan.threads >= 256 && plan.threads <= 512 && few_registers && !has_scans(pass) && !plan.spec.in_columns)
    spec.min_blocks = 1024 / plan.threads;
  if (plan.spec.staged) spec.min_blocks = blocks_that_fit(spec, tuning);
  if (sums_blocks(pass)) spec.min_blocks = std::max(1, tuning.row_threads_of_sums / plan.threads);
  spec.index64 = plan.index64;
  add_accesses(plan.operands, &spec);
  spec.stride_rows = stride_rows(plan.operands, false);
  add_row_steps(pass, info, reproducible, plan.kept, &spec);
  if (ArgumentLayout::of(spec).words() * 8 > kUsualArgumentBytes) spec.stride_rows = stride_rows(plan.operands, true);
  LaunchConfig launch;
  launch.threads = static_cast<uint32_t>(spec.threads);
  launch.vecs_per_thread = spec.row.packs * std::max(1, spec.row.staged);
  const RowSpec& r = spec.row;
  const uint64_t each = static_cast<uint64_t>(r.in_columns ? r.lanes : spec.threads / (r.lanes * r.warps));
  const auto divided_up = [](uint64_t n, uint64_t d) { return (n + d - 1) / d; };
  const uint64_t units = sums_blocks(pass) ? divided_up(static_cast<uint64_t>(plan.blocks), kColumnGroup)
                                           : static_cast<uint64_t>(plan.blocks / r.columns);
  launch.blocks = divided_up(units, each) * static_cast<uint64_t>(r.cluster);
  Arguments arguments = arguments_of_rows(pass, spec, plan);
  return {std::move(spec), launch, std::move(arguments)};
}

}  // namespace tileops::cuda

#include "cuda/select/rows/choose.h"

#include <algorithm>

#include "cuda/select/rows/plan.h"
#include "cuda/spec/rows/text.h"
#include "problem/rows/stages.h"

namespace tileops::cuda {
namespace {

bool are_strided_in_rows(const Operand& o, TraversalOrder) { return !o.is_one_element(); }

uint64_t misaligned_bits(const Operand& o, int vec, bool side_by_side, const RowSpec& row) {
  if (o.pattern != AccessPattern::row || vec == 1) return 0;
  return static_cast<uint64_t>(access_of(vec * o.size * (side_by_side ? row.packs : 1))) - 1;
}

// What numbers blocks, of columns those that a thread has together.
std::vector<Extent> blocks_of(const RowShape& shape, const RowSpec& row) {
  std::vector<Extent> blocks(shape.layout.extents.begin(),
                             shape.layout.extents.begin() + static_cast<ptrdiff_t>(shape.outer()));
  blocks.back() /= row.columns;
  return blocks;
}

Arguments arguments_of_rows(const Pass& pass, const KernelSpec& spec, const RowShape& shape, const RowPlan& plan) {
  const ArgumentLayout at = ArgumentLayout::of(spec);
  const RowSpec& row = spec.traversal.row;
  Arguments arguments;
  arguments.words.assign(static_cast<size_t>(at.words()), 0);
  arguments.set_product(at.count, blocks_of(shape, row));
  for (int d = 1; d < spec.traversal.dims; ++d) {  // nothing is divided by the outermost
    Extent divisor = shape.layout.extents[static_cast<size_t>(d)];
    if (d + 1 == row.outer) divisor /= row.columns;
    arguments.set_divisor(at.divide(d), divisor, spec.traversal.index64);
  }
  for (size_t v = 0; v < plan.operands.direct.size(); ++v) {
    const Operand& o = plan.operands.direct[v];
    const int view = static_cast<int>(v);
    for (int d = 0; at.has_strides(view) && d < spec.traversal.dims; ++d)
      arguments.set(at.stride(view) + d, o.strides[static_cast<size_t>(d)]);
    const bool side_by_side = (row.side_by_side >> v & 1) != 0;
    arguments.views.push_back(source_of(*o.view, misaligned_bits(o, plan.vec, side_by_side, row)));
    arguments.views.back().scalar = o.is_one_element();
  }
  add_attributes(pass, spec, &arguments);
  arguments.set(at.length(), plan.length);
  const Pass::ShortGroup& cut = shape.layout.short_group;
  Extent elements = shape.groups * shape.inner;
  if (cut.limit && static_cast<int>(cut.group) >= row.outer && elements != 0)
    elements = elements / (shape.layout.extents[cut.group] * shape.layout.extents[cut.within]) * cut.limit;
  arguments.set(at.length() + 1, elements);
  arguments.set(at.length() + 2, shape.inner);
  arguments.set(at.length() + 3, cut.limit);
  return arguments;
}

// Thread blocks that a multiprocessor's shared memory has room for. Each takes up to 2 KiB besides: a KiB of the
// driver's, and nodes of the tree.
int blocks_that_fit(const KernelSpec& spec, const Tuning& tuning) {
  const int64_t each = shared_bytes_of(spec) + (2 << 10);
  return static_cast<int>(
      std::max<int64_t>(1, std::min<int64_t>(tuning.shared_bytes / each, 1024 / spec.traversal.threads)));
}

int min_blocks_of(const Pass& pass, const KernelSpec& spec, const Tuning& tuning) {
  const TraversalSpec& t = spec.traversal;
  if (sums_blocks(pass)) return std::max(1, tuning.row_threads_of_sums / t.threads);
  if (t.row.staged) return blocks_that_fit(spec, tuning);
  // Where a block has many threads, two or more of them are to be there at a time.
  const bool few_registers = !t.row.kept || t.row.packs * t.vec <= tuning.row_values_kept;
  const bool many = t.threads >= 256 && t.threads <= 512 && few_registers && !has_scans(pass) && !t.row.in_columns;
  return many ? 1024 / t.threads : 0;
}

KernelSpec spec_of_rows(const Pass& pass, const PassInfo& info, bool reproducible, const RowShape& shape,
                        const RowPlan& plan, const Tuning& tuning) {
  KernelSpec spec;
  spec.access = accesses_of(plan.operands, std::nullopt);
  TraversalSpec& t = spec.traversal;
  t.kernel_template = plan.spec.in_columns ? Template::columns : Template::rows;
  t.row = plan.spec;
  t.dims = static_cast<int>(shape.layout.extents.size());
  t.vec = plan.vec;
  t.threads = plan.threads;
  t.index64 = plan.index64;
  t.min_blocks = min_blocks_of(pass, spec, tuning);
  spec.compute = row_steps_of(pass, info, reproducible, plan.kept, spec);
  set_stride_slots(plan.operands, are_strided_in_rows, &spec);
  return spec;
}

LaunchConfig launch_config_of_rows(const Pass& pass, const KernelSpec& spec, const RowShape& shape) {
  const RowSpec& r = spec.traversal.row;
  LaunchConfig launch;
  launch.vecs_per_thread = r.packs * std::max(1, r.staged);
  launch.grid.positions = blocks_of(shape, r);
  if (r.beside > 1 && r.split_elements) {  // a thread block has parts of one number
    Extent& columns = launch.grid.positions[launch.grid.positions.size() - 2];
    columns = columns.in_groups_of(r.beside) * r.beside;
  }
  launch.grid.together = sums_blocks(pass) ? kColumnGroup : 1;
  launch.grid.each = static_cast<uint64_t>(r.in_columns ? r.lanes : spec.traversal.threads / (r.lanes * r.warps));
  launch.grid.threads = static_cast<uint32_t>(spec.traversal.threads);
  launch.grid.cluster = static_cast<uint32_t>(r.cluster);
  launch.fit();
  return launch;
}

}  // namespace

Choice choose_rows(const Problem& problem, const Pass& pass, const ChooseOptions& options, const Tuning& tuning) {
  const bool reproducible = problem.flags & TILEOPS_PLAN_REPRODUCIBLE;
  const PassInfo info(pass, {reproducible});
  const RowShape shape(problem, pass, info, options.way);
  const RowPlan plan = row_plan_of(shape, options, tuning);
  KernelSpec spec = spec_of_rows(pass, info, reproducible, shape, plan, tuning);
  const LaunchConfig launch = launch_config_of_rows(pass, spec, shape);
  Arguments arguments = arguments_of_rows(pass, spec, shape, plan);
  spec.list = list_of(problem, arguments, options);
  return {std::move(spec), launch, std::move(arguments)};
}

}  // namespace tileops::cuda

#include "cuda/select/rows/plan.h"

#include <algorithm>

#include "base/error.h"
#include "cuda/select/rows/planner.h"
#include "op/strategy.h"
#include "problem/rows/gate.h"

namespace tileops::cuda {
namespace {

// Bytes of an access below which elements may as well be read one by one.
constexpr int64_t kLeastAccess = 8;

void require_strategy_of_rows(const RowShape& shape, const LaunchHint& hint) {
  const tileops_strategy s = hint.strategy;
  if (s == TILEOPS_STRATEGY_DIRECT || s == TILEOPS_STRATEGY_EXPLICIT_PARALLEL || s == TILEOPS_STRATEGY_TABLE ||
      s == TILEOPS_STRATEGY_TILE)
    unsupported("strategy: %s has rows, which threads share (got %s, need register_copy, reread or cluster)",
                shape.problem.name.c_str(), strategy_name(s));
}

// A thread has all elements of a byte: in a pack of a row, or of neighbouring columns.
void require_packs(const RowShape& shape, const RowPlan& plan) {
  if (stores_nothing(shape.pass)) return;
  for (size_t i = 0; i < shape.num_operands(); ++i) {
    const Operand& o = plan.operands.direct[i];
    const bool in_packs = o.pattern == AccessPattern::row || o.pattern == AccessPattern::gathered_row;
    const bool together = in_packs && plan.vec % 2 == 0 && (plan.spec.in_columns || shape.levels[i] == Level::element);
    if (o.is_packed_store() && !together)
      unsupported("outputs[%d]: two elements of %s share a byte, and lie in different rows: not yet", o.view->slot,
                  dtype_name(o.view->dtype));
  }
}

// Elements of a pack: as many as one access has, as long as packs lie within rows and are aligned in each.
struct RowPacks {
  int vec = 1;
  bool aligned = true;         // else elements are read one by one
  bool of_one_thread = false;  // a thread has all packs of a row
};
RowPacks packs_of(const RowShape& shape, const ChooseOptions& options, const Tuning& tuning) {
  if (is_in_columns(shape.pass)) return {};  // a thread has 32 of them
  int64_t least = kWidestAccess, least_reused = kWidestAccess, largest = 1, written = 1;
  bool any = false, all_reused = true;
  for (size_t i = 0; i < shape.num_operands(); ++i) {
    const Operand& o = shape.operand(i);
    const bool in_one_piece = o.pattern == AccessPattern::row || o.pattern == AccessPattern::gathered_row;
    if (shape.levels[i] != Level::element || !in_one_piece || shape.is_sum_of_blocks(i)) continue;
    any = true;
    const bool reused = !o.is_store && !shape.pass.split_elements && is_reused(o, shape.layout.extents);
    if (reused) least_reused = std::min(least_reused, o.size), largest = std::max(largest, o.size / 2);
    else least = std::min(least, o.size), largest = std::max(largest, o.size);
    all_reused = all_reused && reused;
    if (o.is_store) written = std::max(written, o.size);
  }
  if (!any) return {};
  if (all_reused) least = least_reused;
  const int64_t wanted = std::min({tuning.smallest_operand_bytes / least, tuning.largest_operand_bytes / largest,
                                   tuning.largest_result_bytes / written});
  int64_t vec = std::max<int64_t>(wanted, 1);
  while (vec > 1 && !shape.has_packs_within(vec)) vec /= 2;
  int64_t aligned = vec;
  while (aligned > 1 && !shape.has_aligned_packs(aligned)) aligned /= 2;
  if (shape.has_short_rows(aligned, options, tuning)) return {static_cast<int>(aligned), true, true};
  // A thread takes as many elements where they are read one by one.
  const bool pays = aligned == vec || aligned * least >= kLeastAccess;
  return {static_cast<int>(pays ? aligned : vec), pays};
}

// Places of a group, a power of two; 0: there are no groups.
int64_t group_span_of(const RowShape& shape, int vec) {
  if (shape.layout.group_rank == 0) return 0;
  const int64_t span = power_of_two(std::max<int64_t>(shape.inner, vec));
  for (const Step& s : shape.pass.steps)
    if (s.reduces() && s.rank == shape.pass.row_rank && depends_on_order(s) && span != shape.inner)
      unsupported("op: %s adds up whole rows beside groups of %lld elements, which is no power of two: not yet",
                  shape.problem.name.c_str(), static_cast<long long>(shape.inner));
  return span;
}

// Which loads are kept, in registers or shared memory, and whether values are, too.
void find_kept(const RowShape& shape, const Tuning& tuning, RowPlan* plan) {
  RowSpec& s = plan->spec;
  const int64_t room = plan->threads > 512 ? tuning.row_bytes_of_many_threads : tuning.row_bytes;
  const bool all = shape.load_bytes(true) * plan->vec * s.packs <= room * 3 / 4;
  plan->kept.assign(shape.pass.loads.size(), false);
  for (size_t i = 0; i < plan->kept.size(); ++i) {
    if (s.staged) plan->kept[i] = shape.is_element(i) && !shape.is_of_last_stage(i) && !is_gathered(shape.pass, i);
    else if (s.kept) plan->kept[i] = shape.is_element(i) && (all || shape.is_there_early(i));
    if (s.staged && plan->kept[i])
      s.staged_bytes += static_cast<int>(divided_up(plan->vec * dtype_bits(shape.operand(i).view->dtype), 8));
  }
  const int values = plan->threads > 512 ? tuning.row_values_kept / 2 : tuning.row_values_kept;
  s.keeps_values = s.kept && s.packs * plan->vec <= values;
}

void find_exactness(const RowShape& shape, RowPlan* plan) {
  const Layout& l = shape.layout;
  const int vec = plan->vec;
  const bool is_cut = l.short_group.limit != 0, cut_within = is_cut && l.short_group.within + 1 == l.extents.size();
  RowSpec& s = plan->spec;
  s.packs_all_or_nothing = shape.inner.divisor() % vec == 0 &&
                           (!cut_within || (l.extents.back() % vec == 0 && l.short_group.limit % vec == 0));
  const int64_t chunk = plan->chunk_packs() * vec;
  s.no_padding = s.packs_all_or_nothing && !is_cut && !shape.has_open_blocks() && plan->length > 0 &&
                 (s.group_span == 0 || s.group_span == shape.inner) && plan->length % chunk == 0 &&
                 (s.split_elements == 0 || plan->length % s.split_elements == 0) &&
                 (!(s.kept || s.staged) || plan->kept_length() == chunk);
}

// Does each thread have a row of its own, whose results lie one after the other and take several accesses? All of them
// are stored as they are: no mask leaves any out, and none is shorter.
bool gathers_rows(const RowShape& shape, const RowPlan& plan) {
  const bool may_lack_some = gate_of(shape.pass) || shape.layout.short_group.limit != 0;
  if (!plan.thread_a_row || shape.outer() != 1 || may_lack_some || plan.length.is_open()) return false;
  bool any = false;
  for (size_t i = shape.pass.loads.size(); i < shape.num_operands(); ++i) {
    const Operand& o = plan.operands.direct[i];
    if (shape.levels[i] != Level::element) continue;
    const Extent bytes = plan.length * o.size;
    if (o.pattern != AccessPattern::row || o.is_packed_store() || !o.view->indices.empty() || o.strides[0] != bytes)
      return false;
    any = any || bytes != access_of(bytes.typical());
  }
  return any;
}

// Do numbers of blocks, places or bytes within a block need 64 bits?
bool needs_index64(const RowShape& shape, const RowPlan& plan) {
  if (shape.way) return shape.way->index64;
  const int64_t beyond = plan.chunk_packs() * plan.vec + plan.threads;
  return shape.blocks + beyond >= INT32_MAX || plan.length + beyond >= INT32_MAX || shape.is_wide();
}

RowPlan plan_of_rows(const RowShape& shape, const ChooseOptions& options, const Tuning& tuning) {
  RowPlan plan = begun_plan(shape);
  const bool one_each = suits_a_thread_each(shape, options);
  const RowPacks packs = one_each ? RowPacks{} : packs_of(shape, options, tuning);
  plan.vec = packs.vec;
  plan.spec.aligned = packs.aligned;
  plan.thread_a_row = packs.of_one_thread;
  require_packs(shape, plan);
  plan.spec.group_span = group_span_of(shape, plan.vec);
  plan.length = shape.groups * (plan.spec.group_span ? Extent(plan.spec.group_span) : shape.inner);
  if (one_each) give_each_a_thread(shape, options, tuning, &plan);
  else RowThreads(shape, options, tuning, &plan).choose();
  find_kept(shape, tuning, &plan);
  find_exactness(shape, &plan);
  plan.spec.gathers_rows = gathers_rows(shape, plan);
  return plan;
}

}  // namespace

RowPlan begun_plan(const RowShape& shape) {
  RowPlan plan;
  plan.operands = shape.operands;
  plan.spec.outer = static_cast<int>(shape.outer());
  plan.spec.group_dims = static_cast<int>(shape.layout.group_rank);
  plan.spec.split_elements = shape.pass.split_elements;
  if (!shape.layout.short_group.limit) return plan;
  plan.spec.short_group = static_cast<int>(shape.layout.short_group.group);
  plan.spec.short_within = static_cast<int>(shape.layout.short_group.within);
  return plan;
}

RowPlan row_plan_of(const RowShape& shape, const ChooseOptions& options, const Tuning& tuning) {
  require_strategy_of_rows(shape, options.hint);
  const bool in_columns = shape.lies_in_columns() && !has_scans(shape.pass);
  RowPlan plan = in_columns ? plan_of_columns(shape, options, tuning) : plan_of_rows(shape, options, tuning);
  if (in_columns) require_packs(shape, plan);
  plan.index64 = needs_index64(shape, plan);
  return plan;
}

}  // namespace tileops::cuda

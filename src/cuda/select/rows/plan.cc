#include "cuda/select/rows/plan.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/error.h"
#include "cuda/select/rows/planner.h"
#include "cuda/spec/rows/sums.h"
#include "cuda/steps/computation.h"
#include "op/strategy.h"

namespace tileops::cuda {
namespace {

// Bytes of an access below which elements may as well be read one by one.
constexpr int64_t kLeastAccess = 8;

int64_t product(const std::vector<int64_t>& extents, size_t first, size_t last) {
  int64_t n = 1;
  for (size_t d = first; d < last; ++d) n *= extents[d];
  return n;
}

AccessPattern pattern_in_rows(const Operand& o, Level level) {
  if (o.pattern == AccessPattern::index || o.is_one_element() || o.by_steps) return o.pattern;
  if (level != Level::element) return AccessPattern::strided;
  const int64_t step = o.strides.back();
  return step == o.size ? AccessPattern::row : step == 0 ? AccessPattern::broadcast : AccessPattern::strided;
}

}  // namespace

RowPlan RowPlanner::run() {
  require_possible();
  p_.layout = row_layout(pass_);
  find_operands();
  find_extents();
  if (lies_in_columns() && !has_scans(pass_)) {
    find_columns();
    require_packs();
    p_.index64 = is_wide();
    return std::move(p_);
  }
  const bool one_each = suits_a_thread_each();
  p_.vec = one_each ? 1 : vec_of();
  require_packs();
  find_places();
  if (one_each) give_each_a_thread();
  else find_threads();
  find_kept();
  find_exactness();
  p_.index64 = is_wide();
  return std::move(p_);
}

void RowPlanner::require_possible() const {
  require_plain_views(problem_, pass_);
  const tileops_strategy s = options_.hint.strategy;
  if (s == TILEOPS_STRATEGY_DIRECT || s == TILEOPS_STRATEGY_EXPLICIT_PARALLEL || s == TILEOPS_STRATEGY_TABLE ||
      s == TILEOPS_STRATEGY_TILE)
    unsupported("strategy: %s has rows, which threads share (got %s, need register_copy, reread or cluster)",
                problem_.name.c_str(), strategy_name(s));
}

void RowPlanner::find_operands() {
  p_.operands = operands_of(pass_, p_.layout);
  for (size_t i = 0; i < p_.operands.direct.size(); ++i) {
    Operand& o = p_.operands.direct[i];
    const size_t store = i - pass_.loads.size();
    const Level level = o.is_store ? level_of_stored(pass_, info_, store) : info_.of(load_value(i)).level;
    o.pattern = pattern_in_rows(o, level);
    if (o.view->sum_of_blocks) {  // kernels/rows/sums_of_blocks.h
      o.pattern = AccessPattern::strided;
      o.strides[outer() - 1] = o.view->sum_of_blocks->chunk;
    }
    p_.levels.push_back(level);
  }
}

void RowPlanner::find_extents() {
  const std::vector<int64_t>& e = p_.layout.extents;
  p_.blocks = product(e, 0, outer());
  p_.groups = product(e, outer(), inner_dim());
  p_.inner = product(e, inner_dim(), e.size());
  p_.spec.outer = static_cast<int>(outer());
  p_.spec.group_dims = static_cast<int>(p_.layout.group_rank);
  p_.spec.split_elements = pass_.part_places;
  if (!p_.layout.short_group.limit) return;
  p_.spec.short_group = static_cast<int>(p_.layout.short_group.group);
  p_.spec.short_within = static_cast<int>(p_.layout.short_group.within);
  if (p_.layout.short_group.within < outer())
    unsupported("op: %s has elements of a short group outside of its rows", problem_.name.c_str());
}

bool RowPlanner::is_element(size_t i) const {
  const Operand& o = p_.operands.direct[i];
  if (is_sum_of_blocks(i)) return false;
  const bool is_read = o.is_store || !o.by_steps || is_gathered_in_blocks(pass_, info_, i);
  return p_.levels[i] == Level::element && o.in_memory() && is_read;
}

// Bytes of a node of what is reduced of blocks, all stages together: each has its own in shared memory.
int64_t RowPlanner::node_bytes() const {
  int64_t bytes = 0;
  for (int stage = 0; stage + 1 < info_.stages(); ++stage)
    bytes += state_bytes(pass_, reductions_behind(pass_, info_, stage, Level::block));
  return bytes;
}

// A thread has all elements of a byte: in a pack of a row, or of neighbouring columns.
void RowPlanner::require_packs() const {
  if (stores_nothing(pass_)) return;
  for (size_t i = 0; i < p_.levels.size(); ++i) {
    const Operand& o = p_.operands.direct[i];
    const bool in_packs = o.pattern == AccessPattern::row || o.pattern == AccessPattern::gathered_row;
    const bool together = in_packs && p_.vec % 2 == 0 && (p_.spec.in_columns || p_.levels[i] == Level::element);
    if (o.is_packed_store() && !together)
      unsupported("outputs[%d]: two elements of %s share a byte, and lie in different rows: not yet", o.view->slot,
                  dtype_name(o.view->dtype));
  }
}

// Elements of a pack: as many as one access has, as long as packs lie within rows and are aligned in each.
int RowPlanner::vec_of() {
  if (is_in_columns(pass_)) return 1;  // a thread has 32 of them
  int64_t least = kWidestAccess, largest = 1, written = 1;
  bool any = false;
  for (size_t i = 0; i < p_.levels.size(); ++i) {
    const Operand& o = p_.operands.direct[i];
    const bool in_one_piece = o.pattern == AccessPattern::row || o.pattern == AccessPattern::gathered_row;
    if (p_.levels[i] != Level::element || !in_one_piece || is_sum_of_blocks(i)) continue;
    any = true;
    const bool reused = !o.is_store && !p_.spec.split_elements && is_reused(o, p_.layout.extents);
    if (reused && any) largest = std::max(largest, o.size / 2);
    else least = std::min(least, o.size), largest = std::max(largest, o.size);
    if (o.is_store) written = std::max(written, o.size);
  }
  if (!any) return 1;
  const int64_t wanted = std::min({tuning_.smallest_operand_bytes / least, tuning_.largest_operand_bytes / largest,
                                   tuning_.largest_result_bytes / written});
  int64_t vec = std::max<int64_t>(wanted, 1);
  while (vec > 1 && !lies_within_rows(vec)) vec /= 2;
  int64_t aligned = vec;
  while (aligned > 1 && !is_aligned(aligned)) aligned /= 2;
  // A thread takes as many elements where they are read one by one.
  p_.spec.aligned = aligned == vec || aligned * least >= kLeastAccess;
  return static_cast<int>(p_.spec.aligned ? aligned : vec);
}

bool RowPlanner::lies_within_rows(int64_t vec) const {
  const std::vector<int64_t>& e = p_.layout.extents;
  return p_.inner >= vec && (e.size() - inner_dim() == 1 || e.back() % vec == 0);
}

bool RowPlanner::is_aligned(int64_t vec) const {
  const std::vector<int64_t>& e = p_.layout.extents;
  for (size_t i = 0; i < p_.levels.size(); ++i) {
    const Operand& o = p_.operands.direct[i];
    if (!is_element(i) || o.pattern != AccessPattern::row) continue;
    const int64_t access = std::min(kWidestAccess, vec * o.size);
    for (size_t d = 0; d + 1 < e.size(); ++d)
      if (e[d] > 1 && o.strides[d] % access != 0) return false;
  }
  return true;
}

void RowPlanner::find_places() {
  p_.length = p_.groups * p_.inner;
  if (p_.layout.group_rank == 0) return;
  p_.spec.group_span = power_of_two(std::max<int64_t>(p_.inner, p_.vec));
  p_.length = p_.groups * p_.spec.group_span;
  for (const Step& s : pass_.steps)
    if (s.reduces() && s.rank == pass_.row_rank && depends_on_order(s) && p_.spec.group_span != p_.inner)
      unsupported("op: %s adds up whole rows beside groups of %lld elements, which is no power of two: not yet",
                  problem_.name.c_str(), static_cast<long long>(p_.inner));
}

void RowPlanner::find_kept() {
  const int64_t room = p_.threads > 512 ? tuning_.row_bytes_of_many_threads : tuning_.row_bytes;
  const bool all = pack_bytes(true) * p_.spec.packs <= room * 3 / 4;
  p_.kept.assign(pass_.loads.size(), false);
  for (size_t i = 0; p_.spec.kept && i < pass_.loads.size(); ++i)
    p_.kept[i] = is_element(i) && (all || is_there_early(i));
  for (size_t i = 0; p_.spec.staged && i < pass_.loads.size(); ++i) {
    p_.kept[i] = is_element(i) && !is_of_last_stage(i) && !is_gathered(pass_, i);
    if (p_.kept[i])
      p_.spec.staged_bytes += static_cast<int>(divided_up(p_.vec * dtype_bits(p_.operands.direct[i].view->dtype), 8));
  }
  const int values = p_.threads > 512 ? tuning_.row_values_kept / 2 : tuning_.row_values_kept;
  p_.spec.keeps_values = p_.spec.kept && p_.spec.packs * p_.vec <= values;
}

void RowPlanner::find_exactness() {
  const Layout& l = p_.layout;
  const bool is_cut = l.short_group.limit != 0, cut_within = is_cut && l.short_group.within + 1 == l.extents.size();
  RowSpec& s = p_.spec;
  s.packs_all_or_nothing = p_.inner % p_.vec == 0 &&
                           (!cut_within || (l.extents.back() % p_.vec == 0 && l.short_group.limit % p_.vec == 0));
  s.no_padding = s.packs_all_or_nothing && !is_cut && p_.length > 0 &&
                 (s.group_span == 0 || s.group_span == p_.inner) && p_.length % (chunk_packs() * p_.vec) == 0 &&
                 (!(s.kept || s.staged) || p_.kept_length() == chunk_packs() * p_.vec);
}

// Do numbers of blocks, places or bytes within a block need 64 bits?
bool RowPlanner::is_wide() const {
  const int64_t beyond = chunk_packs() * p_.vec + p_.threads;
  if (p_.blocks + beyond >= INT32_MAX || p_.length + beyond >= INT32_MAX) return true;
  std::vector<int64_t> extents(p_.layout.extents);
  std::fill(extents.begin(), extents.begin() + static_cast<ptrdiff_t>(outer()), 1);
  return std::any_of(p_.operands.direct.begin(), p_.operands.direct.end(),
                     [&](const Operand& o) { return span_in_bytes(o, extents) >= INT32_MAX; });
}

RowPlan row_plan_of(const Problem& problem, const Pass& pass, const PassInfo& info, const ChooseOptions& options,
                    const Tuning& tuning) {
  return RowPlanner(problem, pass, info, options, tuning).run();
}

}  // namespace tileops::cuda

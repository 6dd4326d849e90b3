// Blocks that lie side by side in memory, such as columns (kernels/columns.h), and their scans.
#include <algorithm>

#include "base/error.h"
#include "cuda/select/rows/planner.h"
#include "op/strategy.h"

namespace tileops::cuda {
namespace {

// Elements of a thread in a scan at most, each of which it has a state of.
constexpr int64_t kScannedByOne = 16;
// Columns side by side that have a thread each in scans: for each multiprocessor so many.
constexpr int64_t kScannedColumns = 64;

}  // namespace

// Are more bytes one after the other along the last extent that numbers blocks than within blocks?
bool RowPlanner::lies_in_columns() const {
  const Pass::ShortGroup& cut = p_.layout.short_group;
  if (has_indices(pass_) || sums_blocks(pass_) || p_.spec.split_elements || p_.layout.group_rank > 0 ||
      p_.layout.extents[outer() - 1] == 1 || (cut.limit && cut.group == outer() - 1))
    return false;
  if (stores_columns_in_packs()) return true;
  int64_t across = 0;
  for (size_t i = 0; i < p_.levels.size(); ++i) {
    const Operand& o = p_.operands.direct[i];
    if (!is_element(i) || (!o.is_store && is_reused(o, p_.layout.extents))) continue;
    if (column_stride(o) == o.size) across += o.size;
    if (o.pattern == AccessPattern::row) across -= o.size;
  }
  return across > 0;
}

// Do elements of neighbouring blocks share bytes of a result?
bool RowPlanner::stores_columns_in_packs() const {
  return std::any_of(p_.operands.direct.begin(), p_.operands.direct.end(),
                     [&](const Operand& o) { return o.is_packed_store() && column_stride(o) == o.size; });
}

bool RowPlanner::columns_fit(int columns) const {
  const std::vector<int64_t>& e = p_.layout.extents;
  if (e[outer() - 1] % columns != 0) return false;
  for (size_t i = 0; i < p_.levels.size(); ++i) {
    const Operand& o = p_.operands.direct[i];
    if (o.pattern != AccessPattern::row) continue;
    const int64_t access = columns * o.size;
    if (access > (is_element(i) ? tuning_.column_bytes : kWidestAccess)) return false;
    for (size_t d = 0; d < e.size(); ++d)
      if (d != outer() - 1 && e[d] > 1 && o.strides[d] % access != 0) return false;
  }
  return true;
}

void RowPlanner::require_no_strategy_of_rows() const {
  const tileops_strategy s = options_.hint.strategy;
  if (s == TILEOPS_STRATEGY_REREAD || s == TILEOPS_STRATEGY_CLUSTER)
    unsupported("strategy: %s has columns side by side, which is no case of %s", problem_.name.c_str(),
                strategy_name(s));
}

// So many elements of a thread are asked for: as many in each column as usual.
int RowPlanner::columns_asked() const {
  const int n = options_.hint.num_per_thread, columns = n / p_.spec.packs;
  if (columns < 1 || columns > kWidestAccess || (columns > 1 && !columns_fit(columns)))
    unsupported(
        "num_per_thread: a thread has %d elements of each of 1, 2, 4 or 8 columns of %s, where these are aligned "
        "(got %d)",
        p_.spec.packs, problem_.name.c_str(), n);
  return columns;
}

void RowPlanner::find_columns() {
  require_no_strategy_of_rows();
  RowSpec& s = p_.spec;
  for (Operand& o : p_.operands.direct) {
    if (o.pattern == AccessPattern::index || o.is_one_element()) continue;
    o.pattern = column_stride(o) == o.size ? AccessPattern::row
                : column_stride(o) == 0    ? AccessPattern::broadcast
                                           : AccessPattern::strided;
  }
  s.in_columns = true;
  s.kept = false;
  s.packs = tuning_.column_packs;
  p_.length = p_.inner;
  p_.kept.assign(pass_.loads.size(), false);
  const auto are_few = [&](int columns) { return p_.blocks < int64_t{8} * columns * options_.multiprocessors; };
  for (s.columns = tuning_.columns; s.columns > 1 && (are_few(s.columns) || !columns_fit(s.columns));) s.columns /= 2;
  const LaunchHint& hint = options_.hint;
  if (hint.num_per_thread) s.columns = columns_asked();
  if (s.columns == 1 && stores_columns_in_packs()) s.columns = 2, s.aligned = false;
  p_.vec = s.columns;
  // Threads that share columns have a run of 32 elements each at least. Where columns are few, more threads share each,
  // and neighbouring ones read less than a sector: the blocks beside them find the rest of it in the L2.
  const int64_t packs = p_.blocks / s.columns, runs = divided_up(p_.length, kColumnGroup);
  p_.threads = hint.threads ? hint.threads : tuning_.large_threads;
  while (!hint.threads && p_.threads < tuning_.column_threads &&
         packs * runs > int64_t{p_.threads} * options_.multiprocessors && packs / 8 < 4 * options_.multiprocessors)
    p_.threads *= 2;
  s.lanes = kLanes;
  while (s.lanes > 2 && packs < int64_t{s.lanes} * options_.multiprocessors) s.lanes /= 2;
  s.sharing_threads = static_cast<int>(std::min<int64_t>(power_of_two(runs), p_.threads / s.lanes));
  s.lanes = p_.threads / s.sharing_threads;
  while (s.lanes > kLanes && packs < int64_t{s.lanes} * options_.multiprocessors) s.lanes /= 2;
  share_what_fits();
}

// Threads that share columns have a node of each in shared memory.
void RowPlanner::share_what_fits() {
  RowSpec& s = p_.spec;
  const auto shared = [&] {
    return s.sharing_threads == 1 ? 0 : node_bytes() * s.columns * s.sharing_threads * s.lanes;
  };
  if (options_.hint.threads && shared() > kUsualSharedBytes)
    unsupported("threads: %d threads have %lld bytes of %s in shared memory, of %lld (got %d threads)",
                options_.hint.threads, static_cast<long long>(shared()), problem_.name.c_str(),
                static_cast<long long>(kUsualSharedBytes), options_.hint.threads);
  while (shared() > kUsualSharedBytes) s.sharing_threads /= 2;
  p_.threads = s.lanes * s.sharing_threads;
}

// Are blocks that lie side by side so many that each has a thread of its own? Neighbouring threads then read
// neighbouring elements. Scans alone can be done so: a reduction of more elements than a thread has at a time wants
// its block's warps.
bool RowPlanner::suits_a_thread_each() const {
  const auto reduces = [](const Step& s) { return s.reduces(); };
  return has_scans(pass_) && !stores_columns_in_packs() && lies_in_columns() &&
         p_.blocks >= kScannedColumns * options_.multiprocessors &&
         std::none_of(pass_.steps.begin(), pass_.steps.end(), reduces);
}

void RowPlanner::give_each_a_thread() {
  require_no_strategy_of_rows();
  if (options_.hint.num_per_thread)
    unsupported("num_per_thread: a thread has whole columns of %s (got %d, need 0)", problem_.name.c_str(),
                options_.hint.num_per_thread);
  RowSpec& s = p_.spec;
  s.consecutive = is_in_columns(pass_);
  s.packs = s.consecutive ? kColumnGroup
                          : static_cast<int>(std::min(kScannedByOne, power_of_two(std::max<int64_t>(p_.length, 1))));
  s.kept = p_.length <= s.packs;
  p_.threads = options_.hint.threads ? options_.hint.threads : tuning_.threads;
}

}  // namespace tileops::cuda

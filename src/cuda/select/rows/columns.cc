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
// From so many columns on, an axis of less than 32 elements has a kernel whose run is as long as the axis, rounded up
// to a power of two: a run of 32 takes the time of 32 elements, whatever the axis has of them. Fewer columns take next
// to no time either way, and are not worth a kernel for each length.
constexpr int64_t kManyColumns = 1 << 16;

// How many elements of a column a thread takes at a time, of an axis of that length.
int run_of(int64_t length) { return static_cast<int>(power_of_two(std::clamp<int64_t>(length, 1, kColumnGroup))); }

void require_no_strategy_of_rows(const RowShape& shape, const LaunchHint& hint) {
  const tileops_strategy s = hint.strategy;
  if (s == TILEOPS_STRATEGY_REREAD || s == TILEOPS_STRATEGY_CLUSTER)
    unsupported("strategy: %s has columns side by side, which is no case of %s", shape.problem.name.c_str(),
                strategy_name(s));
}

// From column to column.
Operands operands_in_columns(const RowShape& shape) {
  Operands operands = shape.operands;
  for (Operand& o : operands.direct) {
    if (o.pattern == AccessPattern::index || o.is_one_element()) continue;
    const Extent& step = shape.column_stride(o);
    o.pattern = step == o.size ? AccessPattern::row : step == 0 ? AccessPattern::broadcast : AccessPattern::strided;
  }
  return operands;
}

class Columns {
 public:
  Columns(const RowShape& shape, const ChooseOptions& options, const Tuning& tuning)
      : shape_(shape), options_(options), tuning_(tuning), p_(begun_plan(shape)), s_(p_.spec) {}

  RowPlan run() {
    p_.operands = operands_in_columns(shape_);
    s_.in_columns = true;
    s_.kept = false;
    p_.length = shape_.inner;
    if (!p_.length.is_open() && shape_.blocks >= kManyColumns) s_.run = run_of(p_.length);
    s_.packs = std::min(tuning_.column_packs, s_.run);
    p_.kept.assign(shape_.pass.loads.size(), false);
    choose_columns();
    choose_threads();
    share_what_fits();
    keep_what_fits();
    return std::move(p_);
  }

 private:
  void choose_columns() {
    const auto are_few = [&](int columns) { return shape_.blocks < int64_t{8} * columns * options_.multiprocessors; };
    for (s_.columns = tuning_.columns; s_.columns > 1 && (are_few(s_.columns) || !fit(s_.columns));) s_.columns /= 2;
    if (options_.hint.num_per_thread) s_.columns = columns_asked();
    if (s_.columns == 1 && shape_.stores_columns_in_packs()) s_.columns = 2, s_.aligned = false;
    p_.vec = s_.columns;
  }

  bool fit(int columns) const {
    const std::vector<Extent>& e = shape_.layout.extents;
    const size_t last = shape_.outer() - 1;
    if (e[last].divisor() % columns != 0) return false;
    for (size_t i = 0; i < shape_.num_operands(); ++i) {
      const Operand& o = p_.operands.direct[i];
      if (o.pattern != AccessPattern::row) continue;
      const int64_t access = columns * o.size;
      if (access > (shape_.is_element(i) ? tuning_.column_bytes : kWidestAccess)) return false;
      for (size_t d = 0; d < e.size(); ++d)
        if (d != last && e[d].typical() > 1 && o.strides[d].divisor() % access != 0) return false;
    }
    return true;
  }

  // So many elements of a thread are asked for: as many in each column as usual.
  int columns_asked() const {
    const int n = options_.hint.num_per_thread, columns = n / s_.packs;
    if (columns < 1 || columns > kWidestAccess || (columns > 1 && !fit(columns)))
      unsupported(
          "num_per_thread: a thread has %d elements of each of 1, 2, 4 or 8 columns of %s, where these are aligned "
          "(got %d)",
          s_.packs, shape_.problem.name.c_str(), n);
    return columns;
  }

  // Threads that share columns have a run of 32 elements each at least. Where columns are few, more threads share each,
  // and neighbouring ones read less than a sector: the blocks beside them find the rest of it in the L2.
  void choose_threads() {
    const int64_t packs = shape_.blocks / s_.columns, runs = divided_up(p_.length.typical(), kColumnGroup);
    const int asked = options_.hint.threads;
    const int64_t multiprocessors = options_.multiprocessors;
    p_.threads = asked ? asked : tuning_.large_threads;
    while (!asked && p_.threads < tuning_.column_threads && packs * runs > p_.threads * multiprocessors &&
           packs / 8 < 4 * multiprocessors)
      p_.threads *= 2;
    s_.lanes = kLanes;
    while (s_.lanes > 2 && packs < s_.lanes * multiprocessors) s_.lanes /= 2;
    s_.sharing_threads = static_cast<int>(std::min<int64_t>(power_of_two(runs), p_.threads / s_.lanes));
    s_.lanes = p_.threads / s_.sharing_threads;
    while (s_.lanes > kLanes && packs < s_.lanes * multiprocessors) s_.lanes /= 2;
  }

  // Threads that share columns have a node of each in shared memory.
  void share_what_fits() {
    const auto shared = [&] {
      return s_.sharing_threads == 1 ? 0 : shape_.node_bytes() * s_.columns * s_.sharing_threads * s_.lanes;
    };
    const int asked = options_.hint.threads;
    if (asked && shared() > kUsualSharedBytes)
      unsupported("threads: %d threads have %lld bytes of %s in shared memory, of %lld (got %d threads)", asked,
                  static_cast<long long>(shared()), shape_.problem.name.c_str(),
                  static_cast<long long>(kUsualSharedBytes), asked);
    while (shared() > kUsualSharedBytes) s_.sharing_threads /= 2;
    p_.threads = s_.lanes * s_.sharing_threads;
  }

  // A thread that reads a short axis at a time keeps what its registers have room for.
  void keep_what_fits() {
    s_.kept = s_.packs == s_.run && s_.run < kColumnGroup &&
              shape_.load_bytes(false) * s_.columns * s_.packs <= tuning_.row_bytes;
    s_.keeps_values = s_.kept && s_.columns * s_.packs <= tuning_.row_values_kept;
    for (size_t i = 0; s_.kept && i < p_.kept.size(); ++i)
      p_.kept[i] = shape_.is_element(i) && shape_.is_there_early(i) && !is_gathered(shape_.pass, i);
  }

  const RowShape& shape_;
  const ChooseOptions& options_;
  const Tuning& tuning_;
  RowPlan p_;
  RowSpec& s_;
};

}  // namespace

RowPlan plan_of_columns(const RowShape& shape, const ChooseOptions& options, const Tuning& tuning) {
  require_no_strategy_of_rows(shape, options.hint);
  return Columns(shape, options, tuning).run();
}

bool suits_a_thread_each(const RowShape& shape, const ChooseOptions& options) {
  const auto reduces = [](const Step& s) { return s.reduces(); };
  return has_scans(shape.pass) && !shape.stores_columns_in_packs() && shape.lies_in_columns() &&
         shape.blocks >= kScannedColumns * options.multiprocessors &&
         std::none_of(shape.pass.steps.begin(), shape.pass.steps.end(), reduces);
}

void give_each_a_thread(const RowShape& shape, const ChooseOptions& options, const Tuning& tuning, RowPlan* plan) {
  require_no_strategy_of_rows(shape, options.hint);
  if (options.hint.num_per_thread)
    unsupported("num_per_thread: a thread has whole columns of %s (got %d, need 0)", shape.problem.name.c_str(),
                options.hint.num_per_thread);
  RowSpec& s = plan->spec;
  s.consecutive = is_in_columns(shape.pass);
  s.packs = run_of(plan->length);
  if (!s.consecutive) s.packs = std::min(s.packs, static_cast<int>(kScannedByOne));
  s.kept = plan->length <= s.packs;
  plan->threads = options.hint.threads ? options.hint.threads : tuning.threads;
}

}  // namespace tileops::cuda

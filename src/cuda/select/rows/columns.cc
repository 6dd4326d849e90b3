// Blocks that lie side by side in memory, such as columns (kernels/columns.h), and their scans.
#include <algorithm>

#include "base/error.h"
#include "cuda/select/rows/planner.h"
#include "op/strategy.h"

namespace tileops::cuda {
namespace {

// Elements of a thread in a scan at most, each of which it has a state of.
constexpr int64_t kScannedByOne = 16;
// From so many columns for each multiprocessor on, each column that is scanned has one thread (cumsum of f32, H200,
// December 2026, microseconds with one thread a column and with several: 40,000 columns of 1,000 elements 203 and 260,
// 16,384 of 2,048 158 and 119, 8,918 of 2,298 303 and 243).
constexpr int64_t kScannedColumns = 192;
// From so many columns on, an axis of less than 32 elements has a kernel whose run is as long as the axis: a run of 32
// takes the time of 32 elements, whatever the axis has of them. Fewer columns take next to no time either way, and are
// not worth a kernel for each length. Up to so many elements are read at once, and kept; the run of a longer axis is a
// power of two.
constexpr int64_t kManyColumns = 1 << 16, kKeptAtOnce = 16, kVeryShort = 8;
// With fewer thread blocks than this for each multiprocessor, a cluster of them shares columns.
constexpr int64_t kBlocks = 2;
// A thread has several columns, a pack, if each multiprocessor then still has so many packs (amax over the 30,000 rows
// of 3,000 columns of bf16, H200, December 2026: 80 us; where eight were asked for, 105).
constexpr int64_t kPacks = 4;
// With so many packs for each multiprocessor a pack has twice as many bytes, if there is one operand alone. (4,096
// columns of 16,384 f32, H200, December 2026, microseconds in usual packs and in such wide ones: sums in groups of 256
// elements, which are many packs, 88 and 77; logsumexp of whole columns, which are few, 110 and 125.)
constexpr int64_t kManyPacks = 64;
// Most threads that share columns in shared memory; each has one run of them.
constexpr int64_t kRunsInSharedMemory = 16;
// Columns that a thread has all of, at most, and bytes of their nodes.
constexpr int64_t kFewColumns = 8, kNodesOfFewColumns = 64;
// Elements of a pass from which on a thread has all columns of few.
constexpr int64_t kManyElements = 1 << 18;

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
  for (size_t i = 0; i < operands.direct.size(); ++i) {
    Operand& o = operands.direct[i];
    if (shape.gathers_along(shape.outer() - 1, i)) o.pattern = AccessPattern::gathered_row;
    if (o.pattern == AccessPattern::index || o.is_one_element() || o.by_steps) continue;
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
    take_short_axis_at_once();
    if (keep_in_shared_memory()) return std::move(p_);
    if (take_whole_rows()) choose_threads_of_whole_rows();
    else choose_threads();
    share_what_fits();
    keep_what_fits();
    return std::move(p_);
  }

 private:
  void choose_columns() {
    const auto are_few = [&](int columns) { return shape_.blocks < kPacks * columns * options_.multiprocessors; };
    for (s_.columns = tuning_.columns * widening(); s_.columns > 1 && (are_few(s_.columns) || !fit(s_.columns));)
      s_.columns /= 2;
    if (options_.hint.num_per_thread) s_.columns = columns_asked();
    if (s_.columns == 1 && shape_.stores_columns_in_packs()) s_.columns = 2, s_.aligned = false;
    p_.vec = s_.columns;
  }

  // Where the axis is very short a thread has twice as many columns (merge_states of four states, H200, November 2026:
  // 60 us, 72 with half as many).
  int widening() const { return s_.run <= kVeryShort ? 2 : 1; }

  bool fit(int columns) const {
    const std::vector<Extent>& e = shape_.layout.extents;
    const size_t last = shape_.outer() - 1;
    if (e[last].divisor() % columns != 0) return false;
    const int wider = std::max(widening(), are_many_packs_of_one(columns) ? 2 : 1);
    for (size_t i = 0; i < shape_.num_operands(); ++i) {
      const Operand& o = p_.operands.direct[i];
      if (o.pattern != AccessPattern::row) continue;
      const int64_t bytes = columns * o.size;
      if (bytes > (shape_.is_element(i) ? tuning_.column_bytes : kWidestAccess) * wider) return false;
      if (!are_multiples(o, access_of(bytes), e.size())) return false;
    }
    return true;
  }

  bool are_many_packs_of_one(int columns) const {
    return shape_.blocks >= kManyPacks * columns * options_.multiprocessors &&
           shape_.load_bytes(true) * columns <= 2 * tuning_.column_bytes;
  }

  // Are the strides along these dimensions such multiples, but for that from column to column?
  bool are_multiples(const Operand& o, int64_t bytes, size_t dims) const {
    const std::vector<Extent>& e = shape_.layout.extents;
    for (size_t d = 0; d < dims; ++d)
      if (d + 1 != shape_.outer() && e[d].typical() > 1 && o.strides[d].divisor() % bytes != 0) return false;
    return true;
  }

  // Where columns are few, as the channels of pictures are, a thread has all of them, and reads rows that lie one after
  // the other by wide accesses: neighbouring threads that had a column each would read from different cache
  // lines (mean of a picture of 4096 x 4096 x 3 bytes, H200, November 2026: 63 us, 93 with a column each).
  bool take_whole_rows() {
    const Extent& columns = shape_.layout.extents[shape_.outer() - 1];
    if (s_.run != kColumnGroup || options_.hint.num_per_thread || columns.is_open() || columns < 2 ||
        columns > kFewColumns || shape_.node_bytes() * columns > kNodesOfFewColumns ||
        shape_.blocks * p_.length.typical() < kManyElements)
      return false;
    s_.side_by_side = loads_side_by_side(columns);
    if (s_.side_by_side == 0) return false;
    s_.columns = p_.vec = static_cast<int>(columns);
    return true;
  }

  // Bits of the loads whose elements of these columns lie one after the other, and are aligned as such; 0, if other
  // views do not suit packs of so many columns.
  uint64_t loads_side_by_side(int64_t columns) const {
    const size_t dims = shape_.layout.extents.size(), last = shape_.outer() - 1;
    uint64_t views = 0;
    if (dims != shape_.outer() + 1 || shape_.is_wide()) return 0;
    for (size_t i = 0; i < shape_.num_operands(); ++i) {
      const Operand& o = p_.operands.direct[i];
      if (is_packed(o.view->dtype)) return 0;
      if (o.pattern != AccessPattern::row) continue;
      if (!are_multiples(o, access_of(columns * o.size), dims)) return 0;
      const bool read_in_pieces = !o.is_store && shape_.is_element(i) && o.strides.back() == columns * o.size;
      if (!read_in_pieces) continue;
      if (!are_multiples(o, access_of(s_.packs * columns * o.size), last)) return 0;
      views |= uint64_t{1} << i;
    }
    return views;
  }

  void choose_threads_of_whole_rows() {
    const int64_t rows = shape_.blocks / s_.columns, runs = divided_up(p_.length.typical(), kColumnGroup);
    p_.threads = options_.hint.threads ? options_.hint.threads : tuning_.large_threads;
    s_.sharing_threads = static_cast<int>(std::min<int64_t>(power_of_two(runs), p_.threads));
    s_.lanes = p_.threads / s_.sharing_threads;
    while (s_.lanes > 1 && s_.lanes * s_.sharing_threads > kLanes && has_few_blocks(rows)) s_.lanes /= 2;
    share_by_cluster(rows, runs);
  }

  bool has_few_blocks(int64_t packs) const { return divided_up(packs, s_.lanes) < kBlocks * options_.multiprocessors; }
  // A cluster of the largest size or none, since each size is a kernel of its own.
  void share_by_cluster(int64_t packs, int64_t runs) {
    s_.cluster = has_few_blocks(packs) && 2 * runs >= s_.sharing_threads * tuning_.cluster ? tuning_.cluster : 1;
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

  // Threads that share columns have a run of 32 elements each at least: of a thread block, and where columns are few,
  // of a cluster of them. Where that is not enough, neighbouring threads read less of a row, down to a sector.
  void choose_threads() {
    const int64_t packs = shape_.blocks / s_.columns, runs = divided_up(p_.length.typical(), kColumnGroup);
    const int asked = options_.hint.threads;
    const int64_t multiprocessors = options_.multiprocessors;
    p_.threads = asked ? asked : tuning_.large_threads;
    while (!asked && p_.threads < tuning_.column_threads && packs * runs > p_.threads * multiprocessors &&
           packs / 8 < 4 * multiprocessors)
      p_.threads *= 2;
    const auto share = [&](int lanes) {
      s_.lanes = lanes;
      s_.sharing_threads = static_cast<int>(std::min<int64_t>(power_of_two(runs), p_.threads / lanes));
      share_by_cluster(packs, runs);
    };
    share(kLanes);
    if (s_.cluster > 1 && divided_up(packs, s_.lanes) * s_.cluster < multiprocessors) share(lanes_of_a_sector());
    if (s_.cluster > 1) return;
    s_.lanes = kLanes;
    while (s_.lanes > 2 && packs < s_.lanes * multiprocessors) s_.lanes /= 2;
    // No more of them than fill the device: each has a power of two of runs, so that the last ones may have none.
    const int64_t enough = power_of_two(divided_up(tuning_.max_threads * multiprocessors, packs));
    s_.sharing_threads = static_cast<int>(std::min<int64_t>({power_of_two(runs), p_.threads / s_.lanes, enough}));
    s_.lanes = p_.threads / s_.sharing_threads;
    while (s_.lanes > kLanes && packs < s_.lanes * multiprocessors) s_.lanes /= 2;
  }

  // Columns that are reduced and then read again, to store elements, are copied to shared memory first, if they are too
  // long for registers: each of the threads that share one has one run of it. False: they are longer than that, or too
  // few to keep the device busy in this way.
  bool keep_in_shared_memory() {
    const int64_t sharing = power_of_two(divided_up(p_.length.typical(), kColumnGroup));
    if (s_.run != kColumnGroup || p_.length.is_open() || sharing > kRunsInSharedMemory || options_.hint.threads ||
        options_.hint.num_per_thread || tuning_.row_bytes_in_shared_memory == 0 || !shape_.puts_elements())
      return false;
    const int64_t threads = std::max(sharing * kLanes, int64_t{tuning_.large_threads}), lanes = threads / sharing;
    const int64_t elements = threads * kColumnGroup * s_.columns, nodes = shape_.node_bytes() * s_.columns * threads;
    int64_t bytes = 0;
    std::vector<bool> kept(p_.kept.size());
    for (size_t i = 0; i < kept.size(); ++i) {
      const Operand& o = p_.operands.direct[i];
      kept[i] = shape_.is_element(i) && !shape_.is_of_last_stage(i) && o.pattern == AccessPattern::row &&
                !is_gathered(shape_.pass, i) && !is_packed(o.view->dtype);
      if (kept[i]) bytes += o.size;
    }
    if (bytes == 0 || elements * bytes > tuning_.row_bytes_in_shared_memory || nodes > kUsualSharedBytes ||
        shape_.blocks / s_.columns < lanes * kBlocks * options_.multiprocessors)
      return false;
    p_.kept = kept;
    p_.threads = static_cast<int>(threads);
    s_.sharing_threads = static_cast<int>(sharing);
    s_.lanes = static_cast<int>(lanes);
    s_.staged = kColumnGroup / s_.packs;
    s_.staged_bytes = static_cast<int>(bytes * s_.columns);
    return true;
  }

  // How many neighbouring threads read a sector (32 bytes) of a row together.
  int lanes_of_a_sector() const {
    constexpr int64_t kSector = 32;
    int64_t size = kSector;
    for (size_t i = 0; i < shape_.num_operands(); ++i)
      if (shape_.is_element(i) && p_.operands.direct[i].pattern == AccessPattern::row)
        size = std::min(size, p_.operands.direct[i].size);
    return static_cast<int>(std::max<int64_t>(2, kSector / (size * s_.columns)));
  }

  // Threads that share columns have a node of each in shared memory, and thread blocks one of each block.
  void share_what_fits() {
    const auto shared = [&] {
      const int64_t nodes = (s_.sharing_threads == 1 ? 0 : s_.sharing_threads) + (s_.cluster == 1 ? 0 : s_.cluster);
      return shape_.node_bytes() * s_.columns * s_.lanes * nodes;
    };
    const int asked = options_.hint.threads;
    if (asked && shared() > kUsualSharedBytes)
      unsupported("threads: %d threads have %lld bytes of %s in shared memory, of %lld (got %d threads)", asked,
                  static_cast<long long>(shared()), shape_.problem.name.c_str(),
                  static_cast<long long>(kUsualSharedBytes), asked);
    while (shared() > kUsualSharedBytes) (s_.sharing_threads > s_.cluster ? s_.sharing_threads : s_.cluster) /= 2;
    p_.threads = s_.lanes * s_.sharing_threads;
  }

  // A thread that reads a short axis at a time keeps it, if its registers have room for it.
  bool has_room_for(int64_t elements) const {
    return shape_.load_bytes(false) * s_.columns * elements <= tuning_.row_bytes;
  }
  void take_short_axis_at_once() {
    if (s_.run == kColumnGroup || p_.length > kKeptAtOnce || !has_room_for(p_.length)) return;
    s_.packs = s_.run = static_cast<int>(p_.length);
  }
  void keep_what_fits() {
    s_.kept = s_.packs == s_.run && s_.run < kColumnGroup && has_room_for(s_.packs);
    s_.no_padding = s_.kept && p_.length == s_.run && shape_.layout.short_group.limit == 0;
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

#include "cuda/select/row_plan.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/error.h"
#include "cuda/spec/row_needs.h"
#include "cuda/steps/expression.h"
#include "cuda/steps/writer.h"

namespace tileops::cuda {
namespace {

constexpr int kLanes = 32;
// Elements of a thread in a scan, each of which it has a state of, at most; of those of more than 16 warps. Most warps
// that have 32 elements a thread.
constexpr int64_t kScanned = 16, kScannedOfManyThreads = 8;
constexpr int kWarpsOfScannedRuns = 8;
// Columns side by side that have a thread each in scans: for each multiprocessor so many.
constexpr int64_t kScannedColumns = 64;
// Bytes of an access below which elements may as well be read one by one.
constexpr int64_t kLeastAccess = 8;

int64_t product(const std::vector<int64_t>& extents, size_t first, size_t last) {
  int64_t n = 1;
  for (size_t d = first; d < last; ++d) n *= extents[d];
  return n;
}

int64_t divided_up(int64_t n, int64_t d) { return (n + d - 1) / d; }

int64_t power_of_two(int64_t least) {
  int64_t n = 1;
  while (n < least) n *= 2;
  return n;
}

// An extent of one element.
void insert_extent(size_t at, Layout* layout) {
  layout->extents.insert(layout->extents.begin() + static_cast<ptrdiff_t>(at), 1);
  for (auto* views : {&layout->loads, &layout->stores})
    for (std::vector<int64_t>& strides : *views) strides.insert(strides.begin() + static_cast<ptrdiff_t>(at), 0);
  layout->short_group.group += layout->short_group.group >= at;
  layout->short_group.within += layout->short_group.within >= at;
}

AccessPattern pattern_in_rows(const Operand& o, Level level) {
  if (o.pattern == AccessPattern::index || o.is_one_element() || o.by_steps) return o.pattern;
  if (level != Level::element) return AccessPattern::strided;
  const int64_t step = o.strides.back();
  return step == o.size ? AccessPattern::row : step == 0 ? AccessPattern::broadcast : AccessPattern::strided;
}

class Planner {
 public:
  Planner(const Problem& problem, const Pass& pass, const PassInfo& info, const ChooseOptions& options,
          const Tuning& tuning)
      : problem_(problem), pass_(pass), info_(info), options_(options), tuning_(tuning) {}

  RowPlan run() {
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

 private:
  size_t outer() const { return p_.layout.extents.size() - p_.layout.row_rank; }
  size_t inner_dim() const { return outer() + p_.layout.group_rank; }
  int64_t chunk_packs() const { return int64_t{p_.spec.packs} * p_.spec.lanes * p_.spec.warps * p_.spec.cluster; }

  void require_possible() const {
    require_plain_views(problem_, pass_);
    const tileops_strategy s = options_.hint.strategy;
    if (s != TILEOPS_STRATEGY_AUTO && s != TILEOPS_STRATEGY_REGISTER_COPY)
      unsupported("strategy: %s has reductions, which the library cuts into threads itself", problem_.name.c_str());
  }

  void find_operands() {
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

  void find_extents() {
    const std::vector<int64_t>& e = p_.layout.extents;
    p_.blocks = product(e, 0, outer());
    p_.groups = product(e, outer(), inner_dim());
    p_.inner = product(e, inner_dim(), e.size());
    p_.spec.outer = static_cast<int>(outer());
    p_.spec.group_dims = static_cast<int>(p_.layout.group_rank);
    if (!p_.layout.short_group.limit) return;
    p_.spec.short_group = static_cast<int>(p_.layout.short_group.group);
    p_.spec.short_within = static_cast<int>(p_.layout.short_group.within);
    if (p_.layout.short_group.within < outer())
      unsupported("op: %s has elements of a short group outside of its rows", problem_.name.c_str());
  }

  bool is_sum_of_blocks(size_t i) const { return p_.operands.direct[i].view->sum_of_blocks.has_value(); }
  bool is_element(size_t i) const {
    const Operand& o = p_.operands.direct[i];
    if (is_sum_of_blocks(i)) return false;
    const bool is_read = o.is_store || !o.by_steps || is_gathered_in_blocks(pass_, info_, i);
    return p_.levels[i] == Level::element && o.in_memory() && is_read;
  }
  bool is_in_columns() const {
    return std::any_of(pass_.steps.begin(), pass_.steps.end(),
                       [](const Step& s) { return s.in_columns && depends_on_order(s); });
  }

  // ---- Blocks that lie side by side

  int64_t column_stride(const Operand& o) const { return o.strides[outer() - 1]; }
  // Are more bytes one after the other along the last extent that numbers blocks than within blocks?
  bool lies_in_columns() const {
    const Pass::ShortGroup& cut = p_.layout.short_group;
    if (has_indices(pass_) || sums_blocks(pass_) || p_.layout.group_rank > 0 || p_.layout.extents[outer() - 1] == 1 ||
        (cut.limit && cut.group == outer() - 1))
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
  bool stores_columns_in_packs() const {
    return std::any_of(p_.operands.direct.begin(), p_.operands.direct.end(),
                       [&](const Operand& o) { return o.is_packed_store() && column_stride(o) == o.size; });
  }
  // A thread has all elements of a byte: in a pack of a row, or of neighbouring columns.
  void require_packs() const {
    for (size_t i = 0; i < p_.levels.size(); ++i) {
      const Operand& o = p_.operands.direct[i];
      const bool in_packs = o.pattern == AccessPattern::row || o.pattern == AccessPattern::gathered_row;
      const bool together = in_packs && p_.vec % 2 == 0 && (p_.spec.in_columns || p_.levels[i] == Level::element);
      if (o.is_packed_store() && !together)
        unsupported("outputs[%d]: two elements of %s share a byte, and lie in different rows: not yet", o.view->slot,
                    dtype_name(o.view->dtype));
    }
  }
  void find_columns() {
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
    if (s.columns == 1 && stores_columns_in_packs()) s.columns = 2, s.aligned = false;
    p_.vec = s.columns;
    // Threads that share columns have a run of 32 elements each at least; neighbouring ones read a sector at least.
    const int64_t packs = p_.blocks / s.columns, runs = divided_up(p_.length, kColumnGroup);
    p_.threads = tuning_.large_threads;
    while (p_.threads < tuning_.column_threads && packs * runs > int64_t{p_.threads} * options_.multiprocessors &&
           packs / 8 < 4 * options_.multiprocessors)
      p_.threads *= 2;
    s.lanes = kLanes;
    while (s.lanes > 8 && packs < int64_t{s.lanes} * options_.multiprocessors) s.lanes /= 2;
    s.parts = static_cast<int>(std::min<int64_t>(power_of_two(runs), p_.threads / s.lanes));
    s.lanes = p_.threads / s.parts;
    while (s.lanes > kLanes && packs < int64_t{s.lanes} * options_.multiprocessors) s.lanes /= 2;
    p_.threads = s.lanes * s.parts;
  }
  // Are blocks that lie side by side so many that each has a thread of its own? Neighbouring threads then read
  // neighbouring elements. Scans alone can be done so: a reduction of more elements than a thread has at a time wants
  // its block's warps.
  bool suits_a_thread_each() const {
    const auto reduces = [](const Step& s) { return s.reduces(); };
    return has_scans(pass_) && !stores_columns_in_packs() && lies_in_columns() &&
           p_.blocks >= kScannedColumns * options_.multiprocessors &&
           std::none_of(pass_.steps.begin(), pass_.steps.end(), reduces);
  }
  void give_each_a_thread() {
    RowSpec& s = p_.spec;
    s.runs = is_in_columns();
    s.packs = s.runs ? kColumnGroup
                     : static_cast<int>(std::min(kScanned, power_of_two(std::max<int64_t>(p_.length, 1))));
    s.kept = p_.length <= s.packs;
    p_.threads = tuning_.threads;
  }
  bool columns_fit(int columns) const {
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

  // Elements of a pack: as many as one access has, as long as packs lie within rows and are aligned in each.
  int vec_of() {
    if (is_in_columns()) return 1;  // a thread has 32 of them
    int64_t least = kWidestAccess, largest = 1, written = 1;
    bool any = false;
    for (size_t i = 0; i < p_.levels.size(); ++i) {
      const Operand& o = p_.operands.direct[i];
      const bool in_one_piece = o.pattern == AccessPattern::row || o.pattern == AccessPattern::gathered_row;
      if (p_.levels[i] != Level::element || !in_one_piece || is_sum_of_blocks(i)) continue;
      any = true;
      const bool reused = !o.is_store && is_reused(o, p_.layout.extents);
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
  bool lies_within_rows(int64_t vec) const {
    const std::vector<int64_t>& e = p_.layout.extents;
    return p_.inner >= vec && (e.size() - inner_dim() == 1 || e.back() % vec == 0);
  }
  bool is_aligned(int64_t vec) const {
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

  void find_places() {
    p_.length = p_.groups * p_.inner;
    if (p_.layout.group_rank == 0) return;
    p_.spec.group_span = power_of_two(std::max<int64_t>(p_.inner, p_.vec));
    p_.length = p_.groups * p_.spec.group_span;
    for (const Step& s : pass_.steps)
      if (s.reduces() && s.rank == pass_.row_rank && depends_on_order(s) && p_.spec.group_span != p_.inner)
        unsupported("op: %s adds up whole rows beside groups of %lld elements, which is no power of two: not yet",
                    problem_.name.c_str(), static_cast<long long>(p_.inner));
  }

  // Bytes of a pack's loads that have to be there from the first stage on, or all.
  int64_t pack_bytes(bool all) const {
    const std::vector<uint64_t> stages = stages_of_loads(pass_, info_);
    const uint64_t last = uint64_t{1} << (info_.stages() - 1);
    int64_t bytes = 0;
    for (size_t i = 0; i < pass_.loads.size(); ++i)
      if (is_element(i) && (all || stages[i] != last || info_.stages() == 1)) bytes += p_.operands.direct[i].size;
    return bytes * p_.vec;
  }

  int most_packs(int warps) const {
    const int64_t bytes = std::max<int64_t>(pack_bytes(false), 4);
    const int64_t most = warps > 16 ? tuning_.row_bytes_of_many_threads : tuning_.row_bytes;
    const int64_t fit = most / bytes, elements = tuning_.row_elements / p_.vec;
    const int64_t scanned = has_scans(pass_) ? (warps > 16 ? kScannedOfManyThreads : kScanned) / p_.vec : elements;
    int64_t n = 1;
    while (2 * n <= std::min({fit, elements, scanned})) n *= 2;
    return static_cast<int>(n);
  }

  void find_threads() {
    RowSpec& s = p_.spec;
    const int64_t packs = std::max<int64_t>(1, divided_up(p_.length, p_.vec));
    const int64_t few = options_.multiprocessors;
    const int most = std::min(tuning_.row_packs, std::max(1, tuning_.row_values_kept / p_.vec));
    const int wanted = sums_blocks(pass_)     ? most
                       : p_.blocks >= 4 * few ? most
                       : p_.blocks >= few     ? std::min(most, 2)
                                              : 1;
    s.kept = true;
    s.warps = 1;
    s.runs = is_in_columns();
    if (s.runs) return find_threads_of_runs(packs);
    const int64_t short_packs = std::min(wanted, most_packs(1));
    if (packs <= kLanes * short_packs) {
      s.packs = packs >= kLanes / 2 ? static_cast<int>(std::min<int64_t>(short_packs, 2)) : 1;
      while (packs > int64_t{kLanes} * s.packs) s.packs *= 2;
      s.lanes = static_cast<int>(power_of_two(divided_up(packs, s.packs)));
      p_.threads = tuning_.threads;
    } else {
      s.lanes = kLanes;
      s.packs = std::min(wanted, most_packs(1));
      const auto warps_of = [&](int n) { return divided_up(packs, int64_t{kLanes} * n); };
      while (s.packs < most_packs(16) && warps_of(s.packs) > tuning_.row_warps) s.packs *= 2;
      if (warps_of(s.packs) > 16) s.packs = std::min(s.packs, most_packs(kLanes));
      while (s.packs < most_packs(kLanes) && warps_of(s.packs) > kLanes) s.packs *= 2;
      s.kept = warps_of(s.packs) <= kLanes;
      s.warps = s.kept ? static_cast<int>(warps_of(s.packs)) : tuning_.long_row_warps;
      if (!s.kept) s.packs = std::min(most_packs(s.warps), tuning_.row_packs);
      if (!s.kept) find_cluster(packs);
    }
    finish_threads();
  }
  // A cluster keeps a row that no thread block can: as few threads in each as it can have, so that several clusters
  // share a multiprocessor. Parts of 2^k packs are nodes of the tree.
  void find_cluster(int64_t packs) {
    RowSpec& s = p_.spec;
    if (has_scans(pass_) || sums_blocks(pass_) || p_.layout.group_rank > 0) return;
    for (int warps = tuning_.cluster_warps; warps <= kLanes; warps *= 2) {
      const int each = std::min(tuning_.row_packs, most_packs(warps));
      const int64_t blocks = power_of_two(divided_up(packs, int64_t{kLanes} * warps * each));
      if (blocks > tuning_.cluster) continue;
      s.kept = true;
      s.packs = each;
      s.warps = warps;
      s.cluster = static_cast<int>(blocks);
      return;
    }
  }
  // Each thread adds up 32 elements of a sum in columns.
  void find_threads_of_runs(int64_t packs) {
    RowSpec& s = p_.spec;
    s.packs = kColumnGroup;
    const int64_t runs = divided_up(packs, kColumnGroup);
    const int most_warps = has_scans(pass_) ? kWarpsOfScannedRuns : tuning_.row_warps;
    s.kept = runs <= kLanes * most_warps;
    s.lanes = static_cast<int>(std::min<int64_t>(kLanes, power_of_two(runs)));
    s.warps = !s.kept            ? has_scans(pass_) ? kWarpsOfScannedRuns : tuning_.long_row_warps
              : s.lanes < kLanes ? 1
                                 : static_cast<int>(divided_up(runs, kLanes));
    if (s.warps == 1) p_.threads = tuning_.threads;
    finish_threads();
  }
  void finish_threads() {
    RowSpec& s = p_.spec;
    fit_groups();
    if (s.lanes == kLanes && s.warps > 1) p_.threads = kLanes * s.warps;
    if (s.lanes == kLanes && s.warps == 1 && !s.kept) p_.threads = kLanes;
  }

  // Groups that are larger than what a warp has of a chunk lie in neighbouring warps.
  void fit_groups() {
    RowSpec& s = p_.spec;
    const int64_t group = s.group_span / p_.vec, warp = int64_t{s.lanes} * s.packs;
    if (group <= warp) return;
    const int64_t together = group / warp;
    s.warps = static_cast<int>(divided_up(s.warps, together) * together);
    if (s.lanes < kLanes || s.warps > kLanes || together > kLanes)
      unsupported("op: %s has groups of %lld elements within rows that are reduced as well: not yet",
                  problem_.name.c_str(), static_cast<long long>(p_.inner));
  }

  void find_kept() {
    const std::vector<uint64_t> stages = stages_of_loads(pass_, info_);
    const uint64_t last = uint64_t{1} << (info_.stages() - 1);
    const int64_t room = p_.threads > 512 ? tuning_.row_bytes_of_many_threads : tuning_.row_bytes;
    const bool all = pack_bytes(true) * p_.spec.packs <= room;
    p_.kept.assign(pass_.loads.size(), false);
    for (size_t i = 0; p_.spec.kept && i < pass_.loads.size(); ++i)
      p_.kept[i] = is_element(i) && (all || stages[i] != last || info_.stages() == 1);
    const int values = p_.threads > 512 ? tuning_.row_values_kept / 2 : tuning_.row_values_kept;
    p_.spec.keeps_values = p_.spec.kept && p_.spec.packs * p_.vec <= values;
  }

  void find_exactness() {
    const Layout& l = p_.layout;
    const bool is_cut = l.short_group.limit != 0, cut_within = is_cut && l.short_group.within + 1 == l.extents.size();
    RowSpec& s = p_.spec;
    s.whole = p_.inner % p_.vec == 0 &&
              (!cut_within || (l.extents.back() % p_.vec == 0 && l.short_group.limit % p_.vec == 0));
    s.full = s.whole && !is_cut && p_.length > 0 && (s.group_span == 0 || s.group_span == p_.inner) &&
             p_.length % (chunk_packs() * p_.vec) == 0 && (!s.kept || p_.length == chunk_packs() * p_.vec);
  }

  // Do numbers of blocks, places or bytes within a block need 64 bits?
  bool is_wide() const {
    const int64_t beyond = chunk_packs() * p_.vec + p_.threads;
    if (p_.blocks + beyond >= INT32_MAX || p_.length + beyond >= INT32_MAX) return true;
    std::vector<int64_t> extents(p_.layout.extents);
    std::fill(extents.begin(), extents.begin() + static_cast<ptrdiff_t>(outer()), 1);
    return std::any_of(p_.operands.direct.begin(), p_.operands.direct.end(),
                       [&](const Operand& o) { return span_in_bytes(o, extents) >= INT32_MAX; });
  }

  const Problem& problem_;
  const Pass& pass_;
  const PassInfo& info_;
  const ChooseOptions& options_;
  const Tuning& tuning_;
  RowPlan p_;
};

}  // namespace

Layout row_layout(const Pass& pass) {
  Layout l = make_layout(pass);
  if (l.extents.size() == 1 && l.row_rank == 0 && l.extents[0] == 1 && pass.row_rank > 0) l.extents[0] = 1;
  const auto add_inner = [&](size_t at) {
    insert_extent(at, &l);
    ++l.row_rank;
  };
  if (l.row_rank == l.group_rank) add_inner(l.extents.size());
  if (group_rank(pass) > 0 && l.group_rank == 0) {
    add_inner(l.extents.size() - l.row_rank);
    l.group_rank = 1;
  }
  if (l.extents.size() == l.row_rank) insert_extent(0, &l);
  return l;
}

RowPlan row_plan_of(const Problem& problem, const Pass& pass, const PassInfo& info, const ChooseOptions& options,
                    const Tuning& tuning) {
  return Planner(problem, pass, info, options, tuning).run();
}

}  // namespace tileops::cuda

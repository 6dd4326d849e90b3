// Which threads have a row together, and whether they keep it: what tuning.h says, or a hint.
#include <algorithm>

#include "base/error.h"
#include "cuda/select/rows/planner.h"
#include "op/strategy.h"

namespace tileops::cuda {
namespace {

// Elements of a thread in a scan, each of which it has a state of, at most; of those of more than 16 warps. Most warps
// that have 32 elements a thread.
constexpr int64_t kScanned = 16, kScannedOfManyThreads = 8;
constexpr int kWarpsOfScannedRuns = 8;
// Where a thread block has several blocks side by side (share_beside): its most threads; how many threads keep a
// multiprocessor busy; and the fewest bytes of a row that neighbouring threads read together. These are half a sector
// of memory, whose other half is read by another thread block.
constexpr int64_t kMostThreadsBeside = 640, kThreadsBeside = 1024, kBytesBeside = 16;
// The threads of a row have places for more elements than it has, and compute for these as well. Other numbers of packs
// and warps are taken, if they have fewer places by this factor (H200, December 2026, microseconds before and with
// them: var of rows of 96 f32 272 and 160, softmax of 384 bf16 142 and 105, logsumexp of 768 f32 127 and 112).
constexpr double kWorthwhile = 1.2;

}  // namespace

int RowThreads::most_packs(int warps) const {
  const int64_t bytes = std::max<int64_t>(p_.vec * shape_.load_bytes(false), 4);
  const int64_t most = warps > 16 ? tuning_.row_bytes_of_many_threads : tuning_.row_bytes;
  const int64_t fit = most / bytes, elements = tuning_.row_elements / p_.vec;
  const int64_t scanned = has_scans(shape_.pass) ? (warps > 16 ? kScannedOfManyThreads : kScanned) / p_.vec : elements;
  int64_t n = 1;
  while (2 * n <= std::min({fit, elements, scanned})) n *= 2;
  return static_cast<int>(n);
}

void RowThreads::choose() {
  s_.consecutive = is_in_columns(shape_.pass);
  if (p_.length.is_open() && !s_.split_elements) return choose_threads_of_any_length();
  const int64_t packs = std::max<int64_t>(1, divided_up(p_.kept_length(), p_.vec));
  if (options_.hint.strategy != TILEOPS_STRATEGY_AUTO) take_hint(packs);
  else if (s_.consecutive) choose_threads_of_runs(packs);
  else choose_threads(packs);
  fit_groups();
  if (s_.beside > 1) return;
  if (s_.lanes == kLanes && (s_.warps > 1 || s_.staged)) p_.threads = kLanes * s_.warps;
  if (s_.lanes == kLanes && s_.warps == 1 && !s_.kept) p_.threads = kLanes;
}

void RowThreads::choose_threads(int64_t packs) {
  if (p_.thread_a_row) {
    s_.packs = static_cast<int>(packs);
    p_.threads = tuning_.threads;
    return;
  }
  const int64_t few = options_.multiprocessors;
  const int most = std::min(tuning_.row_packs, std::max(1, tuning_.row_values_kept / p_.vec));
  const int wanted = sums_blocks(shape_.pass)   ? most
                     : shape_.blocks >= 4 * few ? most
                     : shape_.blocks >= few     ? std::min(most, 2)
                                                : 1;
  const int64_t short_packs = std::min(wanted, most_packs(1));
  if (packs <= kLanes * short_packs) {
    s_.packs = packs >= kLanes / 2 ? static_cast<int>(std::min<int64_t>(short_packs, 2)) : 1;
    while (packs > int64_t{kLanes} * s_.packs) s_.packs *= 2;
    s_.lanes = static_cast<int>(power_of_two(divided_up(packs, s_.packs)));
    p_.threads = tuning_.threads;
    if (short_packs >= 3) take_three_packs(packs);
    return;
  }
  s_.lanes = kLanes;
  s_.packs = std::min(wanted, most_packs(1));
  const auto warps_of = [&](int n) { return divided_up(packs, int64_t{kLanes} * n); };
  while (s_.packs < most_packs(16) && warps_of(s_.packs) > tuning_.row_warps) s_.packs *= 2;
  if (warps_of(s_.packs) > 16) s_.packs = std::min(s_.packs, most_packs(kLanes));
  while (s_.packs < most_packs(kLanes) && warps_of(s_.packs) > kLanes) s_.packs *= 2;
  take_fewer_packs(packs);
  s_.kept = warps_of(s_.packs) <= kLanes;
  s_.warps = s_.kept ? static_cast<int>(warps_of(s_.packs)) : tuning_.long_row_warps;
  if (s_.kept) return;
  s_.packs = std::min(most_packs(s_.warps), tuning_.row_packs);
  // What stores no elements reads its rows once more from the L2: a cluster's thread blocks would wait for each other.
  if (shape_.blocks >= few && !shape_.puts_elements()) {
    s_.warps = tuning_.staged_warps;
  } else if (suits_shared_memory() && !stage(packs, tuning_.staged_warps, tuning_.row_bytes_in_shared_memory)) {
    stage(packs, 2 * tuning_.staged_warps, tuning_.shared_bytes);
  }
}

// Where a power of two of packs for each thread leaves too many places empty (kWorthwhile), each has three of them
// instead; or, in a row of several warps, more warps have fewer packs.
void RowThreads::take_three_packs(int64_t packs) {
  const int64_t lanes = power_of_two(divided_up(packs, 3)), places = 3 * lanes;
  if (lanes == 1 || lanes > kLanes || s_.group_span || has_scans(shape_.pass) || sums_blocks(shape_.pass)) return;
  if (static_cast<double>(places) * kWorthwhile > s_.packs * s_.lanes) return;
  s_.packs = 3;
  s_.lanes = static_cast<int>(lanes);
}
void RowThreads::take_fewer_packs(int64_t packs) {
  if (sums_blocks(shape_.pass) || s_.group_span || shape_.blocks < options_.multiprocessors) return;
  const auto places = [&](int n) { return divided_up(packs, int64_t{kLanes} * n) * n; };
  for (int n = s_.packs / 2; n > 0 && divided_up(packs, int64_t{kLanes} * n) <= tuning_.row_warps; n /= 2)
    if (static_cast<double>(places(n)) * kWorthwhile <= static_cast<double>(places(s_.packs))) s_.packs = n;
}

// Rows that each execute says the length of are read again by each stage.
void RowThreads::choose_threads_of_any_length() {
  if (sums_blocks(shape_.pass) || has_scans(shape_.pass) || s_.group_span)
    unsupported("op: %s has rows of an open extent, which it scans, cuts into groups or adds up as they are: not yet",
                shape_.problem.name.c_str());
  s_.kept = false;
  s_.lanes = kLanes;
  s_.warps = tuning_.long_row_warps;
  s_.packs = s_.consecutive ? kColumnGroup : std::min(most_packs(s_.warps), tuning_.row_packs);
  p_.threads = kLanes * s_.warps;
}

bool RowThreads::suits_shared_memory() const {
  return tuning_.row_bytes_in_shared_memory > 0 && !has_scans(shape_.pass) && !sums_blocks(shape_.pass) &&
         shape_.layout.group_rank == 0 && !s_.split_elements;
}

// Shared memory of a thread block whose threads have so many packs each: the packs, and nodes of the tree, one for each
// warp and chunk.
int64_t RowThreads::shared_bytes(int64_t warps, int64_t packs) const {
  const int64_t nodes = warps * divided_up(packs, tuning_.row_packs);
  return kLanes * warps * packs * p_.vec * shape_.load_bytes(false) +
         shape_.node_bytes() * (nodes + divided_up(nodes, kLanes) + tuning_.cluster);
}

// Rows in shared memory, of at most so many bytes in each thread block; false: they do not fit. A row has as few thread
// blocks as it fits in, or more where rows are too few for all multiprocessors. Parts of 2^k packs are nodes of the
// tree.
bool RowThreads::stage(int64_t packs, int warps, int64_t most_bytes) {
  const int64_t chunk = int64_t{kLanes} * warps * tuning_.row_packs;
  bool fits = false;
  for (int64_t blocks = 1; blocks <= tuning_.cluster; blocks *= 2) {
    const int64_t part = blocks == 1 ? packs : power_of_two(divided_up(packs, blocks));
    const int64_t chunks = divided_up(part, chunk);
    if (shared_bytes(warps, chunks * tuning_.row_packs) > most_bytes) continue;
    if (fits && (part < chunk || shape_.blocks * blocks > options_.multiprocessors)) break;
    fits = true;
    s_.packs = tuning_.row_packs;
    s_.warps = warps;
    // Each number of thread blocks in a cluster is a kernel of its own. As long as there are multiprocessors for all of
    // them, some without elements cost nothing, and a power of two will do.
    const bool are_few = shape_.blocks * blocks <= options_.multiprocessors;
    s_.cluster = static_cast<int>(are_few ? blocks : divided_up(packs, part));
    s_.staged = static_cast<int>(chunks);
  }
  return fits;
}

// Each thread adds up 32 elements of a sum in columns.
void RowThreads::choose_threads_of_runs(int64_t packs) {
  s_.packs = kColumnGroup;
  const int64_t runs = divided_up(packs, kColumnGroup);
  if (share_beside(runs)) return;
  const int most_warps = has_scans(shape_.pass) ? kWarpsOfScannedRuns : tuning_.row_warps;
  s_.kept = runs <= kLanes * most_warps;
  s_.lanes = static_cast<int>(std::min<int64_t>(kLanes, power_of_two(runs)));
  s_.warps = !s_.kept            ? has_scans(shape_.pass) ? kWarpsOfScannedRuns : tuning_.long_row_warps
             : s_.lanes < kLanes ? 1
                                 : static_cast<int>(divided_up(runs, kLanes));
  if (s_.warps == 1) p_.threads = tuning_.threads;
}

// Where blocks lie side by side, neighbouring threads of a thread block have neighbouring blocks. As many more threads
// share each block as keep the device busy, and there are as many thread blocks as multiprocessors, if kBytesBeside
// allows that. False: blocks do not lie so, or too many threads would be needed.
bool RowThreads::share_beside(int64_t runs) {
  const int64_t beside = shape_.blocks_beside(), bytes = shape_.node_bytes() + shape_.scanned_bytes();
  const bool reduces = shape_.node_bytes() > 0;
  if (beside < 2 || bytes * 2 * kMostThreadsBeside > kUsualSharedBytes * 3 / 4) return false;
  const int64_t multiprocessors = options_.multiprocessors;
  if (s_.split_elements) {
    s_.warps = static_cast<int>(power_of_two(runs));
    const auto places = [&](int64_t n) { return divided_up(beside, n) * n; };
    s_.beside = static_cast<int>(std::min<int64_t>(beside, kMostThreadsBeside / s_.warps));
    for (int n = s_.beside - 1; n > 1; --n)
      if (places(n) < places(s_.beside)) s_.beside = n;
  } else {
    s_.beside = static_cast<int>(std::min<int64_t>(beside, kLanes));
    const int64_t least = std::max<int64_t>(2, kBytesBeside / std::max<int64_t>(1, shape_.load_bytes(true)));
    while (s_.beside > least && divided_up(shape_.blocks, s_.beside) < multiprocessors)
      s_.beside = static_cast<int>(std::max(least, int64_t{s_.beside / 2}));
    const int64_t enough = power_of_two(
        divided_up(kThreadsBeside * multiprocessors, std::max<int64_t>(1, shape_.blocks)));
    int64_t most = 1;
    while (2 * most * s_.beside <= kMostThreadsBeside) most *= 2;
    s_.warps = static_cast<int>(std::min({power_of_two(runs), enough, most}));
  }
  s_.kept = runs <= s_.warps;
  if (s_.beside < 2 || s_.beside * s_.warps < kLanes || (reduces && !s_.kept)) {
    s_.beside = s_.warps = 1;
    return false;
  }
  s_.lanes = 1;
  p_.threads = s_.beside * s_.warps;
  return true;
}

// Each strategy with its numbers, or those that are usual where none are asked for.
void RowThreads::take_hint(int64_t packs) {
  const LaunchHint& hint = options_.hint;
  if (s_.consecutive) {
    choose_threads_of_runs(packs);
    if (hint.strategy != TILEOPS_STRATEGY_REGISTER_COPY || hint.threads || hint.num_per_thread)
      unsupported("strategy: %s sums in columns, which threads share in one way alone (got %s, need register_copy "
                  "without numbers)",
                  shape_.problem.name.c_str(), strategy_name(hint.strategy));
  } else if (hint.strategy == TILEOPS_STRATEGY_REREAD) {
    read_again();
  } else if (hint.strategy == TILEOPS_STRATEGY_CLUSTER) {
    keep_in_shared_memory(packs);
  } else {
    keep_in_block(packs);
  }
}

int RowThreads::packs_asked(int warps) const {
  const int n = options_.hint.num_per_thread, most = most_packs(warps);
  if (!n) return std::min(tuning_.row_packs, most);
  if (n % p_.vec != 0 || n / p_.vec > most)
    unsupported("num_per_thread: a thread has 1 to %d packs of %d elements of a row of %s (got %d elements)", most,
                p_.vec, shape_.problem.name.c_str(), n);
  return n / p_.vec;
}

void RowThreads::keep_in_block(int64_t packs) {
  const LaunchHint& hint = options_.hint;
  if (!hint.num_per_thread) {
    choose_threads(packs);
  } else {
    s_.packs = packs_asked(1);
    s_.lanes = static_cast<int>(std::min<int64_t>(kLanes, power_of_two(divided_up(packs, s_.packs))));
    const int64_t warps = divided_up(packs, int64_t{s_.lanes} * s_.packs);
    s_.kept = warps <= kLanes && s_.packs <= most_packs(static_cast<int>(warps));
    s_.warps = static_cast<int>(std::min<int64_t>(warps, kLanes));
    if (s_.warps == 1) p_.threads = tuning_.threads;
  }
  if (!s_.kept)
    unsupported("strategy: register_copy: no thread block keeps rows of %lld elements of %s, with %d a thread",
                static_cast<long long>(p_.length), shape_.problem.name.c_str(), s_.packs * p_.vec);
  if (s_.warps == 1 && hint.threads) p_.threads = hint.threads;
  if (s_.warps > 1 && hint.threads && hint.threads != kLanes * s_.warps)
    unsupported("threads: a row of %lld elements of %s has %d, with %d elements each (got %d)",
                static_cast<long long>(p_.length), shape_.problem.name.c_str(), kLanes * s_.warps, s_.packs * p_.vec,
                hint.threads);
}

void RowThreads::read_again() {
  if (sums_blocks(shape_.pass) || s_.split_elements)
    unsupported("strategy: reread: %s adds up what it keeps of its rows", shape_.problem.name.c_str());
  s_.kept = false;
  s_.lanes = kLanes;
  s_.warps = options_.hint.threads ? options_.hint.threads / kLanes : tuning_.long_row_warps;
  s_.packs = packs_asked(s_.warps);
}

void RowThreads::keep_in_shared_memory(int64_t packs) {
  if (!suits_shared_memory())
    unsupported("strategy: cluster: needs sm_90 and rows without groups, scans and sums over them (%s on sm_%d)",
                shape_.problem.name.c_str(), options_.arch);
  s_.kept = false;
  s_.lanes = kLanes;
  s_.warps = options_.hint.threads ? options_.hint.threads / kLanes : tuning_.staged_warps;
  const int64_t threads = int64_t{kLanes} * s_.warps;
  const int64_t usual = power_of_two(divided_up(packs, threads * tuning_.cluster));
  const int n = options_.hint.num_per_thread;
  const int64_t each = n ? n / p_.vec : usual;
  if (n % p_.vec != 0 || each < 1 || each != power_of_two(each) || shared_bytes(s_.warps, each) > tuning_.shared_bytes)
    unsupported("num_per_thread: a thread has 2^k packs of %d elements of a row of %s, as many as fit in %lld bytes of "
                "shared memory (got %d elements)",
                p_.vec, shape_.problem.name.c_str(), static_cast<long long>(tuning_.shared_bytes), n);
  const int64_t blocks = power_of_two(divided_up(packs, threads * each));
  if (blocks > tuning_.cluster)
    unsupported("num_per_thread: a row of %lld elements of %s is of %lld thread blocks of %lld threads with %lld "
                "elements each, and a cluster has at most %d",
                static_cast<long long>(p_.length), shape_.problem.name.c_str(), static_cast<long long>(blocks),
                static_cast<long long>(threads), static_cast<long long>(each * p_.vec), tuning_.cluster);
  s_.packs = static_cast<int>(std::min<int64_t>(each, tuning_.row_packs));
  s_.staged = static_cast<int>(each / s_.packs);
  s_.cluster = static_cast<int>(blocks);
}

// Groups that are larger than what a warp has of a chunk lie in neighbouring warps.
void RowThreads::fit_groups() {
  const int64_t group = s_.group_span / p_.vec, warp = int64_t{s_.lanes} * s_.packs;
  if (group <= warp) return;
  const int64_t together = group / warp;
  s_.warps = static_cast<int>(divided_up(s_.warps, together) * together);
  if (s_.lanes < kLanes || s_.warps > kLanes || together > kLanes)
    unsupported("op: %s has groups of %lld elements within rows that are reduced as well: not yet",
                shape_.problem.name.c_str(), static_cast<long long>(shape_.inner));
}

}  // namespace tileops::cuda

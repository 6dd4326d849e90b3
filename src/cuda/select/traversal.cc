// How the space is cut into vectors, and how many a thread takes.
#include <algorithm>

#include "base/error.h"
#include "cuda/select/stages.h"
#include "cuda/tuning/body_tuning.h"
#include "problem/analysis.h"

namespace tileops::cuda {
namespace {

constexpr int kMostInterleaved = 32;  // elements of a thread
constexpr int kMostVecsPerThread = 8;
constexpr int64_t kLeastVecBytes = 8;  // below, vectors within rows gain nothing

// Elements of a vector as the sizes of the streamed operands want it; `asked`: the caller says how
// many a thread has.
int wanted_vec(const std::vector<Operand>& operands, const std::vector<Extent>& extents, const Tuning& tuning,
               bool asked) {
  int64_t least = 16, most = 1, written = 1;
  for (const Operand& o : operands) {
    if (!o.in_memory() || (!o.is_store && is_reused(o, extents))) continue;
    least = std::min(least, o.size);
    most = std::max(most, o.size);
    if (o.is_store && !asked) written = std::max(written, o.size);
  }
  const int64_t wanted = std::min({tuning.smallest_operand_bytes / least, tuning.largest_operand_bytes / most,
                                   tuning.largest_result_bytes / written});
  return static_cast<int>(std::max<int64_t>(1, wanted));
}

// The largest vector of at most `vec` that divides rows and keeps every row aligned; 0 if there is
// none worth it.
int row_vec(const std::vector<Operand>& operands, const std::vector<Extent>& extents, int vec) {
  for (; vec >= 1; vec /= 2) {
    bool fits = extents.back().divisor() % vec == 0;
    int64_t widest = 0;
    for (const Operand& o : operands) {
      const bool is_pair = o.pattern == AccessPattern::even;
      if (!o.is_consecutive() && !is_pair) continue;
      const int64_t access = std::min(kWidestAccess, vec * o.size * (is_pair ? 2 : 1));
      for (size_t d = 0; d + 1 < extents.size(); ++d) fits = fits && o.strides[d].divisor() % access == 0;
      if (o.is_store || !is_reused(o, extents)) widest = std::max(widest, vec * o.size);
    }
    if (fits) return widest >= kLeastVecBytes ? vec : 0;
  }
  return 0;
}

TraversalOrder flat_or_elements(const std::vector<Extent>& extents) {
  return extents.size() == 1 ? TraversalOrder::flat : TraversalOrder::elements;
}

// Vectors within rows, if every operand allows them.
std::optional<Traversal> rows_of(const Pass& pass, Traversal t, bool may_reuse, const Tuning& tuning) {
  t.order = TraversalOrder::rows;
  t.operands.direct = with_pairs(std::move(t.operands.direct));
  for (const Operand& o : t.operands.direct)
    if (o.pattern == AccessPattern::strided) return std::nullopt;
  for (const Operand& o : t.operands.ids)
    if (o.strides.back() != 0) return std::nullopt;
  t.vec = row_vec(t.operands.direct, t.extents, t.vec);
  if (t.vec < t.least_vec()) return std::nullopt;
  return may_reuse && is_operator(pass) ? with_shared_stage(pass, std::move(t), tuning) : t;
}

// Do operands that are read or written element by element want neighbouring threads to take
// neighbouring elements? Vectors of dense operands beside such loads pay where these are small.
bool wants_interleaving(const Traversal& t) {
  if (t.order == TraversalOrder::rows || stores_packed(t.operands.direct)) return false;
  for (const Operand& o : t.operands.direct)
    if (o.in_memory() && o.pattern != AccessPattern::dense && (o.is_store || !is_reused(o, t.extents))) return true;
  return false;
}

// Nothing streamed in, such as rows with columns, and results of 8 bytes: of two a thread blocks
// are done before the next ones can start (add in float64, 64 Mi elements, H200, 2026: 137 us, with
// four 120, and a copy 117).
bool is_outer(const Traversal& t) {
  bool reads = false, wide = false;
  for (const Operand& o : t.operands.direct) {
    if (is_streamed(o, t.extents)) return false;
    if (o.is_store) wide = wide || o.size == 8;
    else reads = reads || o.in_memory();
  }
  return reads && wide;
}

int usual_vecs_per_thread(const Pass& pass, const Traversal& t, const Tuning& tuning) {
  const bool in_vecs = t.order == TraversalOrder::flat || t.order == TraversalOrder::rows;
  const bool many = in_vecs && t.numel / t.vec > tuning.few_vecs;
  const bool heavy = (is_operator(pass) && takes_two_vecs(only_step(pass).body->name, pass.stores[0].dtype)) ||
                     is_outer(t);
  return many && heavy && !t.loops_over_rows() ? 2 : 1;
}

Traversal in_elements(Traversal t) {
  t.order = flat_or_elements(t.extents);
  t.vec = t.least_vec();
  return t;
}

Traversal in_interleaved_elements(Traversal t, int asked) {
  if (stores_packed(t.operands.direct))
    unsupported(
        "strategy: explicit_parallel gives neighbouring elements to neighbouring threads, and of this result two "
        "share a byte");
  if (asked > kMostInterleaved)
    invalid("num_per_thread: is too large for strategy explicit_parallel (got %d, need 1 to %d)", asked,
            kMostInterleaved);
  t.order = flat_or_elements(t.extents);
  if (asked) t.vec = asked;
  t.interleaved = t.vec > 1;
  return t;
}

bool has_pairs(const std::vector<Operand>& operands) {
  const std::vector<Operand> paired = with_pairs(operands);
  return std::any_of(paired.begin(), paired.end(), [](const Operand& o) { return o.pattern == AccessPattern::even; });
}

Traversal in_vecs(const Pass& pass, Traversal t, int asked, const Tuning& tuning) {
  if (asked) t.vec = std::max(std::min(t.vec, asked), t.least_vec());
  t.order = flat_or_elements(t.extents);
  if (t.order != TraversalOrder::flat || has_pairs(t.operands.direct))
    if (std::optional<Traversal> rows = rows_of(pass, t, !asked, tuning)) t = *std::move(rows);
  t.interleaved = wants_interleaving(t);
  t.vecs_per_thread = asked ? std::max(1, asked / t.vec) : usual_vecs_per_thread(pass, t, tuning);
  if (t.vecs_per_thread > kMostVecsPerThread)
    invalid("num_per_thread: is too large for vectors of %d (got %d, need at most %d)", t.vec, asked,
            kMostVecsPerThread * t.vec);
  return t;
}

Traversal usual_traversal(const Pass& pass, const Computation& c, const Operands& operands, const Layout& layout,
                          const ChooseOptions& options, const Tuning& tuning) {
  const LaunchHint& hint = options.hint;
  Traversal t;
  t.extents = layout.extents;
  t.numel = options.way ? options.way->usual : int64_t{layout.numel};
  t.way = options.way;
  t.operands = operands;
  t.vec = wanted_vec(operands.direct, layout.extents, tuning, hint.num_per_thread != 0);
  t.vec = std::max(std::min(t.vec, most_vec(c, operands)), t.least_vec());
  if (hint.strategy == TILEOPS_STRATEGY_AUTO || hint.strategy == TILEOPS_STRATEGY_TILE)
    if (std::optional<Traversal> tiles = tiles_of(operands, layout, t.vec, t.way, tuning)) return *std::move(tiles);
  switch (hint.strategy) {
    case TILEOPS_STRATEGY_TILE:
      unsupported("strategy: tile needs a transposed operand (an operand that lies along another dimension "
                  "than the result does)");
    case TILEOPS_STRATEGY_DIRECT: return in_elements(std::move(t));
    case TILEOPS_STRATEGY_EXPLICIT_PARALLEL: return in_interleaved_elements(std::move(t), hint.num_per_thread);
    default: return in_vecs(pass, std::move(t), hint.num_per_thread, tuning);
  }
}

}  // namespace

Traversal traversal_of(const Pass& pass, const Computation& c, const Operands& operands, const Layout& layout,
                       const ChooseOptions& options, const Tuning& tuning) {
  Traversal t = usual_traversal(pass, c, operands, layout, options, tuning);
  const bool automatic = options.hint.strategy == TILEOPS_STRATEGY_AUTO && !options.hint.num_per_thread;
  if (!c.one_operator && automatic) t.vecs_per_thread = vecs_of_expression(c, t, tuning);
  if (!c.spec.gate_loads.empty() && automatic) t.vecs_per_thread = 1;  // what is left out of others is not read
  return t;
}

std::vector<Extent> positions_of(const Traversal& t) {
  std::vector<Extent> p = t.extents;
  if (t.order == TraversalOrder::tiles)
    for (const size_t d : {p.size() - 2, p.size() - 1}) p[d] = p[d].in_groups_of(t.tile_dim);
  if (t.order == TraversalOrder::rows) {
    p.back() /= t.vec;
    p[t.rows_dim] /= t.rows_per_thread;
  }
  return p;
}

}  // namespace tileops::cuda

// From a pass of rows to its phases as programs, and how many blocks go through them at a time: several short rows are
// one tile; a long one goes through tile by tile.
#include "cpu/rows/rows.h"

#include <algorithm>

#include "base/error.h"
#include "cpu/memory/non_temporal.h"
#include "cpu/rows/columns.h"
#include "cpu/rows/executor.h"

namespace tileops::cpu {
namespace {

// How a phase's tiles lie: of a whole block's elements, of rows that are blocks, of single values; rows are matrices,
// where several of these are taken together.
Tiles tiles_of(const Program& p, const Phase& phase, const Layout& layout, int64_t matrices, Sizes* sizes) {
  int row_dim = phase.level == Level::element ? static_cast<int>(layout.extents.size()) - 2 : -1;
  if (matrices > 1) row_dim = static_cast<int>(layout.outer()) - 2;
  return Tiles(p.layout, row_dim, p.tile, sizes);
}

// Does it store elements, to memory or for later phases?
bool stores_elements(const Phase& phase, bool for_phases) {
  const KernelledPass& p = phase.source;
  bool any = false;
  for (size_t k = 0; k < p.reductions.size(); ++k)
    any = any || (p.reductions[k] < 0 && is_local(p.pass.stores[k]) == for_phases);
  return any && phase.level == Level::element;
}

// Elements from which on two kinds of phases prefetch what they read: of blocks that lie side by side, and those that
// leave elements for later phases. Phases of rows that only reduce would be slower. (Milliseconds without prefetching
// and with it, one thread, December 2026. A Xeon, family 6 model 167: sum of the columns of 4096 x 1000 bf16 1.52 and
// 1.17, amax of those of 30000 x 100 f32 1.45 and 1.23. An AMD EPYC, family 25 model 17: amin(v * amax(v)) with
// v = x + 1 of 8192 x 1024 f32 7.2 and 4.9, of 27962 x 300 bf16 5.5 and 4.9; but amax(x) of 8192 x 1024 f32 1.5 and
// 2.2.)
constexpr int64_t kReadAhead = 1 << 18;

// Does a reduction read rows straight from memory, a vector of each of several rows in turn (short_rows)? Hardware does
// not prefetch that. (Milliseconds without prefetching and with it, one thread of an AMD EPYC, family 25 model 17,
// December 2026: mean of 15,200 rows of 250 f32 2.26 and 1.60, of 59,375 rows of 64 2.17 and 1.09; but of 95,000 rows
// of 40 1.52 and 1.67.)
bool reads_many_rows(const Phase& phase) {
  constexpr int64_t kFewest = 48, kMost = 255;
  const KernelledPass& p = phase.source;
  const int64_t n = p.pass.extents.empty() ? 0 : p.pass.extents.back().typical();
  if (phase.level != Level::element || n < kFewest || n > kMost) return false;
  for (size_t k = 0; k < p.reductions.size(); ++k) {
    const Value& of = p.pass.stored[k];
    if (p.reductions[k] < 0 || of.kind != Value::Kind::load) continue;
    const View& view = p.pass.loads[static_cast<size_t>(of.index)];
    if (view.kind == ViewKind::input && view.indices.empty() && view.dtype == Dtype::f32) return true;
  }
  return false;
}

// Columns that a tile has at most: half a KB of each row of the narrowest operand, and 256 at least.
int64_t most_columns(const Pass& pass, const Layout& layout) {
  constexpr int64_t kBytes = 512;
  int64_t narrowest = kBytes;
  for (size_t i = 0; i < pass.loads.size(); ++i)
    if (pass.loads[i].kind == ViewKind::input && layout.loads[i].back() != 0)
      narrowest = std::min(narrowest, static_cast<int64_t>(dtype_size(pass.loads[i].dtype)));
  return std::max(kMostRows, kBytes / narrowest);
}

// How many columns go through the phases together: `most` at most, of which the states of reductions and the locals
// have room.
int64_t with_room(const Phases& phases, const std::vector<ReduceKernel>& reductions, const Scans& scans, int64_t most) {
  const size_t rows = rows_of_block(phases.layout);
  const auto fits = [&](size_t columns) {
    return bytes_of_states(reductions, true, rows, columns) + scans.bytes(rows, columns) <= kStateBytes &&
           phases.locals.size() * (columns * kLocalElement + 64) <= kLocalBytes;
  };
  while (most > 1 && !fits(static_cast<size_t>(most))) most /= 2;
  return std::max<int64_t>(most, 1);
}

// Rows that go through the phases together: some tiles of them, so that what there is once a row is computed of
// several, but not more than that what is kept of their elements stays in the cache; a tile at least, and one row.
int64_t rows_of_batch(const Phases& phases, int64_t tile) {
  constexpr int64_t kElements = 16 * kBlock, kKept = 24 << 10;
  const int64_t n = std::max<int64_t>(phases.layout.extents.back().typical(), 1);
  int64_t kept = 0;  // bytes of an element
  for (const Local& l : phases.locals) kept += l.level == Level::element ? static_cast<int64_t>(l.element) : 0;
  const int64_t elements = kept ? std::min(kElements, kKept / kept) : kElements;
  return std::max<int64_t>(std::max(elements, tile) / n, 1);
}

}  // namespace

ExecutorPtr make_rows_of(const Problem& problem, const Pass& pass, const PassInfo& info,
                         const std::vector<ChosenKernel>& kernels, const KernelSet& set, size_t past_cache_from,
                         std::shared_ptr<const Gate> gate, Sizes sizes) {
  Phases phases = phases_of(pass, info, kernels, gate != nullptr);
  const Layout& layout = phases.layout;
  const bool non_temporal = static_cast<size_t>(phases.layout.numel.typical()) >= past_cache_from;
  std::vector<ReduceKernel> reductions;
  reductions.reserve(phases.reductions.size());
  for (const RowReduction& r : phases.reductions) {
    if (!set.isa->reduction(r.by, r.type, {r.low_parts, r.in_columns}, &reductions.emplace_back()))
      unsupported("op: %s has no CPU kernel of %s in %s", problem.name.c_str(), reduction_name(r.by),
                  ctype_name(r.type));
  }
  const Scans scans(problem, phases.phases, *set.isa, phases.columns);
  std::vector<Program> programs;
  programs.reserve(phases.phases.size());
  size_t tile = kBlock, few = kBlock;
  const Phase* stores_last = nullptr;  // the last one that stores elements to memory
  for (const Phase& phase : phases.phases)
    if (stores_elements(phase, false)) stores_last = &phase;
  for (Phase& phase : phases.phases) {
    phase.source.tables.resize(phase.source.pass.loads.size());
    phase.source.non_temporal_stores = non_temporal && &phase == stores_last;
    const bool is_large = phases.layout.numel.typical() >= kReadAhead;
    phase.source.reads_ahead = is_large && (phases.columns || reads_many_rows(phase));
    phase.source.reads_rows_ahead = is_large && phase.scans.empty() && stores_elements(phase, true);
    pair_steps(&phase.source, set.by_op.at(kPairs));
    programs.push_back(assemble(problem, std::move(phase.source), *set.isa->memory(), past_cache_from, &sizes));
    size_t& least = phase.level == Level::element ? tile : few;
    least = std::min(least, programs.back().tile);
  }
  int64_t rows = 1, matrices = 1;
  if (phases.columns) {
    const int64_t most = static_cast<int64_t>(std::min(tile, few));
    const Extent& columns = layout.extents[layout.outer() - 1];
    rows = std::min(most_columns(pass, layout), most);
    if (!columns.is_open()) rows = std::min(rows, int64_t{columns});
    rows = with_room(phases, reductions, scans, rows);
    if (phases.joins_matrices && !gate && rows == columns)
      matrices = std::min(with_room(phases, reductions, scans, most) / rows,
                          layout.extents[layout.outer() - 2].typical());
    matrices = std::max<int64_t>(matrices, 1);
  } else if (layout.row_rank == 1) {
    rows = std::min(rows_of_batch(phases, static_cast<int64_t>(tile)), std::min(kMostRows, static_cast<int64_t>(few)));
  }
  if (packs_blocks(pass, layout)) {
    if (rows == 1)
      unsupported("op: %s writes elements that share a byte in rows of their own: not yet", problem.name.c_str());
    rows = rows / 2 * 2;
  }
  std::vector<Machine> machines;
  machines.reserve(programs.size());
  for (size_t i = 0; i < programs.size(); ++i) {
    Tiles tiles = tiles_of(programs[i], phases.phases[i], layout, matrices, &sizes);
    machines.emplace_back(std::move(programs[i]), std::move(tiles));
  }
  return std::make_unique<RowsExecutor>(std::move(phases), std::move(sizes), std::move(machines), std::move(reductions),
                                        scans, rows, matrices, tile, non_temporal, std::move(gate));
}

}  // namespace tileops::cpu

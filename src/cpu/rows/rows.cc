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

// How a phase's tiles lie: of a whole block's elements, of rows that are blocks, of single values.
Tiles tiles_of(const Program& p, const Phase& phase, const Layout& layout) {
  return Tiles(p.layout, phase.level == Level::element ? static_cast<int>(layout.extents.size()) - 2 : -1, p.tile);
}

}  // namespace

ExecutorPtr make_rows_of(const Problem& problem, const Pass& pass, const PassInfo& info,
                         const std::vector<ChosenKernel>& kernels, const KernelSet& set, int threads,
                         std::shared_ptr<const Gate> gate) {
  Phases phases = phases_of(pass, info, kernels);
  const Layout& layout = phases.layout;
  const bool non_temporal = wants_non_temporal_stores(pass, elements_of(phases), threads);
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
  const Phase* last_of_elements = nullptr;  // which alone stores such to memory
  for (const Phase& phase : phases.phases)
    if (phase.level == Level::element && phase.source.reductions.back() < 0) last_of_elements = &phase;
  for (Phase& phase : phases.phases) {
    phase.source.tables.resize(phase.source.pass.loads.size());
    phase.source.non_temporal_stores = non_temporal && &phase == last_of_elements;
    pair_steps(&phase.source, set.by_op.at(kPairs));
    programs.push_back(assemble(problem, std::move(phase.source), *set.isa->memory(), threads));
    size_t& least = phase.level == Level::element ? tile : few;
    least = std::min(least, programs.back().tile);
  }
  int64_t rows = 1;
  if (phases.columns) {
    const size_t block_rows = rows_of_block(layout);
    rows = std::min({kMostRows, static_cast<int64_t>(std::min(tile, few)),
                     layout.extents[layout.extents.size() - layout.row_rank - 1]});
    while (rows > 1 && bytes_of_states(reductions, true, block_rows, static_cast<size_t>(rows)) +
                               scans.bytes(block_rows, static_cast<size_t>(rows)) >
                           kStateBytes)
      rows /= 2;
    rows = std::max<int64_t>(rows, 1);
  } else if (layout.row_rank == 1) {
    const int64_t n = std::max<int64_t>(layout.extents.back(), 1);
    rows = std::clamp<int64_t>(static_cast<int64_t>(tile) / n, 1, std::min(kMostRows, static_cast<int64_t>(few)));
  }
  if (packs_blocks(pass, layout)) {
    if (rows == 1)
      unsupported("op: %s writes elements that share a byte in rows of their own: not yet", problem.name.c_str());
    rows = rows / 2 * 2;
  }
  std::vector<Machine> machines;
  machines.reserve(programs.size());
  for (size_t i = 0; i < programs.size(); ++i) {
    Tiles tiles = tiles_of(programs[i], phases.phases[i], layout);
    machines.emplace_back(std::move(programs[i]), std::move(tiles));
  }
  return std::make_unique<RowsExecutor>(std::move(phases), std::move(machines), std::move(reductions), scans, rows,
                                        tile, non_temporal, std::move(gate));
}

}  // namespace tileops::cpu

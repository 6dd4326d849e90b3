// How many elements a program takes through its steps at a time.
#include <algorithm>

#include "base/error.h"
#include "cpu/program/program.h"

namespace tileops::cpu {
namespace {

// Does one step take all operands from memory and write its results there, so that nothing lies in scratch?
bool runs_on_memory(const Program& p) {
  if (p.steps.size() != 1 || p.instructions.size() != p.loads.size() + 1 + p.stores.size()) return false;
  if (p.non_temporal_stores || p.layout.extents.size() != 1) return false;
  const auto is_in_memory = [](const Load& l) { return l.kind == ViewKind::input && l.rows_in_place() && !l.table; };
  return std::all_of(p.loads.begin(), p.loads.end(), is_in_memory) &&
         std::all_of(p.stores.begin(), p.stores.end(), [](const Store& s) { return s.rows_in_place(); }) &&
         std::all_of(p.steps[0].stores, p.steps[0].stores + p.steps[0].kernel->num_out,
                     [](int store) { return store >= 0; });
}

// Do several steps read several operands that are too large for the cache, one after the other? Operands that are
// repeated stay in the cache; and beside a transposed one a tile has rows too short to be read ahead.
bool reads_in_turns(const Program& p) {
  if (p.steps.size() < 2 || p.layout.cls == LayoutClass::tiled) return false;
  const auto streams = std::count_if(p.loads.begin(), p.loads.end(), [](const Load& load) {
    return load.kind == ViewKind::input && load.is_dense_row() &&
           std::count(load.strides.begin(), load.strides.end(), 0) == 0;
  });
  return streams > 1;
}

// The tile of a program whose steps read in turns: so much of each operand that the hardware's prefetcher still has the
// next part on its way when it is this operand's turn again. In larger tiles memory waits for arithmetic.
// (16 Mi, 2 KB and 1 KB, November 2026: two cores of a Zen 5 adamw f32 16.4 and 11.4 ms, swiglu_residual f32 6.0 and
// 5.0, bf16 3.7 and 2.7; 16 of a Sapphire Rapids 4.7 and 4.6, 1.9 and 2.1, 1.2 and 1.3. Where one operand alone is
// large, larger tiles are faster: on the Zen 5 scale_shift f32 takes 2.1, 1.4 and 1.2 ms in tiles of 1, 2 and 4 KB.)
size_t tile_of_turns(const Program& p) {
  constexpr size_t kBytes = 1024;
  ptrdiff_t widest = 1;
  for (const Load& load : p.loads)
    if (load.kind == ViewKind::input) widest = std::max(widest, load.storage);
  return kBytes / static_cast<size_t>(widest);
}

}  // namespace

// As many elements as leave all slots in L1, but not so few that calling kernels is what takes the time.
void choose_tile(const Problem& problem, Program* program) {
  Program& p = *program;
  if (runs_on_memory(p)) {
    // (64 Ki on a Zen 5, November 2026, in such tiles and in blocks: mul_add f32 6.8 and 8.1 us, bf16 4.7 and 6.2.)
    p.tile = kTileWithoutScratch;
    p.slot_element = 0;  // no slot is used
    return;
  }
  p.reads_in_turns = reads_in_turns(p);
  constexpr size_t kCache = size_t{32} << 10, kFewest = 256;
  const size_t slots = static_cast<size_t>(p.slots);
  p.tile = p.non_temporal_stores && p.reads_in_turns ? std::min(kBlock, tile_of_turns(p)) : kBlock;
  while (p.tile > kFewest && p.tile * p.slot_element * slots > kCache) p.tile /= 2;
  while (p.tile > 16 && p.slot_bytes() * slots > kProgramScratch) p.tile /= 2;
  size_t attributes = 0;
  for (const StepKernel& step : p.steps) attributes += step.attrs.size();
  if (slots > kProgramSlots || p.slot_bytes() * slots > kProgramScratch ||
      (!p.attributes.empty() && attributes > kProgramAttributes))
    unsupported("op: %s needs %zu values and %zu attributes at a time on the CPU (at most %zu and %zu)",
                problem.name.c_str(), slots, attributes, kProgramSlots, kProgramAttributes);
}

}  // namespace tileops::cpu

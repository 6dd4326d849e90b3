// A pass of rows as phases, each a pass of its own without reductions: once for each block, for each group, or for each
// element of the block, stage after stage. What one phase leaves to a later one lies in scratch of the thread, a local.
//
//   (x) -> { m = amax(x);  e = exp(x - m);  e / sum(e) }
//
//   elements   x -> amax                         stage 0
//   elements   x - m -> exp -> sum, kept         stage 1
//   elements   kept / s -> stored                stage 2
//
// What is computed once a block, such as rsqrt(mean + eps), stands between them.
#pragma once

#include <optional>
#include <vector>

#include "cpu/program/source.h"
#include "problem/analysis.h"
#include "problem/layout.h"

namespace tileops::cpu {

// Rows that go through the phases together, at most; bytes of an element of a local of blocks or groups; bytes of all
// values of elements that are kept from stage to stage: those beyond are computed again.
constexpr int64_t kMostRows = 256;
constexpr size_t kLocalElement = 8, kMostKept = size_t{48} << 10;

// A value that lies in scratch. Local l is reached by views of kind temporary with slot l + 1.
struct Local {
  Level level = Level::block;
  size_t element = kLocalElement;  // bytes
};

// A reduction: where its result goes.
struct RowReduction {
  Reduction by = Reduction::sum;
  Ctype type = Ctype::f32;
  bool low_parts = false, in_columns = false;
  bool of_groups = false;
  int local = 0;
  // Of values of several blocks, which are added to sums in memory: where these lie, in the layout's extents.
  std::optional<View> sums;
};

struct Phase {
  Level level = Level::element;
  Source source;
};

struct Phases {
  Layout layout;  // of the whole pass: at least one extent in the block
  // Do several blocks lie side by side, so that a tile is rows of them? Then the last extent outside of the block is
  // the last one of phases of elements.
  bool columns = false;
  std::vector<Local> locals;
  std::vector<RowReduction> reductions;
  std::vector<Phase> phases;
};

// `kernels`: by step of the pass.
Phases phases_of(const Pass& pass, const std::vector<ChosenKernel>& kernels, bool reproducible);

}  // namespace tileops::cpu

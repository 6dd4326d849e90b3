// A pass of rows is run as phases, one after the other for each block. A phase is a pass of its own in which nothing
// is reduced: it computes what there is once a block, once a group in it, or of each element. What a phase of elements
// computes may go into reductions, whose results later phases take; so the elements are gone through stage after stage.
// What a phase leaves for later ones is a local: an array in scratch of the thread.
//
//   (x) -> { m = amax(x);  e = exp(x - m);  e / sum(e) }
//
//   elements   x -> amax                         stage 0
//   elements   x - m -> exp -> sum, kept         stage 1
//   elements   kept / s -> stored                stage 2
//
// What is computed once a block, such as rsqrt(mean + eps), is a phase between them.
#pragma once

#include <optional>
#include <vector>

#include "cpu/rows/locals.h"
#include "cpu/source/kernelled_pass.h"

namespace tileops::cpu {

constexpr int64_t kMostRows = 256;              // blocks that go through the phases together, at most
constexpr size_t kMostKept = size_t{48} << 10;  // bytes of locals of elements; what has no room is computed again

// What a phase reduces of its elements: of a whole block, or of each group. The result goes to a local, but of `sums`.
struct RowReduction {
  Reduction by = Reduction::sum;
  Ctype type = Ctype::f32;
  bool low_parts = false, in_columns = false;
  bool of_groups = false;
  int local = 0;
  // Of values of several blocks, which are added to sums in memory: where these lie, in the layout's extents.
  std::optional<View> sums;
};

// A scan: each phase that needs its values goes through it, from its first element on.
struct RowScan {
  Reduction by = Reduction::sum;
  Ctype type = Ctype::f32;
  bool low_parts = false, in_columns = false, exclusive = false;
};

struct Phase {
  Level level = Level::element;
  KernelledPass source;
  std::vector<RowScan> scans = {};  // by number
};

struct Phases {
  Layout layout;               // of the whole pass: of one that reduces in parts, two extents in the block at least
  int64_t split_elements = 0;  // elements of a part (Pass::split_elements)
  // Do blocks lie side by side in memory, as the columns of a matrix do? Then a tile has some elements of several
  // blocks, and the last extent outside of the block is the last one of phases of elements.
  bool columns = false;
  // Where blocks are columns: may a tile hold one row of the columns of several matrices? The last but one extent
  // outside of the block numbers the matrices.
  bool joins_matrices = false;
  std::vector<Local> locals;
  std::vector<RowReduction> reductions;
  std::vector<Phase> phases;
};

// `kernels`: by step of the pass. `in_order`: extents outside of blocks stay as they are, since others know them.
Phases phases_of(const Pass& pass, const PassInfo& info, const std::vector<ChosenKernel>& kernels, bool in_order);

}  // namespace tileops::cpu

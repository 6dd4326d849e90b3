// What a phase leaves for later ones: arrays in scratch of the thread.
#pragma once

#include <vector>

#include "cpu/memory/operand.h"
#include "problem/layout.h"
#include "problem/rows/stages.h"

namespace tileops::cpu {

constexpr size_t kLocalElement = 8;  // bytes of an element of a local, at most

// As a view it is of kind temporary, in the slot slot_of_local().
struct Local {
  Value value;                     // a step's result
  Level level = Level::block;      // it has an element for each block, each group of a block, or each of its elements
  size_t element = kLocalElement;  // bytes: floats are dense, so that they are taken where they lie
};

// The locals of a pass, which are made as they are asked for.
class Locals {
 public:
  // `joins_matrices`: Phases::joins_matrices.
  Locals(const PassInfo& info, const Layout& layout, bool joins_matrices)
      : info_(info), layout_(layout), joins_matrices_(joins_matrices) {}

  // The local of a step's result.
  int of(const Value& v);
  // As a view of a phase that goes along so many extents. Its elements lie one after the other: one for each block
  // along the last extent outside of blocks, and behind these those of the next matrix; for each group of one block; or
  // all elements of a block, and behind them those of the next one.
  View view(const Value& v, size_t dims);

  const std::vector<Local>& list() const { return list_; }

 private:
  size_t element_of(const Value& v) const;

  const PassInfo& info_;
  const Layout& layout_;
  const bool joins_matrices_;
  std::vector<Local> list_;
};

}  // namespace tileops::cpu

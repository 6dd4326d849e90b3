// What a phase leaves for later ones: arrays in scratch of the thread.
#pragma once

#include <vector>

#include "problem/layout.h"
#include "problem/rows/stages.h"

namespace tileops::cpu {

constexpr size_t kLocalElement = 8;  // bytes of an element of a local, where there is one a block or group

// Views of local l are of kind temporary, with slot l + 1 (slot 0 is the plan's workspace).
struct Local {
  Value value;                     // a step's result
  Level level = Level::block;      // it has an element for each block, each group of a block, or each of its elements
  size_t element = kLocalElement;  // bytes
};

// The locals of a pass, which are made as they are asked for.
class Locals {
 public:
  Locals(const PassInfo& info, const Layout& layout) : info_(info), layout_(layout) {}

  // The local of a step's result.
  int of(const Value& v);
  // As a view of a phase that goes along so many extents. Its elements lie one after the other: one for each block
  // along the last extent outside of blocks, for each group of one block, or all elements of a block, and behind them
  // those of the next one.
  View view(const Value& v, size_t dims);

  const std::vector<Local>& list() const { return list_; }

 private:
  const PassInfo& info_;
  const Layout& layout_;
  std::vector<Local> list_;
};

}  // namespace tileops::cpu

// What a problem reads and writes of memory.
#pragma once

#include "problem/problem.h"

namespace tileops {

// The elements of an operand or a result that one execute touches, each counted once: all or, where they are gathered
// or scattered alone, as many as there are places for, which may be fewer.
class Traffic {
 public:
  // `kind` and `slot` say which operand (ViewKind::input) or result (output) it is.
  Traffic(const TensorSpec& t, const Problem& problem, ViewKind kind, int slot);
  // For the open extents of an execute.
  uint64_t bytes(const int64_t* extents) const;

 private:
  Dtype dtype_;
  Extent numel_;
  bool all_ = false;
  std::vector<std::vector<Extent>> places_;  // of each view the extents that it goes along
};

}  // namespace tileops

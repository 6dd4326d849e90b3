// What is asked of the values of an expression before they are given to passes.
#pragma once

#include <vector>

#include "expr/frame/reduced.h"

namespace tileops::expr {

struct Needs {
  // By node: its elements are needed. Of other values a shape or a dtype is asked for at most, as of `like` in
  // spread(x, like): no pass is made for them.
  std::vector<bool> read;
  // By node: others take elements that lie elsewhere, so that it has to be in memory before they can.
  std::vector<bool> in_memory;
  // By node: it is made of a reduction and has its shape. Later passes take it from the one that reduces, rather than
  // each compute it again for every element.
  std::vector<bool> ends_reduction;
  // By node: groups that are brought back in a pass of their own, since those that take them have others (members.h).
  // None at first.
  std::vector<bool> own_pass;
  // By node: reductions that may take what the blocks of a pass come to (parts.h). Where something larger is made of
  // one, as x / amax(x, axis = all) is, its operands are read again anyway, and the pass that reads them first should
  // do nothing else.
  std::vector<bool> may_reduce_blocks;
  // By node, on a GPU: reductions over elements that no other pass reads or stores beside them. No result has the shape
  // of these, and no other reduction or scan of that shape goes over other axes, unless it takes this one's value.
  // Nothing is gathered or scattered.
  std::vector<bool> reads_alone;
  // By node: reductions that join passes of blocks, and what takes them, come behind those that make such passes:
  // first sums over all axes but the last ones, then what is reduced of blocks.
  std::vector<int> round;
  static constexpr int kRounds = 3;
  // Two elements of a byte are stored together (problem/packed.h), and passes of some groups and scans have them apart.
  // Then results of packed dtypes have passes of their own.
  bool splits_packed_bytes = false;
};

Needs needs_of(const Request& request, const Inference& inference);

}  // namespace tileops::expr

// Which operands of an expression a result may be written over. It is decided by the text alone, so that it is the same
// for all shapes and devices: where the operand, but for what reductions and scans read of it, is read as nothing but
// what the result's elements are made of one by one. That is
//
//   x read whole, for a result of x's shape;
//   chunk(x, i, n) alone, for a concat of n values, and every(x, i, n) alone, for an interleave of n values.
//
// Passes make it true: whether they do is asked of the lowered problem (problem/in_place.h), and results that would be
// stored too early go to the passes at the end, of which those of larger shapes, which may read x broadcast, run first
// (expr/lower/lower.cc).
#pragma once

#include <cstdint>
#include <vector>

#include "expr/graph/graph.h"

namespace tileops::expr {

// By result: bit i is operand i.
std::vector<uint32_t> operands_in_place(const Graph& graph);

}  // namespace tileops::expr

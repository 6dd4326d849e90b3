// Blocks that a mask leaves out: of a pass all of whose results are stored under one mask, which is the same throughout
// a block, blocks where it is false end there. Nothing but the mask's own operands is read of them.
#pragma once

#include <optional>

#include "problem/rows/needs.h"

namespace tileops {

// The mask, as an index (View::Index): nothing is stored where it is not 0. None if some result is
// stored without it, or if it is made of what is reduced.
std::optional<Value> gate_of(const Pass& pass);

// The loads and steps that a value is made of, such as the mask.
struct MadeOf {
  NumberSet loads, steps;
};
MadeOf made_of(const Pass& pass, const Value& v);

// The pass of blocks that are not left out: without the mask, unless its results take steps that the mask takes too.
// (What these have to be exact for is seen by who takes them.)
Pass behind_gate(const Pass& pass, const Value& gate);

}  // namespace tileops

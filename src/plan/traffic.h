// What a problem reads and writes of memory.
#pragma once

#include "problem/problem.h"

namespace tileops {

// Elements of an operand (ViewKind::input) or a result (output) that one execute touches, each counted once: all
// `numel` of them, or, where they are gathered or scattered alone, as many as there are places for, which may be fewer.
uint64_t elements_touched(const Problem& problem, ViewKind kind, int slot, uint64_t numel);

}  // namespace tileops

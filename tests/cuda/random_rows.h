// Random passes of rows with their operands, and what they give: computed value by value, in plain loops.
#pragma once

#include "random_pass.h"

namespace tileops::passes {

// Reductions of blocks and of groups, one after the other, and steps between them; rows that are dense, strided,
// misaligned or the same for all; results of elements, groups and blocks; last groups that are short; rows that fit in
// a few lanes, or fill many warps.
RandomPass random_rows(uint64_t seed);

// The memory of the outputs, in which `unwritten` stands where nothing is stored.
std::vector<Bytes> expected_of_rows(const RandomPass& pass, uint8_t unwritten);

// Elements of a dtype from numbers, as bytes.
Bytes elements_of(Dtype dtype, const std::vector<double>& numbers);

}  // namespace tileops::passes

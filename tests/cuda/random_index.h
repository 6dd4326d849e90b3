// Indices of random passes.
#pragma once

#include <random>

#include "random_pass.h"

namespace tileops::passes {

// An integer that changes along the first `dims` extents at most, as an i64 of a step: of an input or a position. Now
// and then it is outside of [0, extent).
Value random_index(RandomPass* pass, std::mt19937_64* random, size_t dims, int64_t extent);

// Has a load of an input, whose memory has so many bytes, gathered by one or two indices: along an extent of its own,
// or as one of several arrays that lie behind each other.
void gather_at_random(RandomPass* pass, std::mt19937_64* random, size_t dims, View* load, int64_t* bytes);

// Has a store scattered along an extent of its own, one place for each element: all places move by one or none.
void scatter_at_random(RandomPass* pass, std::mt19937_64* random, View* store);

}  // namespace tileops::passes

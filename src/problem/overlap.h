// Whether strided tensors share memory.
#pragma once

#include "problem/problem.h"

namespace tileops {

// May two different elements of the tensor have one address? Exact for nested strides and for
// small tensors; a larger one with interleaved strides counts as overlapping.
bool self_overlaps(const TensorSpec& t);

// Bytes from the lowest to one past the highest address, relative to element 0. {0, 0} if empty.
struct ByteRange {
  int64_t begin = 0, end = 0;
};
ByteRange byte_range(const TensorSpec& t);

bool same_layout(const TensorSpec& a, const TensorSpec& b);

// Do tensors at these addresses share a byte? Exact when the ranges are apart, and for views of one
// buffer that interleave or lie side by side (columns of one matrix); else true.
bool overlaps(const TensorSpec& a, uintptr_t a_address, const TensorSpec& b, uintptr_t b_address);

}  // namespace tileops

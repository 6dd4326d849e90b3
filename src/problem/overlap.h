// Whether strided tensors share memory.
#pragma once

#include <array>

#include "problem/problem.h"

namespace tileops {

// May two different elements of the tensor have one address? Exact for nested strides and for
// small tensors; a larger one with interleaved strides counts as overlapping.
bool self_overlaps(const TensorSpec& t);

// Bytes from the lowest to one past the highest address, relative to element 0. {0, 0} if empty.
struct ByteRange {
  int64_t begin, end;
};
ByteRange byte_range(const TensorSpec& t);

// The elements and the bytes of a tensor for the open extents of an execute; false if they overflow.
bool shape_at(const TensorSpec& t, const int64_t* extents, int64_t* numel, ByteRange* bytes);

// Elements of one size at strided places. Numbers are bytes, or any other unit that all sets which are compared have.
class ByteSet {
 public:
  struct Step {
    int64_t stride, count;  // both above 0
  };

  ByteSet(int64_t lowest, int64_t size) : lowest_(lowest), size_(size) {}
  // Elements again `count` times, so far apart: before 0 where the stride is negative.
  void add(int64_t stride, int64_t count);

  bool empty() const { return empty_; }
  int64_t lowest() const { return lowest_; }
  int64_t end() const { return lowest_ + size_ + reach_; }

 private:
  friend bool overlaps(const ByteSet& a, const ByteSet& b);

  int64_t lowest_, size_, reach_ = 0;
  bool empty_ = false;
  int num_steps_ = 0;
  // By falling stride. Of a view, the extents of a pass and its indices are as many at most.
  std::array<Step, 3 * TILEOPS_MAX_NDIM> steps_;
};

// Do they share a byte? Exact when the ranges are apart, and for views of one buffer that interleave or lie side by
// side (columns of one matrix); else true.
bool overlaps(const ByteSet& a, const ByteSet& b);

bool same_layout(const TensorSpec& a, const TensorSpec& b);

// Do tensors at these addresses share a byte? As sets of bytes do.
bool overlaps(const TensorSpec& a, uintptr_t a_address, const TensorSpec& b, uintptr_t b_address);

}  // namespace tileops

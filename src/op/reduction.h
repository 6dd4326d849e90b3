// The reductions that a step may be. No inline code: kernels of every instruction set include it.
#pragma once

#include <cstdint>

namespace tileops {

// What becomes of all values along some extents of a block, of which a step makes one.
enum class Reduction : uint8_t {
  none,
  sum,
  prod,
  amax,  // NaN if one is NaN; of -0 and +0 the latter
  amin,
  any,  // is one not 0? NaN is not 0
  all,
  argmax,  // the row-major index of the first largest one, or of the first NaN: i64
  argmin,
  first,     // the one at index 0
  variance,  // of differences from the first one: sum of squares less the square of the sum / number; not below 0
  // The parts of a float64 sum with low parts.
  sum_high,
  sum_low,
  // A float32 sum with low parts in two passes: the first one leaves high and low part of many elements as a word of 64
  // bits, and the second one sums such words. Likewise the squares of a variance, as far as they are its own.
  sum_pair,
  squares_pair,
  sum_of_pairs,
  // A float32 sum with low parts, or the sum of such pairs, as a double: not rounded to float32.
  sum_wide,
  sum_of_pairs_wide,
  // The logarithm of the sum of e^x, as a double; how far that is above the largest x; and, in two passes as above, a
  // part's sum and largest element as a word of 64 bits, and the logarithm from such words.
  log_sum_exp,
  log_sum_exp_above,
  log_sum_exp_pair,
  log_sum_exp_of_pairs
};

// Elements that a float sum in columns adds one after the other; such groups are nodes of the tree.
inline constexpr int kColumnGroup = 32;

const char* reduction_name(Reduction r);

}  // namespace tileops

// SPDX-License-Identifier: Apache-2.0
// How a kernel goes through the space of a pass and reaches its operands. For the library, too,
// which chooses both.
#ifndef TILEOPS_DEVICE_CUDA_KERNEL_TRAVERSAL_H
#define TILEOPS_DEVICE_CUDA_KERNEL_TRAVERSAL_H

namespace tileops {
namespace kernels {

// Where the elements of an operand lie.
enum class access_pattern {
  dense,         // element i of the space is element i in memory
  row,           // one after the other along the innermost dimension
  broadcast,     // the same along the innermost dimension
  strided,       // any strides
  uniform,       // one element for the whole space, in memory or in the argument block
  immediate,     // one element for the whole space, in the argument block
  index,         // no memory: the value is the position itself
  gathered,      // where ids say, or indices
  gathered_row,  // likewise; one after the other along the innermost dimension
  tile,          // one after the other along the tile's other dimension
  even,          // every second element of rows; the next operand, which is odd, has those between
  odd,
};

// How the space is cut into vectors, which are what a thread takes at a time.
enum class traversal_order {
  flat,      // one dimension
  rows,      // vectors lie within rows: coordinates once a vector
  elements,  // coordinates for every element
  tiles,     // vectors lie within rows of a square that a block takes
};

// What a thread does with its vectors where not all of them are whole and aligned.
enum class ragged {
  read_together,  // reads each element by element, and goes on as ever
  pack_by_pack,   // reads, computes and stores one after the other: results share bytes, so that packs are kept
  one_by_one,     // reads, computes and stores element after element, in a loop: slower, and little code
};

// What a thread takes of operands that lie in one piece, as a rule: src/cuda/tuning/tuning.h says why. Bytes of the
// operands with the smallest and with the largest elements and of the results; threads of a block; and from how many
// packs on a thread may take two of them.
constexpr int kSmallestOperandBytes = 16, kLargestOperandBytes = 32, kLargestResultBytes = 16;
constexpr int kThreads = 128;
constexpr long long kFewPacks = 1 << 20;

}  // namespace kernels
}  // namespace tileops

#endif

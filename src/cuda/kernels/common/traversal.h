// How a kernel goes through the space of a pass and reaches its operands. For the library, too,
// which chooses both.
#ifndef TILEOPS_KERNELS_TRAVERSAL_H
#define TILEOPS_KERNELS_TRAVERSAL_H

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

}  // namespace kernels
}  // namespace tileops

#endif

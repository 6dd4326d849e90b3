// Reductions that two passes do: the first one leaves parts, which the second one reduces once more. In whatever parts
// it is done, a float sum has the bits of its order (docs/numerics.md): parts are nodes of its tree.
#pragma once

#include "expr/frame/reduced.h"

namespace tileops::expr {

// Those of the axes, bits as in Blocking, that have not one element alone: they say what is reduced.
uint32_t of_several(const std::vector<Extent>& shape, uint32_t axes);

// How a reduction of few blocks of very many elements is shared by many threads. Both empty: as it is.
struct Sharing {
  // In groups of a power of two of elements, along the last axis that is reduced or of several of them: their sizes, by
  // axis.
  std::map<int, int64_t> groups;
  // Where no such groups of rows are large enough, in parts of so many elements, row-major (Pass::split_elements).
  int64_t split_elements = 0;
};
// reads_alone (needs.h): long columns are shared even where there are many of them.
Sharing sharing_of(const Inference& inference, int node, bool on_gpu, bool reads_alone);

// Is it a reduction that such columns may have?
bool can_be_in_groups(const Inference& inference, int node);

// On a GPU a scan of few long rows is done in parts of so many elements: one pass leaves what each part comes to, the
// next one scans each part behind those on its left. 0: rows are scanned whole.
int64_t part_of_scan(const Inference& inference, int node);

// Has a reduction so few blocks, of closed extents and so many elements, whether it can be done in parts or not?
bool has_few_long_blocks(const Inference& inference, int node);

// A sum over all axes but the last ones, as the gradient of a weight is: a pass whose blocks these axes are can add up
// what its blocks have, as it goes through them, so that nothing is read for the sum alone. How many axes; 0: it is no
// such sum, or too few or too long blocks for it.
size_t block_axes_of_sum(const Inference& inference, int node);

// May a reduction take what blocks of these axes come to, rather than their elements? Then a pass that has such blocks
// leaves that, and nothing is read for the reduction alone. `axes`: bits, as in Blocking.
bool reduces_blocks(const Inference& inference, int node, uint32_t axes);

// Is it a reduction that may do so, if others make such a pass?
bool may_reduce_blocks(const Inference& inference, int node);

// Is it one of so much that it pays to read it so, where no pass has such blocks anyway?
bool sums_many_blocks(const std::vector<Extent>& shape);

}  // namespace tileops::expr

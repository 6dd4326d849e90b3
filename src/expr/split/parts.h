// Reductions that two passes do: the first one leaves parts, which the second one reduces once more. In whatever parts
// it is done, a float sum has the bits of its order (docs/numerics.md): parts are nodes of its tree.
#pragma once

#include "expr/frame/reduced.h"

namespace tileops::expr {

// Few blocks of very many elements are reduced in groups first, which many threads share: of a power of two along the
// last axis, or of several of its rows. The size of a group by axis; none: not this one.
std::map<int, int64_t> groups_of_parts(const Inference& inference, int node);

// Or in parts of so many elements one after the other, where no groups are so; 0: not this one. Which is for executors
// that know of parts (Pass::part_places).
int64_t elements_of_parts(const Inference& inference, int node);

// A sum over all axes but the last ones, as the gradient of a weight is: a pass whose blocks these axes are can add up
// what its blocks have, as it goes through them, so that nothing is read for the sum alone. How many axes; 0: it is no
// such sum, or too few or too long blocks for it.
size_t block_axes_of_sum(const Inference& inference, int node);

// Is it one of so much that it pays to read it so, where no pass has such blocks anyway?
bool sums_many_blocks(const std::vector<int64_t>& shape);

}  // namespace tileops::expr

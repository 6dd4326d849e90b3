// What a pass computes: the nodes that are its steps, and how they cut its axes into groups.
//
// A value lies in a space: along each axis it has all elements of the pass, one for each group of them, or one for all.
// One axis of a pass is cut in one way. So what cuts an axis in another way, and what cuts groups into groups once
// more, are values of another space: a pass of their own has them, and leaves them in memory.
#pragma once

#include <map>
#include <vector>

#include "expr/split/split.h"

namespace tileops::expr {

// The node whose value a result stores: a cast to the result's own dtype is the rounding that the store does.
int stored_node(const Inference& inference, const Target& target);

// Does a gather take a value of the pass itself, of which there is no other element? Nobody looks at its index.
bool is_only_element(const Inference& inference, const Split& split, int node, int pass);

// Finds what each pass computes, and how that cuts its axes. Returns spreads that bring groups back which are not those
// of a pass that computes them: then these are to have passes of their own, and the split is to be made anew.
std::vector<int> find_members(const Inference& inference, Split* split);

}  // namespace tileops::expr

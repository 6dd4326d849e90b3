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

// Nodes that are steps of pass `number`, each behind those that it takes: not those that another pass has left.
std::vector<int> members_of(const Inference& inference, const Split& split, int number);

// The sizes of groups along the axes of a pass that are cut.
std::map<int, int64_t> cuts_of_pass(const Inference& inference, const Split& split, int number);

// Spreads that bring groups back which are not those of a pass that computes them.
std::vector<int> spreads_of_other_spaces(const Inference& inference, const Split& split);

}  // namespace tileops::expr

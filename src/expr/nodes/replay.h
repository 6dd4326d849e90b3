// An expression built again, with some of its nodes replaced.
#pragma once

#include <memory>
#include <vector>

#include "expr/nodes/builder.h"

namespace tileops::expr {

// Declares the operands and scalars of a graph in a builder and builds its nodes there, in their order. Entries of
// `handles`, one a node, that are not 0 beforehand are taken instead of building the node; all are set afterwards.
void replay(const Graph& graph, Builder* builder, std::vector<NodeHandle>* handles);

// As replay, into a builder that has operands and scalars already: handles of all of them are set.
void splice(const Graph& graph, Builder* builder, std::vector<NodeHandle>* handles);

// With constants in the place of optional operands that are absent: folded as if they were written so. Operands keep
// their numbers, results theirs, without names. Throws Error if one is absent that is not optional.
std::shared_ptr<const Graph> with_defaults(const std::shared_ptr<const Graph>& graph, const std::vector<bool>& present);

}  // namespace tileops::expr

// An expression built again, with some of its nodes replaced.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "expr/nodes/builder.h"

namespace tileops::expr {

// The same with one place for all of it, for what is made of another text than its own; -1: no place.
Graph at_offset(Graph graph, Offset offset);

// Declares the operands and scalars of a graph in a builder: their handles, operands first.
std::vector<NodeHandle> declare(const Graph& graph, Builder* builder);

// Builds a node of a graph, of `inputs`, one for each operand and scalar, and of what `handle_of` says of the nodes
// that it takes. `along`: attributes that it has as well, where its function has such and it does not say itself.
NodeHandle build_node(const Graph& graph, const Node& node, const std::vector<NodeHandle>& inputs,
                      const std::function<NodeHandle(int)>& handle_of, Builder* builder,
                      const std::vector<Given>& along = {});

// Builds the nodes of a graph in their order, of `inputs`, one for each operand and scalar. Entries of `handles`, one a
// node, that are not 0 beforehand are taken instead of building the node. Afterwards all are set, unless the builder
// has failed. `along` are attributes that all functions get that have them and say none.
void splice(const Graph& graph, const std::vector<NodeHandle>& inputs, Builder* builder,
            std::vector<NodeHandle>* handles, const std::vector<Given>& along = {});

// Both.
void replay(const Graph& graph, Builder* builder, std::vector<NodeHandle>* handles);

// With constants in the place of optional operands that are absent: folded as if they were written so. Operands keep
// their numbers, results theirs, without names. Throws Error if one is absent that is not optional.
std::shared_ptr<const Graph> with_defaults(const std::shared_ptr<const Graph>& graph, const std::vector<bool>& present);

}  // namespace tileops::expr

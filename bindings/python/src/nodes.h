// Expressions read node by node, for what frameworks want to know of them: decompositions, rules of sharding.
#ifndef TILEOPS_PYTHON_NODES_H
#define TILEOPS_PYTHON_NODES_H

#include "program.h"
#include "python.h"

namespace tileops_python {

// (nodes, results): places of the results among the nodes, from 0 on, and for each node a tuple:
//   ("operand", i), ("scalar", i), ("constant", number)
//   (function, arguments, attributes, numbers): places of the arguments, -1 for one that is left empty; attributes that
//   are not at their defaults by name; places of the nodes of numbers that stand for attributes by name
Owned nodes_of(const Program& program);

}  // namespace tileops_python

#endif

// Functions of numbers, on the host: constants are folded when an expression is made, subexpressions of scalars are
// computed at each execute. The functions' own bodies compute them, in f64, i64 or bool, so that a number means
// on the host what it means in a tensor of that dtype.
#pragma once

#include <vector>

#include "expr/graph/graph.h"
#include "expr/nodes/host_bodies.h"

namespace tileops::expr {

// A call of a function on numbers: one argument a slot, and its attributes in the table's order. Nothing of it is
// allocated, since executes make such calls.
struct HostCall {
  const Function* function = nullptr;
  size_t num_arguments = 0;
  Number arguments[TILEOPS_MAX_INPUTS];
  bool present[TILEOPS_MAX_INPUTS] = {};
  Number attributes[TILEOPS_MAX_ATTRS];  // in their kinds, completed with defaults
  bool varies[TILEOPS_MAX_ATTRS] = {};   // not a constant: another value may come with another execute
};

// The type that a call computes in, and the one of its result; of its arguments and attributes only the types matter,
// of those with choices the value. Throws Error if the function does not take such numbers.
struct HostTypes {
  Number::Type compute, result;
};
HostTypes host_types(const HostCall& call);

Number evaluate(const HostCall& call);

// The call with its body found, which stays the same while the types and the attributes do.
struct ResolvedCall {
  HostBody body = nullptr;
  AttrValue attrs[TILEOPS_MAX_ATTRS] = {};
  Number loads[TILEOPS_MAX_INPUTS];  // one an operand; of those that are absent the attribute in its place
};
ResolvedCall resolve(const HostCall& call);

// The call that a node is, of the values of all nodes.
HostCall host_call(const Node& node, const Number* values);

// The same, where only the numbers have changed since `call` was made.
void take_values(const Node& node, const Number* values, HostCall* call);

// The value of each node that is computed on the host; of others nothing is said. `scalars` has as many as the
// expression; extents[i] is what a node i that is an extent() has, and may be NULL where there is none.
std::vector<Number> host_values(const Graph& graph, const std::vector<Number>& scalars, const int64_t* extents);

}  // namespace tileops::expr

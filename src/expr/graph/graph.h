// An expression: operands and scalars, nodes that are functions of them, results. It never changes once it is made
// (builder.h), knows no shapes and no device, and may be shared by threads.
//
// Nodes come before those that use them, each is used, and no two are the same: the order is that in which the
// results need them. So two expressions that mean the same by the same steps have the same nodes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "expr/graph/function.h"
#include "expr/graph/number.h"

namespace tileops::expr {

// Beside the limits of tileops.h (TILEOPS_MAX_EXPR_*), where operands, scalars and constants are not counted as nodes.
inline constexpr int kMaxNesting = 100;
// Nodes while it is built, those that no result needs among them.
inline constexpr int kMaxBuiltNodes = 16 * TILEOPS_MAX_EXPR_NODES;

// Bytes into the text; -1: no text says it.
using Offset = int32_t;

// A node as it is used; -1: an optional slot that is left empty.
struct Argument {
  int node = -1;
  Offset offset = -1;
};

// An attribute that is not its default: a constant in the attribute's kind, or a number of the host.
struct Attribute {
  int index = 0;  // in function->attrs()
  Number value;
  int node = -1;  // if not -1, instead of the value
  Offset offset = -1;
};

struct Node {
  enum class Kind : uint8_t { operand, scalar, constant, function };
  Kind kind = Kind::function;
  int index = 0;  // which operand or scalar
  Number value;   // of a constant
  const Function* function = nullptr;
  std::vector<Argument> arguments;    // one per slot; of a variadic function as many as there are
  std::vector<Attribute> attributes;  // in the table's order
  // Computed from numbers alone, once per execute, as this type.
  bool on_host = false;
  Number::Type host_type = Number::Type::f64;
  Offset offset = -1;

  bool is(expr::Kind of) const { return kind == Kind::function && function->kind == of; }
  const Attribute* find_attribute(tileops_attr_key key) const;  // NULL: has its default
};

// A part of its argument's last axis.
inline bool is_slice(const Node& n) { return n.is(Kind::chunk) || n.is(Kind::every); }

// Is it for results alone?
inline bool is_result_only(const Node& n) {
  return n.is(Kind::concat) || n.is(Kind::interleave) || n.is(Kind::scatter) || n.is(Kind::store_if) ||
         n.is(Kind::tiled);
}

struct Operand {
  std::string name;
  bool optional = false;
  Number value;  // instead of an absent one
  Offset offset = -1;
};

struct Scalar {
  std::string name;
  Number value;  // unless the caller says another
};

struct Result {
  std::string name;
  int node = 0;
  Offset offset = -1;
};

// A name of an extent or, with `..` before it, of all leading ones.
struct ExtentName {
  std::string name;
  bool leading = false;
};

// A dimension that a text says: a number, a name, or something of a name.
struct SaidExtent {
  int name = -1;        // in Graph::extents; -1: none
  int64_t number = -1;  // the extent, or how many times the name; below 0: any extent
  int64_t group = 1;    // as many as there are groups of so many of the name, of which the last one may be short
};

// A shape that a text says, of an operand or of a value: x[..b, 2 * n], label[..b, 1], scale[.., n / 128].
struct SaidShape {
  enum class Front : uint8_t { none, any, ones, named };  // before the dimensions: nothing, `..`, `..1`, `..b`
  int operand = -1, node = -1;                            // which of them has it
  std::string of;                                         // what messages call that
  Front front = Front::none;
  int leading = -1;  // the name in front
  std::vector<SaidExtent> dims;
  Offset offset = -1;
};

struct Graph {
  std::vector<Operand> operands;
  std::vector<Scalar> scalars;
  std::vector<Node> nodes;
  std::vector<Result> results;
  std::vector<ExtentName> extents;
  std::vector<SaidShape> shapes;  // an operand's first one, in the order of operands; others of operands; of values
  std::string text;               // canonical (text.h)
  std::string source;             // what was parsed, for messages; empty if a builder made it
};

struct Counts {
  int operands, min_operands, scalars, results;
  int nodes;       // computed for each element
  int host_nodes;  // computed once per execute
  int constants;
};
Counts count(const Graph& graph);

// How many of a function's arguments are read, its first ones. Others say a shape or a dtype.
size_t num_read(const Node& node);

// May a name be bound: a letter or `_`, then letters, digits and `_`, and none of true, false, inf, nan?
bool is_name(std::string_view text);

// The operand of that name, or NULL.
const Operand* find_operand(const Graph& graph, std::string_view name);

// The name of a result that has none of its own: "y0".
std::string usual_name(size_t result);

}  // namespace tileops::expr

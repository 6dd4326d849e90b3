// The functions of expressions: rows of the operator table, and those that only expressions have
// (functions.def). An operator sign is a function too: `a + b` is add(a, b).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "op/op_table.h"

namespace tileops::expr {

enum class Kind : uint8_t {
  map,  // an operator that maps elements of broadcast operands; so are fma, exp2, log2
  cast,
  index,         // of each element, along an axis of x
  extent,        // of x along an axis: a number of the host
  dropout_mask,  // the mask of the operator dropout
  chunk,         // views of an operand's last axis: the i-th of n parts,
  every,         // or every n-th element from the i-th on
  concat,        // results whose last axis holds several values one after the other,
  interleave,    // or in turns
  reduce,        // one value along axes, or for each group of them
  scan,          // of each element, a value of those up to it
  spread,        // what was reduced, brought back to a shape
  sum_to,        // a broadcast undone, of a gradient
  detach,        // a value that passes no gradient
  gather,        // elements at indices
  scatter,       // a result that is written at indices
  store_if,      // or where a mask is true
  tiled,         // a result in the tiles of matrix libraries
  refused        // an operator of another kind: only executed by itself
};

// The most indices that gather and scatter take.
inline constexpr size_t kMaxIndices = 4;

// What an operator is as a function.
constexpr Kind kind_of(Lowering lowering, Compute compute) {
  if (compute == Compute::source) return Kind::cast;
  switch (lowering) {
    case Lowering::map:
    case Lowering::clamp:
    case Lowering::round:
    case Lowering::masked_fill:
    case Lowering::nan_to_num: return Kind::map;
    default: return Kind::refused;
  }
}

// One place in a call: a slot for a value, an attribute, or a slot that an attribute stands in for.
struct Parameter {
  std::string name, other_name;  // the latter is the attribute's where both are there, or empty
  int slot = -1, attr = -1;
};

struct Function {
  tileops_op id = TILEOPS_OP_NONE;
  const char* name = nullptr;
  const char* doc = nullptr;
  Kind kind = Kind::map;
  const OpSpec* op = nullptr;  // of a row of the operator table
  OpSpec rule;                 // operands, dtypes and compute type, in the operator table's form
  std::vector<Parameter> parameters;
  size_t positional = 0;  // those that need no name: all but fp8_overflow; of a variadic function none
  bool variadic = false;  // takes min_inputs to as many values as it has slots; its parameters are its attributes

  const std::vector<OperandSpec>& slots() const { return rule.inputs; }
  const std::vector<AttrSpec>& attrs() const { return rule.attrs; }
  int find_parameter(std::string_view name) const;  // -1 if there is none
  // Does the attribute stand for an operand that takes part in promotion? Then 2 and 2.0 differ beside integers.
  // (Bounds do not: they are brought to the type of what they bound.)
  bool promotes(int attr) const;
  // May its value be computed from numbers alone?
  bool on_host() const { return kind == Kind::map; }
};

const std::vector<Function>& function_table();
const Function* find_function(std::string_view name);
const Function* find_function(tileops_op id);

// May a scalar, whose value comes with each execute, be this attribute? Others shape the kernel.
bool takes_scalar(const AttrSpec& attr);

// The dtype of a name or label ("bfloat16", "bf16").
bool dtype_from_any_name(std::string_view name, Dtype* out);

}  // namespace tileops::expr

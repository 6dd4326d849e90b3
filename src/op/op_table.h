// The operator table of tileops/ops.def, parsed once into structs.
#pragma once

#include <tileops/tileops.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "op/columns.h"

namespace tileops {

// How operands become loads and stores; see lower/.
enum class Lowering {
  map,
  cast,
  clamp,
  round,
  masked_fill,
  nan_to_num,
  prelu,
  gated,
  rope,
  dropout,
  dropout_mask,
  alibi,
  sinusoidal
};

struct OperandSpec {
  std::string name;
  bool optional = false;
  std::vector<Dtype> fixed;  // allowed dtypes; empty: takes part in promotion
  std::string fixed_text;
  tileops_attr_key fallback = TILEOPS_ATTR_NONE;  // attribute that stands in when absent

  // Is it read at the output's own index? Tables, position ids and seeds are not.
  bool elementwise() const { return fixed.empty() || fixed[0] == Dtype::boolean; }
};

struct AttrSpec {
  tileops_attr_info info;
  std::string choices;
};

struct OpSpec {
  tileops_op op;
  const char* name;
  const char* category;
  const char* doc;
  Lowering lowering;
  Compute compute;
  uint32_t dtypes;
  int ulp;        // bound of a float32 result; 0: one rounding of an exact value
  double lo, hi;  // inputs of tests and benchmarks
  std::vector<OperandSpec> inputs, outputs;
  std::vector<AttrSpec> attrs;
  int min_inputs, min_outputs;
  bool bool_result;
  // What tileops_op_describe hands out; stable addresses.
  std::vector<tileops_operand_info> input_infos, output_infos;
  std::vector<tileops_attr_info> attr_infos;

  const char* result_rule() const;             // tileops_op_info.result
  int attr_index(tileops_attr_key key) const;  // -1 if the operator has no such attribute
};

// An attribute as rows of the tables write it: "name=1.0[0,1]", "name=a|b", "name?:f", "name?:i[0,7]", "name?=a|b".
// With `?` it has no default. An attribute that shares its name is written by its constant: "AXES=1".
AttrSpec parse_attr(std::string_view text);

// Writes what tileops_op_describe hands out from the rest; the spec may not move any more.
void fill_infos(OpSpec* spec);

const std::vector<std::unique_ptr<OpSpec>>& op_table();
const OpSpec* find_op(tileops_op op);
const OpSpec* find_op(const char* name);
const char* attr_name(tileops_attr_key key);  // NULL if unknown

}  // namespace tileops

// One application of an operator: attributes from text, the dtype and shape of the result.
#ifndef TILEOPS_CLI_OPERATION_H_
#define TILEOPS_CLI_OPERATION_H_

#include <optional>
#include <string>
#include <vector>

#include "cli/common.h"

namespace tileops::cli {

// "alpha=2", "approximate=tanh" (a choice by name or index). Throws UsageError.
tileops_attr parse_attr(const tileops_op_info& op, const std::string& text);
std::vector<tileops_attr> parse_attrs(const tileops_op_info& op, const std::vector<std::string>& texts);

// An operand that is present; absent ones are nullopt.
struct OperandType {
  DLDataType dtype;
  Shape shape;
};
using OperandTypes = std::vector<std::optional<OperandType>>;

// Dtype of output 0 that the operator's rule gives (include/tileops/tileops.h: `result`), and the
// dtype after promotion, before that rule. Nothing if the inputs have no common dtype.
std::optional<DLDataType> promoted_dtype(const tileops_op_info& op, const OperandTypes& inputs);
DLDataType result_dtype(const tileops_op_info& op, const OperandTypes& inputs, const std::vector<tileops_attr>& attrs);

// Shape of the outputs; nothing for operators without an input, whose shape is the caller's.
std::optional<Shape> result_shape(const tileops_op_info& op, const OperandTypes& inputs);

// Index of the attribute of that name, or -1.
int attr_index(const tileops_op_info& op, const std::string& name);

}  // namespace tileops::cli

#endif  // TILEOPS_CLI_OPERATION_H_

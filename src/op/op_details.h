// The long documentation of an operator: tileops_op_info.details.
#pragma once

#include "op/op_table.h"

namespace tileops {

// What follows from the row (operands, attributes, dtypes, error bound) around the texts of
// tileops/ops/details.def. Never NULL; lives as long as the process.
const char* op_details(const OpSpec& op);

}  // namespace tileops

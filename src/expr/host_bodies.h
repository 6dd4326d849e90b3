// An operator's body, called on numbers.
#pragma once

#include <vector>

#include "expr/constant.h"
#include "op/op_table.h"
#include "tileops/device/body.h"

namespace tileops::expr {

using device::AttrValue;

// The first body of the operator that fits, in f64, i64 or bool, on what its operands load.
Constant call_body(const OpSpec& op, Constant::Type type, const device::Choice& choice,
                   const std::vector<Constant>& loads);

}  // namespace tileops::expr

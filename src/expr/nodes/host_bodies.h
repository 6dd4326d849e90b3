// An operator's body, called on numbers.
#pragma once

#include <cstddef>

#include "expr/graph/number.h"
#include "op/op_table.h"
#include "tileops/device/body.h"

namespace tileops::expr {

using device::AttrValue;

// The first body of the operator that fits, in f64, i64 or bool, on what its operands load.
Number call_body(const OpSpec& op, Number::Type type, const device::Choice& choice, const Number* loads,
                 size_t num_loads);

}  // namespace tileops::expr

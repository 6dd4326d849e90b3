// Multiplications by 1.0, which make floats of integers, and of floats nothing.
#pragma once

#include "expr/infer/infer.h"

namespace tileops::expr {

// Leaves out those of floats inside of an expression whose shapes and dtypes are known: whoever takes 1.0 * x takes x.
// What the text says of shapes, which was looked at, is gone.
void leave_out_ones(Inference* inference);

}  // namespace tileops::expr

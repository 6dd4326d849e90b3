// Converts single values between dtypes, for constants of a plan.
#pragma once

#include "core/problem.h"

namespace tileops {

// Writes `value`, converted once, as one element of `dtype`. At most 8 bytes.
void store_scalar(double value, Dtype dtype, Fp8Mode mode, void* out);

}  // namespace tileops

// Converts single values between dtypes, for constants of a plan.
#pragma once

#include "op/dtype.h"

namespace tileops {

// Writes `value`, converted once, as one element of `dtype`. At most 8 bytes.
void store_scalar(double value, Dtype dtype, Fp8Mode mode, void* out);

// The float that a float dtype has for a value, as a cast to it gives.
double rounded_to(double value, Dtype dtype);

// Is an integral value within the range of an integer dtype?
bool integer_fits(double value, Dtype dtype);

}  // namespace tileops

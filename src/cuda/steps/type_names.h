// What types are called in the text of kernels.
#pragma once

#include "op/dtype.h"

namespace tileops::cuda {

// Name of a compute type in kernels.
const char* compute_name(Ctype type);

// Name of a dtype as a type of device/convert.h; as a destination, with an fp8 overflow mode.
const char* storage_name(Dtype dtype);
const char* destination_name(Dtype dtype, Fp8Mode mode);

}  // namespace tileops::cuda

// What types are called in the text of kernels, and how numbers stand there.
#pragma once

#include <string>

#include "op/dtype.h"

namespace tileops::cuda {

template <class N>
std::string number(N n) {
  return std::to_string(n);
}
inline std::string truth(bool b) { return b ? "true" : "false"; }

// Name of a compute type in kernels.
const char* compute_name(Ctype type);

// Name of a dtype as a type of device/convert.h; as a destination, with an fp8 overflow mode.
const char* storage_name(Dtype dtype);
const char* destination_name(Dtype dtype, Fp8Mode mode);

}  // namespace tileops::cuda

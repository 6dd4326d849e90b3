// The text of a kernel of rows: what its pass has been written as (text.h), and the numbers that it is compiled
// for.
#pragma once

#include <string>

#include "cuda/spec/spec.h"

namespace tileops::cuda {

// The steps, a struct spec, and the function that `head` begins.
std::string row_kernel_text(const KernelSpec& spec, const std::string& head);

}  // namespace tileops::cuda

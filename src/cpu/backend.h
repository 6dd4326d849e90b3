// What the core may ask the CPU backend for directly.
#pragma once

#include <string>

#include "core/backend.h"

namespace tileops::cpu {

Backend& cpu_backend();

// Throws if no kernels of that name can run here; "" and "auto" are the best there are.
void require_isa(const std::string& name);
std::string compiled_isas();  // "avx512vbmi avx512 avx2 baseline"

}  // namespace tileops::cpu

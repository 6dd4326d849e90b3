// What the core may ask the CPU backend for directly.
#pragma once

#include <string>

#include "plan/backend.h"

namespace tileops::cpu {

Backend& cpu_backend();

std::string compiled_isas();  // "avx512vbmi avx512 avx2 baseline"

}  // namespace tileops::cpu

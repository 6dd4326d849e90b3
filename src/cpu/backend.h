// What the core may ask the CPU backend for directly.
#pragma once

#include "plan/backend.h"

namespace tileops::cpu {

Backend& cpu_backend();

}  // namespace tileops::cpu

// Checks what the caller asked for, and copies it into a Request.
#pragma once

#include "core/problem.h"

namespace tileops {

// From tileops_plan_desc (already copied to this library's version of the struct). Throws Error.
Request make_request(const tileops_plan_desc& desc);

}  // namespace tileops

// Names and limits of the strategies (tileops_strategy).
#pragma once

#include <tileops/tileops.h>

#include <string>

#include "core/problem.h"

namespace tileops {

// "direct"; "?" for an unknown value.
const char* strategy_name(tileops_strategy strategy);
// TILEOPS_STRATEGY_AUTO for "auto"; false for an unknown name.
bool strategy_from_name(const std::string& name, tileops_strategy* out);

// Throws Error(INVALID_ARGUMENT) naming the argument unless the three go together.
void check_wish(const KernelWish& wish);

}  // namespace tileops

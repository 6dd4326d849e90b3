// Names and limits of the strategies (tileops_strategy).
#pragma once

#include <tileops/tileops.h>

#include <cstdint>
#include <string>

namespace tileops {

// How a kernel shall cut its work: a tileops_strategy and its numbers; all 0 is the backend's choice.
struct LaunchHint {
  tileops_strategy strategy = TILEOPS_STRATEGY_AUTO;
  int32_t threads = 0, num_per_thread = 0;
};

// "direct"; "?" for an unknown value.
const char* strategy_name(tileops_strategy strategy);
// TILEOPS_STRATEGY_AUTO for "auto"; false for an unknown name.
bool strategy_from_name(const std::string& name, tileops_strategy* out);

// Throws Error(INVALID_ARGUMENT) naming the argument unless the three go together.
void check_launch_hint(const LaunchHint& hint);

}  // namespace tileops

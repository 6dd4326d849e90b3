// The one place that reads the environment.
#pragma once

#include <optional>
#include <string>

namespace tileops {

// Value of a variable; empty and unset are the same.
std::optional<std::string> env(const char* name);

// Same, as a non-negative integer; anything else is logged as a warning and ignored.
std::optional<long long> env_count(const char* name);

}  // namespace tileops

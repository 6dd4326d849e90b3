// Process-wide log: a callback, a file, or stderr. Never stdout.
#pragma once

#include <tileops/tileops.h>

namespace tileops {

bool log_enabled(tileops_log_level level) noexcept;
void log(tileops_log_level level, const char* format, ...) noexcept __attribute__((format(printf, 2, 3)));
void log_set(tileops_log_fn fn, void* user, tileops_log_level level);

}  // namespace tileops

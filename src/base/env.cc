#include "base/env.h"

#include <cerrno>
#include <cstdlib>

#include "base/log.h"

namespace tileops {

// Known variables: TILEOPS_LOG, TILEOPS_LOG_FILE, TILEOPS_CACHE_DIR, TILEOPS_CACHE,
// TILEOPS_CACHE_MAX_MB, TILEOPS_PLAN_CAPACITY, TILEOPS_CPU_ISA, TILEOPS_NUM_THREADS,
// TILEOPS_NVRTC, TILEOPS_PACK_DIRS, TILEOPS_JIT_DUMP, CUDA_HOME, XDG_CACHE_HOME, HOME. docs/configuration.md documents
// each.
std::optional<std::string> env(const char* name) {
#if defined(__GLIBC__)
  const char* value = secure_getenv(name);  // NULL in a program that has more rights than its caller
#else
  const char* value = std::getenv(name);
#endif
  if (!value || !*value) return std::nullopt;
  return std::string(value);
}

std::optional<long long> env_count(const char* name) {
  const auto text = env(name);
  if (!text) return std::nullopt;
  char* end = nullptr;
  errno = 0;
  const long long value = std::strtoll(text->c_str(), &end, 10);
  if (errno || *end || value < 0) {
    log(TILEOPS_LOG_WARN, "%s=%s is not a non-negative integer; ignored", name, text->c_str());
    return std::nullopt;
  }
  return value;
}

}  // namespace tileops

// Options and caches shared by plans.
#pragma once

#include <tileops/tileops.h>

#include <memory>
#include <mutex>
#include <string>

#include "core/plan_cache.h"

namespace tileops {

namespace cpu {
class Threads;
}

// Options after the environment and the defaults have been asked.
struct ContextOptions {
  tileops_cache_mode cache_mode = TILEOPS_CACHE_READ_WRITE;
  std::string cache_dir;  // "" if there is none
  uint64_t cache_max_bytes = uint64_t{512} << 20;
  size_t plan_capacity = 1024;
  int num_threads = 0;
  std::string cpu_isa;
  std::shared_ptr<cpu::Threads> cpu_threads;

  const std::shared_ptr<cpu::Threads>& threads() const { return cpu_threads; }
};

// Reads the environment for what `user` leaves at zero; throws Error.
ContextOptions resolve_options(const tileops_context_options& user);

class Context {
 public:
  explicit Context(const tileops_context_options& user);

  const ContextOptions& options() const { return options_; }
  PlanCache& plans() { return plans_; }

  // The process default; never destroyed.
  static Context& process_default();

 private:
  ContextOptions options_;
  PlanCache plans_;
};

}  // namespace tileops

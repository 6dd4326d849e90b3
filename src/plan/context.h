// Options and caches shared by plans.
#pragma once

#include <tileops/tileops.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "plan/plan_cache.h"
#include "store/disk.h"
#include "store/tuned.h"

namespace tileops {

namespace cpu {
class Threads;
}

// Where the kernels of a context's plans came from.
struct KernelCounters {
  std::atomic<uint64_t> memory_hits{0}, pack_hits{0}, disk_hits{0}, compiles{0};
  std::atomic<uint64_t> tables_made{0}, tables_refused{0};
};

// Options after the environment and the defaults have been asked.
struct ContextOptions {
  tileops_cache_mode cache_mode = TILEOPS_CACHE_READ_WRITE;
  std::string cache_dir;  // "" if there is none
  uint64_t cache_max_bytes = uint64_t{512} << 20;
  size_t plan_capacity = 1024;
  int num_threads = 0;  // of the CPU, filled in by its backend, as the two below
  std::string cpu_isa;
  std::shared_ptr<cpu::Threads> cpu_threads;
  std::string jit_dump;  // directory for the sources and code of compiled kernels; "": none
  std::shared_ptr<KernelCounters> kernel_counters;
  std::shared_ptr<cache::DiskStore> kernel_store;
  std::shared_ptr<cache::Tuned> tuned;  // refers to kernel_store
};

// Reads the environment for what `user` leaves at zero, and has every backend add its own; throws Error.
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

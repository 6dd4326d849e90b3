// Options and caches shared by plans.
#pragma once

#include <tileops/tileops.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "plan/backend.h"
#include "plan/plan_cache.h"

namespace tileops {

// Options that all backends have in common, after the environment and the defaults have been asked.
struct ContextOptions {
  tileops_cache_mode cache_mode = TILEOPS_CACHE_READ_WRITE;
  std::string cache_dir;  // "" if there is none
  uint64_t cache_max_bytes = uint64_t{512} << 20;
  size_t plan_capacity = 1024;
  bool keep_workspace = false;
  std::vector<std::string> pack_dirs;
  std::string nvrtc_path;  // "": looked for
};

// Reads the environment for what `user` leaves at zero; throws Error.
ContextOptions resolve_options(const tileops_context_options& user);

class Context {
 public:
  explicit Context(const tileops_context_options& user);

  const ContextOptions& options() const { return options_; }
  PlanCache& plans() { return plans_; }
  BackendState& state_of(const Backend& backend) const;
  void add_statistics(tileops_cache_stats* out) const;

  // The process default; never destroyed.
  static Context& process_default();

 private:
  ContextOptions options_;
  std::vector<std::unique_ptr<BackendState>> states_;  // in the order of all_backends()
  PlanCache plans_;
};

}  // namespace tileops

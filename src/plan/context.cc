#include "plan/context.h"

#include <algorithm>

#include "base/env.h"
#include "base/error.h"
#include "base/log.h"
#include "base/split.h"
#include "store/directory.h"

namespace tileops {

ContextOptions resolve_options(const tileops_context_options& user) {
  ContextOptions o;
  if (user.cache_mode < TILEOPS_CACHE_DEFAULT || user.cache_mode > TILEOPS_CACHE_READ_WRITE)
    invalid("options: cache_mode is unknown (got %d)", user.cache_mode);

  if (user.cache_mode != TILEOPS_CACHE_DEFAULT) {
    o.cache_mode = user.cache_mode;
  } else if (const auto mode = env("TILEOPS_CACHE")) {
    if (*mode == "off") o.cache_mode = TILEOPS_CACHE_OFF;
    else if (*mode == "ro") o.cache_mode = TILEOPS_CACHE_READ_ONLY;
    else if (*mode != "rw") log(TILEOPS_LOG_WARN, "TILEOPS_CACHE=%s is not off, ro or rw; ignored", mode->c_str());
  }
  o.cache_dir = cache::resolve_directory(user.cache_dir);
  if (user.cache_max_bytes) o.cache_max_bytes = user.cache_max_bytes;
  else if (const auto mb = env_count("TILEOPS_CACHE_MAX_MB")) o.cache_max_bytes = static_cast<uint64_t>(*mb) << 20;
  if (user.plan_capacity) o.plan_capacity = user.plan_capacity;
  else if (const auto n = env_count("TILEOPS_PLAN_CAPACITY")) o.plan_capacity = static_cast<size_t>(*n);
  if (user.keep_workspace < 0 || user.keep_workspace > 1)
    invalid("options: keep_workspace is neither 0 nor 1 (got %d)", user.keep_workspace);
  o.keep_workspace = user.keep_workspace != 0;
  const std::string dirs = user.pack_dirs ? user.pack_dirs : env("TILEOPS_PACK_DIRS").value_or("");
  for (const std::string_view dir : split(dirs, ':')) o.pack_dirs.emplace_back(dir);
  if (user.nvrtc_path) o.nvrtc_path = user.nvrtc_path;
  return o;
}

Context::Context(const tileops_context_options& user)
    : options_(resolve_options(user)), plans_(options_.plan_capacity) {
  int count;
  Backend* const* backends = all_backends(&count);
  for (int i = 0; i < count; ++i) states_.push_back(backends[i]->make_state(user, options_));
  log(TILEOPS_LOG_INFO, "context: plan capacity %zu, kernel cache %s", options_.plan_capacity,
      options_.cache_dir.empty() ? "none" : options_.cache_dir.c_str());
}

BackendState& Context::state_of(const Backend& backend) const {
  int count;
  Backend* const* backends = all_backends(&count);
  return *states_[std::find(backends, backends + count, &backend) - backends];
}

void Context::add_statistics(tileops_cache_stats* out) const {
  for (const auto& state : states_) state->add_statistics(out);
}

Context& Context::process_default() {
  static auto* context = new Context(TILEOPS_CONTEXT_OPTIONS_INIT);
  return *context;
}

}  // namespace tileops

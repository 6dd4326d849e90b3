// Contexts and their caches.
#include "api/guard.h"
#include "api/handles.h"
#include "base/log.h"
#include "store/directory.h"

namespace tileops::api {
namespace {

HandlePool<tileops_context>& pool() {
  static auto* p = new HandlePool<tileops_context>;
  return *p;
}

}  // namespace

Context& context_of(tileops_context* handle) {
  if (!handle) return Context::process_default();
  if (handle->mark.load(std::memory_order_acquire) != kContextMark) invalid("ctx: is not a live context");
  return *handle->context;
}

void write_bytes(const void* value, size_t need, void* buf, size_t* size) {
  if (!size) invalid("size: is NULL");
  const size_t room = *size;
  *size = need;
  if (!buf) return;
  if (room < need) fail(TILEOPS_STATUS_BUFFER_TOO_SMALL, "buf: is too small (got %zu bytes, need %zu)", room, need);
  std::memcpy(buf, value, need);
}

}  // namespace tileops::api

using namespace tileops;
using namespace tileops::api;

tileops_status tileops_context_create(const tileops_context_options* options, tileops_context** out) {
  return guard("tileops_context_create", [&] {
    if (!out) invalid("out: is NULL");
    *out = nullptr;
    tileops_context_options copy = TILEOPS_CONTEXT_OPTIONS_INIT;
    if (options) copy = read_struct(options, "options");
    auto context = std::make_shared<Context>(copy);
    tileops_context* handle = pool().take();
    handle->context = std::move(context);
    handle->mark.store(kContextMark, std::memory_order_release);
    *out = handle;
  });
}

void tileops_context_destroy(tileops_context* ctx) {
  guard("tileops_context_destroy", [&] {
    if (!ctx) return;
    uint64_t expected = kContextMark;
    if (!ctx->mark.compare_exchange_strong(expected, 0)) return;
    ctx->context.reset();
    pool().give(ctx);
  });
}

tileops_status tileops_cache_stats_get(tileops_context* ctx, tileops_cache_stats* out) {
  return guard("tileops_cache_stats_get", [&] {
    if (!out) invalid("out: is NULL");
    Context& context = context_of(ctx);
    const PlanCache::Stats plans = context.plans().stats();
    tileops_cache_stats s = TILEOPS_CACHE_STATS_INIT;
    s.plan_hits = plans.hits;
    s.plan_misses = plans.misses;
    s.plan_evictions = plans.evictions;
    s.plan_entries = plans.entries;
    context.add_statistics(&s);
    write_struct(out, "out", s);
  });
}

tileops_status tileops_cache_clear(tileops_context* ctx, uint32_t which) {
  return guard("tileops_cache_clear", [&] {
    if (which & ~uint32_t{TILEOPS_CACHE_PLANS | TILEOPS_CACHE_DISK}) invalid("which: unknown bits (got 0x%x)", which);
    Context& context = context_of(ctx);
    if (which & TILEOPS_CACHE_PLANS) context.plans().clear();
    if (which & TILEOPS_CACHE_DISK) cache::clear_directory(context.options().cache_dir);
  });
}

tileops_status tileops_cache_dir(tileops_context* ctx, char* buf, size_t* size) {
  return guard("tileops_cache_dir", [&] {
    const std::string& dir = context_of(ctx).options().cache_dir;
    write_bytes(dir.c_str(), dir.size() + 1, buf, size);
  });
}

tileops_status tileops_log_set(tileops_log_fn fn, void* user, tileops_log_level level) {
  return guard("tileops_log_set", [&] {
    if (level < TILEOPS_LOG_OFF || level > TILEOPS_LOG_DEBUG)
      invalid("level: is unknown (got %d, need %d to %d)", level, TILEOPS_LOG_OFF, TILEOPS_LOG_DEBUG);
    tileops::log_set(fn, user, level);
  });
}

#include "core/log.h"

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>

#include "core/env.h"

namespace tileops {
namespace {

struct Sink {
  tileops_log_fn fn = nullptr;
  void* user = nullptr;
  std::string file;
};

// Level first: a disabled message costs one relaxed load.
std::atomic<int32_t> g_level{-1};
std::mutex g_mutex;
// Leaked on purpose: other libraries' exit handlers may still log.
Sink& sink() {
  static Sink* s = new Sink;
  return *s;
}

// Of a level's name; -1 of no such name.
int32_t level_of(const std::string& text) {
  static const char* const names[] = {"off", "error", "warn", "info", "debug"};
  for (int i = 0; i < 5; ++i)
    if (text == names[i]) return i;
  return -1;
}

int32_t current_level() {
  int32_t level = g_level.load(std::memory_order_relaxed);
  if (level >= 0) return level;
  const auto text = env("TILEOPS_LOG");
  const int32_t named = text ? level_of(*text) : TILEOPS_LOG_WARN;
  {
    std::lock_guard<std::mutex> lock(g_mutex);
    level = g_level.load(std::memory_order_relaxed);
    if (level >= 0) return level;
    level = named >= 0 ? named : TILEOPS_LOG_WARN;
    if (const auto file = env("TILEOPS_LOG_FILE")) sink().file = *file;
    g_level.store(level, std::memory_order_relaxed);
  }
  if (named < 0)
    log(TILEOPS_LOG_WARN, "TILEOPS_LOG=%s is not off, error, warn, info or debug; ignored", text->c_str());
  return level;
}

void write_line(FILE* f, const char* name, const char* text) {
  std::fprintf(f, "tileops %s: %s\n", name, text);
}

}  // namespace

bool log_enabled(tileops_log_level level) noexcept {
  try {
    return level <= current_level();
  } catch (...) {
    return false;
  }
}

void log(tileops_log_level level, const char* format, ...) noexcept {
  if (!log_enabled(level)) return;
  char text[2048];
  va_list args;
  va_start(args, format);
  std::vsnprintf(text, sizeof text, format, args);
  va_end(args);
  static const char* const names[] = {"", "error", "warning", "info", "debug"};
  try {
    Sink copy;
    {
      std::lock_guard<std::mutex> lock(g_mutex);
      copy = sink();
    }
    if (copy.fn) return copy.fn(copy.user, level, text);  // outside the lock: it may be slow
    if (copy.file.empty()) return write_line(stderr, names[level], text);
    if (FILE* f = std::fopen(copy.file.c_str(), "a")) {
      write_line(f, names[level], text);
      std::fclose(f);
    }
  } catch (...) {  // a log line is never worth a failure
  }
}

void log_set(tileops_log_fn fn, void* user, tileops_log_level level) {
  {
    std::lock_guard<std::mutex> lock(g_mutex);
    sink().fn = fn;
    sink().user = user;
  }
  current_level();  // so that a later first use does not overwrite this call
  g_level.store(level, std::memory_order_relaxed);
}

}  // namespace tileops

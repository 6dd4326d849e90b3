#include "base/log.h"

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>

#include "base/env.h"

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

// The level of this name, or -1.
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
  if (named < 0) log(TILEOPS_LOG_WARN, "TILEOPS_LOG=%s is not off, error, warn, info or debug; ignored", text->c_str());
  return level;
}

bool write_line(FILE* f, const char* name, const char* text) {
  return std::fprintf(f, "tileops %s: %s\n", name, text) >= 0;
}

// False, with errno, if the line is not in the file.
bool append_line(const std::string& file, const char* name, const char* text) {
  FILE* f = std::fopen(file.c_str(), "ae");
  if (!f) return false;
  const bool written = write_line(f, name, text);
  return std::fclose(f) == 0 && written;  // the line leaves the buffer here
}

// A line that the file does not take goes to stderr; the first one says why.
void write_line_to(const std::string& file, const char* name, const char* text) {
  if (!file.empty()) {
    if (append_line(file, name, text)) return;
    const char* why = std::strerror(errno);
    static std::atomic<bool> told{false};
    if (!told.exchange(true)) {
      const std::string warning = "TILEOPS_LOG_FILE=" + file + ": " + why + "; logging to stderr instead";
      write_line(stderr, "warning", warning.c_str());
    }
  }
  write_line(stderr, name, text);
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
    write_line_to(copy.file, names[level], text);
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

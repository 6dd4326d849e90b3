#include "store/directory.h"

#include <filesystem>
#include <system_error>

#include "base/env.h"
#include "base/error.h"

namespace tileops::cache {

std::string resolve_directory(const char* option) {
  if (option && *option) return option;
  if (const auto dir = env("TILEOPS_CACHE_DIR")) return *dir;
  if (const auto xdg = env("XDG_CACHE_HOME")) return *xdg + "/tileops";
  if (const auto home = env("HOME")) return *home + "/.cache/tileops";
  return "";
}

void clear_directory(const std::string& directory) {
  if (directory.empty()) return;
  // Only what the cache itself writes: a caller's directory may hold other things.
  std::error_code error;
  std::filesystem::remove_all(std::filesystem::path(directory) / "v1", error);
  if (error)
    throw Error{TILEOPS_STATUS_IO, "which: cannot remove " + directory + "/v1: " + error.message(), error.value()};
}

}  // namespace tileops::cache

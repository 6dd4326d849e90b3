// What tuning found, in memory and, as entries of the kernel cache, on disk: there with its version,
// key, hash and ownership checked like a kernel's.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "base/hash.h"
#include "op/strategy.h"
#include "store/disk.h"

namespace tileops::cache {

class Tuned {
 public:
  // `disk` outlives this and may be NULL: nothing is kept beyond the process then.
  explicit Tuned(DiskStore* disk) : disk_(disk) {}

  // The disk is asked once for each key; what another process finds later is not seen.
  std::optional<LaunchHint> find(const std::string& key);
  // nullopt: the library's own choice is the best, and what was kept before is forgotten.
  void keep(const std::string& key, const std::optional<LaunchHint>& hint);

 private:
  DiskStore* disk_;
  std::mutex mutex_;
  std::map<Hash128, std::optional<LaunchHint>> known_;
};

// "tileops tuning 1\nregister_copy 256 8\n" and back; nullopt for anything else.
std::string tuned_text(const std::optional<LaunchHint>& hint);
std::optional<LaunchHint> parse_tuned(const std::string& text);

}  // namespace tileops::cache

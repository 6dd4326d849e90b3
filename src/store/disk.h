// Compiled kernels on disk: <directory>/v1/<2 hex>/<30 hex>, one file an entry. Nothing that is wrong
// with it is ever an error: a bad entry is no entry, and what cannot be written is not kept.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

namespace tileops::cache {

class DiskStore {
 public:
  // directory "": no store. Nothing is created or looked at before it is needed.
  DiskStore(std::string directory, bool writable, uint64_t max_bytes);

  // The payload kept under that key. Entries that are damaged, foreign or not to be trusted are
  // counted, reported in the log and, if writable, removed.
  bool get(const std::string& key, std::string* payload);
  // Keeps a payload: exclusive temporary file in the same folder, fsync, rename.
  void put(const std::string& key, const std::string& payload);

  uint64_t bad_entries() const { return bad_.load(std::memory_order_relaxed); }

 private:
  bool usable(bool create);
  bool parse(const std::string& file, const std::string& key, std::string* payload);
  void sweep();
  void warn_once(const std::string& text);

  const std::string directory_, root_;
  const bool writable_;
  const uint64_t max_bytes_;
  std::atomic<uint64_t> bad_{0}, puts_{0};
  std::atomic<bool> warned_{false};
};

}  // namespace tileops::cache

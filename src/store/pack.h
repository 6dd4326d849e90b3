// The prebuilt kernels of one architecture in one file, installed with the library: a sorted index of
// key hashes, then the images. Read-only, mapped into memory.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tileops::cache {

class Pack {
 public:
  // Maps the file; empty if it is missing, damaged, or made from other sources than `sources`.
  Pack(const std::string& path, const std::string& sources);
  ~Pack();
  Pack(const Pack&) = delete;
  Pack& operator=(const Pack&) = delete;

  // The image kept under that key; empty if there is none.
  std::string_view find(const std::string& key) const;
  size_t size() const { return count_; }

 private:
  const char* data_ = nullptr;
  size_t bytes_ = 0, count_ = 0;
};

// Writes a pack; throws Error(IO).
void write_pack(const std::string& path, const std::string& sources,
                const std::vector<std::pair<std::string, std::string>>& kernels);

}  // namespace tileops::cache

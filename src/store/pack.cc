#include "store/pack.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "base/error.h"
#include "base/hash.h"
#include "base/log.h"

namespace tileops::cache {
namespace {

struct Header {
  char magic[8];
  uint64_t count;
  Hash128 sources;
};
struct Row {
  Hash128 key, content;
  uint64_t offset, size;
};
constexpr char kMagic[8] = {'T', 'O', 'P', 'P', 'A', 'C', 'K', '1'};

}  // namespace

Pack::Pack(const std::string& path, const std::string& sources) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  struct stat s;
  void* map = MAP_FAILED;
  if (fstat(fd, &s) == 0 && static_cast<size_t>(s.st_size) >= sizeof(Header))
    map = mmap(nullptr, static_cast<size_t>(s.st_size), PROT_READ, MAP_PRIVATE, fd, 0);
  close(fd);
  if (map == MAP_FAILED) return;
  data_ = static_cast<const char*>(map);
  bytes_ = static_cast<size_t>(s.st_size);
  Header h;
  std::memcpy(&h, data_, sizeof h);
  if (std::memcmp(h.magic, kMagic, sizeof kMagic) != 0 || !(h.sources == hash_of(sources)) ||
      h.count > (bytes_ - sizeof h) / sizeof(Row)) {
    log(TILEOPS_LOG_WARN, "kernel pack: %s is damaged or of another build; not used", path.c_str());
    return;
  }
  count_ = static_cast<size_t>(h.count);
}

Pack::~Pack() {
  if (data_) munmap(const_cast<char*>(data_), bytes_);
}

std::string_view Pack::find(const std::string& key) const {
  if (count_ == 0) return {};
  const Hash128 wanted = hash_of(key);
  size_t low = 0, high = count_;
  Row row;
  const auto read = [&](size_t i) { std::memcpy(&row, data_ + sizeof(Header) + i * sizeof(Row), sizeof row); };
  while (low < high) {
    const size_t middle = (low + high) / 2;
    read(middle);
    if (row.key < wanted) low = middle + 1;
    else high = middle;
  }
  if (low == count_) return {};
  read(low);
  if (!(row.key == wanted) || row.offset > bytes_ || row.size > bytes_ - row.offset) return {};
  const std::string_view image(data_ + row.offset, static_cast<size_t>(row.size));
  return hash_of(image) == row.content ? image : std::string_view{};
}

void write_pack(const std::string& path, const std::string& sources,
                const std::vector<std::pair<std::string, std::string>>& kernels) {
  std::vector<std::pair<Hash128, const std::string*>> sorted;
  for (const auto& [key, image] : kernels) sorted.emplace_back(hash_of(key), &image);
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  Header h;
  std::memset(&h, 0, sizeof h);
  std::memcpy(h.magic, kMagic, sizeof kMagic);
  h.count = sorted.size();
  h.sources = hash_of(sources);
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(&h), sizeof h);
  uint64_t offset = sizeof h + sorted.size() * sizeof(Row);
  for (const auto& [key, image] : sorted) {
    offset = (offset + 15) / 16 * 16;
    const Row row{key, hash_of(*image), offset, image->size()};
    file.write(reinterpret_cast<const char*>(&row), sizeof row);
    offset += image->size();
  }
  for (const auto& [key, image] : sorted) {
    while (file.tellp() % 16) file.put('\0');
    file.write(image->data(), static_cast<std::streamsize>(image->size()));
  }
  file.close();
  if (!file) throw Error{TILEOPS_STATUS_IO, "cannot write " + path, errno};
}

}  // namespace tileops::cache

#include "store/disk.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <vector>

#include "base/error.h"
#include "base/hash.h"
#include "base/log.h"

namespace tileops::cache {
namespace {

// An entry: this header, the key, the payload.
struct Header {
  char magic[8];
  uint32_t version;
  uint32_t key_size;
  uint64_t payload_size;
  Hash128 hash;  // of key and payload
};
constexpr char kMagic[8] = {'T', 'O', 'P', 'K', 'E', 'R', 'N', '\n'};
constexpr uint32_t kVersion = 1;
constexpr uint64_t kLargest = uint64_t{1} << 30;
constexpr uint64_t kSweepEvery = 64;  // puts
constexpr auto kTouchAfter = std::chrono::hours(1);

// A file descriptor, closed at the end of its scope.
class File {
 public:
  explicit File(int fd) : fd_(fd) {}
  ~File() {
    if (fd_ >= 0) close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int fd() const { return fd_; }
  bool finish() {
    const int fd = fd_;
    fd_ = -1;
    return close(fd) == 0;
  }

 private:
  int fd_;
};

bool write_all(int fd, const char* data, size_t size) {
  while (size > 0) {
    const ssize_t n = write(fd, data, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    data += n;
    size -= static_cast<size_t>(n);
  }
  return true;
}

bool read_all(int fd, size_t size, std::string* out) {
  out->resize(size);
  size_t done = 0;
  while (done < size) {
    const ssize_t n = read(fd, out->data() + done, size - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += static_cast<size_t>(n);
  }
  return true;
}

// Ours alone: what others may write could be anything, and a kernel is code.
bool trusted(const struct stat& s) { return s.st_uid == geteuid() && (s.st_mode & (S_IWGRP | S_IWOTH)) == 0; }

std::string file_of(const std::string& root, const std::string& key) {
  const std::string name = hex(hash_of(key));
  return root + "/" + name.substr(0, 2) + "/" + name.substr(2);
}

bool make_folder(const std::string& path) { return mkdir(path.c_str(), 0700) == 0 || errno == EEXIST; }

}  // namespace

DiskStore::DiskStore(std::string directory, bool writable, uint64_t max_bytes)
    : directory_(std::move(directory)), root_(directory_ + "/v1"), writable_(writable), max_bytes_(max_bytes) {}

void DiskStore::warn_once(const std::string& text) {
  if (!warned_.exchange(true)) log(TILEOPS_LOG_WARN, "kernel cache: %s", text.c_str());
}

// Does the directory exist, owned by this user and writable by nobody else?
bool DiskStore::usable(bool create) {
  if (directory_.empty()) return false;
  if (create) {
    std::error_code ignored;
    const auto parent = std::filesystem::path(directory_).parent_path();
    if (!parent.empty()) std::filesystem::create_directories(parent, ignored);
    if (!make_folder(directory_) || !make_folder(root_)) {
      warn_once("cannot create " + root_ + " (" + std::strerror(errno) + "); kernels are not kept");
      return false;
    }
  }
  for (const std::string& path : {directory_, root_}) {
    struct stat s;
    if (stat(path.c_str(), &s) != 0) return false;  // nothing there yet
    if (!S_ISDIR(s.st_mode) || !trusted(s)) {
      warn_once(path + " is not a directory that only this user may write to; not used");
      return false;
    }
  }
  return true;
}

bool DiskStore::parse(const std::string& file, const std::string& key, std::string* payload) {
  Header h;
  if (file.size() < sizeof h) return false;
  std::memcpy(&h, file.data(), sizeof h);
  if (std::memcmp(h.magic, kMagic, sizeof kMagic) != 0 || h.version != kVersion || h.key_size != key.size() ||
      file.size() - sizeof h < h.key_size || file.size() - sizeof h - h.key_size != h.payload_size)
    return false;
  const std::string_view rest = std::string_view(file).substr(sizeof h);
  if (rest.substr(0, key.size()) != key || !(hash_of(rest) == h.hash)) return false;
  payload->assign(rest.substr(key.size()));
  return true;
}

bool DiskStore::get(const std::string& key, std::string* payload) {
  if (!usable(false)) return false;
  const std::string path = file_of(root_, key);
  const File file(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (file.fd() < 0) {
    if (errno != ENOENT) {
      bad_.fetch_add(1);
      warn_once("cannot open " + path + " (" + std::strerror(errno) + ")");
    }
    return false;
  }
  struct stat s;
  std::string bytes;
  const bool read = fstat(file.fd(), &s) == 0 && S_ISREG(s.st_mode) && trusted(s) &&
                    static_cast<uint64_t>(s.st_size) <= kLargest &&
                    read_all(file.fd(), static_cast<size_t>(s.st_size), &bytes);
  if (!read || !parse(bytes, key, payload)) {
    bad_.fetch_add(1);
    log(TILEOPS_LOG_WARN, "kernel cache: %s is damaged or not this user's; made anew", path.c_str());
    if (writable_) unlink(path.c_str());
    return false;
  }
  // The time of the last use, roughly, is the modification time.
  const auto now = std::chrono::system_clock::now();
  if (writable_ && now - std::chrono::system_clock::from_time_t(s.st_mtime) > kTouchAfter) futimens(file.fd(), nullptr);
  return true;
}

void DiskStore::put(const std::string& key, const std::string& payload) {
  if (!writable_ || !usable(true)) return;
  const std::string path = file_of(root_, key);
  const std::string folder = path.substr(0, path.rfind('/'));
  if (!make_folder(folder)) {
    return warn_once("cannot create " + folder + " (" + std::strerror(errno) + ")");
  }
  Header h;
  std::memset(&h, 0, sizeof h);
  std::memcpy(h.magic, kMagic, sizeof kMagic);
  h.version = kVersion;
  h.key_size = static_cast<uint32_t>(key.size());
  h.payload_size = payload.size();
  const std::string rest = key + payload;
  h.hash = hash_of(rest);

  // Process ids repeat across containers that share a directory; O_EXCL settles what is left.
  const auto tick = std::chrono::steady_clock::now().time_since_epoch().count();
  const std::string temporary = folder + "/.new-" + std::to_string(getpid()) + "-" + std::to_string(tick) + "-" +
                                std::to_string(puts_.fetch_add(1));
  File file(open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (file.fd() < 0)
    return warn_once("cannot write to " + folder + " (" + std::strerror(errno) + "); kernels are not kept");
  const bool written = write_all(file.fd(), reinterpret_cast<const char*>(&h), sizeof h) &&
                       write_all(file.fd(), rest.data(), rest.size()) && fsync(file.fd()) == 0;
  const int error = errno;
  if (!file.finish() || !written || rename(temporary.c_str(), path.c_str()) != 0) {
    unlink(temporary.c_str());
    return warn_once("cannot write " + path + " (" + std::strerror(written ? errno : error) + ")");
  }
  if (puts_.load() % kSweepEvery == 1) sweep();
}

// Removes what was used longest ago until nine tenths of the size cap are left, and temporary files
// that a process left behind.
void DiskStore::sweep() {
  namespace fs = std::filesystem;
  struct Entry {
    fs::file_time_type time;
    uint64_t size;
    fs::path path;
  };
  std::vector<Entry> entries;
  uint64_t total = 0;
  std::error_code error;
  const auto now = fs::file_time_type::clock::now();
  for (fs::recursive_directory_iterator it(root_, error), end; !error && it != end; it.increment(error)) {
    std::error_code gone;
    if (!it->is_regular_file(gone)) continue;
    const Entry e{it->last_write_time(gone), it->file_size(gone), it->path()};
    if (gone) continue;
    if (e.path.filename().string().rfind(".new-", 0) == 0) {
      if (now - e.time > kTouchAfter) fs::remove(e.path, gone);
      continue;
    }
    total += e.size;
    entries.push_back(e);
  }
  if (total <= max_bytes_) return;
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.time < b.time; });
  for (const Entry& e : entries) {
    if (total <= max_bytes_ / 10 * 9) break;
    if (fs::remove(e.path, error)) total -= e.size;
  }
}

}  // namespace tileops::cache

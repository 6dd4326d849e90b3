#include "cli/io/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "cli/common.h"

namespace tileops::cli {
namespace {

namespace fs = std::filesystem;

// Where a write to `path` lands: symbolic links are followed, also those that point to nothing yet.
// What /dev/stdout and /dev/fd/N lead to, links in /proc, stands for an open file rather than for
// the name it had when it was opened; it is left as it is.
fs::path follow_links(fs::path path) {
  std::error_code error;
  for (int k = 0; k < 40; ++k) {  // as many as Linux follows
    if (!fs::is_symlink(fs::symlink_status(path, error))) break;
    const fs::path folder = fs::weakly_canonical(fs::absolute(path).parent_path(), error);
    if (folder.native().rfind("/proc/", 0) == 0) break;
    const fs::path next = fs::read_symlink(path, error);
    if (error) break;
    path = path.parent_path() / next;  // `next` alone if it is absolute
  }
  return path;
}

// What two names of one file have in common.
struct Identity {
  bool exists = false;
  struct stat info{};
  fs::path place;

  explicit Identity(const std::string& path) {
    if (path == "-") {
      exists = fstat(STDOUT_FILENO, &info) == 0;
      return;
    }
    exists = stat(path.c_str(), &info) == 0;
    std::error_code error;
    place = fs::weakly_canonical(fs::absolute(follow_links(path)), error);
  }

  bool operator==(const Identity& other) const {
    if (exists != other.exists) return false;
    if (!exists) return !place.empty() && place == other.place;
    return info.st_dev == other.info.st_dev && info.st_ino == other.info.st_ino && !S_ISCHR(info.st_mode);
  }
};

}  // namespace

void check_distinct(const std::vector<std::string>& paths) {
  for (size_t i = 0; i < paths.size(); ++i) {
    for (size_t k = 0; k < i; ++k) {
      if (paths[i] == "-" && paths[k] == "-") {
        throw UsageError("--output: only one output can go to stdout");
      }
      if (Identity(paths[i]) == Identity(paths[k])) {
        throw UsageError("--output: two outputs to one file: " + paths[k] + " and " + paths[i]);
      }
    }
  }
}

OutputFile::OutputFile(const std::string& path) : path_(path) {
  if (path == "-") {
    fd_ = STDOUT_FILENO;
    return;
  }
  target_ = follow_links(path).native();
  struct stat info;
  const bool exists = stat(target_.c_str(), &info) == 0;
  if (!exists && errno != ENOENT) fail(errno);
  if (exists && S_ISDIR(info.st_mode)) fail(EISDIR);
  std::error_code ignored;
  if (exists && (!S_ISREG(info.st_mode) || fs::is_symlink(fs::symlink_status(target_, ignored)))) {
    fd_ = open(target_.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
    if (fd_ < 0) fail(errno);
    return;
  }
  if (exists) {
    // The rename would not ask: a file that is protected from writing stays as it is.
    if (faccessat(AT_FDCWD, target_.c_str(), W_OK, AT_EACCESS) != 0) fail(errno);
    replaced_ = {info.st_uid, info.st_gid, static_cast<mode_t>(info.st_mode & 07777)};
  }
  open_temporary();
}

void OutputFile::open_temporary() {
  const fs::path folder = fs::path(target_).parent_path();
  for (int k = 0; fd_ < 0; ++k) {
    temporary_ = folder / (".tileops-" + std::to_string(getpid()) + "-" + std::to_string(k));
    // A new file gets what the umask leaves; one that replaces another is private until finish.
    const mode_t mode = replaced_ ? 0600 : 0666;
    fd_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd_ < 0 && errno != EEXIST) {
      const bool beside = replaced_ && (errno == EACCES || errno == EROFS);
      fail(errno, beside ? " (no file can be made beside it; `-o - > FILE` writes in place)" : "");
    }
  }
}

OutputFile::~OutputFile() {
  if (fd_ >= 0 && fd_ != STDOUT_FILENO) close(fd_);
  if (!temporary_.empty()) std::remove(temporary_.c_str());
}

void OutputFile::fail(int error, const std::string& hint) const {
  throw RunError("cannot write " + (path_ == "-" ? "to stdout" : path_) + ": " + std::strerror(error) + hint);
}

void OutputFile::write(const void* data, size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = ::write(fd_, at, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno);
    at += written;
    size -= static_cast<size_t>(written);
  }
}

void OutputFile::finish() {
  if (!temporary_.empty()) {
    if (replaced_) {
      if (fchown(fd_, replaced_->user, replaced_->group) != 0) {
        // Only root may give a file away; for others the new file is simply theirs.
      }
      if (fchmod(fd_, replaced_->mode) != 0) fail(errno);
    }
    if (fsync(fd_) != 0) fail(errno);
  }
  const int fd = std::exchange(fd_, -1);
  if (fd != STDOUT_FILENO && close(fd) != 0) fail(errno);
}

void OutputFile::replace() {
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  temporary_.clear();
}

}  // namespace tileops::cli

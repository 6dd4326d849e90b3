// Files that the command writes: replaced whole, or left as they were.
#ifndef TILEOPS_CLI_IO_OUTPUT_H_
#define TILEOPS_CLI_IO_OUTPUT_H_

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tileops::cli {

// One output. An ordinary file is written under a temporary name beside it and takes its own name
// in the end, so that a full disk never costs what was there before. It keeps the permissions of
// the file it replaces, and a symbolic link to it stays a link. Devices and pipes are written
// directly; "-" is stdout. All members throw RunError with the file's name and the system's reason.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  ~OutputFile();  // removes the temporary file unless replace was called
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(const void* data, size_t size);
  void finish();   // everything is on the disk
  void replace();  // the file has its name; after finish

 private:
  struct Owner {
    uid_t user;
    gid_t group;
    mode_t mode;
  };
  void open_temporary();
  [[noreturn]] void fail(int error, const std::string& hint = "") const;

  std::string path_;               // as the user wrote it, for messages
  std::string target_;             // links followed
  std::string temporary_;          // empty: written directly
  std::optional<Owner> replaced_;  // of the file that was there before
  int fd_ = -1;
};

// Throws UsageError if two outputs would go to one file, whatever the spellings, or both to stdout.
// The same device twice is fine: /dev/null keeps neither.
void check_distinct(const std::vector<std::string>& paths);

}  // namespace tileops::cli

#endif  // TILEOPS_CLI_IO_OUTPUT_H_

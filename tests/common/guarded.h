// Memory that ends, or begins, where a page begins that may not be touched.
#ifndef TILEOPS_TESTS_COMMON_GUARDED_H_
#define TILEOPS_TESTS_COMMON_GUARDED_H_

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace guarded {

// Memory between two pages that may not be touched, at the end of it or at its beginning.
class Guarded {
 public:
  Guarded(size_t size, bool at_end) : size_(size) {
    const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    inner_ = (size / page + 1) * page;
    whole_ = inner_ + 2 * page;
    void* p = mmap(nullptr, whole_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) fail("mmap");
    map_ = static_cast<char*>(p);
    if (mprotect(map_ + page, inner_, PROT_READ | PROT_WRITE) != 0) fail("mprotect");
    at_ = map_ + page + (at_end ? inner_ - size : 0);
  }
  Guarded(const Guarded&) = delete;
  Guarded(Guarded&& other) noexcept
      : size_(other.size_), inner_(other.inner_), whole_(other.whole_), map_(other.map_), at_(other.at_) {
    other.map_ = nullptr;
  }
  ~Guarded() {
    if (map_) munmap(map_, whole_);
  }
  char* at() const { return at_; }
  size_t size() const { return size_; }
  std::string copy() const { return std::string(at_, size_); }
  void restore(const std::string& bytes) { std::memcpy(at_, bytes.data(), size_); }

 private:
  [[noreturn]] void fail(const char* what) const {
    std::fprintf(stderr, "%s of %zu bytes: %s\n", what, whole_, std::strerror(errno));
    std::abort();
  }

  size_t size_, inner_ = 0, whole_ = 0;
  char *map_ = nullptr, *at_ = nullptr;
};

}  // namespace guarded

#endif  // TILEOPS_TESTS_COMMON_GUARDED_H_

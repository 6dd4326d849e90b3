// How much of its thread's stack a piece of work takes: it runs on a thread of its own whose stack is filled with a
// pattern before.
#pragma once

#include <pthread.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <functional>

namespace smallstack {

constexpr size_t kMuslThread = size_t{128} << 10;  // what a thread has by default with musl
constexpr unsigned char kPattern = 0xa7;

// A stack of `size` bytes above a page that may not be touched.
class Stack {
 public:
  explicit Stack(size_t size) : size_(size) {
    void* all = mmap(nullptr, size + kGuard, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) return;
    base_ = static_cast<unsigned char*>(all) + kGuard;
    mprotect(all, kGuard, PROT_NONE);
  }
  ~Stack() {
    if (base_) munmap(base_ - kGuard, size_ + kGuard);
  }
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;

  // Runs the work on a thread that has this stack. Bytes from its end to the furthest one written; 0: there is no
  // thread.
  size_t Run(const std::function<void()>& work) {
    if (!base_) return 0;
    std::memset(base_, kPattern, size_);
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, base_, size_);
    const auto run = [](void* arg) -> void* {
      (*static_cast<const std::function<void()>*>(arg))();
      return nullptr;
    };
    const int failed = pthread_create(&thread, &attributes, run, const_cast<std::function<void()>*>(&work));
    pthread_attr_destroy(&attributes);
    if (failed) return 0;
    pthread_join(thread, nullptr);
    size_t untouched = 0;
    while (untouched < size_ && base_[untouched] == kPattern) ++untouched;
    return size_ - untouched;
  }

 private:
  static constexpr size_t kGuard = 4096;
  size_t size_;
  unsigned char* base_ = nullptr;
};

// Bytes that the work takes beside what a thread takes that does nothing (its variables lie on its stack).
inline size_t TakenBy(Stack* stack, const std::function<void()>& work) {
  static const size_t nothing = stack->Run([] {});
  const size_t all = stack->Run(work);
  return all > nothing ? all - nothing : 0;
}

}  // namespace smallstack

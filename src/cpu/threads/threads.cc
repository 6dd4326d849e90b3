#include "cpu/threads/threads.h"

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <mutex>
#include <new>
#include <stdexcept>

#include "base/float_environment.h"
#include "cpu/threads/stay_loaded.h"

// oneTBB is not built with ThreadSanitizer, which therefore does not see that the tasks end before
// parallel_for returns.
#if defined(__SANITIZE_THREAD__)
extern "C" void __tsan_acquire(void*);
extern "C" void __tsan_release(void*);
#define TILEOPS_TSAN_ACQUIRE(p) __tsan_acquire(p)
#define TILEOPS_TSAN_RELEASE(p) __tsan_release(p)
#else
#define TILEOPS_TSAN_ACQUIRE(p) (void)(p)
#define TILEOPS_TSAN_RELEASE(p) (void)(p)
#endif

namespace tileops::cpu {

namespace {

// How many threads the process may run on. oneTBB makes what it knows of the machine when it is first asked. Where
// memory runs out on the way, all that ask later wait for ever for that to end: then it is never asked again, and the
// calling thread computes alone, which gives the same bits.
int most_threads() {
  static std::mutex mutex;
  static int most = 0;
  const std::lock_guard<std::mutex> lock(mutex);
  if (most == 0) {
    most = 1;
    most = tbb::info::default_concurrency();
  }
  return most;
}

// More threads than the process may run on gain nothing, and oneTBB warns of them on stderr.
int count_for(int wanted) {
  const int most = most_threads();
  return wanted > 0 && wanted < most ? wanted : most;
}

}  // namespace

struct Threads::Arena {
  tbb::task_arena arena;
  // At once, and not by the first execute: an arena of which half is made makes all wait for ever that use it again.
  explicit Arena(int count) : arena(count) { arena.initialize(); }
};

Threads::Threads(int count) : count_(count_for(count)) {
  if (count_ > 1) arena_ = std::make_unique<Arena>(count_);
  stay_loaded();
}

Threads::~Threads() = default;

void Threads::run(size_t n, int chunks, bool shared, void (*task)(const void*, size_t, size_t), const void* arg) const {
  if (chunks <= 1 || count_ <= 1) return task(arg, 0, n);
  std::atomic<bool> memory_ran_out{false};
  char token = 0;
  TILEOPS_TSAN_RELEASE(&token);
  const auto piece = [&](int chunk) {
    TILEOPS_TSAN_ACQUIRE(&token);
    const FloatEnvironment usual;  // a worker has that of the thread that started it
    const size_t at = static_cast<size_t>(chunk), all = static_cast<size_t>(chunks);
    const size_t begin = piece_begin(n, at, all), end = piece_begin(n, at + 1, all);
    try {
      if (begin < end) task(arg, begin, end);
    } catch (const std::bad_alloc&) {  // not to be oneTBB's, which needs memory to hand it on
      memory_ran_out.store(true, std::memory_order_relaxed);
    }
    TILEOPS_TSAN_RELEASE(&token);
  };
  try {
    arena_->arena.execute([&] {
      if (shared) tbb::parallel_for(0, chunks, piece, tbb::simple_partitioner());
      else tbb::parallel_for(0, chunks, piece, tbb::static_partitioner());
    });
  } catch (const std::runtime_error&) {  // oneTBB's word for a thread that cannot be had
    memory_ran_out.store(true, std::memory_order_relaxed);
  }
  TILEOPS_TSAN_ACQUIRE(&token);
  if (memory_ran_out.load(std::memory_order_relaxed)) throw std::bad_alloc();
}

}  // namespace tileops::cpu

// A build without threads of its own (-DTILEOPS_THREADS=none): for programs that have a pool, and run executes on it in
// parts.
#include "cpu/threads/threads.h"

namespace tileops::cpu {

struct Threads::Arena {};

// What was asked for is how many of the program's threads share an execute, which says how much of it each one's cache
// holds.
Threads::Threads(int count) : count_(count > 0 ? count : 1) {}

Threads::~Threads() = default;

void Threads::run(size_t n, int, bool, void (*task)(const void*, size_t, size_t), const void* arg) const {
  task(arg, 0, n);
}

}  // namespace tileops::cpu

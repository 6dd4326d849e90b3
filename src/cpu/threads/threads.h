// Worker threads of the CPU backend: one oneTBB arena per context.
#pragma once

#include <cstddef>
#include <memory>

namespace tileops::cpu {

// Where piece i of `pieces` of [0, n) begins: floor(n i / pieces), without overflow for less than 2^32 pieces.
inline size_t piece_begin(size_t n, size_t i, size_t pieces) { return n / pieces * i + n % pieces * i / pieces; }

class Threads {
 public:
  // 0: as many as the process may run on.
  explicit Threads(int count);
  ~Threads();
  int count() const { return count_; }

  // Calls task(arg, begin, end) over [0, n) in `chunks` pieces of equal size, on up to count()
  // threads, the caller's among them: the same piece on the same thread from call to call as far as
  // possible, whose cache may hold it, or, `shared`, the next piece on the thread that is free. Tasks may
  // throw std::bad_alloc, which reaches the caller when all have ended.
  void run(size_t n, int chunks, bool shared, void (*task)(const void* arg, size_t begin, size_t end),
           const void* arg) const;

 private:
  struct Arena;
  int count_;
  std::unique_ptr<Arena> arena_;  // NULL where there is one thread
};

}  // namespace tileops::cpu

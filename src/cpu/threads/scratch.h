// Scratch of kernels: memory that a piece of work has while it runs on a thread. It is not on the stack, since the
// stack is the caller's and may be small: tileops.h promises to take 64 KiB of it at most.
#pragma once

#include <cstddef>
#include <new>

namespace tileops::cpu {

constexpr size_t kScratchBytes = size_t{288} << 10, kScratchAlignment = 64;

// The calling thread's: allocated the first time, and the thread's until it ends. Throws std::bad_alloc. One piece of
// work has all of it.
void* scratch_of_thread();

// The same, as a T of which nothing is known but what its members are initialised with.
template <class T>
T& scratch_as() {
  static_assert(sizeof(T) <= kScratchBytes && alignof(T) <= kScratchAlignment);
  return *new (scratch_of_thread()) T;
}

}  // namespace tileops::cpu

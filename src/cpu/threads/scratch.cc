#include "cpu/threads/scratch.h"

#include <pthread.h>

#include <cstdlib>

namespace tileops::cpu {
namespace {

// A key of pthreads, because a thread_local variable with something to do when its thread ends cannot say that memory
// ran out: the C library ends the process. False where the process has no key left.
struct Key {
  pthread_key_t key{};
  bool made = pthread_key_create(&key, std::free) == 0;
};

const Key g_key;  // made when the library is loaded

void* allocate() {
  void* memory = std::aligned_alloc(kScratchAlignment, kScratchBytes);
  if (!memory) throw std::bad_alloc();
  if (pthread_setspecific(g_key.key, memory) == 0) return memory;
  std::free(memory);
  throw std::bad_alloc();
}

}  // namespace

void* scratch_of_thread() {
  if (!g_key.made) throw std::bad_alloc();
  void* memory = pthread_getspecific(g_key.key);
  return memory ? memory : allocate();
}

}  // namespace tileops::cpu

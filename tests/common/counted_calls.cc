#include "counted_calls.h"

#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <mutex>

namespace counted {
namespace {

thread_local bool t_counting = false;
thread_local Calls t_calls;

void CountMemory() { t_calls.memory += t_counting; }

// The function that this program's hides.
template <class Function>
Function Hidden(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

Calls CallsIn(const std::function<void()>& work) {
  t_calls = {};
  t_counting = true;
  work();
  t_counting = false;
  return t_calls;
}

bool Counts() {
  static void* volatile memory;  // what nobody looks at need not be allocated
  std::mutex mutex;
  const Calls calls = CallsIn([&] {
    memory = std::malloc(100);
    std::free(memory);
    delete new long;
    const std::lock_guard<std::mutex> lock(mutex);
  });
  return calls.memory >= 2 && calls.locks >= 1;
}

}  // namespace counted

extern "C" {
void* __libc_malloc(size_t);
void __libc_free(void*);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);

void* malloc(size_t n) {
  counted::CountMemory();
  return __libc_malloc(n);
}
void free(void* p) {
  if (p) counted::CountMemory();
  __libc_free(p);
}
void* calloc(size_t n, size_t size) {
  counted::CountMemory();
  return __libc_calloc(n, size);
}
void* realloc(void* p, size_t n) {
  counted::CountMemory();
  return __libc_realloc(p, n);
}
void* memalign(size_t alignment, size_t n) {
  counted::CountMemory();
  return __libc_memalign(alignment, n);
}
void* aligned_alloc(size_t alignment, size_t n) { return memalign(alignment, n); }
int posix_memalign(void** out, size_t alignment, size_t n) {
  *out = memalign(alignment, n);
  return *out ? 0 : 12;  // ENOMEM
}

// Found at the first call, which may be one of the loader's own, before this program's variables are there.
#define COUNTED_LOCK(name, parameters, arguments)                    \
  int name parameters {                                              \
    static int(*hidden) parameters = nullptr;                        \
    if (!hidden) hidden = counted::Hidden<int(*) parameters>(#name); \
    counted::t_calls.locks += counted::t_counting;                   \
    return hidden arguments;                                         \
  }
COUNTED_LOCK(pthread_mutex_lock, (pthread_mutex_t * m), (m))
COUNTED_LOCK(pthread_mutex_trylock, (pthread_mutex_t * m), (m))
COUNTED_LOCK(pthread_rwlock_rdlock, (pthread_rwlock_t * l), (l))
COUNTED_LOCK(pthread_rwlock_wrlock, (pthread_rwlock_t * l), (l))
COUNTED_LOCK(pthread_cond_wait, (pthread_cond_t * c, pthread_mutex_t* m), (c, m))
COUNTED_LOCK(pthread_cond_signal, (pthread_cond_t * c), (c))
COUNTED_LOCK(pthread_cond_broadcast, (pthread_cond_t * c), (c))
COUNTED_LOCK(sem_wait, (sem_t * s), (s))
COUNTED_LOCK(sem_post, (sem_t * s), (s))
#undef COUNTED_LOCK

// By which std::atomic waits, std::call_once's guard and oneTBB sleep.
long syscall(long number, ...) {
  using Syscall = long (*)(long, long, long, long, long, long, long);
  static Syscall hidden = nullptr;
  if (!hidden) hidden = counted::Hidden<Syscall>("syscall");
  if (number == SYS_futex) counted::t_calls.locks += counted::t_counting;
  __builtin_va_list list;
  __builtin_va_start(list, number);
  long a[6];
  for (long& argument : a) argument = __builtin_va_arg(list, long);
  __builtin_va_end(list);
  return hidden(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
}

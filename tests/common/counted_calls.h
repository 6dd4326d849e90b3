// What the calling thread does with memory and with locks: in a program that is linked with counted_calls.cc, malloc,
// free and their relatives, and what waits for or wakes other threads, are counting ones, for the libraries that it
// loads as well.
#ifndef TILEOPS_TESTS_COMMON_COUNTED_CALLS_H_
#define TILEOPS_TESTS_COMMON_COUNTED_CALLS_H_

#include <functional>

namespace counted {

struct Calls {
  long memory = 0;  // of malloc, free, ...; operator new calls malloc
  long locks = 0;   // of mutexes, read-write locks, condition variables, semaphores, and futex through syscall()
};

// Those of this thread while it works.
Calls CallsIn(const std::function<void()>& work);

// Does it see calls of both kinds? A program in which it does not has nothing to say.
bool Counts();

}  // namespace counted

#endif  // TILEOPS_TESTS_COMMON_COUNTED_CALLS_H_

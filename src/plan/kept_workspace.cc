#include "plan/kept_workspace.h"

#include "base/error.h"

namespace tileops {

KeptWorkspace::Use::Use(KeptWorkspace* of, By by) : of_(of), count_(by == By::part ? 1 : kAlone) {
  int users = 0;
  while (
      !of->users_.compare_exchange_weak(users, users + count_, std::memory_order_acquire, std::memory_order_relaxed)) {
    if (users != 0 && (users == kAlone || by == By::execute))
      invalid("workspace: is NULL, and the one that the plan keeps is in use by another thread's execute; each thread "
              "needs a plan or a workspace of its own");
  }
}

}  // namespace tileops

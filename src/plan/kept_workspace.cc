#include "plan/kept_workspace.h"

#include "base/error.h"

namespace tileops {

KeptWorkspace::Use::Use(KeptWorkspace* of) : of_(of) {
  if (of->in_use_.test_and_set(std::memory_order_acquire))
    invalid("workspace: is NULL, and the one that the plan keeps is in use by another thread's execute; each thread "
            "needs a plan or a workspace of its own");
}

}  // namespace tileops

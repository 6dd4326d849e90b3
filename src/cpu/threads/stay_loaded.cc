#include "cpu/threads/stay_loaded.h"

#include <dlfcn.h>

namespace tileops::cpu {

namespace {

bool pin() {
  Dl_info self;
  if (dladdr(reinterpret_cast<const void*>(&stay_loaded), &self) == 0) return false;
  // NOLOAD opens what is loaded already and nothing else; NODELETE outlives the handle.
  void* handle = dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
  return handle != nullptr && dlclose(handle) == 0;
}

}  // namespace

// oneTBB's workers go on for a while after the last task, in the code of oneTBB and of the tasks.
// libtileops.so is linked with -z nodelete; this is for the plugin that contains libtileops.a.
void stay_loaded() {
  static const bool pinned = pin();
  (void)pinned;
}

}  // namespace tileops::cpu

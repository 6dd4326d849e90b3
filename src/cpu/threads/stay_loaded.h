// Code that worker threads run must not be unloaded.
#pragma once

namespace tileops::cpu {

// Keeps the shared object that this code was linked into, and with it the libraries that it needs,
// in the process until it ends, whatever dlclose() is called for. Does nothing in the program itself.
// Cheap after the first call.
void stay_loaded();

}  // namespace tileops::cpu

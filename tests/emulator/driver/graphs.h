// Streams of the emulated driver, and graphs of what they noted down while they were under capture.
#ifndef TILEOPS_TESTS_EMULATOR_GRAPHS_H_
#define TILEOPS_TESTS_EMULATOR_GRAPHS_H_

#include <functional>

#include "cuda/driver/driver_api.h"

namespace emulator {

using Work = std::function<tileops::cuda::CUresult()>;
int device_of(tileops::cuda::CUcontext context);
// The device whose context is current on this thread, or the first one.
int current_device();

// Does it now, or notes it down where the stream is under capture. A stream of another device than the current one is
// refused.
tileops::cuda::CUresult do_or_note(tileops::cuda::CUstream stream, Work work);

}  // namespace emulator

#endif  // TILEOPS_TESTS_EMULATOR_GRAPHS_H_

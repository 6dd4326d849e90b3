// What tests ask of the driver that computes nothing (counting_driver.cc), by these names.
#ifndef TILEOPS_TESTS_OPEN_COUNTING_DRIVER_H_
#define TILEOPS_TESTS_OPEN_COUNTING_DRIVER_H_

#include <cstdint>

namespace opentest {

// counting_driver_counts: how often kernels were launched and anything else was done since the last call; from then on
// as if the stream was under capture.
using Counts = void (*)(long* kernels, long* other_calls, int under_capture);

// counting_driver_watch: told of each launch, with the kernel's parameter and its text.
using Watch = void (*)(uint32_t blocks, uint32_t threads, const uint64_t* parameter, const char* source);

}  // namespace opentest

#endif  // TILEOPS_TESTS_OPEN_COUNTING_DRIVER_H_

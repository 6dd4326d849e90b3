// The yardstick of `tileops bench`: copying as many bytes as an operator moves.
#ifndef TILEOPS_CLI_COMMANDS_BENCH_COPY_H_
#define TILEOPS_CLI_COMMANDS_BENCH_COPY_H_

#include <cstdint>
#include <functional>

#include "cli/common.h"

namespace tileops::cli {

struct Timing {
  double min = 0, median = 0;  // seconds of one call
};

// Calls run(0), run(1), ... in batches long enough for the clock, `sync` after each batch, for
// about `seconds` in all.
Timing measure(const std::function<void(size_t)>& run, const std::function<void()>& sync, double seconds);

// Best of one thread and of all. `bytes` counts reads and writes together, and the copy goes
// through as many buffers in turn (`sets`) as the operator it is compared with.
Timing measure_copy(const Context& context, const Stream& stream, DLDevice device, uint64_t bytes, size_t sets,
                    int threads, double seconds);

}  // namespace tileops::cli

#endif  // TILEOPS_CLI_COMMANDS_BENCH_COPY_H_

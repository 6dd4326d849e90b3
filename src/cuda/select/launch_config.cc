// The grid.
#include <algorithm>

#include "cuda/select/stages.h"

namespace tileops::cuda {
namespace {

constexpr uint32_t kWarp = 32;

uint64_t divided_up(uint64_t n, uint64_t d) { return (n + d - 1) / d; }

}  // namespace

LaunchConfig launch_config_of(const KernelSpec& spec, const Traversal& t, int multiprocessors) {
  const Positions positions = positions_of(t);
  LaunchConfig launch;
  launch.threads = static_cast<uint32_t>(spec.traversal.threads);
  launch.vecs_per_thread = spec.traversal.vecs_per_thread;
  launch.interleaved = t.interleaved;
  if (t.order == TraversalOrder::tiles) {
    launch.blocks = 1;
    for (const int64_t n : positions.extents) launch.blocks *= static_cast<uint64_t>(n);
    return launch;
  }
  const uint64_t count = static_cast<uint64_t>(positions.count);
  const uint64_t vecs = t.order == TraversalOrder::rows ? count : divided_up(count, static_cast<uint64_t>(t.vec));
  while (launch.threads > kWarp && vecs <= launch.threads / 2) launch.threads /= 2;
  const uint64_t each = static_cast<uint64_t>(std::max(1, spec.traversal.vecs_per_thread));
  launch.blocks = divided_up(vecs, launch.threads * each);
  if (spec.traversal.kernel_template == Template::activation_table) {  // a block of each multiprocessor has it
    const uint64_t resident = std::min(launch.blocks, static_cast<uint64_t>(multiprocessors));
    launch.vecs_per_thread = static_cast<int>(divided_up(launch.blocks, resident));
    launch.blocks = resident;
  }
  return launch;
}

}  // namespace tileops::cuda

// The grid.
#include <algorithm>

#include "cuda/select/stages.h"

namespace tileops::cuda {
namespace {

constexpr uint32_t kWarp = 32;

uint64_t divided_up(uint64_t n, uint64_t d) { return (n + d - 1) / d; }

}  // namespace

bool Grid::is_open() const {
  return std::any_of(positions.begin(), positions.end(), [](const Extent& e) { return e.is_open(); });
}

uint64_t Grid::count(const int64_t* extents) const {
  uint64_t n = 1;
  for (const Extent& e : positions) n *= static_cast<uint64_t>(e.at(extents));
  return n;
}

Grid::Size Grid::of(uint64_t count) const {
  const uint64_t units = divided_up(count, together);
  Size size{0, threads};
  while (shrinks && size.threads > kWarp && units <= size.threads / 2) size.threads /= 2;
  size.blocks = std::min(most_blocks, divided_up(units, shrinks ? size.threads * each : each)) * cluster;
  return size;
}

uint64_t Grid::blocks_of_item(uint64_t count) const {
  const uint64_t units = divided_up(count, together);
  return std::min(most_blocks, divided_up(units, shrinks ? threads * each : each)) * cluster;
}

void LaunchConfig::fit() {
  threads = grid.threads;
  if (grid.is_open()) return;
  const Grid::Size size = grid.of(grid.count(nullptr));
  blocks = size.blocks;
  threads = size.threads;
}

LaunchConfig launch_config_of(const KernelSpec& spec, const Traversal& t, int multiprocessors) {
  const TraversalSpec& s = spec.traversal;
  LaunchConfig launch;
  launch.vecs_per_thread = s.vecs_per_thread;
  launch.interleaved = t.interleaved;
  Grid& grid = launch.grid;
  grid.positions = t.order == TraversalOrder::flat || t.order == TraversalOrder::elements ? t.extents : positions_of(t);
  grid.threads = static_cast<uint32_t>(s.threads);
  if (t.order != TraversalOrder::tiles) {
    grid.together = t.order == TraversalOrder::rows ? 1 : static_cast<uint64_t>(t.vec);
    grid.each = static_cast<uint64_t>(std::max(1, s.vecs_per_thread));
    grid.shrinks = true;
  }
  launch.fit();
  if (s.kernel_template == Template::activation_table) {  // a block of each multiprocessor has it
    grid.most_blocks = static_cast<uint64_t>(multiprocessors);
    const uint64_t all = launch.blocks;
    launch.fit();
    launch.vecs_per_thread = static_cast<int>(divided_up(all, std::max<uint64_t>(launch.blocks, 1)));
  }
  return launch;
}

}  // namespace tileops::cuda

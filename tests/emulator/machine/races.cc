#include "machine/races.h"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "program/program.h"

namespace emulator {

bool Races::are_wanted() {
  static const bool wanted = std::getenv("TILEOPS_EMULATOR_RACES") != nullptr;
  return wanted;
}

Races::Races(size_t shared_bytes, size_t warps) : bytes_(shared_bytes), known_(warps, Counts{}) {
  for (size_t w = 0; w < warps; ++w) known_[w][w] = 1;
}

void Races::look(size_t warp, uint64_t offset, size_t bytes, Use use) {
  const Access mine{known_[warp][warp], static_cast<uint8_t>(warp), use};
  const auto race = [&](const Access& other, uint64_t at) {
    static const char* const words[] = {"loads", "stores", "adds to"};
    throw Fault("a race: warp " + std::to_string(warp) + " " + words[static_cast<int>(use)] + " byte " +
                std::to_string(at) + " of shared memory, which warp " + std::to_string(other.warp) + " " +
                words[static_cast<int>(other.use)] + ", and no barrier is between them");
  };
  for (uint64_t at = offset; at < offset + bytes; ++at) {
    Byte& b = bytes_[at];
    const bool both_atomic = use == Use::atomic && b.store.use == Use::atomic;
    if (b.store.count && !both_atomic && !before(b.store, warp)) race(b.store, at);
    if (use == Use::load) {
      if (b.loads[0].warp != warp) b.loads[1] = b.loads[0];
      b.loads[0] = mine;
      continue;
    }
    for (const Access& load : b.loads)
      if (load.count && !before(load, warp)) race(load, at);
    b.store = mine;
  }
}

void Races::arrive(size_t warp, Counts* met) {
  for (size_t w = 0; w < kWarps; ++w) (*met)[w] = std::max((*met)[w], known_[warp][w]);
  ++known_[warp][warp];
}

void Races::leave(size_t warp, const Counts& met) {
  for (size_t w = 0; w < kWarps; ++w) known_[warp][w] = std::max(known_[warp][w], met[w]);
}

}  // namespace emulator

// Two warps at the same bytes of shared memory, one of which stores, with no barrier between them: a race. Each warp
// counts its barriers, and knows of every other one up to which count it has waited for it. Found where
// TILEOPS_EMULATOR_RACES is set. Lanes of one warp, and other blocks of a cluster, are not looked at.
#ifndef TILEOPS_TESTS_EMULATOR_MACHINE_RACES_H_
#define TILEOPS_TESTS_EMULATOR_MACHINE_RACES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace emulator {

enum class Use : uint8_t { load, store, atomic };

class Races {
 public:
  static constexpr size_t kWarps = 32;
  using Counts = std::array<uint32_t, kWarps>;

  Races(size_t shared_bytes, size_t warps);
  // Throws Fault where it is a race.
  void look(size_t warp, uint64_t offset, size_t bytes, Use use);
  // A warp comes to a barrier, which holds `met`, and goes on from it.
  void arrive(size_t warp, Counts* met);
  void leave(size_t warp, const Counts& met);
  static bool are_wanted();

 private:
  struct Access {
    uint32_t count = 0;  // 0: none
    uint8_t warp = 0;
    Use use = Use::load;
  };
  struct Byte {
    Access store, loads[2];  // the last ones, of two warps
  };
  bool before(const Access& a, size_t warp) const { return a.warp == warp || a.count <= known_[warp][a.warp]; }

  std::vector<Byte> bytes_;
  std::vector<Counts> known_;  // of each warp, of each other one
};

}  // namespace emulator

#endif  // TILEOPS_TESTS_EMULATOR_MACHINE_RACES_H_

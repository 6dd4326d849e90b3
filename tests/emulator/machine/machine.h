// Warps, blocks and clusters of a grid while it runs. Each lane has a place in the code of its own; lanes at the same
// place are a group, and of the groups of a warp the one with the lowest place goes on, so that they meet again.
#ifndef TILEOPS_TESTS_EMULATOR_MACHINE_H_
#define TILEOPS_TESTS_EMULATOR_MACHINE_H_

#include <array>
#include <cstring>
#include <deque>
#include <memory>
#include <vector>

#include "machine/memory.h"
#include "machine/races.h"
#include "program/program.h"

namespace emulator {

using Register = std::array<uint64_t, kLanes>;

template <class F>
void each_lane(Mask lanes, F f) {
  if (lanes == ~Mask{0}) {
    for (size_t l = 0; l < kLanes; ++l) f(l);
    return;
  }
  for (; lanes; lanes &= lanes - 1) f(static_cast<size_t>(__builtin_ctz(lanes)));
}

struct Launch {
  const Function* function;
  unsigned grid[3], block[3];
  size_t dynamic_shared;
  std::vector<std::byte> params;
};

struct Cluster;

struct Block {
  Block(const Launch& launch, Cluster* cluster, uint64_t number, unsigned rank);
  bool is_done() const;
  void pass_barriers();
  void meet();

  const Launch& launch;
  Cluster* cluster;
  unsigned place[3], rank;
  std::vector<std::byte> shared;
  std::unique_ptr<Races> races;  // nullptr: they are not looked for
  std::vector<std::unique_ptr<Warp>> warps;
  int alive = 0;  // threads that have not ended
  // How many threads have arrived at a barrier, and how many it waits for if the instruction names a number.
  struct Barrier {
    int arrived = 0, wanted = 0;
    Races::Counts met{};
  };
  std::array<Barrier, 16> barriers{};
};

struct Cluster {
  std::vector<std::unique_ptr<Block>> blocks;
  int arrived = 0;
  uint64_t phase = 0;  // how often all have arrived
  void pass();
};

class Warp {
 public:
  Warp(Block* block, int first_thread, Mask lanes);
  // Until it waits or has ended, or for a while. Did it get on?
  bool run();
  bool is_done() const { return groups_.empty(); }
  std::string where() const;

  Register& at(int reg) { return registers_[static_cast<size_t>(reg)]; }
  const Register& from(const Instruction& i, size_t n) { return at(i.from[n].reg); }
  Register& to(const Instruction& i, size_t n = 0) { return at(i.to[n]); }
  // The bytes at an address of a lane.
  std::byte* memory(Space space, uint64_t address, size_t bytes, int lane, Use use);

  struct Copy {  // asynchronous, done when it is waited for
    uint64_t to, from;
    uint8_t bytes, filled;
    int lane;
  };
  struct Copies {
    std::vector<Copy> open;
    std::deque<std::vector<Copy>> groups;
  };
  std::array<Copies, kLanes> copies;
  void do_copies(const std::vector<Copy>& list);

  Block* block;
  Mask all;  // lanes that are threads, and have not ended

 private:
  friend struct Block;
  friend struct Cluster;
  enum class State : uint8_t { ready, barrier, cluster, together };
  struct Group {
    int pc;
    Mask lanes;
    State state;
    int barrier;
    uint64_t phase;
  };
  bool step(size_t g);
  void branch(size_t g, const Instruction& i, Mask taken);
  void arrive(const Instruction& i, Mask lanes, int id);
  void merge();
  size_t lowest_ready() const;

  std::vector<Register> registers_;
  std::vector<Group> groups_;
  std::vector<std::byte> local_;
  Range last_;  // of global memory that was used
  int first_thread_;
  size_t number() const { return static_cast<size_t>(first_thread_ / kLanes); }
  uint64_t arrived_phase_ = 0;
};

// Runs it whole. Throws Fault.
void run(const Launch& launch);

}  // namespace emulator

#endif  // TILEOPS_TESTS_EMULATOR_MACHINE_H_

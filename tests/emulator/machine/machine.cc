#include "machine/machine.h"

#include <algorithm>
#include <climits>

namespace emulator {
namespace {

constexpr int kSlice = 20000;  // instructions of a warp, until others that wait for memory have a turn

uint64_t value_of(Special s, const Block& b, int thread) {
  const unsigned *n = b.launch.block, *grid = b.launch.grid;
  const auto t = static_cast<unsigned>(thread), lane = t % kLanes;
  const Mask bit = Mask{1} << lane;
  switch (s) {
    case Special::tid_x: return t % n[0];
    case Special::tid_y: return t / n[0] % n[1];
    case Special::tid_z: return t / n[0] / n[1];
    case Special::ntid_x: return n[0];
    case Special::ntid_y: return n[1];
    case Special::ntid_z: return n[2];
    case Special::ctaid_x: return b.place[0];
    case Special::ctaid_y: return b.place[1];
    case Special::ctaid_z: return b.place[2];
    case Special::nctaid_x: return grid[0];
    case Special::nctaid_y: return grid[1];
    case Special::nctaid_z: return grid[2];
    case Special::laneid: return lane;
    case Special::warpid: return t / kLanes;
    case Special::nwarpid: return (n[0] * n[1] * n[2] + kLanes - 1) / kLanes;
    case Special::lanemask_eq: return bit;
    case Special::lanemask_lt: return bit - 1;
    case Special::lanemask_le: return bit | (bit - 1);
    case Special::lanemask_gt: return ~(bit | (bit - 1));
    case Special::lanemask_ge: return ~(bit - 1);
    case Special::cluster_ctarank: return b.rank;
    case Special::cluster_nctarank: return b.launch.function->cluster;
    case Special::dynamic_shared: return b.launch.dynamic_shared;
    case Special::smid:
    case Special::clock:
    case Special::zero: return 0;
  }
  return 0;
}

}  // namespace

Warp::Warp(Block* b, int first_thread, Mask lanes) : block(b), all(lanes), first_thread_(first_thread) {
  const Function& f = *b->launch.function;
  registers_.resize(static_cast<size_t>(f.num_registers));
  for (const auto& [reg, value] : f.constants) at(reg).fill(value);
  for (const auto& [reg, special] : f.specials)
    for (int l = 0; l < kLanes; ++l) at(reg)[static_cast<size_t>(l)] = value_of(special, *b, first_thread + l);
  local_.assign(f.local_bytes * kLanes, std::byte{0xcd});
  groups_.push_back({0, lanes, State::ready, 0, 0});
}

// Lanes at the same place are one group again. What waited there for others looks again who is there.
void Warp::merge() {
  for (size_t a = 0; a + 1 < groups_.size(); ++a)
    for (size_t b = a + 1; b < groups_.size();) {
      Group &x = groups_[a], &y = groups_[b];
      const bool may = (x.state == State::ready || x.state == State::together) &&
                       (y.state == State::ready || y.state == State::together);
      if (!may || x.pc != y.pc) {
        ++b;
        continue;
      }
      x.lanes |= y.lanes;
      x.state = State::ready;
      groups_.erase(groups_.begin() + static_cast<ptrdiff_t>(b));
    }
}

size_t Warp::lowest_ready() const {
  size_t best = groups_.size();
  for (size_t g = 0; g < groups_.size(); ++g)
    if (groups_[g].state == State::ready && (best == groups_.size() || groups_[g].pc < groups_[best].pc)) best = g;
  return best;
}

bool Warp::run() {
  bool got_on = false;
  for (int left = kSlice; left > 0;) {
    merge();
    const size_t g = lowest_ready();
    if (g == groups_.size()) break;
    int limit = INT_MAX;  // where others are, whom it meets
    for (const Group& other : groups_)
      if (other.pc > groups_[g].pc) limit = std::min(limit, other.pc);
    got_on = true;
    do --left;
    while (step(g) && groups_[g].pc < limit);
  }
  return got_on;
}

// One instruction of a group. Is it still that group, and ready?
bool Warp::step(size_t g) {
  const Instruction& i = block->launch.function->code[static_cast<size_t>(groups_[g].pc)];
  Group& group = groups_[g];
  Mask lanes = group.lanes;
  if (i.guard >= 0) {
    Mask holds = 0;
    const Register& p = at(i.guard);
    for (size_t l = 0; l < kLanes; ++l) holds |= Mask{(p[l] & 1) != 0} << l;
    lanes &= i.guard_is ? holds : ~holds;
  }
  if (i.control == Control::none) {
    if (lanes) i.run(*this, i, lanes);
    ++group.pc;
    return true;
  }
  if (i.control == Control::branch) {
    branch(g, i, lanes);
    return false;
  }
  if (lanes != group.lanes) {  // those that the guard leaves out go on
    const Mask rest = group.lanes & ~lanes;
    const int next = group.pc + 1;
    if (!lanes) {
      group.pc = next;
      return false;
    }
    group.lanes = lanes;
    groups_.push_back({next, rest, State::ready, 0, 0});
  }
  Group& mine = groups_[g];
  switch (i.control) {
    case Control::exit:
      all &= ~lanes;
      block->alive -= __builtin_popcount(lanes);
      groups_.erase(groups_.begin() + static_cast<ptrdiff_t>(g));
      block->pass_barriers();
      if (block->cluster) block->cluster->pass();
      return false;
    case Control::barrier:
    case Control::arrive: {
      const auto id = static_cast<int>(at(i.from[0].reg)[static_cast<size_t>(__builtin_ctz(lanes))]) & 15;
      mine.state = i.control == Control::barrier ? State::barrier : State::ready;
      mine.barrier = id;
      ++mine.pc;
      arrive(i, lanes, id);
      return false;
    }
    case Control::cluster_arrive:
      arrived_phase_ = block->cluster->phase;
      ++mine.pc;
      block->cluster->arrived += __builtin_popcount(lanes);
      block->cluster->pass();
      return false;
    case Control::cluster_wait:
      ++mine.pc;
      mine.phase = arrived_phase_;
      mine.state = State::cluster;
      block->cluster->pass();
      return false;
    default: break;
  }
  // All lanes that it names have to be there.
  const auto named = static_cast<Mask>(at(i.from.back().reg)[static_cast<size_t>(__builtin_ctz(lanes))]);
  if ((mine.lanes & named) != (named & all)) {
    mine.state = State::together;
    return false;
  }
  i.run(*this, i, lanes);
  ++mine.pc;
  return false;
}

void Warp::branch(size_t g, const Instruction& i, Mask taken) {
  Group& group = groups_[g];
  if (taken == group.lanes) {
    group.pc = i.target;
    return;
  }
  ++group.pc;
  if (!taken) return;
  group.lanes &= ~taken;
  groups_.push_back({i.target, taken, State::ready, 0, 0});
}

void Warp::arrive(const Instruction& i, Mask lanes, int id) {
  Block::Barrier& barrier = block->barriers[static_cast<size_t>(id)];
  barrier.arrived += __builtin_popcount(lanes);
  if (block->races) block->races->arrive(number(), &barrier.met);
  if (i.from.size() > 1)
    barrier.wanted = static_cast<int>(at(i.from[1].reg)[static_cast<size_t>(__builtin_ctz(lanes))]);
  block->pass_barriers();
}

std::byte* Warp::memory(Space space, uint64_t address, size_t bytes, int lane, Use use) {
  if (address % bytes != 0) throw Fault("an address that is no multiple of " + std::to_string(bytes));
  if (space == Space::generic && address >= kLocalBase) {
    space = Space::local;
    address -= kLocalBase;
  } else if (space == Space::generic && address >= kSharedBase) {
    space = Space::shared;
    address -= kSharedBase;
  }
  const auto within = [&](const char* what, std::byte* begin, size_t size, uint64_t offset) {
    if (offset + bytes > size)
      throw Fault("offset " + std::to_string(offset) + " of " + std::to_string(size) + " bytes of " + what);
    return begin + offset;
  };
  switch (space) {
    case Space::shared:
    case Space::cluster: {
      const uint64_t rank = (address & 0xffffffff) >> kRankShift, offset = address & ((uint64_t{1} << kRankShift) - 1);
      if (rank > block->launch.function->cluster) throw Fault("shared memory of no block of the cluster");
      std::vector<std::byte>& s = (rank ? block->cluster->blocks[rank - 1].get() : block)->shared;
      std::byte* place = within("shared memory", s.data(), s.size(), offset);
      if (block->races && (rank == 0 || rank == block->rank + 1)) block->races->look(number(), offset, bytes, use);
      return place;
    }
    case Space::local: {
      const size_t size = local_.size() / kLanes;
      return within("local memory", local_.data() + size * static_cast<size_t>(lane), size, address);
    }
    case Space::param: {
      const auto& p = block->launch.params;
      return within("parameters", const_cast<std::byte*>(p.data()), p.size(), address);
    }
    default: break;
  }
  if (!last_.holds(address, bytes)) last_ = range_of(address, bytes);
  return reinterpret_cast<std::byte*>(address);
}

void Warp::do_copies(const std::vector<Copy>& list) {
  for (const Copy& c : list) {
    std::byte* to = memory(Space::shared, c.to, c.bytes, c.lane, Use::store);
    if (c.filled) std::memcpy(to, memory(Space::global, c.from, c.filled, c.lane, Use::load), c.filled);
    std::memset(to + c.filled, 0, size_t{c.bytes} - c.filled);
  }
}

std::string Warp::where() const {
  std::string text = "block (" + std::to_string(block->place[0]) + ", " + std::to_string(block->place[1]) +
                     "), threads from " + std::to_string(first_thread_) + ":";
  for (const Group& g : groups_) {
    const auto& code = block->launch.function->code;
    char lanes[16];
    std::snprintf(lanes, sizeof lanes, "%08x", g.lanes);
    text += std::string("\n  lanes ") + lanes + (g.state == State::ready ? " at: " : " wait at: ") +
            code[std::min(static_cast<size_t>(g.pc), code.size() - 1)].text;
  }
  return text;
}

Block::Block(const Launch& l, Cluster* c, uint64_t number, unsigned r) : launch(l), cluster(c), rank(r) {
  place[0] = static_cast<unsigned>(number % l.grid[0]);
  place[1] = static_cast<unsigned>(number / l.grid[0] % l.grid[1]);
  place[2] = static_cast<unsigned>(number / l.grid[0] / l.grid[1]);
  shared.assign(l.function->shared_bytes + l.dynamic_shared, std::byte{0xcd});
  if (Races::are_wanted()) races = std::make_unique<Races>(shared.size(), Races::kWarps);
  alive = static_cast<int>(l.block[0] * l.block[1] * l.block[2]);
  for (int t = 0; t < alive; t += kLanes) {
    const int n = std::min(kLanes, alive - t);
    warps.push_back(std::make_unique<Warp>(this, t, n == kLanes ? ~Mask{0} : (Mask{1} << n) - 1));
  }
}

bool Block::is_done() const { return alive == 0; }

void Block::pass_barriers() {
  for (int id = 0; id < static_cast<int>(barriers.size()); ++id) {
    Barrier& b = barriers[static_cast<size_t>(id)];
    if (b.arrived == 0 || b.arrived < (b.wanted ? b.wanted : alive)) continue;
    for (const auto& w : warps)
      for (Warp::Group& g : w->groups_)
        if (g.state == Warp::State::barrier && g.barrier == id) {
          g.state = Warp::State::ready;
          if (races) races->leave(w->number(), b.met);
        }
    b = {};
  }
}

// All warps have waited for all.
void Block::meet() {
  Races::Counts met{};
  for (const auto& w : warps) races->arrive(w->number(), &met);
  for (const auto& w : warps) races->leave(w->number(), met);
}

void Cluster::pass() {
  int alive = 0;
  for (const auto& b : blocks) alive += b->alive;
  if (arrived >= alive && arrived > 0) {
    arrived = 0;
    ++phase;
    for (const auto& b : blocks)
      if (b->races) b->meet();
  }
  for (const auto& b : blocks)
    for (const auto& w : b->warps)
      for (Warp::Group& g : w->groups_)
        if (g.state == Warp::State::cluster && g.phase < phase) g.state = Warp::State::ready;
}

namespace {

void run_cluster(const Launch& launch, uint64_t first) {
  Cluster cluster;
  for (unsigned r = 0; r < launch.function->cluster; ++r)
    cluster.blocks.push_back(std::make_unique<Block>(launch, &cluster, first + r, r));
  const Warp* current = nullptr;
  try {
    for (bool done = false; !done;) {
      bool got_on = false;
      done = true;
      for (const auto& block : cluster.blocks) {
        for (const auto& warp : block->warps) {
          current = warp.get();
          if (!warp->is_done()) got_on = warp->run() || got_on;
        }
        done = done && block->is_done();
      }
      if (!done && !got_on) {
        for (const auto& block : cluster.blocks)
          for (const auto& warp : block->warps)
            if (!warp->is_done()) current = warp.get();
        throw Fault("no thread can go on");
      }
    }
  } catch (const Fault& fault) {
    throw Fault(launch.function->name + ": " + fault.what() + "\n" + (current ? current->where() : ""));
  }
}

}  // namespace

void run(const Launch& launch) {
  const uint64_t blocks = uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
  for (uint64_t b = 0; b < blocks; b += launch.function->cluster) run_cluster(launch, b);
}

}  // namespace emulator

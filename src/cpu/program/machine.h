// What runs a program on a tile.
#pragma once

#include <algorithm>

#include "cpu/program/program.h"

namespace tileops::cpu {

// Takes what a program reduces or scans, tile after tile.
class Reducer {
 public:
  virtual ~Reducer() = default;
  // The dense values of a tile, for the program's reduction of that number.
  virtual void take(size_t reduction, const void* values, const Place& place) = 0;
  // Likewise, for the scan of that number, whose results are as many.
  virtual void scan(size_t scan, const void* values, const Place& place, void* results) = 0;
};

class Machine {
 public:
  Machine(Program&& program, Tiles&& tiles) : tiles_(std::move(tiles)), p_(std::move(program)) {}

  // Lies in the thread's scratch (cpu/threads/scratch.h), with whatever another machine left in it.
  struct Scratch {
    alignas(64) uint8_t slots[kProgramScratch];
    alignas(64) uint8_t dense[kSlotBytes];  // results on their way past the cache
    const void* value[kProgramSlots];       // where the value of each slot is: there, or in memory
    Kept kept[kProgramSlots];
    AttrValue attributes[kProgramAttributes];
    const AttrValue* attributes_of[kProgramSlots];  // by step
  };

  const Program& program() const { return p_; }
  const Tiles& tiles() const { return tiles_; }

  // Before the first tile: numbers of the execute, and nothing kept.
  void begin(const Binding& binding, Scratch* scratch) const;
  void run_tile(const Binding& binding, const Place& place, Scratch* scratch, Reducer* reducer = nullptr) const;
  void end() const {
    if (p_.non_temporal_stores) p_.memory->non_temporal_fence();
  }

 private:
  void* slot(Scratch* scratch, int i) const { return scratch->slots + static_cast<size_t>(i) * p_.slot_bytes(); }
  void set_attributes(const Binding& binding, Scratch* scratch) const;
  const void* load(const Load& from, const Binding& binding, const Place& place, int to, Scratch* scratch) const;
  void compute(size_t s, const Binding& binding, const Place& place, size_t n, Scratch* scratch) const;
  void spread(const Instruction& i, const Place& place, Scratch* scratch) const;
  void convert(const Conversion& c, const Instruction& i, size_t n, Scratch* scratch) const;
  void store(const Instruction& i, const Binding& binding, const Piece& to, size_t n, Scratch* scratch) const;
  void write(const Store& to, const Instruction& i, const Tile& tile, void* dst, size_t n, Scratch* scratch) const;

  Tiles tiles_;
  Program p_;
};

}  // namespace tileops::cpu

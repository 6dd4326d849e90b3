// A pass of several steps as a program: instructions over slots of scratch, each run on a tile before the next one is.
#pragma once

#include <string>
#include <vector>

#include "cpu/exec/executor.h"
#include "cpu/memory/fetch.h"
#include "cpu/source/kernelled_pass.h"

namespace tileops::cpu {

// Scratch of a program: bytes of all slots, how many there may be, and attributes that are numbers.
constexpr size_t kProgramScratch = size_t{80} << 10, kProgramSlots = 384, kProgramAttributes = 256;

// A value rounded to a dtype, in memory's form, and taken from there in the dtype's compute type.
struct Conversion {
  Store to;
  Load from;
  bool direct = false;  // the two forms are one
};

struct Instruction {
  // `spread`: a value that is there once a row, to each element of the row.
  enum class Does : uint8_t { load, compute, convert, spread, store, reduce, scan };
  Does does = Does::compute;
  int index = 0;            // which load, step, conversion, store, reduction or scan; of `spread`: which Ctype
  int from = -1, to = -1;   // slots; those of steps are in StepKernel
  bool once_a_row = false;  // its values are the same along a row of a tile: the slot has one for each row
  // Where a conversion or store tests its rounding: the step whose result is rounded, and which result of it.
  int tested = -1, result = 0;
};

struct Program {
  Layout layout;
  const MemoryKernels* memory = nullptr;
  bool non_temporal_stores = false;  // past the cache, but for locals of phases of rows
  bool stores_past_cache(const Store& s) const { return non_temporal_stores && !is_local(s); }
  bool reads_ahead = false;       // what later tiles of several rows need is prefetched
  bool reads_rows_ahead = false;  // and of one row
  std::vector<Load> loads;
  std::vector<StepKernel> steps;  // with the slots of their operands and results
  std::vector<Conversion> conversions;
  std::vector<Store> stores;
  std::vector<Instruction> instructions;
  // Attributes that are numbers of the execute: of which step, which one, which number.
  struct Attribute {
    int step, attr, number;
  };
  std::vector<Attribute> attributes;

  int slots = 0;            // the last one is spare
  size_t slot_element = 4;  // bytes of its widest element
  size_t tile = 0;          // elements of a tile, at most
  // Do several steps read several large operands, one after the other? Then later tiles' parts are prefetched, too.
  bool reads_in_turns = false;
  size_t slot_bytes() const { return tile * slot_element + kSlotGap; }
};

// `past_cache_from`: elements from which on its results bypass the cache; `sizes`: of the executor that it is for.
// Throws Error(UNSUPPORTED) if the CPU cannot run it.
Program assemble(const Problem& problem, KernelledPass&& source, const MemoryKernels& memory, size_t past_cache_from,
                 Sizes* sizes);

// Sets the size of its tiles. Throws Error(UNSUPPORTED) if scratch has no room for the smallest ones.
void choose_tile(const Problem& problem, Program* program);

// Its instructions, one a line.
std::string program_text(const Program& program, const Tiles& tiles);

class Gate;

// `sizes`: those of the program, and of the gate. `near_numbers`: slots of numbers. Where one of them is not near in an
// execute, `wide` runs in its place. `gate`: the mask that leaves rows out, or NULL (gate.h).
ExecutorPtr make_program(Program&& program, Sizes&& sizes, ExecutorPtr wide = nullptr,
                         std::vector<int> near_numbers = {}, std::shared_ptr<const Gate> gate = nullptr);

}  // namespace tileops::cpu

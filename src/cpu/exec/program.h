// A pass of several steps as a program: instructions over slots of scratch, each run on a tile before the next one is.
#pragma once

#include <functional>
#include <vector>

#include "cpu/exec/executor.h"
#include "cpu/exec/fetch.h"

namespace tileops::cpu {

// Scratch of a program, on the stack: bytes of all slots, how many there may be, and attributes that are numbers.
constexpr size_t kProgramScratch = size_t{80} << 10, kProgramSlots = 384, kProgramAttributes = 256;

// A value rounded to a dtype, in memory's form, and taken from there in the dtype's compute type.
struct Conversion {
  Store to;
  Load from;
  bool direct = false;  // the two forms are one
};

struct Instruction {
  enum class Does : uint8_t { load, compute, convert, store };
  Does does = Does::compute;
  int index = 0;           // which load, step, conversion or store
  int from = -1, to = -1;  // slots; those of steps are in StepKernel
  // Where a conversion or store tests its rounding: the step whose result is rounded, and which result of it.
  int tested = -1, result = 0;
};

struct Program {
  Layout layout;
  const MemoryKernels* memory = nullptr;
  bool bypass_cache = false;
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
  size_t slot_bytes() const { return tile * slot_element + kSlotGap; }
  // For each result of the last step: the store that takes it, to whose memory the step may write at once; or -1.
  int in_place[kMaxResults] = {-1, -1, -1, -1};
};

// The kernel of a step; NULL for a conversion. `inner`: by its short form, if it has one.
struct ChosenKernel {
  const Kernel* kernel = nullptr;
  bool inner = false;
};

// What a program is made from.
struct Source {
  Pass pass;
  std::vector<ChosenKernel> kernels;  // by step
  std::vector<Table> tables;          // by load: f32 values by its codes, or NULL (tables.h)
};

// Lets comparisons of indices compute in f32, where that gives the same results: always, or only while the numbers of
// an execute whose slots it returns are near ones, to which an index can be added in i64 without wrapping.
using FindKernel = std::function<const Kernel&(const Step&)>;
inline bool is_near_number(int64_t v) { return v < int64_t{1} << 62 && v > -(int64_t{1} << 62); }
std::vector<int> compare_near_indices(const Problem& problem, Source* source, const FindKernel& find);

// Makes two steps one where a kernel of `pairs` does both and nothing else takes the first one's result.
void pair_steps(Source* source, const std::vector<Kernel>& pairs);

// Leaves out the steps that no result depends on.
void drop_unused_steps(Source* source);

// Throws Error(UNSUPPORTED) if the CPU cannot run it.
Program assemble(const Problem& problem, Source&& source, const MemoryKernels& memory, int threads);

// Are a step's float operands all loads, or rounded? Then its results are rounded as the operator's are.
bool takes_rounded(const Pass& pass, const Step& step, const std::vector<Table>& tables);

// `near_numbers`: slots of numbers. Where one of them is not near in an execute, `wide` runs in its place.
ExecutorPtr make_program(Program&& program, ExecutorPtr wide = nullptr, std::vector<int> near_numbers = {});

}  // namespace tileops::cpu

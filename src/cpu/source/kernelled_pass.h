// What a program is made from: a pass, and the kernels and tables that were chosen for it.
#pragma once

#include <functional>
#include <vector>

#include "cpu/exec/step.h"
#include "problem/analysis.h"

namespace tileops::cpu {

// The kernel of a step; NULL for a conversion. `inner`: by its short form, if it has one. In a phase of rows, `scan`:
// of a scan, its number.
struct ChosenKernel {
  const Kernel* kernel = nullptr;
  bool inner = false;
  int scan = -1;
};

struct KernelledPass {
  Pass pass;
  std::vector<ChosenKernel> kernels;  // by step
  std::vector<Table> tables;          // by load: f32 values by its codes, or NULL (tables.h)

  // Where this is a phase of rows (cpu/rows), the pass's extents are as they have to be, and its stores are, where a
  // number is not negative, the reductions of that number.
  bool is_phase = false, non_temporal_stores = false;
  bool reads_ahead = false;  // its tiles are short pieces of many rows, which no hardware foresees
  // Other phases run between its tiles, so that hardware no longer foresees the next one, not even of a single row.
  bool reads_rows_ahead = false;
  std::vector<int> reductions = {};
};

// Lets comparisons of indices compute in f32, where that gives the same results: always, or only while the numbers of
// an execute whose slots it returns are near ones, to which an index can be added in i64 without wrapping.
using FindKernel = std::function<const Kernel&(const Step&)>;
inline bool is_near_number(int64_t v) { return v < int64_t{1} << 62 && v > -(int64_t{1} << 62); }
std::vector<int> compare_near_indices(const Problem& problem, KernelledPass* source, const FindKernel& find);

// Makes two steps one where a row of pairs.def does both, by one of its kernels, and nothing else takes the first
// one's result.
void pair_steps(KernelledPass* source, const std::vector<Kernel>& kernels);

// The facts of its values.
PassInfo analysed(const KernelledPass& source);

// Results rounded to odd are for narrow floats alone: a step whose results others take as well is there twice. `info`:
// of the pass, as it was and as it is then.
void part_rounded_results(KernelledPass* source, PassInfo* info);

// Leaves out the steps that no result depends on.
void drop_unused_steps(KernelledPass* source);

}  // namespace tileops::cpu

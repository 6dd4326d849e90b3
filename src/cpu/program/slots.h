// Which slot of scratch each value of a program has.
#pragma once

#include <vector>

#include "cpu/program/program.h"
#include "problem/analysis.h"

namespace tileops::cpu {

// A program whose instructions say by which step, load or store they are, not yet by which slots.
struct Unplaced {
  Program program;
  std::vector<StepKernel> steps;  // one for each of the pass's; those of conversions have no kernel
  std::vector<int> scans;         // the number of each step that is a scan
  std::vector<size_t> converted;  // the step that each conversion is
  std::vector<Value> spread;      // the value that each instruction of that kind spreads along rows
  std::vector<size_t> takers;     // the instruction of each step and, behind them, of each store
};

Program assign_slots(Unplaced&& unplaced, const KernelledPass& source, const PassInfo& info);

}  // namespace tileops::cpu

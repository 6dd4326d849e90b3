// Steps of a program that take 16-bit floats as they lie in memory, or give them, where that saves a conversion.
#pragma once

#include <vector>

#include "cpu/exec/step.h"
#include "problem/analysis.h"

namespace tileops::cpu {

struct Mixed {
  std::vector<bool> loads;   // by load: as it lies in memory
  std::vector<bool> stores;  // by store: its step gives what memory takes
};

// Chooses loops that mix elements, and which of these are 16-bit floats. A load that others read as f32 is there twice
// after it; tables are by load.
Mixed mix_forms(Pass* pass, const PassInfo& info, std::vector<StepKernel>* steps, std::vector<Table>* tables);

}  // namespace tileops::cpu

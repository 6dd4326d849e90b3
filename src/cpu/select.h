// Chooses how a pass runs: its kernels, and the executor that calls them.
#pragma once

#include <map>
#include <vector>

#include "cpu/exec/executor.h"

namespace tileops::cpu {

// All kernels of one instruction set, made once and never freed.
struct KernelSet {
  const IsaKernels* isa = nullptr;
  std::map<int32_t, std::vector<Kernel>> by_op;

  // The kernel of a step; throws Error(UNSUPPORTED) if there is none.
  const Kernel& find(const Problem& problem, const Step& step) const;
};

// Throws Error(UNSUPPORTED) if the CPU cannot run it.
void check_pass(const Problem& problem, const Pass& pass, const KernelSet& kernels);

ExecutorPtr select_executor(const Problem& problem, const Pass& pass, const KernelSet& kernels, int threads);

}  // namespace tileops::cpu

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

// A pass, made ready: once or, where its extents are open, twice, since many results bypass the cache and few do not.
class PassExecutors {
 public:
  PassExecutors(const Problem& problem, const Pass& pass, const KernelSet& kernels, int threads);
  // Elements, for the open extents of an execute; 0 where none is open.
  size_t numel(const int64_t* extents) const { return static_cast<size_t>(numel_.at(extents)); }
  // For so many elements, of an execute or of all items of a list.
  const Executor& of_numel(size_t n) const { return many_ && n >= many_from_ ? *many_ : *usual_; }
  const Executor& at(const int64_t* extents) const { return of_numel(numel(extents)); }
  const Executor& usual() const { return *usual_; }

 private:
  Extent numel_;
  size_t many_from_;
  ExecutorPtr usual_, many_;  // many_: or NULL
};

}  // namespace tileops::cpu

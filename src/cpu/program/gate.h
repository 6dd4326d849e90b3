// The mask that leaves blocks of a pass out (problem/rows/gate.h), as a program: it is asked about some blocks before
// anything else is done with them.
#pragma once

#include <memory>

#include "cpu/program/machine.h"

namespace tileops::cpu {

class Gate {
 public:
  static constexpr int64_t kMost = 256;
  // Where blocks are stored, as indices of one place: of `count` from `index` on, along the last of the extents that
  // number them. It lies in the thread's scratch.
  struct Window {
    int64_t index[TILEOPS_MAX_NDIM + 4], place[kMost], count = 0;
  };

  Gate(Program&& program, Sizes* sizes);
  std::string source() const;

  // Calls f(first, count) for runs of blocks that are not left out, among `count` from `index` on. It looks at up to
  // `most` blocks at once, those that this thread computes, and calls renew() when that has taken the scratch.
  template <class Renew, class F>
  void each_stored(const Binding& binding, const int64_t* index, int64_t count, int64_t most, Machine::Scratch* scratch,
                   Window* window, const Renew& renew, const F& f) const {
    const int64_t begin = index[last_], end = begin + count;
    for (int64_t at = begin; at < end;) {
      if (!knows(*window, index, at)) {
        look(binding, index, at, most - (at - begin), scratch, window);
        renew();
      }
      const int64_t known = window->index[last_], stop = std::min(end, known + window->count);
      const auto is_stored = [&](int64_t i) { return window->place[i - known] == 0; };
      while (at < stop) {
        int64_t next = at + 1;
        while (next < stop && is_stored(next) == is_stored(at)) ++next;
        if (is_stored(at)) f(at, next - at);
        at = next;
      }
    }
  }

 private:
  bool knows(const Window& window, const int64_t* index, int64_t at) const;
  void look(const Binding& binding, const int64_t* index, int64_t at, int64_t most, Machine::Scratch* scratch,
            Window* window) const;

  size_t last_;       // of the extents that number blocks
  size_t extent_at_;  // that one, among the sizes
  Machine machine_;
};

// The pass's, whose blocks the outermost `outer` extents of its layout number; NULL if it has none, or if its mask
// changes within blocks. `kernels`: by step of the pass; `sizes`: of the executor that asks it.
std::shared_ptr<const Gate> make_gate(const Problem& problem, const Pass& pass, const Layout& layout, size_t outer,
                                      const std::vector<ChosenKernel>& kernels, const MemoryKernels& memory,
                                      Sizes* sizes);

}  // namespace tileops::cpu

// A phase as it is made: what it stores, or gives to reductions, and the steps that this needs, on the pass's loads and
// on locals.
#pragma once

#include <optional>
#include <vector>

#include "cpu/rows/locals.h"
#include "cpu/rows/phases.h"
#include "problem/rows/needs.h"

namespace tileops::cpu {

// A pass of rows, and what is known of it. Phases have the extents of the layout.
struct PassOfRows {
  const Pass& pass;
  const PassInfo& info;
  const Layout& layout;
  const std::vector<ChosenKernel>& kernels;  // by step

  // How many extents a phase of that level goes along.
  size_t dims_of(Level level) const {
    return level == Level::element ? layout.extents.size()
                                   : layout.outer() + (level == Level::group ? layout.group_rank : 0);
  }
};

class PhaseBuilder {
 public:
  // `kept`: steps of elements that earlier phases have kept. `locals` makes those that this one takes.
  PhaseBuilder(const PassOfRows& rows, Level level, int stage, const NumberSet& kept, Locals* locals);

  // A store of the pass, a value that is left in its local, and one that is given to a reduction as a type.
  void store(size_t store);
  void leave(const Value& v);
  void reduce(const Value& v, int reduction, Ctype type);

  // Without a store or reduction there is no phase.
  std::optional<Phase> build();

 private:
  struct Result {
    Value value;
    View view;
    int reduction = -1;
    Ctype type = Ctype::f32;  // of a reduction
  };

  size_t dims() const { return rows_.dims_of(level_); }
  View in_dims(const View& v, const std::vector<Extent>& strides) const;
  void add_step(size_t step);
  Value here(const Value& v);
  Value index_here(const Value& v);
  Value load(size_t load);
  Value local(const Value& v);
  Value converted(const Value& v, Ctype type);
  void add_result(Result&& result);

  const PassOfRows& rows_;
  const Level level_;
  Locals* locals_;
  Needing needing_;
  std::vector<Result> results_;
  Phase phase_;
  std::vector<int> steps_, loads_;         // by number in the pass: the phase's step or load, or -1
  std::vector<std::pair<int, int>> left_;  // locals that it takes, and the load that each is
};

}  // namespace tileops::cpu

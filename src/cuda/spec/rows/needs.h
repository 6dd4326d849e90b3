// What the functions of a row kernel's text need of a pass: which steps they compute, and what they are given.
#pragma once

#include <set>
#include <vector>

#include "cuda/steps/writer.h"
#include "problem/analysis.h"

namespace tileops::cuda {

inline Value load_value(size_t i) { return {Value::Of::load, static_cast<int>(i), 0}; }
inline Value step_value(size_t s, size_t r = 0) { return {Value::Of::step, static_cast<int>(s), static_cast<int>(r)}; }

// Gathered loads of elements whose indices are there once a block: read into memory as other loads are, when the stage
// of their indices is reached. Others are read by the functions that take them.
bool is_gathered(const Pass& pass, size_t load);
bool is_gathered_in_blocks(const Pass& pass, const PassInfo& info, size_t load);

// What a function of the text needs: steps that it computes itself, and what it is given, which is loads and results of
// steps that are there once a block or once a group, and loads of elements.
struct Needs {
  std::set<size_t> steps, loads;  // in the function
  std::set<size_t> given_loads, given_steps;
  std::set<size_t> kept_steps;  // of elements, which an earlier function has computed and kept: so are all scans
};

// Which function that is: at what level it computes, up to which stage. One that computes once a block, or a group, has
// what earlier stages left there.
class Needing {
 public:
  Needing(const Pass& pass, const PassInfo& info, const StepWriter& writer, Level level, int stage,
          const std::set<size_t>& kept = {})
      : pass_(pass), info_(info), writer_(writer), level_(level), stage_(stage), kept_(kept) {}

  void value(const Value& unresolved) {
    const Value v = writer_.resolved(unresolved);
    const size_t i = static_cast<size_t>(v.index);
    const ValueInfo& own = info_.of(v);
    const bool is_earlier = level_ != Level::element && own.level == level_ && own.stage < stage_;
    if (v.of == Value::Of::load) {
      if (is_gathered(pass_, i) && own.level == level_ && !is_earlier && !is_gathered_in_blocks(pass_, info_, i))
        return indices(pass_.loads[i]);
      (own.level == Level::element ? needs_.loads : needs_.given_loads).insert(i);
      return;
    }
    if (pass_.steps[i].reduces() || own.level < level_ || is_earlier) needs_.given_steps.insert(i);
    else if (kept_.count(i) || pass_.steps[i].scans) needs_.kept_steps.insert(i);
    else step(i);
  }
  void indices(const View& view) {
    for (const View::Index& index : view.indices) value(index.value);
  }
  // A value that is rounded to a dtype.
  void rounded(const Value& v, Dtype to) {
    const Rounding rounding = rounding_of(pass_, v, to);
    if (rounding != Rounding::odd) value(v);
    if (rounding == Rounding::odd || rounding == Rounding::tested)
      for (const Value& x : pass_.steps[static_cast<size_t>(v.index)].arguments) value(x);
  }
  void step(size_t s) {
    if (!needs_.steps.insert(s).second) return;
    const Step& step = pass_.steps[s];
    if (step.converts()) return rounded(step.arguments[0], step.to);
    for (const Value& x : step.arguments) value(x);
  }
  const Needs& needs() const { return needs_; }

 private:
  const Pass& pass_;
  const PassInfo& info_;
  const StepWriter& writer_;
  Level level_;
  int stage_;
  std::set<size_t> kept_;
  Needs needs_;
};

// A store goes along at least what its value changes along.
Level level_of_stored(const Pass& pass, const PassInfo& info, size_t store);

// The reductions that follow a stage, of groups or of blocks.
std::vector<size_t> reductions_behind(const Pass& pass, const PassInfo& info, int stage, Level of);

// Is what follows a stage the first element of each block, and nothing else?
bool takes_first_alone(const Pass& pass, const PassInfo& info, int stage);

// Likewise scans.
std::vector<size_t> scans_behind(const Pass& pass, const PassInfo& info, int stage);
bool has_scans(const Pass& pass);

// What is needed of elements by the reductions and scans behind each stage, and last by the stores.
std::vector<Needs> needs_of_elements(const Pass& pass, const PassInfo& info, const StepWriter& writer);

// Which stages take a load element by element: by load, a bit a stage.
std::vector<uint64_t> stages_of_loads(const Pass& pass, const PassInfo& info);

}  // namespace tileops::cuda

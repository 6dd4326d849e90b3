// What a function of a pass of rows (stages.h) needs: which steps it computes itself, which loads it reads, and which
// values it is given, that others have left once a block or once a group, or have kept of elements.
#pragma once

#include <set>
#include <vector>

#include "problem/rows/stages.h"

namespace tileops {

// The same value without the conversions behind it that change nothing.
Value resolved(const Pass& pass, const PassInfo& info, const Value& v);

// Is something made of a step's results as they are? What is rounded from results rounded to odd is made of the step's
// operands (Rounding).
bool is_needed(const PassInfo& info, size_t step);

struct Needs {
  std::set<size_t> steps;          // that it computes
  std::set<size_t> rounded_steps;  // whose results it rounds, by what their operands say: odd, or tested
  std::set<size_t> loads;          // of elements, which it reads
  std::set<size_t> given_loads, given_steps;
  std::set<size_t> kept_steps;
};

// Collects what the function of a level and a stage needs. Once a block, or once a group, what earlier stages left is
// given. `kept`: steps of elements whose results earlier functions have kept.
class Needing {
 public:
  Needing(const Pass& pass, const PassInfo& info, Level level, int stage, const std::set<size_t>& kept = {})
      : pass_(pass), info_(info), level_(level), stage_(stage), kept_(kept) {}

  void value(const Value& v);
  void indices(const View& view);
  // A value that is rounded to a dtype.
  void rounded(const Value& v, Dtype to);
  // A store: its value, and where it goes.
  void stored(size_t store);
  void step(size_t step);

  const Needs& needs() const { return needs_; }

 private:
  const Pass& pass_;
  const PassInfo& info_;
  const Level level_;
  const int stage_;
  const std::set<size_t> kept_;
  Needs needs_;
};

// The steps that scan.
std::set<size_t> scans_of(const Pass& pass);

// What is needed of elements by the reductions and scans behind each stage, and last by the stores. `kept`: by none of
// them computed, such as scans where what they give is kept.
std::vector<Needs> needs_of_elements(const Pass& pass, const PassInfo& info, const std::set<size_t>& kept);

// Of those functions: steps that several compute, so that a backend may keep what they give; and which stages take a
// load element by element, by load, a bit a stage.
std::set<size_t> computed_again(const std::vector<Needs>& functions);
std::vector<uint64_t> stages_of_loads(const Pass& pass, const std::vector<Needs>& functions);

}  // namespace tileops

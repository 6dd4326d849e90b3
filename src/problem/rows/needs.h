// What a function of a pass of rows (stages.h) needs: which steps it computes itself, which loads it reads, and which
// values it is given, that others have left once a block or once a group, or have kept of elements.
#pragma once

#include <algorithm>
#include <vector>

#include "problem/rows/stages.h"

namespace tileops {

// Numbers of steps or of loads, in ascending order. They are few, and sets are many: so it is one array.
class NumberSet {
 public:
  NumberSet() = default;
  NumberSet(std::initializer_list<size_t> numbers) : numbers_(numbers) {}  // ascending

  std::vector<size_t>::const_iterator begin() const { return numbers_.begin(); }
  std::vector<size_t>::const_iterator end() const { return numbers_.end(); }
  // Was it new?
  bool insert(size_t number) {
    const auto at = std::lower_bound(numbers_.begin(), numbers_.end(), number);
    if (at != numbers_.end() && *at == number) return false;
    numbers_.insert(at, number);
    return true;
  }
  void insert(const NumberSet& others) {
    for (const size_t number : others) insert(number);
  }
  bool has(size_t number) const { return std::binary_search(numbers_.begin(), numbers_.end(), number); }
  bool empty() const { return numbers_.empty(); }
  size_t size() const { return numbers_.size(); }
  bool operator==(const NumberSet& o) const { return numbers_ == o.numbers_; }

 private:
  std::vector<size_t> numbers_;
};

// The same value without the conversions behind it that change nothing.
Value resolved(const Pass& pass, const PassInfo& info, const Value& v);

// Is something made of a step's results as they are? What is rounded from results rounded to odd is made of the step's
// operands (Rounding).
bool is_needed(const PassInfo& info, size_t step);

struct Needs {
  NumberSet steps;          // that it computes
  NumberSet rounded_steps;  // whose results it rounds, by what their operands say: odd, or tested
  NumberSet loads;          // of elements, which it reads
  NumberSet given_loads, given_steps;
  NumberSet kept_steps;
};

// Collects what the function of a level and a stage needs. Once a block, or once a group, what earlier stages left is
// given. `kept`: steps of elements whose results earlier functions have kept.
class Needing {
 public:
  Needing(const Pass& pass, const PassInfo& info, Level level, int stage, NumberSet kept = {})
      : pass_(pass), info_(info), level_(level), stage_(stage), kept_(std::move(kept)) {}

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
  const NumberSet kept_;
  Needs needs_;
};

// The steps that scan.
NumberSet scans_of(const Pass& pass);

// What is needed of elements by the reductions and scans behind each stage, and last by the stores. `kept`: by none of
// them computed, such as scans where what they give is kept.
std::vector<Needs> needs_of_elements(const Pass& pass, const PassInfo& info, const NumberSet& kept);

// Of those functions: steps that several compute, so that a backend may keep what they give; and which stages take a
// load element by element, by load, a bit a stage.
NumberSet computed_again(const std::vector<Needs>& functions);
std::vector<uint64_t> stages_of_loads(const Pass& pass, const std::vector<Needs>& functions);

}  // namespace tileops

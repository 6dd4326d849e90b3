// What a function of a pass of rows (stages.h) needs: which steps it computes itself, which loads it reads, and which
// values it is given, that others have left once a block or once a group, or have kept of elements.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "problem/rows/stages.h"

namespace tileops {

// Numbers of steps or of loads, in ascending order. They are few, and sets are many: the first 64 take no memory.
class NumberSet {
 public:
  class Iterator {
   public:
    Iterator(const NumberSet& set, size_t at) : set_(set), at_(set.next(at)) {}
    size_t operator*() const { return at_; }
    Iterator& operator++() {
      at_ = set_.next(at_ + 1);
      return *this;
    }
    bool operator!=(const Iterator& o) const { return at_ != o.at_; }

   private:
    const NumberSet& set_;
    size_t at_;
  };

  NumberSet() = default;
  NumberSet(std::initializer_list<size_t> numbers) {
    for (const size_t number : numbers) insert(number);
  }

  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, 64 * words()}; }
  // Was it new?
  bool insert(size_t number) {
    if (number / 64 >= words()) more_.resize(number / 64);
    uint64_t& word = number < 64 ? first_ : more_[number / 64 - 1];
    const uint64_t before = word;
    word |= bit(number);
    return word != before;
  }
  void insert(const NumberSet& others) {
    for (const size_t number : others) insert(number);
  }
  bool has(size_t number) const { return number / 64 < words() && (word(number / 64) & bit(number)) != 0; }
  bool empty() const { return size() == 0; }
  size_t size() const {
    size_t numbers = 0;
    for (size_t i = 0; i < words(); ++i) numbers += static_cast<size_t>(__builtin_popcountll(word(i)));
    return numbers;
  }
  bool operator==(const NumberSet& o) const { return first_ == o.first_ && more_ == o.more_; }

 private:
  static uint64_t bit(size_t number) { return uint64_t{1} << number % 64; }
  size_t words() const { return 1 + more_.size(); }
  uint64_t word(size_t i) const { return i == 0 ? first_ : more_[i - 1]; }
  // The first number from `at` on, or the end.
  size_t next(size_t at) const {
    for (size_t i = at / 64; i < words(); ++i, at = 64 * i)
      if (const uint64_t rest = word(i) >> at % 64) return at + static_cast<size_t>(__builtin_ctzll(rest));
    return 64 * words();
  }

  uint64_t first_ = 0;
  std::vector<uint64_t> more_;
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

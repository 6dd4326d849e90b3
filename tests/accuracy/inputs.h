// Which inputs a measurement tries: all of them, or a sample in which every exponent of either
// sign occurs equally often, zeros, infinities, NaN and the ends of every binade included.
#ifndef TILEOPS_TESTS_ACCURACY_INPUTS_H
#define TILEOPS_TESTS_ACCURACY_INPUTS_H

#include <cstdint>

#include "formats.h"

class Inputs {
 public:
  // All codes (arity 1) or all pairs of codes (arity 2).
  static Inputs all(const Format& format, int arity, uint64_t stride = 1);
  static Inputs sample(const Format& format, int arity, uint64_t count, uint64_t seed);

  uint64_t count() const { return count_; }
  bool complete() const { return complete_; }
  // The n inputs from the i-th on; codes[k][..] of operand k.
  void fill(uint64_t i, size_t n, uint64_t* const* codes) const;

 private:
  Inputs(const Format& format, int arity, uint64_t count, uint64_t stride, uint64_t seed, bool complete);
  void get(uint64_t i, uint64_t* codes) const;  // codes[0 .. arity), of a sample
  uint64_t one(uint64_t i, uint64_t strata, uint64_t random) const;

  const Format* format_;
  int arity_;
  uint64_t count_, stride_, seed_;
  bool complete_, all_;
};

#endif

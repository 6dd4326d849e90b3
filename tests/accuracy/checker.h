// Compares results of the library with the exact ones rounded once, and keeps the statistics.
#ifndef TILEOPS_TESTS_ACCURACY_CHECKER_H
#define TILEOPS_TESTS_ACCURACY_CHECKER_H

#include <cstdint>
#include <string>
#include <vector>

#include "cases.h"
#include "formats.h"

struct Finding {
  uint64_t in[2] = {0, 0};
  uint64_t got = 0, want = 0;
  double ulp = 0;
};

struct Stats {
  uint64_t inputs = 0;
  uint64_t differing = 0;  // from the exact result rounded once
  uint64_t bad = 0;        // of those: a wrong NaN, infinity or sign of zero
  double max_ulp = 0.5;    // |got - exact| in ulp; what is correctly rounded counts as 0.5
  Finding worst, first_bad;
  std::vector<Finding> shown;  // the first of those that differ
};

class Checker {
 public:
  // `variants` results are checked for every input: of several instruction sets and code paths.
  Checker(const Case& c, const Format& format, bool use_fast, size_t variants, size_t show);
  ~Checker();
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;

  // codes[k]: bit patterns of input k. got[v]: n elements of the format's size.
  void block(size_t n, const std::vector<uint64_t>* codes, const void* const* got);

  const Stats& stats(size_t variant) const { return stats_[variant]; }
  uint64_t disagreements() const { return disagreements_; }

 private:
  template <class T>
  void compare(size_t n, const std::vector<uint64_t>* codes, const void* const* got);
  void references(size_t n, const std::vector<uint64_t>* codes);
  void record(Stats* stats, size_t i, const std::vector<uint64_t>* codes, uint64_t got);
  void evaluate(size_t i);

  const Case& case_;
  const Format& format_;
  OracleAttrs attrs_;
  FastAttrs fast_attrs_;
  FastReference fast_;
  size_t show_;
  std::vector<Stats> stats_;
  uint64_t disagreements_ = 0;
  std::vector<double> x_, y_, reference_;
  std::vector<uint64_t> want_;
  mpfr_t exact_;
};

#endif

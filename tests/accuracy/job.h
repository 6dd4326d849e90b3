// One row of the table: an operator on a dtype, on every instruction set and code path.
#ifndef TILEOPS_TESTS_ACCURACY_JOB_H
#define TILEOPS_TESTS_ACCURACY_JOB_H

#include <string>
#include <vector>

#include "cases.h"
#include "checker.h"
#include "inputs.h"

struct Options {
  std::vector<std::string> ops, dtypes;
  std::vector<std::string> isas;  // empty: all that there are
  int threads = 2;
  uint64_t seed = 1;
  int list = 0;             // only the names of the operators
  int show = 0;             // results that differ, for each variant
  uint64_t f32_stride = 0;  // 0: a sample
  int log2_f32 = 22, log2_f64 = 14, log2_pairs = 17, log2_gated = 24, log2_f32_pairs = 18;
};

struct Row {
  const Case* c;
  const Format* format;
  std::vector<std::string> variants;  // "avx512/table", "avx512/fused", ...
  std::vector<Stats> stats;           // of each
  uint64_t disagreements;
  bool complete;
  double seconds;

  std::string json() const;
  bool within_bounds() const;
};

Row measure(const Case& c, const Format& format, const Options& options);

#endif

// What is measured: operators, each with its default attributes and a few others.
#ifndef TILEOPS_TESTS_ACCURACY_CASES_H
#define TILEOPS_TESTS_ACCURACY_CASES_H

#include <tileops/tileops.h>

#include <string>
#include <vector>

#include "fast_reference.h"
#include "oracle.h"

struct Case {
  std::string name;  // "gelu", "gelu(approximate=tanh)"
  std::string op;
  tileops_op id;
  int arity;   // tensors that vary
  bool gated;  // measured on 2^24 pairs of 16-bit numbers
  std::vector<tileops_attr> attrs;
  // Most ulp that the contract allows; infinite: none is promised.
  double f32_bound, f64_bound;
  FastReference fast;
  // pow with the exponent as attribute: the oracle's second argument.
  bool has_second;
  double second;

  // The attributes as a body sees them, which computes in f32 or in f64.
  OracleAttrs oracle_attrs(bool f64) const;
  FastAttrs fast_attrs(bool f64) const;
  bool exact(const double* in, const OracleAttrs& attrs, mpfr_t out) const;
};

const std::vector<Case>& all_cases();

#endif

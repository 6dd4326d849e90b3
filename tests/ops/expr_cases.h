// Expressions with operands, scalars and what comes out: each text beside the same in C++.
#ifndef TILEOPS_TESTS_OPS_EXPR_CASES_H_
#define TILEOPS_TESTS_OPS_EXPR_CASES_H_

#include <functional>
#include <string>
#include <vector>

#include "traced.h"

namespace optest {

struct OperandCase {
  Dt dtype = Dt::kF32;
  std::vector<int64_t> shape;
  double lo = -3, hi = 3;
  bool special = false;  // infinities, NaN, subnormals, extremes among the values
  bool present = true;
};

struct ExprCase {
  const char* text;
  std::vector<OperandCase> operands;
  Attrs scalars;  // those that are given
  std::function<std::vector<Traced>(const std::vector<Traced>&)> results;
};

const std::vector<ExprCase>& ExprCases();

}  // namespace optest

#endif  // TILEOPS_TESTS_OPS_EXPR_CASES_H_

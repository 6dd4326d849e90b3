// Inputs for the generic runner: values, shapes and attributes for each operator.
#ifndef TILEOPS_TESTS_OPS_CASES_H_
#define TILEOPS_TESTS_OPS_CASES_H_

#include <string>
#include <vector>

#include "reference.h"

namespace optest {

// Attributes, and which optional operands are given.
struct Variant {
  Attrs attrs;
  std::vector<bool> given;  // by operand; empty: the required ones
};

// At least one; the first is the default.
std::vector<Variant> VariantsOf(const OpRow& row, Dt dtype);

// Values in [lo, hi] and special ones: zeros, extremes, subnormals, infinities, NaN.
const std::vector<uint64_t>& Pool(Dt t, double lo, double hi);
Array Fill(Dt t, const std::vector<int64_t>& shape, double lo, double hi, uint64_t seed);

// An elementwise call on operands of these shapes and dtypes (shorter lists: the last entry holds
// for the rest), output in `out`. Shapes of what is not free to choose are corrected: prelu's
// weight, packed gates, 0-d values.
Call MakeCall(const OpRow& row, const Variant& variant, const std::vector<Dt>& dtypes,
              const std::vector<std::vector<int64_t>>& shapes, uint64_t seed);

// The result's dtype without a wish of the caller's: promoted, float of it, or bool. False if the
// dtypes have none in common.
bool DefaultOutput(Call* call);

}  // namespace optest

#endif  // TILEOPS_TESTS_OPS_CASES_H_

// Runs one call on every target, in given memory layouts, and compares with the reference.
#ifndef TILEOPS_TESTS_OPS_RUNNER_H_
#define TILEOPS_TESTS_OPS_RUNNER_H_

#include <string>
#include <vector>

#include "placed.h"
#include "reference.h"

namespace optest {

// Reports through GoogleTest: op, dtypes, shapes, layouts, index, got, want, ulp.
void Check(const Call& call, const Placement& placement);
// The same with a known expectation.
void CheckAgainst(const Call& call, const Placement& placement, const std::vector<Expected>& expected);

// Element count of a test: n, or less where the environment variable TILEOPS_TEST_SCALE (a
// fraction, for sanitizers) says so.
int64_t Scaled(int64_t n);

// The outputs of a call on one target, in row-major order; empty after a reported failure.
std::vector<std::vector<uint64_t>> Execute(const Target& target, const Call& call, const Placement& placement);

// Whether a computed element is as expected.
bool Matches(const Expected& expected, const Want& want, Dt dtype, uint64_t got, double* ulp);

// The same of operands whose rows are one element each, for Layout::kExpanded.
Call OfEqualRows(Call call);

}  // namespace optest

#endif  // TILEOPS_TESTS_OPS_RUNNER_H_

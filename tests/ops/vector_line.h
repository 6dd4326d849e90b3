// Parts of the lines that make_vectors.cc writes.
#ifndef TILEOPS_TESTS_OPS_VECTOR_LINE_H_
#define TILEOPS_TESTS_OPS_VECTOR_LINE_H_

#include <cstdio>
#include <string>
#include <vector>

#include "reference.h"

namespace optest {

// {"alpha": 2.0, "seed": 3}
std::string NumbersJson(const Attrs& numbers);
// {"dtype": ..., "shape": ..., "data": ...}; null for an absent one.
std::string TensorJson(const Array& a, const std::vector<uint64_t>& bits);

// Writes a line for each of ExprCases; returns how many, and adds to *wrong those that are not as expected.
int WriteExpressions(std::FILE* file, int* wrong);

}  // namespace optest

#endif  // TILEOPS_TESTS_OPS_VECTOR_LINE_H_

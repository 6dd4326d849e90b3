// What the library makes of a named text where there are so many rows, without executing it.
#ifndef TILEOPS_TESTS_ROWS_OF_BATCH_H_
#define TILEOPS_TESTS_ROWS_OF_BATCH_H_

#include <optional>

#include "problem/problem.h"
#include "texts.h"

namespace rowtest {

// Numbers of rows: small ones, powers of two and what is beside them, multiples of much and of nothing.
const std::vector<int64_t>& Batches();

// The text of operands of these shapes, whose extents may be open (TILEOPS_OPEN). None where the library does not take
// such (of rows that are in groups along an axis, say).
std::optional<tileops::Problem> ProblemOf(const RowText& text, std::vector<Shape> shapes, DLDevice device);

// The text's operands, but that the first extent of the first one, wherever it is the first of an operand, is `batch`.
std::optional<tileops::Problem> ProblemOfBatch(const RowText& text, int64_t batch, DLDevice device);

}  // namespace rowtest

#endif  // TILEOPS_TESTS_ROWS_OF_BATCH_H_

// Axes of a text's operands that are open together.
#ifndef TILEOPS_TESTS_ROWS_OPEN_AXES_H_
#define TILEOPS_TESTS_ROWS_OPEN_AXES_H_

#include <vector>

#include "tensor.h"

namespace rowtest {

// By operand, the axes of it that are open, counted from the left.
using OpenAxes = std::vector<std::vector<int>>;

// Those of all operands that have the extent of an operand's axis at the same place from the end. Empty: there is none.
OpenAxes AlikeAxes(const std::vector<Shape>& shapes, size_t operand, size_t axis);

// The shapes where these axes have so many elements.
std::vector<Shape> ShapesAt(std::vector<Shape> shapes, const OpenAxes& axes, int64_t extent);

}  // namespace rowtest

#endif  // TILEOPS_TESTS_ROWS_OPEN_AXES_H_

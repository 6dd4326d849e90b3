#include "open_axes.h"

namespace rowtest {

OpenAxes AlikeAxes(const std::vector<Shape>& shapes, size_t operand, size_t axis) {
  const Shape& shape = shapes[operand];
  const size_t from_end = shape.size() - axis;
  OpenAxes axes(shapes.size());
  for (size_t i = 0; i < shapes.size(); ++i) {
    const Shape& own = shapes[i];
    if (from_end <= own.size() && own[own.size() - from_end] == shape[axis] && shape[axis] != 1)
      axes[i].push_back(static_cast<int>(own.size() - from_end));
  }
  return axes;
}

std::vector<Shape> ShapesAt(std::vector<Shape> shapes, const OpenAxes& axes, int64_t extent) {
  for (size_t i = 0; i < shapes.size(); ++i)
    for (const int a : axes[i]) shapes[i][static_cast<size_t>(a)] = extent;
  return shapes;
}

}  // namespace rowtest

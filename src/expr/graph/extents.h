// Shapes that texts say: x[..b, 2 * n], label[..b, 1], scale[.., n / 128].
#pragma once

#include <string>
#include <vector>

#include "expr/graph/graph.h"

namespace tileops::expr {

bool same(const SaidExtent& a, const SaidExtent& b);
bool same_front(const SaidShape& a, const SaidShape& b);

// Any shape at all: [..].
bool says_nothing(const SaidShape& shape);

// As texts have it: "[..b, n]".
std::string said_shape_text(const SaidShape& shape, const std::vector<ExtentName>& names);

}  // namespace tileops::expr

// Functions that map elements, from the definitions of `tileops selftest` (src/cli/selftest).
#ifndef TILEOPS_TESTS_ROWS_ELEMENT_H_
#define TILEOPS_TESTS_ROWS_ELEMENT_H_

#include <vector>

#include "expr/infer/infer.h"
#include "tensor.h"

namespace rowtest {

// How exactly a node is promised.
enum class Promise {
  bound,  // its operator's bound in ulp
  inner   // 2^-20, or 2^-118: of what results of 16 bits or fewer alone depend on
};

// The value of a node of kind map, of its arguments' (those of empty slots are not looked at) and of all numbers.
Tensor Mapped(const tileops::expr::Graph& graph, const tileops::expr::Node& node,
              const std::vector<tileops::expr::NodeType>& types, const std::vector<const Tensor*>& arguments,
              const std::vector<tileops::expr::Number>& numbers, const Shape& shape, Dtype label, Promise promise);

}  // namespace rowtest

#endif  // TILEOPS_TESTS_ROWS_ELEMENT_H_

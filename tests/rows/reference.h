// What an expression gives: its nodes one after the other, by the definitions, in long double.
//
// Values inside are not rounded; a cast rounds to its dtype, numbers and integers become floats of the compute type as
// they do in an execute, and a float beyond the range of its compute type is infinite. Each value has a bound beside
// it: how far an execute may be off that keeps all that docs/expressions.md promises of each node.
#ifndef TILEOPS_TESTS_ROWS_REFERENCE_H_
#define TILEOPS_TESTS_ROWS_REFERENCE_H_

#include <memory>
#include <string>
#include <vector>

#include "expr/infer/infer.h"
#include "tensor.h"

namespace rowtest {

// A text with the shapes and dtypes of its nodes for given operands. Throws tileops::Error as the library does.
tileops::expr::Inference InferText(const std::string& text, const std::vector<Tensor>& operands);

// The values of all results. Of a scatter `outputs` has what is there before, in order of the results; else it may be
// empty.
std::vector<Tensor> Evaluate(const tileops::expr::Inference& inference, const std::vector<Tensor>& operands,
                             const std::vector<tileops::expr::Number>& scalars = {},
                             const std::vector<Tensor>& outputs = {});

// Both.
std::vector<Tensor> EvaluateText(const std::string& text, const std::vector<Tensor>& operands);

}  // namespace rowtest

#endif  // TILEOPS_TESTS_ROWS_REFERENCE_H_

// A call of each operator, for tests that want all of them and not what they compute.
#ifndef TILEOPS_TESTS_ROWS_OPERATOR_CALLS_H_
#define TILEOPS_TESTS_ROWS_OPERATOR_CALLS_H_

#include <vector>

#include "../ops/cases.h"

namespace rowtest {

// An operator's call on operands that `from` gives by itself.
inline optest::Call CallOf(const optest::OpRow& row, optest::Dt dtype) {
  const std::vector<int64_t> shape{4, 6, 40};
  optest::Call call;
  if (row.rule != "rope" && row.rule != "dropout" && row.rule != "alibi" && row.rule != "sinusoidal") {
    call = optest::MakeCall(row, optest::VariantsOf(row, dtype)[0], {dtype}, {shape}, 1);
    if (!optest::DefaultOutput(&call)) call.outputs.clear();
    return call;
  }
  call.row = &row;
  if (row.rule == "rope" || row.rule == "dropout") call.inputs = {optest::Fill(dtype, shape, -2, 2, 1)};
  if (row.name == "rope_longrope") call.inputs.push_back(optest::Fill(optest::Dt::kF32, {20}, 1, 2, 1));
  call.outputs = {optest::Array{true, dtype, row.rule == "sinusoidal" ? std::vector<int64_t>{6, 40} : shape, {}}};
  return call;
}

}  // namespace rowtest

#endif  // TILEOPS_TESTS_ROWS_OPERATOR_CALLS_H_
